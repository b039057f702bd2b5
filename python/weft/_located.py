# weft._located: this rank's array of a distributed array, and where that is in the whole.
# Keeps: nothing here sends messages; what all ranks have to know, the layout has.
"""Arrays that know their place."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ._distribution import Distribution
from ._errors import Error
from ._layout import Layout
from ._request import elements_of
from ._sides import open_mesh


class Located:
    """This rank's array of a distributed array, and its layout."""

    __slots__ = ("_layout", "_local")

    _layout: Layout
    _local: NDArray[Any]

    def _with(self, layout: Layout, local: NDArray[Any]) -> Any:
        made = object.__new__(type(self))
        made._layout, made._local = layout, local
        return made

    def _described(self) -> str:
        return f"an array of {self.shape}, {self.dtype}, in {self._layout.name}"

    def _require_of(self, layout: Layout, name: str) -> NDArray[Any]:
        if not self._layout.is_like(layout):
            raise Error(
                f"the {name}, an array of {self._layout.shape}, is not distributed as that of the plan, of {layout.shape}",
                "make it of the plan, with weft.DistArray.of; or redistribute it",
            )
        return self._local

    def like(self, dtype: DTypeLike | None = None) -> Any:
        """Zeros that are distributed as this array, of its type or of another. Not collective."""
        return self._with(self._layout, self._layout.empty(self.dtype if dtype is None else elements_of(dtype)))

    # ---- what it is ------------------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the whole array, with the fields of a batch."""
        return self._layout.shape

    @property
    def grid(self) -> tuple[int, ...]:
        """Points of the grid along each axis, without the fields of a batch."""
        return self._layout.side.extents

    @property
    def batch(self) -> int:
        """Fields of a batch."""
        return self._layout.side.fields

    @property
    def ndim(self) -> int:
        """Axes of the whole array."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Elements of the whole array, without ghost points."""
        return math.prod(self.shape)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the elements."""
        return self._local.dtype

    @property
    def nbytes(self) -> int:
        """Bytes of the elements of the whole array, without ghost points."""
        return self.size * self.dtype.itemsize

    @property
    def comm(self) -> Any:
        """The communicator of the ranks that share it; None for this process alone."""
        return self._layout.comm

    @property
    def distribution(self) -> Distribution:
        """Which points this rank has, and how they lie in memory: as a plan, a reshape or a file takes it."""
        return self._layout.distribution(self.parts())

    # ---- this rank's part ------------------------------------------------------------------------

    @property
    def box(self) -> tuple[slice, ...]:
        """This rank's part of the whole array, as an index into it, with the fields of a batch.

        Raises
        ------
        Error
            If this rank has several boxes.
        """
        side = self._layout.side
        return side.with_fields(side.box(), slice(0, side.fields))

    @property
    def boxes(self) -> list[tuple[slice, ...]]:
        """This rank's parts of the whole array, none or several, each as an index into it."""
        side = self._layout.side
        return [side.with_fields(box, slice(0, side.fields)) for box in side.boxes]

    @property
    def local(self) -> NDArray[Any]:
        """This rank's array, as plans take it: with ghost points, and with one axis if the rank has several boxes."""
        return self._local

    @property
    def inner(self) -> NDArray[Any]:
        """The view of `local` without ghost points, which is ``whole[box]`` of the whole array.

        Raises
        ------
        Error
            If this rank has several boxes.
        """
        self._layout.side.box()
        views = self.parts()
        return views[0] if views else self._local

    def parts(self, ghosts: bool = False) -> list[NDArray[Any]]:
        """Views of `local`, one for each of `boxes`; with their ghost points, or without."""
        return self._layout.side.of(self.dtype).parts(self._local, ghosts)

    def indices(self) -> tuple[NDArray[np.int64], ...]:
        """Global indices of this rank's points, one array for each axis of the grid, which broadcast to `inner`.

        Raises
        ------
        Error
            As with `box`.
        """
        side = self._layout.side
        mesh = open_mesh([np.arange(part.start, part.stop, dtype=np.int64) for part in side.box()])
        return tuple(each[..., None] for each in mesh) if side.fields > 1 and side.is_interleaved else mesh

    def __len__(self) -> int:
        return self.shape[0]
