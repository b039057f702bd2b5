# weft.compat.mpi4py_fft.fftw.xfftn: functions that make serial transforms, with the names of numpy.fft's and scipy.fft's.
# Keeps: none of them transforms anything; they return objects that do.
"""Makers of serial transforms.

All take an array, whose type and shape are those of what is transformed, and return a `FFT` that has
this array as its input:

input_array : array
    Its contents are left as they are.
s : sequence of int, optional
    Of `irfftn` and `hfftn`: points of the result along the transformed axes. By default, the halved
    axis has an even number of them.
axes : sequence of int, optional
    The transformed axes.
type : {1, 2, 3, 4}, optional
    Of cosine and sine transforms.
threads : int, optional
    Threads that compute.
flags : sequence of int, optional
    FFTW's flags, which are accepted and change nothing.
output_array : array, optional
    The output of the transform; by default a new one.

Errors are `weft.Error`, for arrays of other types than the transform takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...._errors import Error
from ._constants import *  # noqa: F403
from ._constants import C2R, FFTW_BACKWARD, FFTW_FORWARD, R2C, dct_type, dst_type, idct_type, idst_type
from ._plan import FFT, axes_of, normalization_of
from .utilities import aligned, aligned_like

_Axes = Sequence[int]


def _complex_of(dtype: np.dtype[Any]) -> np.dtype[Any]:
    return np.dtype({"f": "F", "d": "D", "g": "G"}[dtype.char])


def _require(input_array: NDArray[Any], chars: str, name: str) -> None:
    if input_array.dtype.char not in chars:
        raise Error(f"{name} takes arrays of the types {', '.join(chars)}, and not {input_array.dtype}", "convert the array", code="unsupported")


def _planned(u: NDArray[Any], v: NDArray[Any] | None, shape: Sequence[int], dtype: Any, axes: Any, kind: int, real: Sequence[int], threads: int) -> FFT:
    resolved = axes_of(axes, u.ndim)
    v = aligned(tuple(shape), dtype=dtype) if v is None else v
    return FFT(u, v, resolved, kind, threads, normalization=normalization_of(kind, real, resolved))


def fftn(
    input_array: NDArray[Any], s: Any = None, axes: _Axes = (-1,), threads: int = 1, flags: Any = (0,), output_array: Any = None
) -> FFT:  # fmt: skip
    """The Fourier transform of complex arrays."""
    _require(input_array, "FDG", "fftn")
    return _planned(input_array, output_array, input_array.shape, input_array.dtype, axes, FFTW_FORWARD, input_array.shape, threads)


def ifftn(
    input_array: NDArray[Any], s: Any = None, axes: _Axes = (-1,), threads: int = 1, flags: Any = (0,), output_array: Any = None
) -> FFT:  # fmt: skip
    """The inverse of `fftn`, normalised only if a call says so."""
    _require(input_array, "FDG", "ifftn")
    return _planned(input_array, output_array, input_array.shape, input_array.dtype, axes, FFTW_BACKWARD, input_array.shape, threads)


def rfftn(
    input_array: NDArray[Any], s: Any = None, axes: _Axes = (-1,), threads: int = 1, flags: Any = (0,), output_array: Any = None
) -> FFT:  # fmt: skip
    """The Fourier transform of real arrays, half of which is kept along the last of `axes`."""
    _require(input_array, "fdg", "rfftn")
    shape = list(input_array.shape)
    last = axes_of(axes, input_array.ndim)[-1]
    shape[last] = shape[last] // 2 + 1
    return _planned(input_array, output_array, shape, _complex_of(input_array.dtype), axes, R2C, input_array.shape, threads)


def irfftn(
    input_array: NDArray[Any], s: Any = None, axes: _Axes = (-1,), threads: int = 1, flags: Any = (0,), output_array: Any = None
) -> FFT:  # fmt: skip
    """The inverse of `rfftn`, normalised only if a call says so."""
    _require(input_array, "FDG", "irfftn")
    shape, resolved = list(input_array.shape), axes_of(axes, input_array.ndim)
    if s is not None:
        if len(s) != len(resolved):
            raise Error(f"there are {len(s)} sizes for {len(resolved)} axes", "give one for each axis")
        shape[resolved[-1]] = int(s[-1])
    elif output_array is not None:
        shape[resolved[-1]] = output_array.shape[resolved[-1]]
    else:
        shape[resolved[-1]] = 2 * shape[resolved[-1]] - 2
    return _planned(input_array, output_array, shape, input_array.real.dtype, axes, C2R, shape, threads)


def hfftn(
    input_array: NDArray[Any], s: Any = None, axes: _Axes = (-1,), threads: int = 1, flags: Any = (0,), output_array: Any = None
) -> FFT:  # fmt: skip
    """As `irfftn`: as in mpi4py-fft, the input is not conjugated, which that of numpy.fft.hfft is."""
    return irfftn(input_array, s, axes, threads, flags, output_array)


def ihfftn(
    input_array: NDArray[Any], s: Any = None, axes: _Axes = (-1,), threads: int = 1, flags: Any = (0,), output_array: Any = None
) -> FFT:  # fmt: skip
    """As `rfftn`: as in mpi4py-fft, the result is not conjugated, which that of numpy.fft.ihfft is."""
    return rfftn(input_array, s, axes, threads, flags, output_array)


def _real_to_real(u: NDArray[Any], v: Any, axes: Any, kinds: dict[int, int], type_: int, threads: int, name: str) -> FFT:
    _require(u, "fdgFDG", name)
    if type_ not in kinds:
        raise Error(f"the type of the transform is {type_!r}", "one of: 1, 2, 3, 4")
    return _planned(u, aligned_like(u) if v is None else v, u.shape, u.dtype, axes, kinds[type_], u.shape, threads)


def dctn(
    input_array: NDArray[Any], s: Any = None, axes: _Axes = (-1,), type: int = 2, threads: int = 1, flags: Any = (0,), output_array: Any = None
) -> FFT:  # fmt: skip
    """The cosine transform of a type."""
    return _real_to_real(input_array, output_array, axes, dct_type, type, threads, "dctn")


def idctn(
    input_array: NDArray[Any], s: Any = None, axes: _Axes = (-1,), type: int = 2, threads: int = 1, flags: Any = (0,), output_array: Any = None
) -> FFT:  # fmt: skip
    """The inverse of the cosine transform of a type, normalised only if a call says so."""
    return _real_to_real(input_array, output_array, axes, idct_type, type, threads, "idctn")


def dstn(
    input_array: NDArray[Any], s: Any = None, axes: _Axes = (-1,), type: int = 2, threads: int = 1, flags: Any = (0,), output_array: Any = None
) -> FFT:  # fmt: skip
    """The sine transform of a type."""
    return _real_to_real(input_array, output_array, axes, dst_type, type, threads, "dstn")


def idstn(
    input_array: NDArray[Any], s: Any = None, axes: _Axes = (-1,), type: int = 2, threads: int = 1, flags: Any = (0,), output_array: Any = None
) -> FFT:  # fmt: skip
    """The inverse of the sine transform of a type, normalised only if a call says so."""
    return _real_to_real(input_array, output_array, axes, idst_type, type, threads, "idstn")


def get_normalization(kind: int | Sequence[int], shape: Sequence[int], axes: Sequence[int]) -> float:
    """One over what a round trip of these kinds multiplies by, along `axes` of a grid of `shape` in real space."""
    return normalization_of(kind, shape, axes)


# The inverse of a kind, and of a function.
inverse: dict[Any, Any] = {
    **{kind: idct_type[type_] for type_, kind in dct_type.items()}, **{kind: idst_type[type_] for type_, kind in dst_type.items()},
    fftn: ifftn, ifftn: fftn, rfftn: irfftn, irfftn: rfftn, hfftn: ihfftn, ihfftn: hfftn,
    dctn: idctn, idctn: dctn, dstn: idstn, idstn: dstn,
}  # fmt: skip
