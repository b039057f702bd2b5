# weft.fft: the functions of scipy.fft, with its signatures and for the ranks of a communicator too.
# Keeps: on one process each function gives what that of scipy.fft gives; plans are kept between calls.
"""Discrete Fourier, sine and cosine transforms with the signatures of scipy.fft.

On one process, a drop-in, also as a backend of SciPy's::

    with scipy.fft.set_backend(weft.fft):
        v = scipy.fft.fftn(u)

All functions take, beside the arguments of scipy.fft, ``comm``: a communicator of mpi4py's. The
array is then this rank's part of the field, which is divided along axis 0 in the order of the ranks;
so is the result, divided evenly, with remainders on the lowest ranks. Such calls are collective.
Sizes (``n``, ``s``) then cannot change those of the field.

``workers`` is the number of threads; by default all cores that the process may use. ``overwrite_x``
is accepted, and the input left as it is. The plans of the last calls are kept; `clear_cache` frees
them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from inspect import signature
from typing import Any, TypeVar

import numpy as np
from numpy.fft import fftfreq, fftshift, ifftshift, rfftfreq
from numpy.typing import ArrayLike, NDArray

from . import _real_transforms as _r2r
from ._errors import Error
from ._transforms import (
    axes_of as _axes_of,
    field_of as _field_of,
    plans as _plans,
    product as _product,
    ranks_of as _ranks_of,
    resized as _resized,
    resolved_points as _resolved_points,
    scale_of as _scale_of,
    transform as _transform,
)

__all__ = [
    "fft", "ifft", "fft2", "ifft2", "fftn", "ifftn", "rfft", "irfft", "rfft2", "irfft2", "rfftn", "irfftn",
    "hfft", "ihfft", "hfft2", "ihfft2", "hfftn", "ihfftn", "dct", "idct", "dst", "idst", "dctn", "idctn", "dstn", "idstn",
    "fftfreq", "rfftfreq", "fftshift", "ifftshift", "next_fast_len", "clear_cache",
]  # fmt: skip

# SciPy asks a backend for these two.
__ua_domain__ = "numpy.scipy.fft"
_Array = NDArray[Any]
_Function = TypeVar("_Function", bound=Callable[..., Any])
_Axes = Sequence[int] | int | None


def __ua_function__(method: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    function = globals().get(method.__name__) if method.__name__ in __all__ else None
    if function is None or kwargs.get("plan") is not None or not kwargs.keys() <= _parameters_of(method.__name__):
        return NotImplemented  # SciPy asks another backend, in the end its own
    try:
        return function(*args, **kwargs)
    except Error as error:
        if error.code == "unsupported":
            return NotImplemented
        raise


@lru_cache(maxsize=None)
def _parameters_of(name: str) -> frozenset[str]:
    return frozenset(signature(globals()[name]).parameters)


def clear_cache() -> None:
    """Free the plans of this process that earlier calls have left; those with `comm` end with it."""
    _plans.clear()


def next_fast_len(target: int, real: bool = False) -> int:
    """The smallest number of points, at least `target`, along which transforms are fast.

    As scipy.fft.next_fast_len, though the numbers may differ: these have no prime factors above 7.
    """
    from . import next_fast_length

    return next_fast_length(target)


_PARAMETERS = """

    Parameters
    ----------
    x : array_like
        The field: any numbers of at most double precision. Real ones only for rfft and ihfft.
    type : {1, 2, 3, 4}, optional
        Of sine and cosine transforms.
    n, s : int or sequence of int, optional
        Points along the transformed axes: the input is cut off, or continued with zeros. Of irfft and
        hfft, those of the result.
    axis, axes : int or sequence of int, optional
        The transformed axes, the last of which is halved in complex fields that stand for real ones.
        All by default, or the last ones of `s`.
    norm : {"backward", "ortho", "forward"}, optional
        Which direction divides by the number of points; ortho: both, by the square root.
    workers : int, optional
        Threads; all cores by default.
    orthogonalize : bool, optional
        Whether the matrix of a sine or cosine transform is made orthogonal; by default with ortho.
    comm : mpi4py.MPI.Comm, optional
        The ranks that share the field along axis 0. The call is collective then.

    Returns
    -------
    numpy.ndarray
        The transform, in single precision if the input is.

    Raises
    ------
    Error
        For arguments that do not go together; ``code`` is unsupported for what scipy.fft alone has.
    """


def _documented(function: _Function) -> _Function:
    function.__doc__ = f"{function.__doc__}{_PARAMETERS}"
    return function


def _no_plan(plan: Any) -> None:
    if plan is not None:
        raise NotImplementedError("weft.fft keeps its plans itself: leave out plan=")


def _c2c(is_forward: bool, x: Any, s: Any, axes: Any, norm: Any, workers: Any, plan: Any, comm: Any) -> _Array:
    _no_plan(plan)
    field = _field_of(x, False)
    resolved, points = _axes_of(field.ndim, s, axes)
    if not resolved:
        return np.array(x)  # as SciPy: what is not transformed stays what it is
    if field.dtype.kind != "c":
        field = field.astype(np.complex64 if field.dtype.itemsize == 4 else np.complex128)
    ranks, shape = _ranks_of(field, comm)
    if points is not None:
        field, shape = _resized(field, shape, resolved, points, ranks)
    scale = _scale_of(norm, is_forward, _product(shape[a] for a in resolved))
    return _transform(field, shape, resolved, "c2c", is_forward, scale, workers, ranks)


def _r2c(x: Any, s: Any, axes: Any, norm: Any, workers: Any, plan: Any, comm: Any, is_hermitian: bool = False) -> _Array:
    _no_plan(plan)
    field = _field_of(x, True)
    resolved, points = _axes_of(field.ndim, s, axes)
    if not resolved:
        raise Error("at least 1 axis must be transformed", "name an axis")
    ranks, shape = _ranks_of(field, comm)
    if points is not None:
        field, shape = _resized(field, shape, resolved, points, ranks)
    scale = _scale_of(norm, not is_hermitian, _product(shape[a] for a in resolved))
    result = _transform(field, shape, resolved, "r2c", True, scale, workers, ranks)
    return np.conj(result, out=result) if is_hermitian else result


def _c2r(x: Any, s: Any, axes: Any, norm: Any, workers: Any, plan: Any, comm: Any, is_hermitian: bool = False) -> _Array:
    _no_plan(plan)
    field = _field_of(x, False)
    if field.dtype.kind != "c":
        field = field.astype(np.complex64 if field.dtype.itemsize == 4 else np.complex128)
    resolved, points = _axes_of(field.ndim, s, axes)
    if not resolved:
        raise Error("at least 1 axis must be transformed", "name an axis")
    ranks, shape = _ranks_of(field, comm)
    last = resolved[-1]
    if points is None:
        points = [shape[a] for a in resolved]
        # SciPy makes one point of one where there may be several axes, and refuses to along one axis.
        points[-1] = 1 if shape[last] == 1 and not isinstance(axes, int) else _resolved_points(2 * (shape[last] - 1))
    halved = [*points[:-1], points[-1] // 2 + 1]
    field, shape = _resized(field, shape, resolved, halved, ranks)
    shape[last] = points[-1]
    if is_hermitian:
        field = np.conj(field)
    scale = _scale_of(norm, is_hermitian, _product(points))
    return _transform(field, shape, resolved, "r2c", False, scale, workers, ranks)


@_documented
def fft(
    x: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, plan: None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """The discrete Fourier transform, along an axis: as scipy.fft.fft."""
    return _c2c(True, x, n, axis, norm, workers, plan, comm)


@_documented
def fft2(
    x: ArrayLike, s: _Axes = None, axes: _Axes = (-2, -1), norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, plan: None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """The discrete Fourier transform, along two axes: as scipy.fft.fft2."""
    return _c2c(True, x, s, axes, norm, workers, plan, comm)


@_documented
def fftn(
    x: ArrayLike, s: _Axes = None, axes: _Axes = None, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, plan: None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """The discrete Fourier transform, along several axes: as scipy.fft.fftn."""
    return _c2c(True, x, s, axes, norm, workers, plan, comm)


@_documented
def ifft(
    x: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, plan: None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """The inverse of fft, along an axis: as scipy.fft.ifft."""
    return _c2c(False, x, n, axis, norm, workers, plan, comm)


@_documented
def ifft2(
    x: ArrayLike, s: _Axes = None, axes: _Axes = (-2, -1), norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, plan: None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """The inverse of fft, along two axes: as scipy.fft.ifft2."""
    return _c2c(False, x, s, axes, norm, workers, plan, comm)


@_documented
def ifftn(
    x: ArrayLike, s: _Axes = None, axes: _Axes = None, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, plan: None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """The inverse of fft, along several axes: as scipy.fft.ifftn."""
    return _c2c(False, x, s, axes, norm, workers, plan, comm)


@_documented
def rfft(
    x: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, plan: None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """The Fourier transform of a real field, along an axis: as scipy.fft.rfft."""
    return _r2c(x, n, axis, norm, workers, plan, comm)


@_documented
def rfft2(
    x: ArrayLike, s: _Axes = None, axes: _Axes = (-2, -1), norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, plan: None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """The Fourier transform of a real field, along two axes: as scipy.fft.rfft2."""
    return _r2c(x, s, axes, norm, workers, plan, comm)


@_documented
def rfftn(
    x: ArrayLike, s: _Axes = None, axes: _Axes = None, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, plan: None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """The Fourier transform of a real field, along several axes: as scipy.fft.rfftn."""
    return _r2c(x, s, axes, norm, workers, plan, comm)


@_documented
def irfft(
    x: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, plan: None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """The inverse of rfft, along an axis: as scipy.fft.irfft."""
    return _c2r(x, n, axis, norm, workers, plan, comm)


@_documented
def irfft2(
    x: ArrayLike, s: _Axes = None, axes: _Axes = (-2, -1), norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, plan: None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """The inverse of rfft, along two axes: as scipy.fft.irfft2."""
    return _c2r(x, s, axes, norm, workers, plan, comm)


@_documented
def irfftn(
    x: ArrayLike, s: _Axes = None, axes: _Axes = None, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, plan: None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """The inverse of rfft, along several axes: as scipy.fft.irfftn."""
    return _c2r(x, s, axes, norm, workers, plan, comm)


@_documented
def hfft(
    x: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, plan: None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """The Fourier transform of a Hermitian field, half of which is given, along an axis: as scipy.fft.hfft."""
    return _c2r(x, n, axis, norm, workers, plan, comm, True)


@_documented
def hfft2(
    x: ArrayLike, s: _Axes = None, axes: _Axes = (-2, -1), norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, plan: None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """The Fourier transform of a Hermitian field, half of which is given, along two axes: as scipy.fft.hfft2."""
    return _c2r(x, s, axes, norm, workers, plan, comm, True)


@_documented
def hfftn(
    x: ArrayLike, s: _Axes = None, axes: _Axes = None, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, plan: None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """The Fourier transform of a Hermitian field, half of which is given, along several axes: as scipy.fft.hfftn."""
    return _c2r(x, s, axes, norm, workers, plan, comm, True)


@_documented
def ihfft(
    x: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, plan: None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """The inverse of hfft, along an axis: as scipy.fft.ihfft."""
    return _r2c(x, n, axis, norm, workers, plan, comm, True)


@_documented
def ihfft2(
    x: ArrayLike, s: _Axes = None, axes: _Axes = (-2, -1), norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, plan: None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """The inverse of hfft, along two axes: as scipy.fft.ihfft2."""
    return _r2c(x, s, axes, norm, workers, plan, comm, True)


@_documented
def ihfftn(
    x: ArrayLike, s: _Axes = None, axes: _Axes = None, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, plan: None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """The inverse of hfft, along several axes: as scipy.fft.ihfftn."""
    return _r2c(x, s, axes, norm, workers, plan, comm, True)


@_documented
def dct(
    x: ArrayLike, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, orthogonalize: bool | None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """The cosine transform of a type, along an axis: as scipy.fft.dct."""
    return _r2r.transform("dct", True, x, type, n, axis, norm, workers, orthogonalize, comm)


@_documented
def dctn(
    x: ArrayLike, type: int = 2, s: _Axes = None, axes: _Axes = None, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, orthogonalize: bool | None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """The cosine transform of a type, along several axes: as scipy.fft.dctn."""
    return _r2r.transform("dct", True, x, type, s, axes, norm, workers, orthogonalize, comm)


@_documented
def idct(
    x: ArrayLike, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, orthogonalize: bool | None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """The inverse of the cosine transform of a type, along an axis: as scipy.fft.idct."""
    return _r2r.transform("dct", False, x, type, n, axis, norm, workers, orthogonalize, comm)


@_documented
def idctn(
    x: ArrayLike, type: int = 2, s: _Axes = None, axes: _Axes = None, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, orthogonalize: bool | None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """The inverse of the cosine transform of a type, along several axes: as scipy.fft.idctn."""
    return _r2r.transform("dct", False, x, type, s, axes, norm, workers, orthogonalize, comm)


@_documented
def dst(
    x: ArrayLike, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, orthogonalize: bool | None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """The sine transform of a type, along an axis: as scipy.fft.dst."""
    return _r2r.transform("dst", True, x, type, n, axis, norm, workers, orthogonalize, comm)


@_documented
def dstn(
    x: ArrayLike, type: int = 2, s: _Axes = None, axes: _Axes = None, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, orthogonalize: bool | None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """The sine transform of a type, along several axes: as scipy.fft.dstn."""
    return _r2r.transform("dst", True, x, type, s, axes, norm, workers, orthogonalize, comm)


@_documented
def idst(
    x: ArrayLike, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, orthogonalize: bool | None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """The inverse of the sine transform of a type, along an axis: as scipy.fft.idst."""
    return _r2r.transform("dst", False, x, type, n, axis, norm, workers, orthogonalize, comm)


@_documented
def idstn(
    x: ArrayLike, type: int = 2, s: _Axes = None, axes: _Axes = None, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, orthogonalize: bool | None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """The inverse of the sine transform of a type, along several axes: as scipy.fft.idstn."""
    return _r2r.transform("dst", False, x, type, s, axes, norm, workers, orthogonalize, comm)
