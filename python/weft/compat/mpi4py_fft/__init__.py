# weft.compat.mpi4py_fft: the interface of mpi4py-fft 2, computed by weft; docs/compat/mpi4py-fft.md says what is the same.
"""The interface of mpi4py-fft.

Programs that were written for mpi4py-fft run with it, without a change::

    mpiexec -n 4 python -m weft.compat.mpi4py_fft program.py

or after ``import weft.compat.mpi4py_fft.install``, from which on ``import mpi4py_fft`` is this package.
"""

from . import distarray, fftw, io, libfft, mpifft, pencil
from .distarray import DistArray, Function, newDistArray
from .fftw import fftlib
from .io import HDF5File, NCFile, generate_xdmf
from .mpifft import PFFT

__version__ = "2.0.6"  # the interface's

__all__ = [
    "DistArray", "Function", "HDF5File", "NCFile", "PFFT", "distarray", "fftlib", "fftw", "generate_xdmf", "io", "libfft", "mpifft",
    "newDistArray", "pencil",
]  # fmt: skip
