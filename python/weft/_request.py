# weft._request: what is asked for, in the words of weft's table of settings.
# Keeps: names, values and ranges of settings are checked in one place, the table; only what has no text goes beside it.
"""Turns the arguments of a plan into settings."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, Union

import numpy as np
from numpy.typing import DTypeLike

from ._errors import Error

Box = Union[tuple[slice, ...], tuple[Sequence[int], Sequence[int]]]
Sides = Union[str, Box, list[Box], None]
_Corners = tuple[list[int], list[int]]

_KINDS = ("c2c", "r2c", "c2r", "r2r")
_PRECISIONS = {"float32": "single", "complex64": "single", "float64": "double", "complex128": "double"}


def text_of(name: str, value: Any) -> str:
    """A value as settings have it: True is yes, and (2, 4) is 2x4."""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (tuple, list)):
        return ("," if name in ("node_size", "axes") else "x").join(str(int(each)) for each in value)
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    return str(value)


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


def _corners_of(box: Any) -> _Corners:
    if isinstance(box, tuple) and box and all(isinstance(part, slice) for part in box):
        if any(part.stop is None or part.step not in (None, 1) for part in box):
            raise Error(f"a box needs the end of each slice, and no step: {box}", "write it as numpy.s_[0:4, 0:8]")
        return [int(part.start or 0) for part in box], [int(part.stop) for part in box]
    try:
        lo, hi = box
        return [int(index) for index in lo], [int(index) for index in hi]
    except (TypeError, ValueError):
        raise Error(
            f"this is no box: {box!r}", "give a tuple of slices, or the first indices and those past the last: ((0, 0), (4, 8))"
        ) from None


def boxes_of(side: Any) -> list[_Corners] | None:
    """This rank's boxes, where a side is given by boxes; None where it is a word."""
    if side is None or isinstance(side, str):
        return None
    return [_corners_of(box) for box in (side if isinstance(side, list) else [side])]


def settings_of(shape: Any, given: dict[str, Any]) -> dict[str, str]:
    """The texts of all settings that are given; those that are None are left out.

    Raises
    ------
    Error
        For a shape that is none.
    """
    try:
        extents = [operator.index(points) for points in (shape if isinstance(shape, (tuple, list, np.ndarray)) else (shape,))]
    except (TypeError, ValueError):
        raise Error(f"the shape is {shape!r}", "give the points of each axis, as (64, 64, 64)") from None
    if not extents:
        raise Error("the shape has no axes", "give the points of each axis, as (64, 64, 64)")
    texts = {name: text_of(name, value) for name, value in given.items() if value is not None}
    return {"extents": "x".join(map(str, extents)), **texts}
