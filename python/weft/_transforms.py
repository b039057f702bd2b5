# weft._transforms: what the functions of weft.fft have in common: checked arguments, plans and scales.
# Keeps: one plan serves both directions and all norms, as the scale is given with each run.
"""Runs transforms whose arguments are those of scipy.fft."""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._arrays import as_array
from ._cores import core_of
from ._errors import Error
from ._plan import Plan
from ._plan_cache import PlanCache
from ._request import Sides

MOST_AXES = 8
plans = PlanCache(64)

_SCALES = {
    (None, True): 0.0, ("backward", True): 0.0, ("ortho", True): 0.5, ("forward", True): 1.0,
    (None, False): 1.0, ("backward", False): 1.0, ("ortho", False): 0.5, ("forward", False): 0.0,
}  # fmt: skip


def scale_of(norm: str | None, is_forward: bool, points: float) -> float:
    """The factor of a transform whose round trip multiplies by `points`."""
    try:
        power = _SCALES[norm, is_forward]
    except (KeyError, TypeError):
        raise Error(f"the norm is {norm!r}", "one of: backward, ortho, forward") from None
    return 1.0 if power == 0 or points == 0 else points**-power  # no points are refused later


def threads_of(workers: int | None) -> int:
    """Threads for scipy.fft's argument; None: all cores that the process may use."""
    if workers is None:
        return 0
    count = operator.index(workers)
    if count < 0:
        count += 1 + (os.cpu_count() or 1)
    if count < 1:
        raise Error(f"workers is {workers}", "give 1 or more, or -1 for all cores")
    return count


def field_of(x: Any, is_real: bool) -> NDArray[Any]:
    """The array `x` in a type that weft computes with; in single precision if it is there."""
    if not isinstance(x, np.ndarray) and (hasattr(x, "__dlpack_device__") or hasattr(x, "__cuda_array_interface__")):
        x = as_array(x, "input")
    array = np.asarray(x)
    kind, bytes_ = array.dtype.kind, array.dtype.itemsize
    if kind not in "biufc" or (kind in "fc" and bytes_ > (16 if kind == "c" else 8)):
        raise Error(f"there are no transforms of {array.dtype}", "convert the array to double precision", code="unsupported")
    if is_real and kind == "c":
        raise TypeError("the input must be real")
    is_single = (kind == "f" and bytes_ <= 4) or (kind == "c" and bytes_ == 8)
    if kind == "c":
        return array.astype(np.complex64 if is_single else np.complex128, copy=False)
    return array.astype(np.float32 if is_single else np.float64, copy=False)


def axes_of(ndim: int, s: Any, axes: Any) -> tuple[list[int], list[int] | None]:
    """The transformed axes, counted from 0, and the points along them if they are given."""
    points = None if s is None else [operator.index(n) for n in (s if isinstance(s, (Sequence, np.ndarray)) else (s,))]
    if axes is None:
        listed = list(range(ndim) if points is None else range(ndim - len(points), ndim))
    else:
        listed = [operator.index(a) for a in (axes if isinstance(axes, (Sequence, np.ndarray)) else (axes,))]
    resolved = [a + ndim if a < 0 else a for a in listed]
    if any(a < 0 or a >= ndim for a in resolved):
        raise Error(f"the axes are {listed}, and the array has {ndim}", "axes count from 0, or from the end with -1")
    if len(set(resolved)) != len(resolved):
        raise Error(f"an axis is named twice: {listed}", "all axes must be unique")
    if points is not None:
        if len(points) != len(resolved):
            raise Error(f"there are {len(points)} sizes for {len(resolved)} axes", "when given, axes and shape arguments have to be of the same length")
        points = [resolved_points(n) for n in points]
    return resolved, points


def resolved_points(n: int) -> int:
    """A number of points. Error for less than 1."""
    if n < 1:
        raise Error(f"invalid number of data points ({n}) specified", "give 1 or more")
    return n


@dataclass(frozen=True)
class Ranks:
    """The ranks that share a field, and the rows that each has of it, along axis 0."""

    comm: Any
    rows: tuple[int, ...]


def ranks_of(x: NDArray[Any], comm: Any) -> tuple[Ranks | None, list[int]]:
    """Who shares the field that `x` is this rank's part of, and the shape of the whole. Collective."""
    shape = list(x.shape)
    if comm is None:
        return None, shape
    core_of(comm)  # an error for what is no communicator
    parts = comm.allgather((x.shape, x.dtype.char))
    if not all(of for of, _ in parts):
        raise Error("the field of several ranks has no axis", "give an array of one axis at least")
    if len({(of[1:], char) for of, char in parts}) > 1:
        far = next(rank for rank, (of, char) in enumerate(parts) if (of[1:], char) != (parts[0][0][1:], parts[0][1]))
        texts = [f"{np.dtype(parts[rank][1])} of the shape {parts[rank][0]}" for rank in (0, far)]
        raise Error(
            f"rank 0 has a part of {texts[0]}, and rank {far} one of {texts[1]}",
            "the parts of a field have the same type, and differ along axis 0 only",
            code="mismatch",
        )
    rows = tuple(of[0] for of, _ in parts)
    return Ranks(comm, rows), [sum(rows), *shape[1:]]


def resized(
    x: NDArray[Any], shape: list[int], axes: Sequence[int], points: Sequence[int], ranks: Ranks | None
) -> tuple[NDArray[Any], list[int]]:
    """The array with so many points along the axes: cut off at the end, or continued with zeros; and its shape."""
    if all(shape[a] == n for a, n in zip(axes, points)):
        return x, shape
    if ranks is not None:
        raise Error("the sizes of a field of several ranks cannot be changed", "cut it off or continue it first", code="unsupported")
    far, part = list(shape), [slice(None)] * x.ndim
    for a, n in zip(axes, points):
        far[a] = n
        part[a] = slice(min(n, shape[a]))
    if all(n <= shape[a] for a, n in zip(axes, points)):
        return x[tuple(part)], far
    result = np.zeros(far, x.dtype)
    result[tuple(part)] = x[tuple(part)]
    return result, far


def transform(
    x: NDArray[Any],
    shape: Sequence[int],
    axes: Sequence[int],
    kind: str,
    is_forward: bool,
    scale: float,
    workers: int | None,
    ranks: Ranks | None,
    bases: tuple[str, ...] | None = None,
) -> NDArray[Any]:
    """Run a transform of a grid of `shape` in real space, which this rank's `x` is a part of."""
    if len(shape) > MOST_AXES:
        raise Error(f"the array has {len(shape)} axes", f"weft has at most {MOST_AXES}", code="unsupported")
    if any(n < 1 for n in (shape if ranks else [shape[a] for a in axes])):
        raise Error(f"invalid number of data points (0) specified: the shape is {tuple(shape)}", "give 1 or more along each axis")
    if any(n < 1 for n in shape):  # no lines, along which there is nothing to do
        return _without_points(shape, axes[-1], kind, is_forward, x.dtype)
    if ranks is None and x.flags.f_contiguous and not x.flags.c_contiguous:
        # The transposed field is in C order, and so is its transform.
        last = x.ndim - 1
        flipped = [last - a for a in axes]
        return transform(x.T, list(shape)[::-1], flipped, kind, is_forward, scale, workers, ranks, bases).T
    x = np.ascontiguousarray(x)
    is_single = x.dtype.itemsize == (8 if x.dtype.kind == "c" else 4)
    threads = threads_of(workers)
    key = (tuple(shape), tuple(axes), kind, bases, is_single, threads)
    if ranks is None:
        plan = plans.get(key, lambda: _plan_of(key))
    else:
        plan = _plan_of_ranks(key, x, is_forward, ranks)
    result: NDArray[Any] = plan._run(is_forward, x, None, scale)
    return result


def _without_points(shape: Sequence[int], halved: int, kind: str, is_forward: bool, dtype: np.dtype[Any]) -> NDArray[Any]:
    if kind != "r2c":
        return np.empty(shape, dtype)
    is_single = dtype.itemsize == (4 if is_forward else 8)
    if not is_forward:
        return np.empty(shape, np.float32 if is_single else np.float64)
    half = [n // 2 + 1 if axis == halved else n for axis, n in enumerate(shape)]
    return np.empty(half, np.complex64 if is_single else np.complex128)


def _plan_of(key: Any, **more: Any) -> Plan:
    shape, axes, kind, bases, is_single, threads = key
    return Plan(
        shape, kind, bases, axes=axes, dtype=_DTYPES[kind][is_single], norm="none", effort="estimate", threads=threads, **more
    )


_DTYPES = {
    "c2c": (np.complex128, np.complex64), "r2c": (np.float64, np.float32), "r2r": (np.float64, np.float32),
}  # fmt: skip


def _plan_of_ranks(key: Any, x: NDArray[Any], is_forward: bool, ranks: Ranks) -> Plan:
    begin = sum(ranks.rows[: ranks.comm.Get_rank()])
    mine = (slice(begin, begin + x.shape[0]), *(slice(0, n) for n in x.shape[1:]))
    given: Sides = [mine] if x.size else []
    sides: dict[str, Sides] = {"input": given, "output": "slab"} if is_forward else {"input": "slab", "output": given}
    return _cache_of(ranks.comm).get((*key, ranks.rows, is_forward), lambda: _plan_of(key, comm=ranks.comm, **sides))


_keyval: int | None = None


def _cache_of(comm: Any) -> PlanCache:
    # An attribute of the communicator: its plans end with it, and the next one with its handle has its own.
    global _keyval
    if _keyval is None:
        _keyval = type(comm).Create_keyval()
    cache = comm.Get_attr(_keyval)
    if cache is None:
        cache = PlanCache(16)
        comm.Set_attr(_keyval, cache)
    assert isinstance(cache, PlanCache)
    return cache


def product(values: Any) -> float:
    """The product, as a float."""
    return float(math.prod(values))
