# weft.compat.mpi4py_fft.io: files of HDF5 and netCDF with snapshots of distributed arrays, as mpi4py-fft lays them out.
"""Files of distributed arrays."""

from .file_base import FileBase
from .generate_xdmf import generate_xdmf
from .h5py_file import HDF5File
from .nc_file import NCFile

__all__ = ["FileBase", "HDF5File", "NCFile", "generate_xdmf"]
