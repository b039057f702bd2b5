# weft.compat.mpi4py_fft.fftw.fftw_xfftn: the names that mpi4py-fft's module for double precision has.
"""Serial transforms in double precision; those of all precisions are the same here."""

from ._constants import *  # noqa: F403
from ._plan import FFT
from ._wisdom import cleanup, export_wisdom, forget_wisdom, import_wisdom, set_timelimit
from .utilities import get_alignment as alignment_of

__all__ = ["FFT", "alignment_of", "cleanup", "export_wisdom", "forget_wisdom", "import_wisdom", "set_timelimit"]
