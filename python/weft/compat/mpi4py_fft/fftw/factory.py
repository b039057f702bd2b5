# weft.compat.mpi4py_fft.fftw.factory: serial transforms of any kind, and what FFTW remembers, of which weft has nothing here.
"""Transforms by FFTW's kinds, and wisdom."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from . import fftw_xfftn, fftwf_xfftn, fftwl_xfftn
from ._constants import FFTW_FORWARD, FFTW_MEASURE
from ._plan import FFT
from .fftw_xfftn import cleanup, export_wisdom, forget_wisdom, import_wisdom, set_timelimit

__all__ = [
    "cleanup", "export_wisdom", "fftlib", "forget_wisdom", "get_fftw_lib", "get_planned_FFT", "import_wisdom", "set_timelimit",
]  # fmt: skip

# The module of each precision, by the types of arrays.
fftlib: dict[str, ModuleType] = {
    "f": fftwf_xfftn, "F": fftwf_xfftn, "d": fftw_xfftn, "D": fftw_xfftn, "g": fftwl_xfftn, "G": fftwl_xfftn,
}  # fmt: skip


def get_fftw_lib(dtype: DTypeLike) -> ModuleType | None:
    """The module for arrays of a type, or None if there is none; that of long doubles hands them to NumPy."""
    return fftlib.get(np.dtype(dtype).char)


def get_planned_FFT(
    input_array: NDArray[Any],
    output_array: NDArray[Any],
    axes: Sequence[int] = (-1,),
    kind: int | Sequence[int] = FFTW_FORWARD,
    threads: int = 1,
    flags: int | Sequence[int] = (FFTW_MEASURE,),
    normalization: float = 1.0,
) -> FFT:
    """A serial transform of one of FFTW's kinds: see `FFT`."""
    return FFT(input_array, output_array, axes, kind, threads, flags, normalization)
