# weft._request: what is asked for, in the words of weft's table of settings.
# Keeps: names, values and ranges of settings are checked in one place, the table; only what has no text goes beside it.
"""Turns arguments into what the compiled module reads."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, Union

import numpy as np
from numpy.typing import DTypeLike

from ._core_types import Core
from ._device_arrays import handle_of_stream
from ._distribution import Box, Cutoff, Distribution, corners_of, order_of
from ._errors import Error

Sides = Union[str, Distribution, Box, list[Box], None]
_T = TypeVar("_T")

_KINDS = ("c2c", "r2c", "c2r", "r2r")
_PRECISIONS = {"float32": "single", "complex64": "single", "float64": "double", "complex128": "double"}


def text_of(name: str, value: Any) -> str:
    """A value as settings have it: True is yes, and (2, 4) is 2x4.

    Raises
    ------
    Error
        For values that are no texts, numbers or lists of integers.
    """
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, (str, int, np.integer)):
        return str(value)
    try:
        return ("," if name in ("node_size", "axes") else "x").join(str(operator.index(each)) for each in value)
    except TypeError:
        raise Error(f"{name} is {value!r}", "give a text, a number, or a tuple of integers") from None


def kind_text(kind: str, bases: str | Sequence[str] | None) -> str:
    """The setting `kind`: a word, bases, or both.

    Raises
    ------
    Error
        For a kind that there is not, and for bases that do not go with r2r.
    """
    if kind not in _KINDS:
        raise Error(f"there is no kind {kind!r}", f"one of: {', '.join(_KINDS)}")
    if bases is None:
        if kind == "r2r":
            raise Error("r2r needs bases", "give them, as bases='dct2' or bases=('dct2', 'dst1')")
        return kind
    if not isinstance(bases, str) and not (isinstance(bases, Sequence) and all(isinstance(basis, str) for basis in bases)):
        raise Error(f"the bases are {bases!r}", "give one for all axes, or one for each; a communicator is given as comm=")
    text = bases if isinstance(bases, str) else ",".join(bases)
    if kind != "r2r":
        return f"{kind}:{text}"
    if "f" in text:
        raise Error(f"r2r has no Fourier axes, and bases is {text!r}", "transform real fields with Fourier axes as r2c")
    return text


def precision_text(kind: str, dtype: DTypeLike | None) -> str:
    """The setting `precision` of an element type of either side.

    Raises
    ------
    Error
        For types that weft does not transform, or that go with another kind.
    """
    if dtype is None:
        return "double"
    try:
        name = np.dtype(dtype).name
    except TypeError:
        name = repr(dtype)
    if name not in _PRECISIONS:
        raise Error(f"there are no transforms of {name}", f"one of: {', '.join(_PRECISIONS)}")
    is_complex = name.startswith("complex")
    if (kind == "c2c" and not is_complex) or (kind == "r2r" and is_complex):
        raise Error(f"the kind {kind} does not take {name}", "give the type of the input, or another kind")
    return _PRECISIONS[name]


def extents_of(shape: Any) -> tuple[int, ...]:
    """The points along each axis.

    Raises
    ------
    Error
        For a shape that is none.
    """
    try:
        extents = tuple(operator.index(points) for points in (shape if isinstance(shape, (tuple, list, np.ndarray)) else (shape,)))
    except (TypeError, ValueError):
        raise Error(f"the shape is {shape!r}", "give the points of each axis, as (64, 64, 64)") from None
    if not extents:
        raise Error("the shape has no axes", "give the points of each axis, as (64, 64, 64)")
    return extents


def elements_of(dtype: DTypeLike) -> np.dtype[Any]:
    """A type of elements that are only moved.

    Raises
    ------
    Error
        For objects of Python, and for what is no type.
    """
    try:
        of = np.dtype(dtype)
    except TypeError:
        raise Error(f"there is no type {dtype!r}", "give one of NumPy's") from None
    if of.hasobject:
        raise Error("elements that are objects of Python cannot be moved", "give a type of numbers, or a structured one", code="unsupported")
    return of


def side_request(side: Sides, axes: int, batch: int, order: Any) -> dict[str, Any]:
    """A side for the compiled module."""
    if isinstance(side, Distribution):
        return side.request(axes, batch, order)
    if side is None:
        return {"order": order_of(order, axes)}
    asked = Distribution(form=side) if isinstance(side, str) else Distribution(boxes=side)
    return asked.request(axes, batch, order)


def texts_of(extents: tuple[int, ...], settings: dict[str, Any]) -> dict[str, str]:
    """The texts of all settings that are given; those that are None are left out."""
    texts = {name: text_of(name, value) for name, value in settings.items() if value is not None}
    return {"extents": "x".join(map(str, extents)), **texts}


def plan_request(
    shape: Any,
    kind: str = "c2c",
    bases: str | Sequence[str] | None = None,
    dtype: DTypeLike | None = None,
    axes: Sequence[int] | int | None = None,
    batch: int | None = None,
    input: Sides = None,
    output: Sides = None,
    order: Any = "C",
    support: Any = None,
    cutoff: Any = None,
    placement: Callable[[tuple[int, ...], tuple[int, ...]], int] | None = None,
    pieces: int | None = None,
    stream: Any = None,
    **settings: Any,
) -> dict[str, Any]:
    """The problem and the options of a plan: see `Plan`.

    Raises
    ------
    Error
        For what cannot be.
    """
    extents, fields = extents_of(shape), 1 if batch is None else operator.index(batch)
    moves_only = axes is not None and not isinstance(axes, (int, np.integer)) and len(axes) == 0
    has_box = support is not None and not isinstance(support, str) and not all(isinstance(n, (int, np.integer)) for n in support)
    texts = {
        "kind": kind_text(kind, bases), "precision": precision_text(kind, dtype), "axes": None if moves_only else axes, "batch": batch,
        "support": None if has_box else support, "cutoff": None if isinstance(cutoff, Cutoff) else cutoff, **settings,
    }  # fmt: skip
    asked: dict[str, Any] = {"settings": texts_of(extents, texts), "moves_only": moves_only}
    asked["input"] = side_request(input, len(extents), fields, order)
    asked["output"] = side_request(output, len(extents), fields, order)
    if has_box:
        asked["support"] = corners_of(tuple(support))
    if isinstance(cutoff, Cutoff):
        asked["cutoff"] = cutoff.request()
    if placement is not None:
        if not callable(placement):
            raise Error(f"the placement is {placement!r}", "give a function of a process grid and a piece, which returns a rank")
        asked["placement"] = placement
    if pieces is not None:
        asked["pieces"] = operator.index(pieces)
    if stream is not None:
        asked["stream"] = handle_of_stream(stream)
    return asked


def asked_on_all_ranks(core: Core, address: int, ask: Callable[[], _T]) -> _T:
    """What `ask` returns; what it raises on one rank, all ranks raise.

    Raises
    ------
    Error
        As `ask`, or another rank's.
    """
    try:
        return ask()
    except Error as error:
        if address:
            core.refuse_together(address, error.message, error.hint, error.context, error.code)
        raise
    except Exception as error:
        if address:
            core.refuse_together(address, f"{type(error).__name__}: {error}", "give all ranks the same arguments", "", "invalid")
        raise
