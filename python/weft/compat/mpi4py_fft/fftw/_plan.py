# weft.compat.mpi4py_fft.fftw._plan: a serial transform with arrays of its own, as FFTW's planner makes one; weft computes it.
# Keeps: plans of weft are shared by all transforms of the same shape; inputs are left as they are.
"""Serial transforms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...._errors import Error
from ...._plan import Plan
from ...._plan_cache import PlanCache
from . import _long_double
from ._constants import BASES, C2R, FFTW_BACKWARD, FFTW_DHT, FFTW_FORWARD, FFTW_HC2R, FFTW_R2HC, R2C

plans = PlanCache(256)


class FFT:
    """A serial transform along some axes of an array.

    Parameters
    ----------
    input_array, output_array : array
        What it takes and makes where a call gives no arrays.
    axes : sequence of int, optional
        The transformed axes; the last one is halved where real arrays become complex.
    kind : int or sequence of int, optional
        FFTW's kind of transform; of real arrays, one for all axes or one for each.
    threads : int, optional
        Threads that compute.
    flags : int or sequence of int, optional
        FFTW's flags, which are accepted and change nothing.
    normalization : float, optional
        What the result is multiplied by if a call says ``normalize=True``.

    Raises
    ------
    Error
        For arrays that do not go with the kind.
    """

    def __init__(
        self,
        input_array: NDArray[Any],
        output_array: NDArray[Any],
        axes: Sequence[int] = (-1,),
        kind: int | Sequence[int] = FFTW_FORWARD,
        threads: int = 1,
        flags: int | Sequence[int] = (0,),
        normalization: float = 1.0,
    ) -> None:
        self._axes = axes_of(axes, input_array.ndim)
        self._kinds = _kinds_of(kind, len(self._axes))
        self._threads = int(threads)
        self._normalization = float(normalization)
        self._run = _runner_of(input_array, output_array, self._axes, self._kinds)
        self._input_array: NDArray[Any] | None = input_array
        self._output_array: NDArray[Any] | None = output_array

    @property
    def input_array(self) -> NDArray[Any]:
        """What a call takes that gives no input."""
        return self._array(self._input_array)

    @property
    def output_array(self) -> NDArray[Any]:
        """What a call fills that gives no output."""
        return self._array(self._output_array)

    def _array(self, array: NDArray[Any] | None) -> NDArray[Any]:
        if array is None:
            raise Error("the transform has been destroyed", "make another one")
        return array

    def __call__(
        self, input_array: Any = None, output_array: Any = None, implicit: bool = True, normalize: bool = False, **kw: Any
    ) -> NDArray[Any]:
        """Transform `input_array`, or the one that the object was made with.

        Parameters
        ----------
        input_array, output_array : array, optional
            Those of the object by default.
        implicit : bool, optional
            False: copy the input to the object's, too.
        normalize : bool, optional
            Whether to multiply by `get_normalization`.

        Returns
        -------
        numpy.ndarray
            The output.
        """
        own, target = self.input_array, self.output_array if output_array is None else output_array
        source = own
        if input_array is not None:
            if implicit and fits(input_array, own):
                source = input_array
            else:
                own[...] = input_array
        out = target if fits(target, self.output_array) else self.output_array
        if np.may_share_memory(source, out):
            source = source.copy()
        scale = self._normalization if normalize else 1.0
        self._run(self, np.ascontiguousarray(source).view(np.ndarray), out.view(np.ndarray), scale)
        if out is not target:
            target[...] = out
        result: NDArray[Any] = target
        return result

    def get_normalization(self) -> float:
        """The factor of calls that say ``normalize=True``: one over what a round trip multiplies by."""
        return self._normalization

    def update_arrays(self, input_array: NDArray[Any], output_array: NDArray[Any]) -> None:
        """Take other arrays of the same shapes and types as those of calls without arrays."""
        for new, old in ((input_array, self.input_array), (output_array, self.output_array)):
            if new.shape != old.shape or new.dtype != old.dtype:
                raise Error(f"an array of {new.shape} and {new.dtype} cannot take the place of one of {old.shape} and {old.dtype}")
        self._input_array, self._output_array = input_array, output_array

    def print_plan(self) -> None:
        """Print what is transformed, and by whom."""
        print(f"weft: {self.input_array.dtype} {self.input_array.shape} to {self.output_array.dtype} {self.output_array.shape} along {self._axes}")

    def destroy(self) -> None:
        """Let the arrays go."""
        self._input_array = self._output_array = None


def axes_of(axes: Any, ndim: int) -> tuple[int, ...]:
    """The axes, counted from 0.

    Raises
    ------
    Error
        If there are no such axes, or one is named twice.
    """
    listed = [int(axis) for axis in (axes if isinstance(axes, (Sequence, np.ndarray)) else (axes,))]
    resolved = tuple(axis % ndim for axis in listed if -ndim <= axis < ndim)
    if not listed or len(resolved) != len(listed) or len(set(resolved)) != len(resolved):
        raise Error(f"the axes are {listed}, of an array of {ndim} axes", "name each axis once, from 0 on, or from the end with -1")
    return resolved


def fits(array: Any, like: Any) -> bool:
    """Whether a transform can take `array` without a copy, where it takes arrays of the type and shape of `like`."""
    return (
        isinstance(array, np.ndarray) and array.dtype == like.dtype and array.shape == like.shape
        and array.flags.c_contiguous and array.flags.aligned
    )  # fmt: skip


def _kinds_of(kind: Any, count: int) -> tuple[int, ...]:
    kinds = tuple(int(each) for each in kind) if isinstance(kind, (Sequence, np.ndarray)) else (int(kind),) * count
    if len(kinds) == 1:
        kinds *= count
    if len(kinds) != count:
        raise Error(f"there are {len(kinds)} kinds for {count} axes", "give one for all axes, or one for each")
    return kinds


def _runner_of(u: NDArray[Any], v: NDArray[Any], axes: tuple[int, ...], kinds: tuple[int, ...]) -> Any:
    if u.dtype.char not in "fdgFDG" or v.dtype.char not in "fdgFDG":
        raise Error(f"there are no transforms of {u.dtype} to {v.dtype}", "give arrays of one of the types f, d, F and D", code="unsupported")
    pair = ("C" if u.dtype.kind == "c" else "R") + ("C" if v.dtype.kind == "c" else "R")
    halved, whole = (u, v) if pair == "CR" else (v, u)
    expected = list(whole.shape)
    if pair in ("CR", "RC"):
        expected[axes[-1]] = whole.shape[axes[-1]] // 2 + 1
    if list(halved.shape) != expected or (u.real.dtype != v.real.dtype):
        raise Error(f"there is no transform of {u.dtype} {u.shape} to {v.dtype} {v.shape} along {axes}",
                    f"the last axis that is named is halved in complex arrays of real fields: {tuple(expected)}")  # fmt: skip
    if pair == "CC" and set(kinds) in ({FFTW_FORWARD}, {FFTW_BACKWARD}):
        return _fourier
    if (pair, set(kinds)) in (("RC", {R2C}), ("CR", {C2R})):
        return _fourier
    if pair in ("RR", "CC") and all(each in BASES for each in kinds):
        return _real
    if pair == "RR" and all(each in BASES or each in (FFTW_R2HC, FFTW_HC2R, FFTW_DHT) for each in kinds):
        return _halfcomplex
    raise Error(f"the kinds {kinds} do not go with {u.dtype} to {v.dtype}", "see FFTW's manual for what each kind takes and makes")


def weft_plan(shape: tuple[int, ...], kind: str, bases: tuple[str, ...] | None, axes: tuple[int, ...], is_single: bool, threads: int) -> Plan:
    """The plan of weft's for a transform in this process; `shape` is that of the grid in real space."""
    key = (shape, kind, bases, axes, is_single, threads)
    dtype = {"c2c": np.complex128, "r2c": np.float64, "r2r": np.float64}[kind]
    if is_single:
        dtype = {np.complex128: np.complex64, np.float64: np.float32}[dtype]
    return plans.get(
        key, lambda: Plan(shape, kind, bases, axes=axes, dtype=dtype, norm="none", effort="estimate", threads=threads)
    )  # fmt: skip


def _is_single(array: NDArray[Any]) -> bool:
    return array.dtype.char in "fF"


def _fourier(fft: FFT, u: NDArray[Any], v: NDArray[Any], scale: float) -> None:
    is_forward = fft._kinds[0] in (FFTW_FORWARD, R2C)
    if u.dtype.char in "gG":
        v[...] = _long_double.fourier(u, v, fft._axes, is_forward)
        v *= scale
        return
    is_real = u.dtype.kind != v.dtype.kind
    plan = weft_plan((u if is_forward else v).shape, "r2c" if is_real else "c2c", None, fft._axes, _is_single(u), fft._threads)
    (plan.forward if is_forward else plan.backward)(u, v, scale)


def _real(fft: FFT, u: NDArray[Any], v: NDArray[Any], scale: float) -> None:
    bases = tuple(BASES[kind] for kind in fft._kinds)
    if u.dtype.char in "gG":
        v[...] = _long_double.real(u, fft._axes, bases)
        v *= scale
        return
    plan = weft_plan(u.shape, "c2c" if u.dtype.kind == "c" else "r2r", bases, fft._axes, _is_single(u), fft._threads)
    plan.forward(u, v, scale)


def _halfcomplex(fft: FFT, u: NDArray[Any], v: NDArray[Any], scale: float) -> None:
    if u.dtype.char == "g":
        raise Error("there are no halfcomplex and Hartley transforms of long doubles", "convert the array to double precision", code="unsupported")
    for axis, kind in zip(fft._axes, fft._kinds):
        u = np.ascontiguousarray(_along_one_axis(u, axis, kind, fft._threads))
    np.multiply(u, scale, out=v)


# FFTW's halfcomplex order along an axis of n points: the real parts of the waves 0 to n/2, then the imaginary parts down to wave 1.
def _along_one_axis(u: NDArray[Any], axis: int, kind: int, threads: int) -> NDArray[Any]:
    if kind in BASES:
        return weft_plan(u.shape, "r2r", (BASES[kind],), (axis,), _is_single(u), threads).forward(u)  # type: ignore[no-any-return]
    plan = weft_plan(u.shape, "r2c", None, (axis,), _is_single(u), threads)
    n = u.shape[axis]
    if kind == FFTW_HC2R:
        lines = np.moveaxis(u, axis, -1)
        waves = lines[..., : n // 2 + 1].astype(np.complex64 if _is_single(u) else np.complex128)
        waves[..., 1 : (n + 1) // 2].imag = lines[..., : n // 2 : -1]
        return plan.backward(np.ascontiguousarray(np.moveaxis(waves, -1, axis)))  # type: ignore[no-any-return]
    waves = np.moveaxis(plan.forward(u), axis, -1)
    lines = np.empty((*waves.shape[:-1], n), u.dtype)
    inner = waves[..., 1 : (n + 1) // 2]
    if kind == FFTW_R2HC:
        lines[..., : n // 2 + 1] = waves.real
        lines[..., : n // 2 : -1] = inner.imag
    else:  # Hartley: the real part minus the imaginary one, which is odd
        lines[..., : n // 2 + 1] = waves.real - waves.imag
        lines[..., : n // 2 : -1] = inner.real + inner.imag
    return np.moveaxis(lines, -1, axis)


def normalization_of(kind: int | Sequence[int], shape: Sequence[int], axes: Sequence[int]) -> float:
    """One over what a round trip of these kinds multiplies by; `shape` is that of the grid in real space."""
    factors = []
    for axis, each in zip(axes, _kinds_of(kind, len(axes))):
        n, basis = shape[axis], BASES.get(each, "")
        factors.append(n if not basis else 2 * (n - 1) if basis == "dct1" else 2 * (n + 1) if basis == "dst1" else 2 * n)
    return 1.0 / math.prod(factors)
