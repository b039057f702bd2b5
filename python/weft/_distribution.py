# weft._distribution: where a side of a plan lies, and which waves are kept, as values of Python.
"""How fields are spread over ranks and lie in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._core_types import Corners
from ._errors import Error

Box = Union[tuple[slice, ...], tuple[Sequence[int], Sequence[int]]]
Ghosts = Union[int, Sequence[Union[int, tuple[int, int]]]]


def corners_of(box: Any) -> Corners:
    """The first index of a box along each axis, and one past the last.

    Raises
    ------
    Error
        For what is no box.
    """
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


@dataclass(frozen=True, eq=False)
class Distribution:
    """How a side of a plan is spread over the ranks, and lies in their arrays.

    A plan takes a word or boxes as well, where nothing else is to be said.

    Parameters
    ----------
    form : {"free", "same", "slab", "pencil", "brick"}, optional
        Free is the planner's choice. Slabs divide axis 0, pencils axes 0 and 1, bricks all axes.
        The output may be the same as the input.
    grid : sequence of int, optional
        Of pencils and bricks: how many parts each divided axis has. Balanced by default.
    boxes : box or list of boxes, optional
        Instead of a form: this rank's boxes, each as a tuple of slices, or as the first indices
        and those past the last. The boxes of all ranks tile the grid.
    like : array or list of arrays, optional
        With `boxes`: arrays that lie as those that runs will be given, one for each box, with any
        strides, as ``u[1:-1, ::2]``. Of several boxes they are views of one contiguous array, which
        runs are given with one axis.
    order : {"C", "F"} or sequence of int, optional
        Which axis is contiguous in memory: the last one or the first one; or all axes, the slowest
        first.
    ghosts : int, or sequence of int or of (int, int), optional
        Ghost points at both ends of each axis of a box: one number for all, or one for each axis,
        or two. They are a part of the arrays; plans leave them as they are, and `Halo` fills them.
    interleaved : bool, optional
        Whether the fields of a batch are the last axis of arrays, and not the first one.

    Examples
    --------
    >>> pencils = weft.Distribution("pencil", ghosts=(1, 1, 0))
    >>> plan = weft.Plan((8, 8, 8), "r2c", input=pencils)
    >>> plan.empty_input().shape
    (10, 10, 8)
    """

    form: str = "free"
    grid: Sequence[int] | None = None
    boxes: Box | list[Box] | None = None
    like: NDArray[Any] | list[NDArray[Any]] | None = None
    order: Literal["C", "F"] | Sequence[int] | None = None
    ghosts: Ghosts = 0
    interleaved: bool = False

    def request(self, axes: int, batch: int, order: str) -> dict[str, Any]:
        """For the compiled module: the side of a field of so many axes; `order` holds where none is given."""
        asked: dict[str, Any] = {"order": order_of(order if self.order is None else self.order, axes), "interleaved": bool(self.interleaved)}
        asked["before"], asked["after"] = _ghosts_of(self.ghosts, axes)
        if self.boxes is None:
            if self.like is not None:
                raise Error("a distribution has arrays, and no boxes", "give this rank's boxes, too")
            asked["form"] = str(self.form)
            if self.grid is not None:
                asked["grid"] = [int(parts) for parts in self.grid]
            return asked
        asked["boxes"] = [corners_of(box) for box in (self.boxes if isinstance(self.boxes, list) else [self.boxes])]
        if self.like is not None:
            asked |= _memory_of(self.like, asked["boxes"], batch, self.interleaved)
        return asked


def order_of(order: Any, axes: int) -> list[int]:
    """The axes, the slowest first; none where they are as they are numbered.

    Raises
    ------
    Error
        For what is no order.
    """
    if isinstance(order, str):
        if order not in ("C", "F"):
            raise Error(f"the order is {order!r}", "one of: C (the last axis is contiguous), F (the first one)")
        return [] if order == "C" else list(range(axes))[::-1]
    return [int(axis) for axis in order]


def _ghosts_of(ghosts: Ghosts, axes: int) -> tuple[list[int], list[int]]:
    each = [ghosts] * axes if isinstance(ghosts, (int, np.integer)) else list(ghosts)
    pairs = [(each_one, each_one) if isinstance(each_one, (int, np.integer)) else tuple(each_one) for each_one in each]
    if len(pairs) != axes or any(len(pair) != 2 for pair in pairs):
        raise Error(f"the ghost points are {ghosts!r}, of {axes} axes", "give a number, or one or two for each axis: (1, (2, 0), 0)")
    before, after = [int(pair[0]) for pair in pairs], [int(pair[1]) for pair in pairs]
    return ([], []) if not any(before + after) else (before, after)


def _memory_of(like: Any, boxes: list[Corners], batch: int, is_interleaved: bool) -> dict[str, Any]:
    views = like if isinstance(like, list) else [like]
    if len(views) != len(boxes) or not all(isinstance(view, np.ndarray) for view in views):
        raise Error(f"{len(boxes)} boxes lie in {len(views)} arrays", "give an array of NumPy's for each box: a view of its points")
    asked: dict[str, Any] = {"steps": [], "starts": [], "field_stride": 0, "elements": 0}
    owner = _owner_of(views) if len(views) > 1 else None
    for view, (lo, hi) in zip(views, boxes):
        extents = tuple(h - b for b, h in zip(lo, hi))
        fields = (batch,) if batch > 1 else ()
        if view.shape != ((*extents, *fields) if is_interleaved else (*fields, *extents)):
            raise Error(f"a box of {extents} lies in an array of the shape {view.shape}", "give a view of its points, and of the fields of a batch")
        steps = [step // view.itemsize for step in view.strides]
        asked["field_stride"] = steps.pop(-1 if is_interleaved else 0) if fields else 0
        asked["steps"].append(steps)
        first = owner if owner is not None else view
        start = (_address(view) - _address(first)) // view.itemsize
        asked["starts"].append(start)
        reach = sum((n - 1) * step for n, step in zip(extents, steps)) + (batch - 1) * asked["field_stride"]
        asked["elements"] = owner.size if owner is not None else start + reach + 1 if view.size else 0
    if not views:
        asked["field_stride"] = 1
    elif asked["field_stride"] == 0:
        asked["field_stride"] = asked["elements"]
    return asked


def _address(array: NDArray[Any]) -> int:
    return int(array.__array_interface__["data"][0])


def _owner_of(views: list[NDArray[Any]]) -> NDArray[Any]:
    owners = []
    for view in views:
        owner: Any = view
        while isinstance(owner.base, np.ndarray):
            owner = owner.base
        owners.append(owner)
    if any(owner is not owners[0] for owner in owners) or not owners[0].flags.c_contiguous or owners[0].dtype != views[0].dtype:
        raise Error("the arrays of the boxes are not views of one contiguous array", "allocate one, and give views of it")
    array: NDArray[Any] = owners[0]
    return array


@dataclass(frozen=True, eq=False)
class Cutoff:
    """Which waves of a spectrum of three axes are kept, as columns: a sphere, or a list.

    Parameters
    ----------
    radius : float, optional
        Keep the waves k with ``|k| <= radius``, distributed evenly over the ranks; or, with
        `vectors`, those with ``|k @ vectors| <= radius``.
    vectors : array_like, optional
        The three vectors that waves are multiples of, one in each row.
    waves : array_like of int, optional
        Instead: this rank's waves, one in each row, in the order of its arrays. All waves of a
        column are on one rank.
    along : int, optional
        The axis along which columns run. By default the slowest one in memory that can be.

    Notes
    -----
    Of a wave and its negative, r2c keeps one: with h the halved axis, c that of the columns and a the
    third one, it has ``k_h > 0``; or ``k_h == 0 and k_a > 0``; or ``k_h == k_a == 0 and k_c >= 0``.
    """

    radius: float | None = None
    vectors: ArrayLike | None = None
    waves: ArrayLike | None = None
    along: int | None = None

    def request(self) -> dict[str, Any]:
        """For the compiled module."""
        if (self.radius is None) == (self.waves is None):
            raise Error("a cut-off has a radius, or a list of waves", "give one of them")
        asked: dict[str, Any] = {} if self.along is None else {"along": int(self.along)}
        if self.waves is not None:
            return asked | {"waves": _wave_list(self.waves)}
        asked["radius"] = float(self.radius or 0)
        if self.vectors is not None:
            vectors = np.asarray(self.vectors, dtype=np.float64)
            if vectors.shape != (3, 3):
                raise Error(f"the vectors have the shape {vectors.shape}", "give three vectors of three numbers")
            asked["vectors"] = vectors.tolist()
        return asked


def _wave_list(waves: ArrayLike) -> NDArray[np.int32]:
    given = np.asarray(waves)
    if given.size == 0:
        return np.zeros((0, 3), np.int32)
    if given.ndim != 2 or given.shape[1] != 3 or given.dtype.kind not in "iu":
        raise Error(f"the waves have the shape {given.shape} and the type {given.dtype}", "give an integer array with three numbers in each row")
    if np.abs(given).max() >= 2**31:
        raise Error("a wave is beyond 32 bits", "the grid has no such waves")
    return np.ascontiguousarray(given, dtype=np.int32)
