# weft.compat.mpi4py_fft.fftw.utilities: arrays whose memory begins at a multiple of so many bytes.
"""Aligned arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ._constants import *  # noqa: F403


def aligned(shape: int | Sequence[int], n: int = 32, dtype: DTypeLike = np.float64, fill: Any = None) -> NDArray[Any]:
    """An array whose memory begins at a multiple of `n` bytes, filled with `fill` if that is given."""
    of = np.dtype(dtype)
    count = int(np.prod(shape)) * of.itemsize
    memory = np.empty(count + n, np.uint8)
    begin = -memory.ctypes.data % n
    array = memory[begin : begin + count].view(of).reshape(shape)
    if fill is not None:
        array.fill(fill)
    return array


def aligned_like(z: NDArray[Any], fill: Any = None) -> NDArray[Any]:
    """As `aligned`, with the shape, the type and the alignment of `z`."""
    return aligned(z.shape, get_alignment(z), z.dtype, fill)


def get_alignment(array: NDArray[Any]) -> int:
    """The largest power of 2, at most 32, of whose multiples the address of `array` is one."""
    address = array.ctypes.data
    return next(n for n in (32, 16, 8, 4, 2, 1) if address % n == 0)
