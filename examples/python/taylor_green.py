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

n, kept, nu, dt, comm = 32, 21, 1 / 1600, 0.01, MPI.COMM_WORLD
plan = weft.Plan((n, n, n), kind="r2c", comm=comm, batch=3, modes=(kept,) * 3, norm="forward", effort="estimate")
k = np.stack(np.broadcast_arrays(*plan.wavenumbers())).astype(float)  # three components, as the fields have
k2 = np.maximum((k**2).sum(axis=0), 1e-30)
velocity, vorticity, waves = plan.empty_input(), plan.empty_input(), plan.empty_output()


def cross(a, b):
    return np.stack([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def change(v):
    plan.backward(v, velocity)
    plan.backward(1j * cross(k, v), vorticity)
    force = plan.forward(cross(velocity, vorticity), waves)
    return force - k * (k * force).sum(axis=0) / k2 - nu * k2 * v


def step(v):
    a = change(v)
    b = change(v + dt / 2 * a)
    c = change(v + dt / 2 * b)
    d = change(v + dt * c)
    return v + dt / 6 * (a + 2 * b + 2 * c + d)


x, y, z = (2 * np.pi / n * indices for indices in plan.indices())
velocity[0] = np.sin(x) * np.cos(y) * np.cos(z)
velocity[1] = -np.cos(x) * np.sin(y) * np.cos(z)
velocity[2] = 0
v = plan.forward(velocity)
for _ in range(10):
    v = step(v)
energy = comm.allreduce((plan.backward(v) ** 2).sum()) / 2 / n**3
if comm.rank == 0:
    print(f"kinetic energy at 0.1: {energy:.12f}, known: 0.124953117517")
assert abs(energy - 0.124953117517) < 1e-11
