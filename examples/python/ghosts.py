# ghosts: arrays as Fortran has them, x fastest, with two ghost points around each rank's part, which plans neither
# read nor write. The list of transformed axes ends with x, so that r2c halves x. The mean of 1 + sin(y) is 1.
import numpy as np
import weft
from mpi4py import MPI

n, comm = 18, MPI.COMM_WORLD
field = weft.Distribution("brick", grid=(1, *MPI.Compute_dims(comm.size, 2)), ghosts=2)  # x is whole
plan = weft.Plan((n, n, n), kind="r2c", comm=comm, axes=(2, 1, 0), order="F", input=field, norm="forward", arrays="any")
x, y, z = plan.indices()
u = np.full(plan.empty_input().shape, -1.0, order="F")  # ghost points, whatever they are
plan.inner(u)[...] = 1 + np.sin(2 * np.pi * y / n) + 0 * (x + z)
v = plan.forward(u)
kx, ky, kz = plan.wavenumbers()
expected = np.where((kx == 0) & (kz == 0), np.where(ky == 0, 1, np.where(np.abs(ky) == 1, -0.5j * ky, 0)), 0)
error = plan.max_abs(v - expected)
if comm.rank == 0:
    print(f"x goes from 0 to {x.size}, and {n} is halved: {plan.extents('output')}\nerror {error:.2e}")
assert error < 1e-14 and plan.extents("output") == (n // 2 + 1, n, n)
