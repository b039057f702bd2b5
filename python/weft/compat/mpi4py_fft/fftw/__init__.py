# weft.compat.mpi4py_fft.fftw: serial transforms, which are made with the names and kinds of FFTW's, and computed by weft.
"""Serial transforms of arrays."""

from . import _constants, factory, fftw_xfftn, fftwf_xfftn, fftwl_xfftn, utilities, xfftn
from ._constants import *  # noqa: F403
from .factory import cleanup, export_wisdom, fftlib, forget_wisdom, get_fftw_lib, get_planned_FFT, import_wisdom, set_timelimit
from .utilities import aligned, aligned_like, get_alignment
from .xfftn import dctn, dstn, fftn, get_normalization, hfftn, idctn, idstn, ifftn, ihfftn, inverse, irfftn, rfftn

__all__ = [
    *_constants.__all__, "aligned", "aligned_like", "cleanup", "dctn", "dstn", "export_wisdom", "factory", "fftlib", "fftn", "fftw_xfftn",
    "fftwf_xfftn", "fftwl_xfftn", "forget_wisdom", "get_alignment", "get_fftw_lib", "get_normalization", "get_planned_FFT", "hfftn", "idctn",
    "idstn", "ifftn", "ihfftn", "import_wisdom", "inverse", "irfftn", "rfftn", "set_timelimit", "utilities", "xfftn",
]  # fmt: skip
