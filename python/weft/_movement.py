# weft._movement: moves fields of any elements between distributions, and fills ghost points.
"""Reshapes and halos."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ._arrays import dtype_of
from ._core_types import Core
from ._cores import core_of
from ._distribution import Distribution
from ._errors import Error
from ._located import Located
from ._request import Sides, asked_on_all_ranks, elements_of, extents_of, side_request, texts_of
from ._runnable import Memory, Runnable, TwoSided
from ._ticket import Ticket

# Kinds of types whose arrays have the buffer protocol.
_NUMBERS = "biufc"


class _Elements(Runnable):
    """Elements of any type, which are moved bit by bit."""

    __slots__ = ("_dtype",)

    _dtype: np.dtype[Any]

    def _given(self, array: Any, is_input: bool) -> Any:
        given = super()._given(array, is_input)
        if dtype_of(given) != self._dtype:
            name = "array" if isinstance(self, Halo) else "input" if is_input else "output"
            raise Error(f"the {name} has elements of {dtype_of(given)}, and what is moved {self._dtype}", "give an array of this type")
        return given

    def _bits(self, array: Any) -> Any:
        return array if dtype_of(array).kind in _NUMBERS else array.view(np.dtype((np.void, self._dtype.itemsize)))

    def _moved(self, is_forward: bool, given: Any, out: Any) -> tuple[Any, Any]:
        try:
            source = self._given(given, is_forward)
            return source, self._result(not is_forward, source) if out is None else self._given(out, not is_forward)
        except Error as error:
            self._core.refuse(is_forward, error.message, error.hint, error.context, error.code)
            raise

    def _run_bits(self, is_forward: bool, given: Any, out: Any) -> Any:
        source, result = self._moved(is_forward, given, out)
        self._core.run(is_forward, self._bits(source), self._bits(result), None)
        return self._returned(is_forward, given, out, result)

    def _start_bits(self, is_forward: bool, given: Any, out: Any) -> Ticket:
        source, result = self._moved(is_forward, given, out)
        ticket = self._core.start(is_forward, self._bits(source), self._bits(result), None)
        return Ticket(ticket, self._returned(is_forward, given, out, result))


def _core_with_ranks(comm: Any, name: str) -> tuple[Core, int]:
    if comm is None:
        raise Error(f"a {name} has no communicator", "give one of mpi4py's; mpi4py.MPI.COMM_SELF is this process alone")
    return core_of(comm)


def _movement_request(shape: Any, dtype: np.dtype[Any], order: Any, sides: dict[str, Sides], settings: dict[str, Any]) -> dict[str, Any]:
    extents = extents_of(shape)
    asked: dict[str, Any] = {"settings": texts_of(extents, settings), "element_bytes": dtype.itemsize}
    asked["alignment"] = 8 if dtype.alignment >= 8 else 4
    for name, side in sides.items():
        asked[name] = side_request(side, len(extents), 1, order)
    return asked


class Reshape(TwoSided, _Elements):
    """Moves a grid of elements of any type from one distribution over the ranks to another.

    Making it is collective over `comm`, and so is the end of it, as with `Plan`.

    Parameters
    ----------
    shape : int or sequence of int
        Points of the grid along each axis.
    input, output : str, box, list of boxes or Distribution
        Where the elements are, and where `forward` moves them, as with `Plan`; neither free nor
        the same.
    comm : mpi4py.MPI.Comm
        The ranks that share the grid.
    dtype : dtype, optional
        The type of the elements, of a multiple of 4 bytes: numbers, or structures of them.
    order : {"C", "F"} or sequence of int, optional
        Which axis is contiguous in memory, where a `Distribution` does not say it.
    **settings
        How to plan, as with `Plan`.

    Raises
    ------
    Error
        As with `Plan`; the same on every rank.

    Examples
    --------
    >>> to_pencils = weft.Reshape((8, 8, 8), "slab", "pencil", MPI.COMM_WORLD, dtype=np.int32)
    >>> a = to_pencils.empty_input()
    >>> b = to_pencils.forward(a)
    """

    __slots__ = ()

    def __init__(
        self,
        shape: int | Sequence[int],
        input: Sides,
        output: Sides,
        comm: Any,
        *,
        dtype: DTypeLike = np.float64,
        order: Literal["C", "F"] | Sequence[int] = "C",
        **settings: Any,
    ) -> None:
        core, address = _core_with_ranks(comm, "reshape")
        sides = {"input": input, "output": output}

        def ask() -> dict[str, Any]:
            self._dtype = elements_of(dtype)
            return _movement_request(shape, self._dtype, order, sides, settings)

        asked = asked_on_all_ranks(core, address, ask)
        self._set(core.make_reshape(asked, address), comm, extents_of(shape), asked, self._dtype)

    def forward(self, u: Any, out: Any = None) -> Any:
        """Move the elements from the input's distribution to the output's. Collective.

        Parameters
        ----------
        u : array
            What `empty_input` makes, or any array of the same type, shape and order.
        out : array, optional
            As `empty_output`; by default a new one.

        Returns
        -------
        numpy.ndarray
            `out`.

        Raises
        ------
        Error
            If the arrays are not what is taken, or other ranks start something else.
        """
        return self._run_bits(True, u, out)

    def backward(self, v: Any, out: Any = None) -> Any:
        """Move the elements back; see `forward`."""
        return self._run_bits(False, v, out)

    def start_forward(self, u: Any, out: Any = None) -> Ticket:
        """Start `forward`, and return at once; see `Plan.start_forward`."""
        return self._start_bits(True, u, out)

    def start_backward(self, v: Any, out: Any = None) -> Ticket:
        """Start `backward`, and return at once; see `Plan.start_forward`."""
        return self._start_bits(False, v, out)


class Halo(_Elements):
    """Fills the ghost points around each rank's part of a grid, corners included.

    Making it is collective over `comm`, and so is the end of it, as with `Plan`.

    Parameters
    ----------
    shape : int or sequence of int
        Points of the grid along each axis.
    distribution : Distribution
        Where the grid lies, and how many ghost points there are: that of the plan whose arrays have
        them.
    comm : mpi4py.MPI.Comm
        The ranks that share the grid.
    dtype : dtype, optional
        The type of the elements, of a multiple of 4 bytes.
    periodic : bool or sequence of int, optional
        Along which axes the first point follows the last: all, none, or those of the list. Ghost
        points beyond the ends of the others stay as they are.
    order : {"C", "F"} or sequence of int, optional
        Which axis is contiguous in memory, where the distribution does not say it.
    **settings
        How to plan, as with `Plan`.

    Raises
    ------
    Error
        As with `Plan`; the same on every rank.

    Examples
    --------
    >>> pencils = weft.Distribution("pencil", ghosts=1)
    >>> halo = weft.Halo((8, 8, 8), pencils, MPI.COMM_WORLD)
    >>> u = halo.empty_array()
    >>> halo.inner(u)[...] = 1
    >>> bool((halo.exchange(u) == 1).all())
    True
    """

    __slots__ = ()

    def __init__(
        self,
        shape: int | Sequence[int],
        distribution: Sides,
        comm: Any,
        *,
        dtype: DTypeLike = np.float64,
        periodic: bool | Sequence[int] = True,
        order: Literal["C", "F"] | Sequence[int] = "C",
        **settings: Any,
    ) -> None:
        core, address = _core_with_ranks(comm, "halo")

        def ask() -> dict[str, Any]:
            self._dtype = elements_of(dtype)
            request = _movement_request(shape, self._dtype, order, {"input": distribution}, settings)
            if periodic is not True:
                request["periodic"] = [] if periodic is False else [operator.index(axis) for axis in periodic]
            return request

        asked = asked_on_all_ranks(core, address, ask)
        self._set(core.make_halo(asked, address), comm, extents_of(shape), asked, self._dtype)

    def boxes(self) -> list[tuple[slice, ...]]:
        """This rank's boxes of the grid, without ghost points."""
        return self._sides[True].boxes

    def box(self) -> tuple[slice, ...]:
        """This rank's box of the grid, without ghost points.

        Raises
        ------
        Error
            If this rank has several boxes.
        """
        return self._sides[True].box()

    def indices(self) -> tuple[NDArray[np.int64], ...]:
        """Global indices of this rank's points, one array for each axis, which broadcast.

        Raises
        ------
        Error
            As with `box`.
        """
        return self._mesh(self.box())

    def empty_array(self, memory: Memory | None = None) -> Any:
        """An array of zeros for this rank's box and its ghost points; see `Plan.empty_input`."""
        return self._empty(True, memory)

    def parts(self, array: NDArray[Any] | Located, ghosts: bool = False) -> list[NDArray[Any]]:
        """Views of `array`, one for each of `boxes`; with their ghost points, or without."""
        return self._sides[True].parts(array.local if isinstance(array, Located) else array, ghosts)

    def inner(self, array: NDArray[Any] | Located) -> NDArray[Any]:
        """The view of `array` without ghost points, where this rank has one box.

        Raises
        ------
        Error
            As with `box`.
        """
        self.box()
        views = self.parts(array)
        return views[0] if views else array.local if isinstance(array, Located) else array

    def exchange(self, u: Any) -> Any:
        """Give the ghost points of `u` the values that these points have on their ranks. Collective.

        Returns
        -------
        numpy.ndarray
            `u`.

        Raises
        ------
        Error
            If the array is not what is taken, or other ranks start something else.
        """
        return self._run_bits(True, u, u)

    def start(self, u: Any) -> Ticket:
        """Start `exchange`, and return at once.

        Until it has ended, `u` may be read, except for its ghost points, but not be written.
        """
        return self._start_bits(True, u, u)
