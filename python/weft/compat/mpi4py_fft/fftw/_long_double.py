# weft.compat.mpi4py_fft.fftw._long_double: long doubles, which weft has not: NumPy transforms them, and SciPy the real kinds.
"""Transforms in long double precision."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...._errors import Error


def fourier(u: NDArray[Any], v: NDArray[Any], axes: tuple[int, ...], is_forward: bool) -> NDArray[Any]:
    """The Fourier transform of `u`, of the type and shape of `v`, not normalised."""
    if u.dtype.kind == v.dtype.kind:
        return (np.fft.fftn(u, axes=axes) if is_forward else np.fft.ifftn(u, axes=axes, norm="forward")).astype(v.dtype, copy=False)
    if is_forward:
        return np.fft.rfftn(u, axes=axes).astype(v.dtype, copy=False)
    return np.fft.irfftn(u, [v.shape[axis] for axis in axes], axes, norm="forward").astype(v.dtype, copy=False)


def real(u: NDArray[Any], axes: tuple[int, ...], bases: tuple[str, ...]) -> NDArray[Any]:
    """Cosine and sine transforms of `u`, not normalised.

    Raises
    ------
    Error
        Where SciPy is not installed.
    """
    try:
        functions = importlib.import_module("scipy.fft")
    except ImportError:
        raise Error("cosine and sine transforms of long doubles are SciPy's, which is not installed", "pip install scipy", code="unsupported") from None
    for axis, basis in zip(axes, bases):
        u = getattr(functions, basis[:3])(u, type=int(basis[3]), axis=axis)
    return u
