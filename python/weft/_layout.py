# weft._layout: where the part of each rank lies of a distributed array, and which arrays lie alike.
# Keeps: layouts of the same fingerprint give each rank the same points, so that all ranks find the same answer alone.
"""Layouts of distributed arrays."""

from __future__ import annotations

import copy
import hashlib
import sys
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._agreement import size_of
from ._distribution import Box, Distribution
from ._errors import Error
from ._sides import SideOf

if TYPE_CHECKING:
    from ._runnable import Runnable

_BYTES = 16


class Layout:
    """A side of a plan or of another object that moves data, as distributed arrays know it."""

    __slots__ = ("side", "comm", "fingerprint", "_asked", "_source", "_is_input", "__weakref__")

    def __init__(self, source: Runnable, is_input: bool, comm: Any, asked: dict[str, Any], fingerprint: bytes) -> None:
        self.side: SideOf = source._sides[is_input]
        self.comm, self.fingerprint = comm, fingerprint
        self._asked, self._is_input = asked, is_input
        self._source: Callable[[], Runnable | None] = weakref.ref(source)  # arrays do not keep plans, whose end is collective

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the whole array, with the fields of a batch."""
        return self.side.with_fields(self.side.extents, self.side.fields)

    def of_fields(self, count: int) -> Layout:
        """The layout of so many fields at the same points, this one if it has as many."""
        if count == self.side.fields:
            return self
        other = copy.copy(self)
        other.side, other._source = self.side.of_fields(count), lambda: None
        other._asked = {"order": []}
        return other

    @property
    def name(self) -> str:
        """A word for the places of all points, where an error tells two of them apart."""
        return f"the distribution {self.fingerprint.hex()[:8]}"

    def distribution(self, parts: list[NDArray[Any]]) -> Distribution:
        """This rank's boxes, and how they lie in memory: `parts` are the views of its array."""
        boxes: list[Box] = list(self.side.boxes)
        if "steps" in self._asked:
            return Distribution(boxes=boxes, like=parts, interleaved=self.side.is_interleaved)
        ghosts = tuple(zip(self.side.before, self.side.after))
        return Distribution(boxes=boxes, order=self._asked["order"] or "C", ghosts=ghosts, interleaved=self.side.is_interleaved)

    def empty(self, dtype: np.dtype[Any]) -> NDArray[Any]:
        """Zeros for this rank; in memory that the ranks of a node share, if the plan of this layout can still be asked."""
        side, source = self.side.of(dtype), self._source()
        if source is not None and dtype.itemsize == self.side.dtype.itemsize:
            try:
                return side.shaped(source._core.allocate(self._is_input, None))  # type: ignore[arg-type]
            except Error as error:
                if error.code != "invalid":  # the plan is still open
                    raise
        return side.shaped(np.zeros(side.elements, dtype))

    def unset(self, dtype: np.dtype[Any]) -> NDArray[Any]:
        """An array for this rank whose elements are all going to be set, and whose ghost points are zero.

        It is in memory that NumPy keeps for its next array: results of functions seldom live long,
        and new pages take longer than the functions.
        """
        side = self.side.of(dtype)
        return side.shaped((np.empty if side.is_packed and not any(side.before + side.after) else np.zeros)(side.elements, dtype))

    def is_like(self, other: Layout) -> bool:
        """Whether each rank has the same points, of as many fields that lie on the same side of the others."""
        return self is other or (self.fingerprint == other.fingerprint and self._of_fields() == other._of_fields())

    def _of_fields(self) -> tuple[int, bool]:
        return self.side.fields, self.side.fields > 1 and self.side.is_interleaved

    def with_fields_of(self, other: Layout) -> Layout | None:
        """The one of both layouts that has a batch, where they are alike but for that one of them has none; None if they are not."""
        if self.fingerprint != other.fingerprint:
            return None
        if 1 not in (self.side.fields, other.side.fields) and not self.is_like(other):
            return None
        return self if self.side.fields > 1 else other if other.side.fields > 1 else self

    def require_boxes(self) -> None:
        """Error if elements are waves of a cut-off, which have no place in a grid."""
        if self.side.has_waves:
            raise Error("this side has waves of a cut-off, and no boxes", "use arrays of NumPy's, and plan.waves()", code="unsupported")


def fingerprints_of(comm: Any, sides: tuple[SideOf, SideOf]) -> list[bytes]:
    """What stands for the places of all ranks' points on each side. Collective."""
    mine = b"".join(hashlib.blake2b(side.places(), digest_size=_BYTES).digest() for side in sides)
    ranks = size_of(comm)
    every = np.frombuffer(mine, np.uint8).reshape(1, len(sides), _BYTES)
    if ranks > 1:
        # The same rank of another communicator may be another process.
        world = int(sys.modules["mpi4py.MPI"].COMM_WORLD.Get_rank()).to_bytes(8, "little")
        here = np.frombuffer(mine + world, np.uint8)
        gathered = np.empty((ranks, here.size), np.uint8)
        comm.Allgather(here, gathered)
        processes = np.broadcast_to(gathered[:, None, -8:], (ranks, len(sides), 8))
        every = np.concatenate([gathered[:, :-8].reshape(ranks, len(sides), _BYTES), processes], axis=-1)
    return [hashlib.blake2b(every[:, number].tobytes(), digest_size=_BYTES).digest() for number in range(len(sides))]
