# gradients_jax: the energy |v|^2 / 2 of a field after a step of the Burgers equation, and how it changes with the field before, in a
# function that JAX compiles. Forward and backward derivatives are computed independently of each other, and agree.
import jax
import jax.numpy as jnp
import numpy as np
import weft
from mpi4py import MPI

jax.config.update("jax_enable_x64", True)
n, dt, nu, comm = 48, 0.01, 0.1, MPI.COMM_WORLD
plan = weft.Plan((n, n), kind="r2c", comm=comm)
x, y = (jnp.asarray(2 * np.pi / n * indices) for indices in plan.indices())
kx, ky = plan.wavenumbers()
slope = 1j * plan.wavenumbers(0, odd=True)


def energy(u):  # this rank's part of it
    v = weft.jax.forward(plan, u)
    u = u + dt * weft.jax.backward(plan, -nu * (kx**2 + ky**2) * v) - dt * u * weft.jax.backward(plan, slope * v)
    return (u**2).sum() / 2


u, change = jnp.sin(x) + 0.5 * jnp.cos(y), jnp.sin(x) ** 3 + jnp.cos(x + y) * jnp.sin(y)
gradient = jax.jit(jax.grad(energy))(u)  # collective: of the sum over all ranks
backward = comm.allreduce(float((gradient * change).sum()))
forward = comm.allreduce(float(jax.jit(lambda u: jax.jvp(energy, (u,), (change,))[1])(u)))
if comm.rank == 0:
    print(f"the energy changes by {backward:.12f}")
assert abs(backward - forward) < 1e-10
