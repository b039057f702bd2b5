# weft._adjoint: the adjoints of a plan's transforms, by which gradients go back through them.
# Keeps: no library that differentiates is imported here; what is wrong on one rank is an error on all.
"""Adjoints of transforms.

The way to the spectrum is a real linear map A of this rank's numbers and those of the others, and the way back one
from the spectrum, S. For the inner product ``sum(real(conj(a) * b))`` over all ranks, ``A* = ratio * U S V``
and so ``S* = 1/ratio * V^-1 A U^-1``, where U and V multiply each number of the field, and of the spectrum, by a
weight. A wave of which r2c does not store the conjugate counts twice in S and once in A, so V has 1/2 there. Of
sines and cosines, first and last numbers have weights, as the definitions of scipy.fft have them without factors
that the others have; with the norm "ortho" there are none, as these transforms are orthogonal.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ._core_types import TransformDict
from ._errors import Error
from ._plan import Plan
from ._sides import SideOf

Weights = tuple[NDArray[Any], ...]

# Of each basis: the weights of the first and the last point of an axis, and of its first and last coefficient.
_ENDS = {
    "dct1": ((0.5, 0.5), (2, 2)),
    "dct2": ((1, 1), (2, 1)),
    "dct3": ((0.5, 1), (1, 1)),
    "dst2": ((1, 1), (1, 2)),
    "dst3": ((1, 0.5), (1, 1)),
    "chebyshev": ((0.5, 0.5), (0.5, 0.5)),
    "chebyshev-gauss": ((1, 1), (0.5, 1)),
}


class Adjoint(NamedTuple):
    """The adjoint of one direction of a plan: the other direction, between two products with weights that broadcast."""

    scale: float
    before: Weights
    after: Weights


def library(name: str, user: str) -> Any:
    """The module of another library that is called `name`.

    Raises
    ------
    ImportError
        With what to install, if it cannot be imported.
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(f"{user} needs {name}, which cannot be imported ({error}); try: pip install {name}") from error


def require_plan(plan: Any, user: str) -> None:
    """Error for what is no plan, and for one whose runs return before their results are there."""
    if not isinstance(plan, Plan):
        raise Error(f"{user} transforms with a weft.Plan, and not with {type(plan).__name__}", "make one with weft.Plan(...)")
    if plan._has_stream:
        raise Error(f"{user} needs results at once, and the plan enqueues its work in a stream", "make the plan without stream=", code="unsupported")


def transformed(plan: Plan, is_forward: bool, take: Callable[[], NDArray[Any]], scale: float) -> NDArray[Any]:
    """What a direction of `plan` makes of the array that `take` returns, in new memory. Collective.

    Arrays of any strides are taken, and copied where those of the plan lie otherwise. In the result, ghost points are 0.

    Raises
    ------
    Error
        As `Plan.forward`; and what `take` raises on one rank, on all ranks.
    """
    try:
        given = _laid(plan, take(), is_forward)
        result: NDArray[Any] = plan._empty(not is_forward)
        side = plan._sides[not is_forward]
        if not side.has_waves and result.size != side.fields * sum(_volume(box) for box in side.boxes):
            result[...] = 0
    except Exception as error:  # whatever a library of arrays raises, the other ranks wait
        why = error if isinstance(error, Error) else Error(f"{type(error).__name__}: {error}")
        plan._core.refuse(is_forward, why.message, why.hint, why.context, why.code)
        raise
    plan._core.run(is_forward, given, result, scale)
    return result


def adjoint_of(plan: Plan, is_forward: bool) -> Adjoint:
    """The adjoint of forward, or of backward.

    Raises
    ------
    Error
        If the plan has been closed.
    """
    if plan not in _known:
        _known[plan] = _adjoints(plan)
    return _known[plan][is_forward]


_known: WeakKeyDictionary[Plan, tuple[Adjoint, Adjoint]] = WeakKeyDictionary()


def _adjoints(plan: Plan) -> tuple[Adjoint, Adjoint]:
    problem = plan._core.transform()
    starts_with_spectrum = problem["kind"] == "c2r"
    of_field, of_spectrum = (_weights(plan._sides[is_input], problem, is_input == starts_with_spectrum) for is_input in (
        not starts_with_spectrum, starts_with_spectrum,
    ))  # fmt: skip
    there = Adjoint(problem["ratio"], of_spectrum, of_field)
    back = Adjoint(1 / problem["ratio"], _inverse(of_field), _inverse(of_spectrum))
    return (there, back) if starts_with_spectrum else (back, there)


def _weights(side: SideOf, problem: TransformDict, is_spectrum: bool) -> Weights:
    real = np.dtype(side.dtype.char.lower())
    fourier = [axis for axis in problem["axes"] if problem["bases"][axis] == "fourier"]
    halved = fourier[-1] if fourier and problem["kind"] in ("r2c", "c2r") else None
    if side.has_waves:
        if halved is None:
            return ()
        of_wave = np.where((side.waves() == 0).all(axis=1), 1, 0.5).astype(real)
        return (np.repeat(of_wave, side.fields) if side.is_interleaved else np.tile(of_wave, side.fields),)
    along = {}
    for axis in problem["axes"]:
        numbers = np.ones(side.extents[axis], real)
        points, basis = problem["extents"][axis], problem["bases"][axis]
        if is_spectrum and axis == halved:
            wave = np.arange(numbers.size)
            numbers[(wave > 0) & (2 * wave != points)] = 0.5
        elif basis in _ENDS and (problem["norm"] != "ortho" or basis.startswith("chebyshev")):
            begin = 0 if is_spectrum else problem["support"][axis]
            for place, weight in zip((-begin, points - 1 - begin), _ENDS[basis][is_spectrum]):
                numbers[place : place + 1] *= weight if place >= 0 else 1
        if (numbers != 1).any():
            along[axis] = numbers
    return _on_arrays(side.of(real), along) if along else ()


# The weights along axes as arrays that broadcast to this rank's; where it has several boxes, one array like its own.
def _on_arrays(side: SideOf, along: dict[int, NDArray[Any]]) -> Weights:
    if not side.is_box:
        line = np.ones(side.elements, side.dtype)
        for box, part in zip(side.boxes, side.parts(line)):
            for axis, numbers in along.items():
                part *= _turned(side, axis, numbers[box[axis]])
        return (line,)
    box = side.box()
    return tuple(
        _turned(side, axis, np.pad(numbers[box[axis]], (side.before[axis], side.after[axis]), constant_values=1) if side.boxes else numbers[:0])
        for axis, numbers in along.items()
    )


def _turned(side: SideOf, axis: int, numbers: NDArray[Any]) -> NDArray[Any]:
    shape = [1] * len(side.extents)
    shape[axis] = -1
    return numbers.reshape(side.with_fields(tuple(shape), 1)) if numbers.size else np.ones(1, numbers.dtype)


def _inverse(weights: Weights) -> Weights:
    return tuple(1 / each for each in weights)


def _volume(box: tuple[slice, ...]) -> int:
    return int(np.prod([part.stop - part.start for part in box]))


def _laid(plan: Plan, given: NDArray[Any], is_input: bool) -> NDArray[Any]:
    side, name = plan._sides[is_input], "input" if is_input else "output"
    require_like(side, name, given.shape, given.dtype)
    if all(n <= 1 or have == want for n, have, want in zip(side.shape, given.strides, side.strides)):
        return given
    laid: NDArray[Any] = plan._empty(is_input)
    laid[...] = given
    return laid


def require_like(side: SideOf, name: str, shape: tuple[int, ...], dtype: Any) -> None:
    """Error for an array of another shape or type than this rank's of a side."""
    if str(dtype) != side.dtype.name:
        raise Error(f"the {name} has elements of {dtype}, and the plan has {side.dtype}", "convert them, or make a plan for them with dtype=")
    if shape != side.shape:
        raise Error(f"the {name} has the shape {shape}, and this rank's {name} of the plan has {side.shape}", f"see plan.box({name!r})")
