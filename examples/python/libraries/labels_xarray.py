# labels_xarray: fields with names of their axes and with coordinates, in metres; the spectrum has wavenumbers, in 1/m. Each rank has
# a DataArray of its part. By names, a derivative along x is a product with 1j kx. Here that of sin(3x) cos(2y).
import numpy as np
import weft
import xarray as xr
from mpi4py import MPI

n, comm = 24, MPI.COMM_WORLD
lengths = {"x": 2 * np.pi, "y": 2 * np.pi, "z": 1.0}
plan = weft.Plan((n, n, n), kind="r2c", comm=comm)


def spectrum(u):
    k = {f"k{name}": 2 * np.pi / lengths[name] * plan.wavenumbers(axis).ravel() for axis, name in enumerate(lengths)}
    return xr.DataArray(plan.forward(u.values), coords=k, dims=list(k))


def field(v):
    at = {name: lengths[name] / n * indices.ravel() for name, indices in zip(lengths, plan.indices())}
    return xr.DataArray(plan.backward(v.values), coords=at, dims=list(at))


u = field(xr.DataArray(plan.empty_output()))  # zeros, with coordinates
u[...] = np.sin(3 * u.x) * np.cos(2 * u.y) + 0 * u.z
v = spectrum(u)
slope = field((1j * v.kx * v).transpose(*v.dims))
error = plan.max_abs((slope - 3 * np.cos(3 * u.x) * np.cos(2 * u.y)).values)
if comm.rank == 0:
    print(f"axes {v.dims}, error {error:.2e}")
assert error < 1e-12
