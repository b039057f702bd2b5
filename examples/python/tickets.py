# tickets: two transforms of one plan under way at the same time, while the application computes. By Parseval, with
# the norm "ortho", the sum of the squares stays.
import numpy as np
import weft
from mpi4py import MPI

comm = MPI.COMM_WORLD
plan = weft.Plan((36, 30, 32), comm=comm, norm="ortho", in_flight=2, effort="estimate")
x, y, z = plan.indices()
fields = []
for i in range(2):
    u = plan.empty_input()
    u[...] = np.sin(0.1 * (x * y + i)) + 1j * (z % 7)
    fields.append(u)


def square_sum(field):
    return comm.allreduce((np.abs(field) ** 2).sum())


ended = []
first, second = (plan.start_forward(u).then(lambda: ended.append(True)) for u in fields)
while not first.test():
    weft.progress()  # ... compute, and let weft go on about every millisecond ...
error = max(abs(square_sum(ticket.wait()) / square_sum(u) - 1) for ticket, u in zip((first, second), fields))
if comm.rank == 0:
    print(f"{len(ended)} have ended\nerror {error:.2e}")
assert len(ended) == 2 and error < 1e-12
