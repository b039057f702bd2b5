# ensemble: eight fields, each transformed by a plan of its own, on all ranks or each on some of them, whichever is
# predicted to be faster. Field i is one wave, exp(2 pi i (i+1) x/n), whose transform is n^2 at the wavenumber i+1.
import numpy as np
import weft
from mpi4py import MPI

n, comm = 24, MPI.COMM_WORLD
bands = weft.Ensemble([(n, n)] * 8, comm)
tickets = {}
for i, plan in bands.plans.items():  # those of this rank
    x, y = plan.indices()
    u = plan.empty_input()
    u[...] = np.exp(2j * np.pi * (i + 1) * x / n) + 0 * y
    tickets[i] = plan.start_forward(u)
error = 0.0
for i, plan in bands.plans.items():
    kx, ky = plan.wavenumbers()
    error = max(error, plan.max_abs(tickets[i].wait() / n**2 - ((kx == i + 1) & (ky == 0))))
error = comm.allreduce(error, MPI.MAX)
if comm.rank == 0:
    print(f"{bands.policy}: error {error:.2e}")
assert error < 1e-14
