# weft.compat.mpi4py_fft.pencil: grids of ranks, the part of an array that a rank has, and the moves between such distributions.
# Keeps: a transfer prepares its move when it first runs, which is collective, so that making one costs nothing.
"""Pencils: arrays that are distributed along all axes but one at least."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
from mpi4py import MPI
from numpy.typing import DTypeLike, NDArray

from ..._errors import Error
from ..._movement import Reshape
from ..._plan import Plan
from ..._transforms import _cache_of as cache_of

# Elements of 1 and 2 bytes move as integers of 4, as weft moves multiples of 4 bytes.
_WIDENED: dict[int, np.dtype[Any]] = {1: np.dtype(np.uint8), 2: np.dtype(np.uint16)}


def block(points: int, parts: int, part: int) -> tuple[int, int]:
    """How many of `points` a part has, and the first of them; the lowest parts take the remainder."""
    each, more = divmod(points, parts)
    return each + (part < more), part * each + min(part, more)


class Subcomm(tuple[Any, ...]):
    """The communicators of a grid of ranks, one for each axis of an array. Collective.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm or sequence of communicators
        The ranks that share the array; or, as a tuple or list, the communicators themselves.
    dims : int or sequence of int, optional
        Ranks along each axis; those that are not positive are chosen. An int is a number of axes.
    reorder : bool, optional
        Whether MPI may renumber the ranks.

    Raises
    ------
    Error
        If the ranks do not fit `dims`.
    """

    _grid: Any = None

    def __new__(cls, comm: Any, dims: int | Sequence[int] | None = None, reorder: bool = True) -> Subcomm:
        if isinstance(comm, (tuple, list)):
            return cls._of(comm, getattr(comm, "_grid", None))
        if dims is None:
            listed = [0]
        elif isinstance(dims, (int, np.integer)):
            listed = [0] * int(dims)
        else:
            listed = [max(0, operator.index(parts)) for parts in dims]
        size = comm.Get_size()
        fixed = int(np.prod([parts for parts in listed if parts > 0]))
        if size % fixed or (0 not in listed and fixed != size):
            raise Error(
                f"{size} ranks do not fit a grid of {'x'.join(str(parts) if parts else '?' for parts in listed)}",
                "give 0 for the axes along which the number of ranks is to be chosen",
            )
        grid = comm.Create_cart(MPI.Compute_dims(size, listed), reorder=reorder)
        return cls._of([grid.Sub([axis == own for axis in range(len(listed))]) for own in range(len(listed))], grid)

    @classmethod
    def _of(cls, comms: Sequence[Any], grid: Any) -> Subcomm:
        made = tuple.__new__(cls, comms)
        made._grid = grid
        return made

    def destroy(self) -> None:
        """Free the communicators. Collective."""
        for comm in self:
            if comm and comm != MPI.COMM_SELF and comm != MPI.COMM_WORLD:
                comm.Free()
        if self._grid:
            self._grid.Free()


class Pencil:
    """The part of an array that this rank has, where all of one axis is on each rank.

    Parameters
    ----------
    subcomm : Subcomm or sequence of communicators
        The ranks that share each axis.
    shape : sequence of int
        Points of the whole array along each axis.
    axis : int, optional
        The axis that is not distributed.

    Attributes
    ----------
    shape, axis, subcomm
        As given; `axis` counted from 0.
    subshape, substart : tuple of int
        The shape of this rank's part, and the index of its first point in the whole array.

    Raises
    ------
    Error
        If a rank would have no points, or `axis` is distributed.
    """

    def __init__(self, subcomm: Sequence[Any], shape: Sequence[int], axis: int = -1) -> None:
        points = tuple(int(n) for n in shape)
        if len(subcomm) != len(points):
            raise Error(f"there are {len(subcomm)} communicators for {len(points)} axes", "give one for each axis")
        aligned = axis_of(axis, len(points))
        sizes = [comm.Get_size() for comm in subcomm]
        if sizes[aligned] != 1:
            raise Error(f"axis {aligned} is shared by {sizes[aligned]} ranks, so no array can be aligned in it", "align another axis")
        for number, (n, size) in enumerate(zip(points, sizes)):
            if n < size:
                raise Error(f"axis {number} has {n} points for {size} ranks, and each needs one", "use fewer ranks, or another grid of them")
        parts = [block(n, comm.Get_size(), comm.Get_rank()) for n, comm in zip(points, subcomm)]
        self.shape = points
        self.axis = aligned
        self.subcomm = subcomm if isinstance(subcomm, tuple) else tuple(subcomm)
        self.subshape = tuple(n for n, _ in parts)
        self.substart = tuple(first for _, first in parts)

    def pencil(self, axis: int) -> Pencil:
        """The same array aligned in `axis`, which is then not distributed; the ranks that shared it share this one's."""
        aligned = axis_of(axis, len(self.shape))
        comms = list(self.subcomm)
        comms[self.axis], comms[aligned] = comms[aligned], comms[self.axis]
        return Pencil(Subcomm._of(comms, getattr(self.subcomm, "_grid", None)), self.shape, aligned)

    def transfer(self, pencil: Pencil, dtype: DTypeLike) -> Transfer:
        """The move from this distribution to that of a `pencil` of the same array.

        Raises
        ------
        Error
            If `pencil` is not one that `Pencil.pencil` makes, aligned in another axis.
        """
        a, b = self.axis, pencil.axis
        if a == b or self.shape != pencil.shape:
            raise Error(
                f"there is no transfer from {self.shape} aligned in axis {a} to {pencil.shape} aligned in axis {b}",
                "take the other pencil from this one's function pencil, with another axis",
            )
        same = [n for n in range(len(self.shape)) if n not in (a, b)]
        comm = self.subcomm[b]
        if any(self.subshape[n] != pencil.subshape[n] for n in same) or pencil.subcomm[a].Get_size() != comm.Get_size():
            raise Error(f"the pencils have parts of {self.subshape} and {pencil.subshape}, between which no one axis is exchanged",
                        "take the other pencil from this one's function pencil")  # fmt: skip
        shape = list(self.subshape)
        shape[b] = self.shape[b]
        return Transfer(comm, shape, dtype, self.subshape, a, pencil.subshape, b)


class Transfer:
    """The move of an array from one alignment to another.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm
        The ranks that take part.
    shape : sequence of int
        Points of what these ranks have together.
    dtype : dtype
        The type of the elements.
    subshapeA, subshapeB : sequence of int
        This rank's part before and after.
    axisA, axisB : int
        The axes that are not distributed before and after.
    """

    def __init__(
        self, comm: Any, shape: Sequence[int], dtype: DTypeLike, subshapeA: Sequence[int], axisA: int, subshapeB: Sequence[int], axisB: int
    ) -> None:
        self.comm = comm
        self.shape = tuple(int(n) for n in shape)
        self.dtype = np.dtype(dtype)
        self.subshapeA, self.axisA = tuple(subshapeA), axisA
        self.subshapeB, self.axisB = tuple(subshapeB), axisB
        self._reshape: Reshape | None = None

    def forward(self, arrayA: NDArray[Any], arrayB: NDArray[Any]) -> None:
        """Move `arrayA`, of the shape `subshapeA`, into `arrayB`, of the shape `subshapeB`. Collective.

        Raises
        ------
        Error
            For arrays of other shapes or types.
        """
        self._move(True, arrayA, arrayB)

    def backward(self, arrayB: NDArray[Any], arrayA: NDArray[Any]) -> None:
        """Move `arrayB` into `arrayA`: see `forward`."""
        self._move(False, arrayB, arrayA)

    def destroy(self) -> None:
        """Let the move go, which ends with the communicator, if it is not used again before. Collective."""
        self._reshape = None

    def _move(self, is_forward: bool, source: NDArray[Any], target: NDArray[Any]) -> None:
        if self.comm.Get_size() == 1:
            self._require_fitting(is_forward, source, target)
            target[...] = source
            return
        if self._reshape is None:
            self._reshape = self._made()
        try:
            self._require_fitting(is_forward, source, target)
        except Exception as error:
            refuse_on_all_ranks(self._reshape, is_forward, error)
            raise
        run = self._reshape.forward if is_forward else self._reshape.backward
        plain = self._reshape.dtype()
        narrow = _WIDENED.get(self.dtype.itemsize)
        if narrow is not None:
            wide = np.ascontiguousarray(source).view(np.ndarray).view(narrow).astype(np.uint32)
            moved: NDArray[Any] = run(_as_bits(wide, plain)).view(np.uint32).reshape(target.shape)
            target[...] = moved.astype(narrow).view(self.dtype)
            return
        into = target if target.flags.c_contiguous else np.empty(target.shape, self.dtype)
        run(_as_bits(np.ascontiguousarray(source), plain), _as_bits(into, plain))
        if into is not target:
            target[...] = into

    def _require_fitting(self, is_forward: bool, source: NDArray[Any], target: NDArray[Any]) -> None:
        shapes = (self.subshapeA, self.subshapeB) if is_forward else (self.subshapeB, self.subshapeA)
        for array, shape, name in zip((source, target), shapes, ("source", "target")):
            if array.shape != shape or array.dtype != self.dtype:
                raise Error(
                    f"the {name} of a transfer has the shape {array.shape} and the type {array.dtype}, and should have {shape} and {self.dtype}",
                    "give arrays of the shapes and the type that the transfer was made for",
                )

    def _made(self) -> Reshape:
        sides = []
        for split in (self.axisB, self.axisA):
            n, first = block(self.shape[split], self.comm.Get_size(), self.comm.Get_rank())
            box = [slice(0, points) for points in self.shape]
            box[split] = slice(first, first + n)
            sides.append(tuple(box))
        dtype = np.dtype(np.uint32) if self.dtype.itemsize in _WIDENED else self.dtype
        # The communicator keeps the last moves, so that arrays that are moved again and again are not planned for each time, and that
        # no move ends when Python happens to look for rings of objects, which is at another time on each rank.
        kept: Any = cache_of(self.comm)
        key = ("move", self.shape, dtype.itemsize, dtype.alignment, self.axisA, self.axisB)
        made: Reshape = kept.get(key, lambda: Reshape(self.shape, sides[0], sides[1], self.comm, dtype=_plain(dtype), effort="estimate"))
        return made


def refuse_on_all_ranks(plan: Plan | Reshape, is_forward: bool, error: Exception) -> None:
    """Start a run of `plan` with an error of this rank, which becomes that of the run, on all ranks.

    Raises
    ------
    Error
        The same error.
    """
    told = error if isinstance(error, Error) else Error(f"{type(error).__name__}: {error}")
    plan._core.refuse(is_forward, told.message, told.hint, told.context, told.code)


def _as_bits(array: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    return array.view(np.ndarray).view(dtype).reshape(array.shape)


# Elements of the same size and alignment are moved in the same way, whatever they mean.
def _plain(dtype: np.dtype[Any]) -> np.dtype[Any]:
    if dtype.hasobject:
        return dtype  # which is refused
    if dtype.itemsize % 4:
        return dtype  # the same
    aligned = 8 if dtype.alignment >= 8 and dtype.itemsize % 8 == 0 else 4
    return np.dtype([("bits", f"u{aligned}", dtype.itemsize // aligned)], align=True)


def axis_of(axis: int, count: int) -> int:
    """The axis, counted from 0.

    Raises
    ------
    Error
        If there is no such axis.
    """
    number = operator.index(axis)
    if not -count <= number < count:
        raise Error(f"there is no axis {number} of {count}", "axes count from 0, or from the end with -1")
    return number % count
