# weft._indexed: looks at parts of a distributed array, and sets them, by their indices in the whole.
# Keeps: all ranks give the same index and get the same values; only what is looked at is sent.
"""Indices of whole arrays."""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._agreement import agreed_about, rank_of, size_of, told_about
from ._errors import Error
from ._located import Located

# So many elements MPI's integers count.
_MOST = 2**31 - 1


class Indexed(Located):
    """What looks at an array as a whole."""

    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:
        """What the whole array has at `key`, as NumPy has it: a copy, the same on every rank. Collective.

        Parameters
        ----------
        key : int, slice, Ellipsis, or tuple of them
            An index of the whole array, the same on every rank.

        Raises
        ------
        Error
            For another index, or different ones on the ranks; the same on every rank.
        """
        return self._collected(key, None)

    def __iter__(self) -> Iterator[Any]:
        return (self[index] for index in range(self.shape[0]))

    def gather(self, root: int | None = None) -> Any:
        """The whole array, on every rank or on one. Collective.

        Parameters
        ----------
        root : int, optional
            The rank that gets it; all by default.

        Returns
        -------
        numpy.ndarray or None
            A copy; None on the other ranks.

        Raises
        ------
        Error
            For a rank that is not there, and for 2^31 elements or more; the same on every rank.
        """
        return self._collected(..., root)

    def __setitem__(self, key: Any, value: Any) -> None:
        """Set the elements at `key`, an index of the whole array; or where an array of bools is true.

        Collective, except with an array of bools. The value is a number or an array of NumPy's, the
        same on every rank, which broadcasts to ``u[key]``; or for ``u[...]`` an array that is distributed
        as this one. Ghost points stay.
        """
        if isinstance(key, Located):
            self._set_where(key, value)
            return

        def fit() -> tuple[str, tuple[_Chosen, Any]]:
            chosen, given = _Chosen(key, self.shape), value
            if not isinstance(value, Located):
                given = np.empty(np.shape(value), self.dtype)
                given[...] = value  # with what NumPy refuses to assign
                given = chosen.spread(given)
            elif not chosen.is_all or not self._layout.is_like(value._layout):
                raise Error("a distributed array is set to a part of another, or to one that is distributed otherwise", "set u[...], or redistribute it")
            return f"setting {chosen} of {self._described()}", (chosen, given)

        chosen, given = agreed_about(self.comm, fit)
        if isinstance(value, Located):
            for part, other in zip(self.parts(), value.parts()):
                part[...] = other
            return
        for part, here, at in chosen.overlaps(self):
            part[here] = given[at]

    def _set_where(self, where: Located, value: Any) -> None:
        if where.dtype != np.dtype(bool) or not self._layout.is_like(where._layout) or np.ndim(value):
            raise Error(
                f"elements are to be set where an array of {where.shape}, {where.dtype}, is true",
                "give an array of bools that is distributed as this one, and a number",
            )
        for part, is_set in zip(self.parts(), where.parts()):
            part[is_set] = value

    def _collected(self, key: Any, root: Any) -> Any:
        mine: list[NDArray[Any]] = []
        found: list[_Chosen] = []

        def look() -> tuple[str, list[tuple[slice, ...]]]:
            chosen = _Chosen(key, self.shape)
            if root is not None and not 0 <= operator.index(root) < size_of(self.comm):
                raise Error(f"there is no rank {root} among {size_of(self.comm)}", "ranks count from 0")
            found.append(chosen)
            overlaps = list(chosen.overlaps(self))
            mine.extend(part[here].ravel() for part, here, _ in overlaps)
            of = f"{chosen} of {self._described()}, for {'all ranks' if root is None else f'rank {root}'}"
            return of, [at for _, _, at in overlaps]

        places = told_about(self.comm, look)
        counts = [sum(math.prod(part.stop - part.start for part in at) for at in of_rank) for of_rank in places]
        if sum(counts) > _MOST:
            raise Error(f"{sum(counts)} elements are wanted at once", "look at parts of the array", code="unsupported")
        values = np.concatenate([np.empty(0, self.dtype), *mine])
        line = values if len(places) == 1 else _gathered(self.comm, values, counts, root)
        if line is None:
            return None
        whole, begin = np.empty(found[0].counts, self.dtype), 0
        for at in (at for of_rank in places for at in of_rank):
            shape = tuple(part.stop - part.start for part in at)
            whole[at] = line[begin : begin + math.prod(shape)].reshape(shape)
            begin += math.prod(shape)
        return whole[found[0].seen]


class _Chosen:
    """What an index chooses of a whole array, axis by axis and ascending."""

    def __init__(self, key: Any, shape: tuple[int, ...]) -> None:
        keys = list(key) if isinstance(key, tuple) else [key]
        dots = [number for number, each in enumerate(keys) if each is Ellipsis]
        missing = [slice(None)] * (len(shape) - len(keys) + len(dots))
        if dots:
            keys[dots[0] : dots[0] + 1] = missing
        else:
            keys += missing
        if len(keys) != len(shape) or len(dots) > 1:
            raise Error(f"the index {key!r} is one of {len(keys)} axes, and the array has {len(shape)}", "give at most one for each axis")
        self.ranges = [_range_of(each, n) for each, n in zip(keys, shape)]
        self.counts = tuple(len(each) for each in self.ranges)
        self.is_all = all(each == range(n) for each, n in zip(self.ranges, shape)) and all(isinstance(each, slice) for each in keys)
        backwards = [isinstance(each, slice) and each.step is not None and each.step < 0 for each in keys]
        turns = [slice(None, None, -1 if is_back else 1) for is_back in backwards]
        # From elements in ascending order to what is seen of them, and back.
        self.seen = tuple(turn if isinstance(each, slice) else 0 for each, turn in zip(keys, turns))
        self._spread = tuple(turn if isinstance(each, slice) else None for each, turn in zip(keys, turns))

    def __str__(self) -> str:
        of = (f"{r.start}:{r.stop}:{r.step * at.step}" if isinstance(at, slice) else str(r.start) for r, at in zip(self.ranges, self.seen))
        return f"[{', '.join(of)}]"

    def spread(self, values: NDArray[Any]) -> NDArray[Any]:
        """Values that broadcast to what is seen, in ascending order along each axis."""
        seen = tuple(count for count, at in zip(self.counts, self.seen) if isinstance(at, slice))
        return np.broadcast_to(values, seen)[self._spread]

    def overlaps(self, u: Located) -> Iterator[tuple[NDArray[Any], tuple[slice, ...], tuple[slice, ...]]]:
        """The views of this rank's boxes, which elements of them are chosen, and where these are among all chosen ones."""
        for box, part in zip(u.boxes, u.parts()):
            here, at = [], []
            for of_box, of in zip(box, self.ranges):
                first, last = (min(max(-((of.start - end) // of.step), 0), len(of)) for end in (of_box.start, of_box.stop))
                begin = of.start + first * of.step - of_box.start
                here.append(slice(begin, begin + (last - first) * of.step, of.step))
                at.append(slice(first, last))
            if all(part_of.stop > part_of.start for part_of in at):
                yield part, tuple(here), tuple(at)


def _range_of(key: Any, n: int) -> range:
    if isinstance(key, slice):
        of = range(*key.indices(n))
        return of if of.step > 0 else of[::-1]
    try:
        index = operator.index(key)
    except TypeError:
        index = None
    if index is None or isinstance(key, (bool, np.bool_)):
        raise Error(f"{key!r} is no index of a whole array", "give integers, slices and ..., as u[3, :, ::2]; or index u.inner, or u.gather()")
    if not -n <= index < n:
        raise Error(f"there is no index {index} along an axis of {n}", "count from 0, or from the end with -1")
    return range(index % n, index % n + 1)


def _gathered(comm: Any, values: NDArray[Any], counts: list[int], root: int | None) -> NDArray[Any] | None:
    element = sys.modules["mpi4py.MPI"].BYTE.Create_contiguous(values.dtype.itemsize).Commit()
    gets = root is None or root == rank_of(comm)
    line = np.empty(sum(counts) if gets else 0, values.dtype)
    sent, got = [values.view(np.uint8), len(values), element], [line.view(np.uint8), counts, element]
    try:
        if root is None:
            comm.Allgatherv(sent, got)
        else:
            comm.Gatherv(sent, got if gets else None, root)
    finally:
        element.Free()
    return line if gets else None
