# poisson: -laplace(u) = f on the periodic cube of side 2 pi, where the application has pencils of its own:
# each rank tells its box, and gives its own arrays. Here f = 14 sin(x) sin(2y) sin(3z), for which u = f / 14.
import numpy as np
import weft
from mpi4py import MPI

n, comm = 48, MPI.COMM_WORLD
parts = MPI.Compute_dims(comm.size, 2)
i, j = divmod(comm.rank, parts[1])
mine = np.s_[n * i // parts[0] : n * (i + 1) // parts[0], n * j // parts[1] : n * (j + 1) // parts[1], 0:n]

plan = weft.Plan((n, n, n), kind="r2c", comm=comm, input=mine, arrays="any")
x, y, z = (2 * np.pi / n * indices for indices in plan.indices())
f = 14 * np.sin(x) * np.sin(2 * y) * np.sin(3 * z)
squares = sum(k.astype(float) ** 2 for k in plan.wavenumbers())
v = plan.forward(f) / np.where(squares == 0, np.inf, squares)
error = plan.max_abs(plan.backward(v) - f / 14)
if comm.rank == 0:
    print(f"error {error:.2e}")
assert error < 1e-13
