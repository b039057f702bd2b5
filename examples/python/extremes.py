# extremes: one axis of a large prime number of points, over all ranks; a grid of two axes with fewer rows than ranks,
# of which some then have nothing; and one number, in a plan of this process alone. The transform of a constant is its
# sum at the wave 0.
import numpy as np
import weft
from mpi4py import MPI

comm = MPI.COMM_WORLD
for shape, ranks in (((10007,), comm), ((3, 500), comm), ((1,), None)):
    plan = weft.Plan(shape, comm=ranks, effort="estimate")
    u = plan.empty_input()
    u[...] = 1
    v = plan.forward(u, scale=1 / np.prod(shape))
    is_mean = [part.start == 0 < part.stop for part in plan.box("output")]
    if all(is_mean):
        v[(0,) * v.ndim] -= 1
    error = plan.max_abs(v)
    if comm.rank == 0:
        print(f"{shape}: error {error:.2e}")
    assert error < 1e-13
