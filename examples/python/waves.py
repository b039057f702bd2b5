# waves: a plane-wave code's own list of waves. Each rank keeps whole columns of the waves with |k| <= 5, in an order
# of its own; weft takes and makes an array with one number for each of them. Back from 1 at the wave (1, -2, 3) alone
# comes exp(2 pi i (x - 2y + 3z)/n), over n^3.
import numpy as np
import weft
from mpi4py import MPI

n, most, comm = 20, 5, MPI.COMM_WORLD
numbers = np.arange(-most, most + 1)
ky, kz, kx = (k.ravel() for k in np.meshgrid(numbers, numbers, numbers[::-1], indexing="ij"))  # columns along axis 0, from above
mine = (kx**2 + ky**2 + kz**2 <= most**2) & ((ky + kz) % comm.size == comm.rank)
waves = np.stack([kx, ky, kz], axis=1)[mine]

plan = weft.Plan((n, n, n), comm=comm, cutoff=weft.Cutoff(waves=waves))
c = (waves == (1, -2, 3)).all(axis=1).astype(complex)
u = plan.backward(c, scale=n**3)
x, y, z = plan.indices()
error = plan.max_abs(u - np.exp(2j * np.pi * (x - 2 * y + 3 * z) / n))
if comm.rank == 0:
    print(f"{len(waves)} waves of rank 0\nerror {error:.2e}")
assert error < 1e-13
