# in_place: r2c in place, with a transposed spectrum: the real field lies in slabs of axis 0, its rows padded as FFTW
# has them, and the spectrum in slabs of axis 1, which comes first in memory. The transform of cos(2 pi (3x + y)/n)
# is n^3/2 at the waves (3, 1, 0) and (-3, -1, 0).
import numpy as np
import weft
from mpi4py import MPI

n, comm = 32, MPI.COMM_WORLD
transposed = weft.Distribution("brick", grid=(1, comm.size, 1), order=(1, 0, 2))
plan = weft.Plan((n, n, n), kind="r2c", comm=comm, in_place=True, input="slab", output=transposed)
u = plan.empty_input()
x, y, z = plan.indices()
u[...] = np.cos(2 * np.pi * (3 * x + y) / n) + 0 * z
v = plan.output_in(u)  # the same memory, seen as what forward makes of it
plan.forward(u, v, scale=1 / n**3)
kx, ky, kz = plan.wavenumbers()
spikes = (kz == 0) & (((kx == 3) & (ky == 1)) | ((kx == -3) & (ky == -1)))
error = plan.max_abs(v - 0.5 * spikes)
if comm.rank == 0:
    print(f"rows of {n} numbers in memory of {u.strides[1] // u.itemsize}\nerror {error:.2e}")
assert error < 1e-14
