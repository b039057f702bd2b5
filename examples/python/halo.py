# halo: ghost points after an inverse transform. The field lies in pencils with one ghost point on each side of axes
# 0 and 1, in arrays that the plan and the halo take as they are. Here the second difference of sin(y), which is
# sin(y) times 2 cos(h) - 2.
import numpy as np
import weft
from mpi4py import MPI

n, comm = 24, MPI.COMM_WORLD
h = 2 * np.pi / n
pencils = weft.Distribution("pencil", ghosts=(1, 1, 0))
plan = weft.Plan((n, n, n), kind="r2c", comm=comm, input=pencils)
halo = weft.Halo((n, n, n), pencils, comm)
kx, ky, kz = plan.wavenumbers()
v = plan.empty_output()
v[...] = np.where((kx == 0) & (kz == 0) & (np.abs(ky) == 1), -0.5j * ky, 0)  # the transform of sin(y)
u = plan.backward(v, scale=n**3)  # of this rank's points and their ghost points
halo.exchange(u)
x, y, z = plan.indices()
second = u[1:-1, :-2] - 2 * u[1:-1, 1:-1] + u[1:-1, 2:] if u.size else plan.inner(u)
error = plan.max_abs(second - (2 * np.cos(h) - 2) * np.sin(h * y))
if comm.rank == 0:
    print(f"error {error:.2e}")
assert error < 1e-14
