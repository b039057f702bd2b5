# gradients_torch: which field u becomes d by diffusion? Forward, H u = F^-1 exp(-k^2 t) F u, and the misfit is |H u - d|^2 / 2 on
# all ranks, whose gradient H (H u - d) PyTorch finds. Of one wave, sin(x) with the factor h = exp(-t), one step of 1/h^2 is exact.
import numpy as np
import torch
import weft
from mpi4py import MPI

n, t, comm = 24, 0.3, MPI.COMM_WORLD
plan = weft.Plan((n, n, n), kind="r2c", comm=comm)
x, y, z = (torch.from_numpy(2 * np.pi / n * indices) for indices in plan.indices())
decay = torch.from_numpy(np.exp(-t * sum(k**2 for k in plan.wavenumbers())))
data = np.exp(-t) * torch.sin(x) + 0 * y * z

u = torch.zeros_like(data, requires_grad=True)
misfit = ((weft.torch.backward(plan, decay * weft.torch.forward(plan, u)) - data) ** 2).sum() / 2  # this rank's part of it
misfit.backward()  # collective: the gradient of the sum over all ranks
step = u.grad / np.exp(-2 * t)
error = plan.max_abs((-step - torch.sin(x)).numpy())
if comm.rank == 0:
    print(f"error {error:.2e}")
assert error < 1e-13
