# weft._runnable: what plans, reshapes and halos have in common: where data lie, runs, and their end.
"""Objects that run on the arrays of all ranks."""

from __future__ import annotations

from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from ._arrays import as_array
from ._core_types import CorePlan
from ._device_arrays import DeviceArray
from ._errors import Error
from ._layout import Layout, fingerprints_of
from ._located import Located
from ._sides import SideOf, open_mesh
from ._ticket import Ticket

Side = Literal["input", "output"]
Detail = Literal["summary", "all"]
Memory = Literal["host", "registered", "managed", "device"]
_Self = TypeVar("_Self", bound="Runnable")


class Runnable:
    """What plans, reshapes and halos have in common."""

    __slots__ = ("_core", "_comm", "_sides", "_layouts", "_shape", "_many", "_on_device", "__weakref__")

    _core: CorePlan
    _comm: Any
    _shape: tuple[int, ...]
    _sides: tuple[SideOf, SideOf]
    _layouts: tuple[Layout, Layout]
    _many: bool
    _on_device: bool

    def _set(self, core: CorePlan, comm: Any, shape: tuple[int, ...], asked: dict[str, Any], dtype: np.dtype[Any] | None = None) -> None:
        self._core, self._comm, self._shape, self._many = core, comm, shape, comm is not None
        self._on_device = core.is_on_device()
        self._sides = (SideOf(core.side(False), dtype), SideOf(core.side(True), dtype))
        asked_sides = asked.get("output", asked["input"]), asked["input"]
        prints = fingerprints_of(comm, self._sides)
        self._layouts = (Layout(self, False, comm, asked_sides[0], prints[0]), Layout(self, True, comm, asked_sides[1], prints[1]))

    # ---- what it is ------------------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, ...]:
        """Points of the grid in real space along each axis."""
        return self._shape

    @property
    def comm(self) -> Any:
        """The communicator that it was made with; None for this process alone."""
        return self._comm

    @property
    def rank(self) -> int:
        """This process among the ranks that take part."""
        return self._core.rank()

    @property
    def threads(self) -> int:
        """Threads that work on this rank."""
        return self._core.threads()

    @property
    def strategy(self) -> str:
        """The strategy in a line, as the setting ``strategy`` takes it."""
        return self._core.strategy()

    @property
    def workspace_bytes(self) -> int:
        """Bytes that this rank holds beside the arrays."""
        return self._core.workspace_bytes()

    def describe(self, detail: Detail = "summary") -> str:
        """The plan in words, the same on every rank.

        Parameters
        ----------
        detail : {"summary", "all"}
            At most six lines: what is transformed on which ranks, by which engine and strategy, and
            the memory that this takes; or all stages, predictions and races.
        """
        if detail not in ("summary", "all"):
            raise Error(f"there is no detail {detail!r}", "one of: summary, all")
        return self._core.describe(detail == "all")

    def report(self) -> dict[str, Any]:
        """All of it as values, and what the last runs did on this rank, with times in seconds."""
        return self._core.report()

    def memory(self) -> dict[str, dict[str, int]]:
        """Bytes of this rank: those that were ``planned``, and those that are ``held`` now."""
        return self._core.memory()

    # ---- where the field lies --------------------------------------------------------------------

    def _side(self, side: str) -> SideOf:
        if side not in ("input", "output"):
            raise Error(f"there is no side {side!r}", "one of: input, output")
        return self._sides[side == "input"]

    def _mesh(self, box: tuple[slice, ...]) -> tuple[NDArray[np.int64], ...]:
        return open_mesh([np.arange(part.start, part.stop, dtype=np.int64) for part in box])

    # ---- runs ------------------------------------------------------------------------------------

    def _empty(self, is_input: bool, memory: str | None = None) -> Any:
        side = self._sides[is_input]
        if memory is None and not self._many and not self._on_device and side.is_packed:
            return np.empty(side.shape, side.dtype)
        allocated = self._core.allocate(is_input, memory)
        return side.shaped(allocated) if isinstance(allocated, np.ndarray) else DeviceArray(side, allocated)

    # Of an array in the memory of a device, the result is there, too.
    def _result(self, is_input: bool, source: Any) -> Any:
        return self._empty(is_input, None if isinstance(source, np.ndarray) else "device")

    def _given(self, array: Any, is_input: bool) -> Any:
        if type(array) is np.ndarray or (self._on_device and hasattr(type(array), "__cuda_array_interface__")):
            return array
        name = "input" if is_input else "output"
        if isinstance(array, Located):
            return array._require_of(self._layouts[is_input], name)
        return as_array(array, name)

    # A distributed array for a distributed array.
    def _returned(self, is_forward: bool, given: Any, out: Any, result: Any) -> Any:
        if isinstance(out, Located):
            return out
        return given._with(self._layouts[not is_forward], result) if out is None and isinstance(given, Located) else result

    def _pair(self, is_forward: bool, given: Any, out: Any) -> tuple[Any, Any]:
        if type(given) is np.ndarray and (out is None or type(out) is np.ndarray):
            return given, self._empty(not is_forward) if out is None else out
        try:
            source = self._given(given, is_forward)
            return source, self._result(not is_forward, source) if out is None else self._given(out, not is_forward)
        except Error as error:
            self._core.refuse(is_forward, error.message, error.hint, error.context, error.code)
            raise

    def _start(self, is_forward: bool, given: Any, out: Any, scale: Any) -> Ticket:
        source, result = self._pair(is_forward, given, out)
        return Ticket(self._core.start(is_forward, source, result, scale), self._returned(is_forward, given, out, result))

    def _run(self, is_forward: bool, given: Any, out: Any, scale: Any) -> Any:
        source, result = self._pair(is_forward, given, out)
        self._core.run(is_forward, source, result, scale)
        return self._returned(is_forward, given, out, result)

    # ---- its end ---------------------------------------------------------------------------------

    def close(self) -> None:
        """Wait for what is under way, and free it: collective. Its arrays stay."""
        self._core.close()

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def __reduce__(self) -> Any:
        name = type(self).__name__.lower()
        raise Error(f"a {name} cannot be pickled: it belongs to the ranks that made it", "make it where it is used")

    def __repr__(self) -> str:
        return f"<weft.{type(self).__name__} of {'x'.join(map(str, self._shape))}>"


class TwoSided(Runnable):
    """What plans and reshapes have in common: an input and an output, each with arrays of its own."""

    __slots__ = ()

    def dtype(self, side: Side = "input") -> np.dtype[Any]:
        """The type of the elements of a side."""
        return self._side(side).dtype

    def extents(self, side: Side = "input") -> tuple[int, ...]:
        """Points of the whole grid of a side along each axis: r2c halves an axis of its output."""
        return self._side(side).extents

    def boxes(self, side: Side = "input") -> list[tuple[slice, ...]]:
        """This rank's boxes of the grid of a side, none or several, as indices into the whole field."""
        return self._side(side).boxes

    def box(self, side: Side = "input") -> tuple[slice, ...]:
        """This rank's box of the grid of a side, as an index into the whole field.

        Raises
        ------
        Error
            If this rank has several boxes, or waves of a cut-off.
        """
        return self._side(side).box()

    def indices(self, side: Side = "input") -> tuple[NDArray[np.int64], ...]:
        """Global indices of this rank's points, one array for each axis, which broadcast.

        Raises
        ------
        Error
            As with `box`.

        Examples
        --------
        >>> plan = weft.Plan((4, 4), kind="r2c")
        >>> x, y = plan.indices()
        >>> u = np.cos(2 * np.pi * x / 4) + 0 * y
        """
        return self._mesh(self.box(side))

    def parts(self, array: NDArray[Any] | Located, side: Side = "input", ghosts: bool = False) -> list[NDArray[Any]]:
        """Views of `array`, one for each of `boxes`; with their ghost points, or without."""
        return self._side(side).parts(array.local if isinstance(array, Located) else array, ghosts)

    def inner(self, array: NDArray[Any] | Located, side: Side = "input") -> NDArray[Any]:
        """The view of `array` without ghost points, where this rank has one box.

        Raises
        ------
        Error
            As with `box`.
        """
        self.box(side)
        views = self.parts(array, side)
        return views[0] if views else array.local if isinstance(array, Located) else array

    def empty_input(self, memory: Memory | None = None) -> Any:
        """An array for what `forward` takes on this rank; it may outlive the object.

        It has the shape of this rank's box, with its ghost points, and the fields of a batch before
        it; one axis if this rank has several boxes, or waves. The ranks of a node can work on it
        without a copy.

        Parameters
        ----------
        memory : {"host", "registered", "managed", "device"}, optional
            Where a device computes: the kind of memory. Registered memory, the default there, is of
            the processor, and copied at full speed; managed memory moves to where it is used.

        Returns
        -------
        numpy.ndarray or DeviceArray
            A `DeviceArray` in memory of the device, which the processor cannot touch.

        Raises
        ------
        Error
            For another kind than ``"host"`` where processors compute.
        """
        return self._empty(True, memory)

    def empty_output(self, memory: Memory | None = None) -> Any:
        """An array for what `forward` makes on this rank; see `empty_input`."""
        return self._empty(False, memory)
