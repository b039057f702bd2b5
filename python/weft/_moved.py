# weft._moved: distributed arrays in another distribution, and their ghost points, by weft's reshapes and halos.
"""Distributed arrays that move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from ._agreement import size_of, told_about
from ._distribution import Box, Distribution
from ._errors import Error
from ._located import Located
from ._movement import Halo, Reshape
from ._request import Sides

_Self = TypeVar("_Self", bound="Moved")


class Moved(Located):
    """What sends elements to other ranks."""

    __slots__ = ()

    def redistribute(self: _Self, distribution: Sides, *, order: Literal["C", "F"] | Sequence[int] = "C") -> _Self:
        """The same array in another distribution. Collective.

        It makes a `Reshape` for the occasion. Programs that move often make one themselves, whose
        ``forward`` and ``backward`` take and make such arrays.

        Parameters
        ----------
        distribution, order
            As in `DistArray`.

        Returns
        -------
        DistArray
            A new array, whose ghost points are zero.

        Raises
        ------
        Error
            As `DistArray` and `Reshape`; the same on every rank.
        """
        size_of(self.comm)  # an error if it has been freed
        made: _Self = type(self)(self.grid, distribution, self.comm, self.dtype, batch=self.batch, order=order)  # type: ignore[call-arg]
        if self.comm is None:
            whole = np.empty(self.shape, self.dtype)
            for box, part in zip(self.boxes, self.parts()):
                whole[box] = part
            if self.shape != made.shape:  # the fields of a batch are the first axis of one, and the last of the other
                whole = np.moveaxis(whole, *((-1, 0) if self._layout.side.is_interleaved else (0, -1)))
            for box, part in zip(made.boxes, made.parts()):
                part[...] = whole[box]
            return made
        (source, fields), (target, results) = _by_field(_wide(self)), _by_field(wide := _wide(made))
        with Reshape(self.grid, source, target, self.comm, dtype=wide.dtype, effort="estimate", threads=1) as reshape:
            for field, result in zip(fields, results):
                reshape.forward(field, result)
        _narrow(wide, made)
        return made

    def exchange(self: _Self, periodic: bool | Sequence[int] = True) -> _Self:
        """Give the ghost points the values that these points have on their ranks. Collective.

        It makes a `Halo` for the occasion. Programs that exchange often make one themselves, whose
        ``exchange`` takes such arrays.

        Parameters
        ----------
        periodic : bool or sequence of int, optional
            As in `Halo`.

        Returns
        -------
        DistArray
            This array.

        Raises
        ------
        Error
            As `Halo`; the same on every rank.
        """
        size_of(self.comm)  # an error if it has been freed
        wide = _wide(self)
        local, side = wide.local, self._layout.side
        if side.fields > 1 and side.is_interleaved:
            fields = [local.view(np.dtype((np.void, side.fields * wide.dtype.itemsize)))[..., 0]]
        else:
            fields = list(local.reshape(side.fields, -1) if local.ndim == 1 else local) if side.fields > 1 else [local]
        where = self.distribution
        with Halo(self.grid, where, self.comm, dtype=fields[0].dtype, periodic=periodic, effort="estimate", threads=1) as halo:
            for field in fields:
                halo.exchange(field)
        _narrow(wide, self)
        return self


def _by_field(u: Located) -> tuple[Distribution, list[NDArray[Any]]]:
    """How one field of a batch is distributed, and the array of each field. Collective."""
    side = u._layout.side
    if max(told_about(u.comm, lambda: (u._described(), len(side.boxes)))) > 1:
        if side.fields > 1:
            raise Error("a rank has several boxes, of several fields", "redistribute arrays of one field each", code="unsupported")
        return u.distribution, [u.local]
    points = u.inner
    fields = [points]
    if side.fields > 1:
        fields = [points[..., field] if side.is_interleaved else points[field] for field in range(side.fields)]
    boxes: list[Box] = list(side.boxes)
    return Distribution(boxes=boxes, like=fields[:1] if boxes else []), fields


# Reshapes and halos move elements of 4 bytes and more.
def _wide(u: Any) -> Any:
    if u.dtype.itemsize > 2:
        return u
    made = u.like(np.uint32)
    made.local[...] = u.local.view(f"u{u.dtype.itemsize}")
    return made


def _narrow(wide: Any, u: Any) -> None:
    if wide is not u:
        u.local.view(f"u{u.dtype.itemsize}")[...] = wide.local
