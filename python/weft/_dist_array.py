# weft._dist_array: an array of NumPy's on each rank, and which part of the whole array it is.
# Keeps: the memory is the user's or the plan's; a distributed array only knows where it belongs.
"""Distributed arrays."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from ._agreement import agreed, agreed_about, rank_of, told, told_about
from ._arrays import as_array
from ._cores import core_of
from ._distribution import Distribution, corners_of
from ._errors import Error
from ._elementwise import Elementwise
from ._indexed import Indexed
from ._layout import Layout
from ._moved import Moved
from ._plan import Plan
from ._reductions import Reduced
from ._request import Sides, elements_of, extents_of
from ._runnable import Runnable, Side


class DistArray(Elementwise, Reduced, Indexed, Moved):
    """An array that is distributed over the ranks of a communicator: this rank's part, and its place.

    Making it is collective over `comm`; its end is not. It holds zeros.

    Parameters
    ----------
    shape : int or sequence of int
        Points of the grid along each axis, without the fields of a batch.
    distribution : str, box, list of boxes or Distribution, optional
        Which rank has which points, as with `Plan`: ``"slab"`` by default.
    comm : mpi4py.MPI.Comm, optional
        The ranks that share the array. None: this process alone.
    dtype : dtype, optional
        The type of the elements, any but objects of Python.
    batch : int, optional
        Fields of this shape, as the components of a vector: the first axis of the array, which is not
        distributed; or the last one, if the distribution is interleaved.
    order : {"C", "F"} or sequence of int, optional
        Which axis is contiguous in memory, where a `Distribution` does not say it.

    Raises
    ------
    Error
        As with `Plan`; the same on every rank.

    Examples
    --------
    >>> u = weft.DistArray((8, 6), "slab", MPI.COMM_WORLD)
    >>> x, y = u.indices()
    >>> u.inner[...] = x + 10 * y
    >>> v = weft.Plan((8, 6), "r2c", comm=u.comm, input=u.distribution).forward(u)
    """

    __slots__ = ()

    def __init__(
        self,
        shape: int | Sequence[int],
        distribution: Sides = None,
        comm: Any = None,
        dtype: DTypeLike = float,
        *,
        batch: int = 1,
        order: Literal["C", "F"] | Sequence[int] = "C",
    ) -> None:
        core_of(comm)
        of_type = agreed(comm, "an array of", lambda: elements_of(dtype))
        with _placing(shape, distribution, comm, of_type, batch, order) as plan:
            self._layout = plan._layouts[True]
            self._layout.require_boxes()
            self._local = self._layout.empty(of_type)

    @classmethod
    def of(cls, plan: Runnable, side: Side = "input", dtype: DTypeLike | None = None) -> DistArray:
        """An array for a side of a plan or of a reshape, or for a halo, in the memory that ``empty_input`` gives.

        Not collective: what has to be told of the side, all ranks know since the plan was made.

        Parameters
        ----------
        plan : Plan, Reshape or Halo
            What takes or makes the array.
        side : {"input", "output"}, optional
            For what ``forward`` takes, or for what it makes.
        dtype : dtype, optional
            Of another type than that of the side, for arrays that lie like it.

        Raises
        ------
        Error
            For a side whose elements are waves of a cut-off, which have no place in a grid.
        """
        if not isinstance(plan, Runnable):
            raise Error(f"an array of a {type(plan).__name__} is wanted", "give a Plan, a Reshape or a Halo")
        of_side = plan._side(side)
        return cls._made(plan._layouts[side == "input"], of_side.dtype if dtype is None else elements_of(dtype))

    @classmethod
    def from_local(
        cls, local: Any, distribution: Sides = None, *, shape: int | Sequence[int] | None = None, comm: Any = None, batch: int = 1
    ) -> DistArray:  # fmt: skip
        """Take this rank's array as a part of a distributed one, in the memory where it is. Collective.

        Parameters
        ----------
        local : array
            This rank's elements: of its box and the ghost points around it, or of one axis if it has
            several boxes. With a box, it may have any strides.
        distribution : str, box, list of boxes or Distribution, optional
            Which points they are. By default those of all ranks follow each other along the first
            axis of the grid, in the order of the ranks.
        shape : int or sequence of int, optional
            Points of the grid, without the fields of a batch: by default up to where boxes reach.
        comm, batch
            As in `DistArray`.

        Raises
        ------
        Error
            If the local arrays do not fit; the same on every rank.
        """
        core_of(comm)
        reaches = told_about(comm, lambda: _reach_of(local, distribution, shape, batch))
        array = as_array(local, "local array")
        grid: Sequence[int] | int | None = shape
        side: Sides = distribution
        if distribution is None:
            begin, across = sum(reach[0] for reach in reaches[: rank_of(comm)]), reaches[0][1:]
            side = (slice(begin, begin + reaches[rank_of(comm)][0]), *(slice(0, n) for n in across))
            grid = (sum(reach[0] for reach in reaches), *across) if grid is None else grid
        elif grid is None:
            grid = tuple(max(ends) for ends in zip(*(reach for reach in reaches if reach)))
        if isinstance(side, tuple):
            side = Distribution(boxes=side, like=array) if array.size else Distribution(boxes=[], like=[])
        with _placing(grid, side, comm, array.dtype, batch, "C") as plan:
            layout = plan._layouts[True]
        layout.require_boxes()
        made: DistArray = object.__new__(cls)
        made._layout, made._local = layout, agreed_about(comm, lambda: ("an array", _fitted(array, layout)))
        return made

    @classmethod
    def from_function(
        cls, function: Callable[..., ArrayLike], shape: int | Sequence[int], distribution: Sides = None, comm: Any = None,
        dtype: DTypeLike = float, *, batch: int = 1, order: Literal["C", "F"] | Sequence[int] = "C",
    ) -> DistArray:  # fmt: skip
        """The values of a function of the indices of the points. Collective.

        Parameters
        ----------
        function : callable
            Takes the global indices along each axis of the grid, as `indices` gives them, and returns
            values that broadcast to this rank's part.
        shape, distribution, comm, dtype, batch, order
            As in `DistArray`.

        Raises
        ------
        Error
            As `DistArray`, and what `function` raises on a rank; the same on every rank.

        Examples
        --------
        >>> u = weft.DistArray.from_function(lambda x, y: np.sin(x) * y, (8, 6))
        """
        made = cls(shape, distribution, comm, dtype, batch=batch, order=order)

        def fill() -> None:
            made.inner[...] = function(*made.indices())

        told(comm, fill)
        return made

    @classmethod
    def from_array(
        cls, whole: ArrayLike, distribution: Sides = None, comm: Any = None, *, batch: int = 1,
        order: Literal["C", "F"] | Sequence[int] = "C",
    ) -> DistArray:  # fmt: skip
        """Distribute a whole array that every rank has. Collective.

        Parameters
        ----------
        whole : array
            The same on every rank, with the fields of a batch.
        distribution, comm, batch, order
            As in `DistArray`.

        Raises
        ------
        Error
            As `DistArray`; and if ranks give arrays of different shapes or types.
        """
        core_of(comm)

        def ask() -> tuple[str, NDArray[Any]]:
            array = np.asarray(whole)
            return f"the parts of an array of {array.shape}, {elements_of(array.dtype)}", array

        array = agreed_about(comm, ask)
        is_interleaved = isinstance(distribution, Distribution) and bool(distribution.interleaved)
        grid = array.shape if batch == 1 else array.shape[:-1] if is_interleaved else array.shape[1:]
        made = cls(grid, distribution, comm, array.dtype, batch=batch, order=order)
        if array.shape != made.shape:  # on all ranks
            raise Error(f"the whole array has the shape {array.shape}, and the distribution {made.shape}", "give as many fields as the batch has")
        for box, part in zip(made.boxes, made.parts()):
            part[...] = array[box]
        return made

    @classmethod
    def _made(cls, layout: Layout, dtype: np.dtype[Any]) -> DistArray:
        layout.require_boxes()
        made: DistArray = object.__new__(cls)
        made._layout, made._local = layout, layout.empty(dtype)
        return made

    def __array__(self, dtype: Any = None, copy: Any = None) -> NDArray[Any]:
        raise Error(
            "a distributed array is wanted as one of NumPy's",
            "take u.local or u.inner, which are this rank's part, or u.gather(), which is the whole array",
        )

    def __reduce__(self) -> Any:
        raise Error("a distributed array cannot be pickled: it belongs to the ranks that made it", "pickle its local array and its box")

    def __repr__(self) -> str:
        return f"<weft.DistArray of {'x'.join(map(str, self.shape))} {self.dtype}>"


# A plan that transforms nothing: it says where the points are, and gives memory.
def _placing(shape: Any, distribution: Sides, comm: Any, dtype: np.dtype[Any], batch: Any, order: Any) -> Plan:
    side = "slab" if distribution is None else distribution
    numbers = np.complex128 if dtype.itemsize == 16 else np.complex64
    return Plan(
        shape, comm=comm, axes=(), batch=batch, dtype=numbers, input=side, output=side, order=order, effort="estimate", threads=1,
    )  # fmt: skip


# Up to where the grid reaches here; without a distribution, how much of it is here.
def _reach_of(local: Any, distribution: Sides, shape: Any, batch: Any) -> tuple[str, tuple[int, ...]]:
    array, fields = as_array(local, "local array"), operator.index(batch)
    about = f"an array of {elements_of(array.dtype)} of the local ones, in a batch of {fields}"
    if distribution is None:
        here = array.shape[1:] if fields > 1 else array.shape
        if not here:
            raise Error("the local array has no axis", "give an array of one axis at least")
        return f"{about}, each with {here[1:]} points beside its first axis", here
    if shape is not None:
        extents_of(shape)
        return about, ()
    boxes = distribution.boxes if isinstance(distribution, Distribution) else None if isinstance(distribution, str) else distribution
    if boxes is None:
        raise Error("the shape of the grid is not given", "give it, or this rank's boxes of the grid")
    ends = [corners_of(box)[1] for box in (boxes if isinstance(boxes, list) else [boxes])]
    return about, tuple(max(each) for each in zip(*ends))


def _fitted(array: NDArray[Any], layout: Layout) -> NDArray[Any]:
    side = layout.side.of(array.dtype)
    if not array.size and not side.elements and array.shape != side.shape:
        return layout.unset(array.dtype)
    if array.shape != side.shape:
        raise Error(f"the local array has the shape {array.shape}, and its part of the distribution {side.shape}", "give an array of this shape")
    if any(n > 1 and have != want for n, have, want in zip(array.shape, array.strides, side.strides)):
        raise Error(
            f"the axes of the local array are {array.strides} bytes apart, and those of the distribution {side.strides}",
            "give its order, or this rank's box alone, which takes any strides",
        )
    return array
