# lazy_dask: a field in a file that no process could hold. Dask knows what is in it and what is to be done first; each rank reads
# and computes its own box of that, weft transforms over all ranks, and each rank writes its part of the spectrum. Chunks are
# planes, so that no two ranks write into one. The transform of 1 + cos(3x), with 1 taken off, is 1/2 at the waves 3 and -3.
import tempfile

import dask.array as da
import numpy as np
import weft
import zarr
from mpi4py import MPI

n, comm = 20, MPI.COMM_WORLD
folder = tempfile.TemporaryDirectory() if comm.rank == 0 else None
path = comm.bcast(folder.name if folder else None)
if comm.rank == 0:
    stored = 1 + np.cos(3 * 2 * np.pi / n * np.arange(n))[:, None, None] + np.zeros((n, n, n))
    zarr.create_array(f"{path}/u.zarr", data=stored, chunks=(1, n, n))
    zarr.create_array(f"{path}/v.zarr", shape=(n, n, n // 2 + 1), dtype=complex, chunks=(1, n, n // 2 + 1))
comm.Barrier()

field = da.from_zarr(f"{path}/u.zarr") - 1  # nothing is read yet
plan = weft.Plan(field.shape, kind="r2c", comm=comm, input="slab", output="slab", norm="forward")
v = plan.forward(field[plan.box()].compute())  # this rank's planes are read
spectrum = zarr.open_array(f"{path}/v.zarr", mode="r+")
if v.size:
    spectrum[plan.box("output")] = v
comm.Barrier()

if comm.rank == 0:
    power = abs(da.from_zarr(f"{path}/v.zarr")) ** 2
    print(f"power {power.sum().compute():.12f}, of which {power[3, 0, 0].compute():.12f} at the wave 3")
    assert abs(power.sum().compute() - 0.5) < 1e-14 and abs(power[3, 0, 0].compute() - 0.25) < 1e-14
    folder.cleanup()
