# taylor_green: the Navier-Stokes equations in a periodic cube of side 2 pi, from the Taylor-Green vortex on, by a
# pseudo-spectral method without aliases. In Fourier space
#     du/dt = P[F(u x w)] - nu k^2 u,   w = curl u,   P = 1 - k k.../k^2,
# where P takes out what pressure balances. Products are made on 32^3 points, whose waves up to 10 are kept; the plan
# neither computes, nor sends, nor stores the others. Time steps are those of the classical Runge-Kutta method. The
# kinetic energy after 0.1 at nu = 1/1600 is that of M. Mortensen and H. P. Langtangen, "High performance Python for
# direct numerical simulations of turbulent flows", Comput. Phys. Commun. 203 (2016).
import numpy as np
import weft
from mpi4py import MPI

n, nu, dt, comm = 32, 1 / 1600, 0.01, MPI.COMM_WORLD
modes = weft.spectral.dealiased_modes((n, n, n))  # 21 along each axis: -10 to 10
plan = weft.Plan((n, n, n), kind="r2c", comm=comm, batch=3, modes=modes, norm="forward", effort="estimate")
ops = weft.spectral.Operators(plan)
velocity, vorticity = weft.DistArray.of(plan), weft.DistArray.of(plan)


def cross(a, b):
    return np.stack([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def change(v):
    plan.backward(v, velocity)
    plan.backward(ops.curl(v), vorticity)
    velocity.inner[...] = cross(velocity.inner, vorticity.inner)
    return ops.divergence_free(plan.forward(velocity)) + nu * ops.laplacian(v)


def step(v):
    a = change(v)
    b = change(v + dt / 2 * a)
    c = change(v + dt / 2 * b)
    d = change(v + dt * c)
    return v + dt / 6 * (a + 2 * b + 2 * c + d)


x, y, z = (2 * np.pi / n * indices for indices in velocity.indices())
velocity.inner[0] = np.sin(x) * np.cos(y) * np.cos(z)
velocity.inner[1] = -np.cos(x) * np.sin(y) * np.cos(z)
v = plan.forward(velocity)
for _ in range(10):
    v = step(v)
energy = ops.spectrum(v).power.sum() / 2
if comm.rank == 0:
    print(f"kinetic energy at 0.1: {energy:.12f}, known: 0.124953117517")
assert abs(energy - 0.124953117517) < 1e-11
