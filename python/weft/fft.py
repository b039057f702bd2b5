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
from typing import Any

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
_Axes = Sequence[int] | int | None


def __ua_function__(method: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    function = globals().get(method.__name__) if method.__name__ in __all__ else None
    if function is None:
        return NotImplemented
    try:
        return function(*args, **kwargs)
    except Error as error:
        if error.code == "unsupported":
            return NotImplemented
        raise


def clear_cache() -> None:
    """Free the plans of this process that earlier calls have left; those with `comm` end with it."""
    _plans.clear()


def next_fast_len(target: int, real: bool = False) -> int:
    """The smallest number of points, at least `target`, along which transforms are fast.

    As scipy.fft.next_fast_len, though the numbers may differ: these have no prime factors above 7.
    """
    from . import next_fast_length

    return next_fast_length(target)


def _no_plan(plan: Any) -> None:
    if plan is not None:
        raise NotImplementedError("weft.fft keeps its plans itself: leave out plan=")


def _c2c(is_forward: bool, x: Any, s: Any, axes: Any, norm: Any, workers: Any, plan: Any, comm: Any) -> _Array:
    _no_plan(plan)
    field = _field_of(x, False)
    if field.dtype.kind != "c":
        field = field.astype(np.complex64 if field.dtype.itemsize == 4 else np.complex128)
    resolved, points = _axes_of(field.ndim, s, axes)
    if not resolved:
        return field.copy()
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
        points[-1] = _resolved_points(2 * (shape[last] - 1))
    halved = [*points[:-1], points[-1] // 2 + 1]
    field, shape = _resized(field, shape, resolved, halved, ranks)
    shape[last] = points[-1]
    if is_hermitian:
        field = np.conj(field)
    scale = _scale_of(norm, is_hermitian, _product(points))
    return _transform(field, shape, resolved, "r2c", False, scale, workers, ranks)


def fft(
    x: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, plan: None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """Compute the discrete Fourier transform, along an axis: as scipy.fft.fft.

    Parameters
    ----------
    x : array_like
        The field.
    n : int, optional
        Points along `axis`: the input is cut off, or continued with zeros.
    axis : int, optional
        The transformed axis.
    norm : {"backward", "ortho", "forward"}, optional
        Which direction divides by the number of points.
    workers : int, optional
        Threads; all cores by default.
    comm : mpi4py.MPI.Comm, optional
        The ranks that share the field along axis 0.

    Returns
    -------
    numpy.ndarray
        The transform, complex, in single precision if the input is.
    """
    return _c2c(True, x, n, axis, norm, workers, plan, comm)


def fft2(
    x: ArrayLike, s: _Axes = None, axes: _Axes = (-2, -1), norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, plan: None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """Compute the discrete Fourier transform, along two axes: as scipy.fft.fft2.

    Parameters
    ----------
    x : array_like
        The field.
    s : sequence of int, optional
        Points along the transformed axes: the input is cut off, or continued with zeros.
    axes : sequence of int, optional
        The transformed axes; the last two by default.
    norm : {"backward", "ortho", "forward"}, optional
        Which direction divides by the number of points.
    workers : int, optional
        Threads; all cores by default.
    comm : mpi4py.MPI.Comm, optional
        The ranks that share the field along axis 0.

    Returns
    -------
    numpy.ndarray
        The transform, complex, in single precision if the input is.
    """
    return _c2c(True, x, s, axes, norm, workers, plan, comm)


def fftn(
    x: ArrayLike, s: _Axes = None, axes: _Axes = None, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, plan: None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """Compute the discrete Fourier transform, along several axes: as scipy.fft.fftn.

    Parameters
    ----------
    x : array_like
        The field.
    s : sequence of int, optional
        Points along the transformed axes: the input is cut off, or continued with zeros.
    axes : sequence of int, optional
        The transformed axes; all, or the last ones of `s`, by default.
    norm : {"backward", "ortho", "forward"}, optional
        Which direction divides by the number of points.
    workers : int, optional
        Threads; all cores by default.
    comm : mpi4py.MPI.Comm, optional
        The ranks that share the field along axis 0.

    Returns
    -------
    numpy.ndarray
        The transform, complex, in single precision if the input is.
    """
    return _c2c(True, x, s, axes, norm, workers, plan, comm)


def ifft(
    x: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, plan: None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """Compute the inverse of `fft`, along an axis: as scipy.fft.ifft.

    Parameters
    ----------
    x : array_like
        The field.
    n : int, optional
        Points along `axis`: the input is cut off, or continued with zeros.
    axis : int, optional
        The transformed axis.
    norm : {"backward", "ortho", "forward"}, optional
        Which direction divides by the number of points.
    workers : int, optional
        Threads; all cores by default.
    comm : mpi4py.MPI.Comm, optional
        The ranks that share the field along axis 0.

    Returns
    -------
    numpy.ndarray
        The transform, complex, in single precision if the input is.
    """
    return _c2c(False, x, n, axis, norm, workers, plan, comm)


def ifft2(
    x: ArrayLike, s: _Axes = None, axes: _Axes = (-2, -1), norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, plan: None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """Compute the inverse of `fft`, along two axes: as scipy.fft.ifft2.

    Parameters
    ----------
    x : array_like
        The field.
    s : sequence of int, optional
        Points along the transformed axes: the input is cut off, or continued with zeros.
    axes : sequence of int, optional
        The transformed axes; the last two by default.
    norm : {"backward", "ortho", "forward"}, optional
        Which direction divides by the number of points.
    workers : int, optional
        Threads; all cores by default.
    comm : mpi4py.MPI.Comm, optional
        The ranks that share the field along axis 0.

    Returns
    -------
    numpy.ndarray
        The transform, complex, in single precision if the input is.
    """
    return _c2c(False, x, s, axes, norm, workers, plan, comm)


def ifftn(
    x: ArrayLike, s: _Axes = None, axes: _Axes = None, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, plan: None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """Compute the inverse of `fft`, along several axes: as scipy.fft.ifftn.

    Parameters
    ----------
    x : array_like
        The field.
    s : sequence of int, optional
        Points along the transformed axes: the input is cut off, or continued with zeros.
    axes : sequence of int, optional
        The transformed axes; all, or the last ones of `s`, by default.
    norm : {"backward", "ortho", "forward"}, optional
        Which direction divides by the number of points.
    workers : int, optional
        Threads; all cores by default.
    comm : mpi4py.MPI.Comm, optional
        The ranks that share the field along axis 0.

    Returns
    -------
    numpy.ndarray
        The transform, complex, in single precision if the input is.
    """
    return _c2c(False, x, s, axes, norm, workers, plan, comm)


def rfft(
    x: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, plan: None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """Compute the Fourier transform of a real field, whose last transformed axis is halved, along an axis: as scipy.fft.rfft.

    Parameters
    ----------
    x : array_like
        The field, real.
    n : int, optional
        Points along `axis`: the input is cut off, or continued with zeros.
    axis : int, optional
        The transformed axis.
    norm : {"backward", "ortho", "forward"}, optional
        Which direction divides by the number of points.
    workers : int, optional
        Threads; all cores by default.
    comm : mpi4py.MPI.Comm, optional
        The ranks that share the field along axis 0.

    Returns
    -------
    numpy.ndarray
        The transform, complex, in single precision if the input is.
    """
    return _r2c(x, n, axis, norm, workers, plan, comm)


def rfft2(
    x: ArrayLike, s: _Axes = None, axes: _Axes = (-2, -1), norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, plan: None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """Compute the Fourier transform of a real field, whose last transformed axis is halved, along two axes: as scipy.fft.rfft2.

    Parameters
    ----------
    x : array_like
        The field, real.
    s : sequence of int, optional
        Points along the transformed axes: the input is cut off, or continued with zeros.
    axes : sequence of int, optional
        The transformed axes; the last two by default.
    norm : {"backward", "ortho", "forward"}, optional
        Which direction divides by the number of points.
    workers : int, optional
        Threads; all cores by default.
    comm : mpi4py.MPI.Comm, optional
        The ranks that share the field along axis 0.

    Returns
    -------
    numpy.ndarray
        The transform, complex, in single precision if the input is.
    """
    return _r2c(x, s, axes, norm, workers, plan, comm)


def rfftn(
    x: ArrayLike, s: _Axes = None, axes: _Axes = None, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, plan: None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """Compute the Fourier transform of a real field, whose last transformed axis is halved, along several axes: as scipy.fft.rfftn.

    Parameters
    ----------
    x : array_like
        The field, real.
    s : sequence of int, optional
        Points along the transformed axes: the input is cut off, or continued with zeros.
    axes : sequence of int, optional
        The transformed axes; all, or the last ones of `s`, by default.
    norm : {"backward", "ortho", "forward"}, optional
        Which direction divides by the number of points.
    workers : int, optional
        Threads; all cores by default.
    comm : mpi4py.MPI.Comm, optional
        The ranks that share the field along axis 0.

    Returns
    -------
    numpy.ndarray
        The transform, complex, in single precision if the input is.
    """
    return _r2c(x, s, axes, norm, workers, plan, comm)


def irfft(
    x: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, plan: None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """Compute the inverse of `rfft`, along an axis: as scipy.fft.irfft.

    Parameters
    ----------
    x : array_like
        The field.
    n : int, optional
        Points along `axis`: the input is cut off, or continued with zeros.
    axis : int, optional
        The transformed axis.
    norm : {"backward", "ortho", "forward"}, optional
        Which direction divides by the number of points.
    workers : int, optional
        Threads; all cores by default.
    comm : mpi4py.MPI.Comm, optional
        The ranks that share the field along axis 0.

    Returns
    -------
    numpy.ndarray
        The transform, real, in single precision if the input is.
    """
    return _c2r(x, n, axis, norm, workers, plan, comm)


def irfft2(
    x: ArrayLike, s: _Axes = None, axes: _Axes = (-2, -1), norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, plan: None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """Compute the inverse of `rfft`, along two axes: as scipy.fft.irfft2.

    Parameters
    ----------
    x : array_like
        The field.
    s : sequence of int, optional
        Points along the transformed axes: the input is cut off, or continued with zeros.
    axes : sequence of int, optional
        The transformed axes; the last two by default.
    norm : {"backward", "ortho", "forward"}, optional
        Which direction divides by the number of points.
    workers : int, optional
        Threads; all cores by default.
    comm : mpi4py.MPI.Comm, optional
        The ranks that share the field along axis 0.

    Returns
    -------
    numpy.ndarray
        The transform, real, in single precision if the input is.
    """
    return _c2r(x, s, axes, norm, workers, plan, comm)


def irfftn(
    x: ArrayLike, s: _Axes = None, axes: _Axes = None, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, plan: None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """Compute the inverse of `rfft`, along several axes: as scipy.fft.irfftn.

    Parameters
    ----------
    x : array_like
        The field.
    s : sequence of int, optional
        Points along the transformed axes: the input is cut off, or continued with zeros.
    axes : sequence of int, optional
        The transformed axes; all, or the last ones of `s`, by default.
    norm : {"backward", "ortho", "forward"}, optional
        Which direction divides by the number of points.
    workers : int, optional
        Threads; all cores by default.
    comm : mpi4py.MPI.Comm, optional
        The ranks that share the field along axis 0.

    Returns
    -------
    numpy.ndarray
        The transform, real, in single precision if the input is.
    """
    return _c2r(x, s, axes, norm, workers, plan, comm)


def hfft(
    x: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, plan: None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """Compute the Fourier transform of a Hermitian field, of which half of the last transformed axis is given, along an axis: as scipy.fft.hfft.

    Parameters
    ----------
    x : array_like
        The field.
    n : int, optional
        Points along `axis`: the input is cut off, or continued with zeros.
    axis : int, optional
        The transformed axis.
    norm : {"backward", "ortho", "forward"}, optional
        Which direction divides by the number of points.
    workers : int, optional
        Threads; all cores by default.
    comm : mpi4py.MPI.Comm, optional
        The ranks that share the field along axis 0.

    Returns
    -------
    numpy.ndarray
        The transform, real, in single precision if the input is.
    """
    return _c2r(x, n, axis, norm, workers, plan, comm, True)


def hfft2(
    x: ArrayLike, s: _Axes = None, axes: _Axes = (-2, -1), norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, plan: None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """Compute the Fourier transform of a Hermitian field, of which half of the last transformed axis is given, along two axes: as scipy.fft.hfft2.

    Parameters
    ----------
    x : array_like
        The field.
    s : sequence of int, optional
        Points along the transformed axes: the input is cut off, or continued with zeros.
    axes : sequence of int, optional
        The transformed axes; the last two by default.
    norm : {"backward", "ortho", "forward"}, optional
        Which direction divides by the number of points.
    workers : int, optional
        Threads; all cores by default.
    comm : mpi4py.MPI.Comm, optional
        The ranks that share the field along axis 0.

    Returns
    -------
    numpy.ndarray
        The transform, real, in single precision if the input is.
    """
    return _c2r(x, s, axes, norm, workers, plan, comm, True)


def hfftn(
    x: ArrayLike, s: _Axes = None, axes: _Axes = None, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, plan: None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """Compute the Fourier transform of a Hermitian field, of which half of the last transformed axis is given, along several axes: as scipy.fft.hfftn.

    Parameters
    ----------
    x : array_like
        The field.
    s : sequence of int, optional
        Points along the transformed axes: the input is cut off, or continued with zeros.
    axes : sequence of int, optional
        The transformed axes; all, or the last ones of `s`, by default.
    norm : {"backward", "ortho", "forward"}, optional
        Which direction divides by the number of points.
    workers : int, optional
        Threads; all cores by default.
    comm : mpi4py.MPI.Comm, optional
        The ranks that share the field along axis 0.

    Returns
    -------
    numpy.ndarray
        The transform, real, in single precision if the input is.
    """
    return _c2r(x, s, axes, norm, workers, plan, comm, True)


def ihfft(
    x: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, plan: None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """Compute the inverse of `hfft`, along an axis: as scipy.fft.ihfft.

    Parameters
    ----------
    x : array_like
        The field, real.
    n : int, optional
        Points along `axis`: the input is cut off, or continued with zeros.
    axis : int, optional
        The transformed axis.
    norm : {"backward", "ortho", "forward"}, optional
        Which direction divides by the number of points.
    workers : int, optional
        Threads; all cores by default.
    comm : mpi4py.MPI.Comm, optional
        The ranks that share the field along axis 0.

    Returns
    -------
    numpy.ndarray
        The transform, complex, in single precision if the input is.
    """
    return _r2c(x, n, axis, norm, workers, plan, comm, True)


def ihfft2(
    x: ArrayLike, s: _Axes = None, axes: _Axes = (-2, -1), norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, plan: None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """Compute the inverse of `hfft`, along two axes: as scipy.fft.ihfft2.

    Parameters
    ----------
    x : array_like
        The field, real.
    s : sequence of int, optional
        Points along the transformed axes: the input is cut off, or continued with zeros.
    axes : sequence of int, optional
        The transformed axes; the last two by default.
    norm : {"backward", "ortho", "forward"}, optional
        Which direction divides by the number of points.
    workers : int, optional
        Threads; all cores by default.
    comm : mpi4py.MPI.Comm, optional
        The ranks that share the field along axis 0.

    Returns
    -------
    numpy.ndarray
        The transform, complex, in single precision if the input is.
    """
    return _r2c(x, s, axes, norm, workers, plan, comm, True)


def ihfftn(
    x: ArrayLike, s: _Axes = None, axes: _Axes = None, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, plan: None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """Compute the inverse of `hfft`, along several axes: as scipy.fft.ihfftn.

    Parameters
    ----------
    x : array_like
        The field, real.
    s : sequence of int, optional
        Points along the transformed axes: the input is cut off, or continued with zeros.
    axes : sequence of int, optional
        The transformed axes; all, or the last ones of `s`, by default.
    norm : {"backward", "ortho", "forward"}, optional
        Which direction divides by the number of points.
    workers : int, optional
        Threads; all cores by default.
    comm : mpi4py.MPI.Comm, optional
        The ranks that share the field along axis 0.

    Returns
    -------
    numpy.ndarray
        The transform, complex, in single precision if the input is.
    """
    return _r2c(x, s, axes, norm, workers, plan, comm, True)


def dct(
    x: ArrayLike, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, orthogonalize: bool | None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """Compute the cosine transform of a type, along an axis: as scipy.fft.dct.

    Parameters
    ----------
    x : array_like
        The field; of complex fields, both parts are transformed.
    type : {1, 2, 3, 4}, optional
        Which cosine transform.
    n, axis : optional
        Points along the transformed axes, and these axes.
    norm : {"backward", "ortho", "forward"}, optional
        Which direction divides; ortho: both, by the square root.
    workers : int, optional
        Threads; all cores by default.
    orthogonalize : bool, optional
        Whether the matrix of the transform is made orthogonal; by default with norm="ortho".
    comm : mpi4py.MPI.Comm, optional
        The ranks that share the field along axis 0.

    Returns
    -------
    numpy.ndarray
        The transform, in the type of the input, or in double precision.
    """
    return _r2r.transform("dct", True, x, type, n, axis, norm, workers, orthogonalize, comm)


def dctn(
    x: ArrayLike, type: int = 2, s: _Axes = None, axes: _Axes = None, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, *, orthogonalize: bool | None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """Compute the cosine transform of a type, along several axes: as scipy.fft.dctn.

    Parameters
    ----------
    x : array_like
        The field; of complex fields, both parts are transformed.
    type : {1, 2, 3, 4}, optional
        Which cosine transform.
    s, axes : optional
        Points along the transformed axes, and these axes.
    norm : {"backward", "ortho", "forward"}, optional
        Which direction divides; ortho: both, by the square root.
    workers : int, optional
        Threads; all cores by default.
    orthogonalize : bool, optional
        Whether the matrix of the transform is made orthogonal; by default with norm="ortho".
    comm : mpi4py.MPI.Comm, optional
        The ranks that share the field along axis 0.

    Returns
    -------
    numpy.ndarray
        The transform, in the type of the input, or in double precision.
    """
    return _r2r.transform("dct", True, x, type, s, axes, norm, workers, orthogonalize, comm)


def idct(
    x: ArrayLike, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, orthogonalize: bool | None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """Compute the inverse of the cosine transform of a type, along an axis: as scipy.fft.idct.

    Parameters
    ----------
    x : array_like
        The field; of complex fields, both parts are transformed.
    type : {1, 2, 3, 4}, optional
        Which cosine transform.
    n, axis : optional
        Points along the transformed axes, and these axes.
    norm : {"backward", "ortho", "forward"}, optional
        Which direction divides; ortho: both, by the square root.
    workers : int, optional
        Threads; all cores by default.
    orthogonalize : bool, optional
        Whether the matrix of the transform is made orthogonal; by default with norm="ortho".
    comm : mpi4py.MPI.Comm, optional
        The ranks that share the field along axis 0.

    Returns
    -------
    numpy.ndarray
        The transform, in the type of the input, or in double precision.
    """
    return _r2r.transform("dct", False, x, type, n, axis, norm, workers, orthogonalize, comm)


def idctn(
    x: ArrayLike, type: int = 2, s: _Axes = None, axes: _Axes = None, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, orthogonalize: bool | None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """Compute the inverse of the cosine transform of a type, along several axes: as scipy.fft.idctn.

    Parameters
    ----------
    x : array_like
        The field; of complex fields, both parts are transformed.
    type : {1, 2, 3, 4}, optional
        Which cosine transform.
    s, axes : optional
        Points along the transformed axes, and these axes.
    norm : {"backward", "ortho", "forward"}, optional
        Which direction divides; ortho: both, by the square root.
    workers : int, optional
        Threads; all cores by default.
    orthogonalize : bool, optional
        Whether the matrix of the transform is made orthogonal; by default with norm="ortho".
    comm : mpi4py.MPI.Comm, optional
        The ranks that share the field along axis 0.

    Returns
    -------
    numpy.ndarray
        The transform, in the type of the input, or in double precision.
    """
    return _r2r.transform("dct", False, x, type, s, axes, norm, workers, orthogonalize, comm)


def dst(
    x: ArrayLike, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, orthogonalize: bool | None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """Compute the sine transform of a type, along an axis: as scipy.fft.dst.

    Parameters
    ----------
    x : array_like
        The field; of complex fields, both parts are transformed.
    type : {1, 2, 3, 4}, optional
        Which sine transform.
    n, axis : optional
        Points along the transformed axes, and these axes.
    norm : {"backward", "ortho", "forward"}, optional
        Which direction divides; ortho: both, by the square root.
    workers : int, optional
        Threads; all cores by default.
    orthogonalize : bool, optional
        Whether the matrix of the transform is made orthogonal; by default with norm="ortho".
    comm : mpi4py.MPI.Comm, optional
        The ranks that share the field along axis 0.

    Returns
    -------
    numpy.ndarray
        The transform, in the type of the input, or in double precision.
    """
    return _r2r.transform("dst", True, x, type, n, axis, norm, workers, orthogonalize, comm)


def dstn(
    x: ArrayLike, type: int = 2, s: _Axes = None, axes: _Axes = None, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, orthogonalize: bool | None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """Compute the sine transform of a type, along several axes: as scipy.fft.dstn.

    Parameters
    ----------
    x : array_like
        The field; of complex fields, both parts are transformed.
    type : {1, 2, 3, 4}, optional
        Which sine transform.
    s, axes : optional
        Points along the transformed axes, and these axes.
    norm : {"backward", "ortho", "forward"}, optional
        Which direction divides; ortho: both, by the square root.
    workers : int, optional
        Threads; all cores by default.
    orthogonalize : bool, optional
        Whether the matrix of the transform is made orthogonal; by default with norm="ortho".
    comm : mpi4py.MPI.Comm, optional
        The ranks that share the field along axis 0.

    Returns
    -------
    numpy.ndarray
        The transform, in the type of the input, or in double precision.
    """
    return _r2r.transform("dst", True, x, type, s, axes, norm, workers, orthogonalize, comm)


def idst(
    x: ArrayLike, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, orthogonalize: bool | None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """Compute the inverse of the sine transform of a type, along an axis: as scipy.fft.idst.

    Parameters
    ----------
    x : array_like
        The field; of complex fields, both parts are transformed.
    type : {1, 2, 3, 4}, optional
        Which sine transform.
    n, axis : optional
        Points along the transformed axes, and these axes.
    norm : {"backward", "ortho", "forward"}, optional
        Which direction divides; ortho: both, by the square root.
    workers : int, optional
        Threads; all cores by default.
    orthogonalize : bool, optional
        Whether the matrix of the transform is made orthogonal; by default with norm="ortho".
    comm : mpi4py.MPI.Comm, optional
        The ranks that share the field along axis 0.

    Returns
    -------
    numpy.ndarray
        The transform, in the type of the input, or in double precision.
    """
    return _r2r.transform("dst", False, x, type, n, axis, norm, workers, orthogonalize, comm)


def idstn(
    x: ArrayLike, type: int = 2, s: _Axes = None, axes: _Axes = None, norm: str | None = None, overwrite_x: bool = False,
    workers: int | None = None, orthogonalize: bool | None = None, comm: Any = None,
) -> _Array:  # fmt: skip
    """Compute the inverse of the sine transform of a type, along several axes: as scipy.fft.idstn.

    Parameters
    ----------
    x : array_like
        The field; of complex fields, both parts are transformed.
    type : {1, 2, 3, 4}, optional
        Which sine transform.
    s, axes : optional
        Points along the transformed axes, and these axes.
    norm : {"backward", "ortho", "forward"}, optional
        Which direction divides; ortho: both, by the square root.
    workers : int, optional
        Threads; all cores by default.
    orthogonalize : bool, optional
        Whether the matrix of the transform is made orthogonal; by default with norm="ortho".
    comm : mpi4py.MPI.Comm, optional
        The ranks that share the field along axis 0.

    Returns
    -------
    numpy.ndarray
        The transform, in the type of the input, or in double precision.
    """
    return _r2r.transform("dst", False, x, type, s, axes, norm, workers, orthogonalize, comm)
