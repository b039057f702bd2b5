# weft._plan: a plan of distributed transforms, for NumPy arrays.
"""Plans: distributed transforms that are prepared once and run many times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ._arrays import as_array
from ._cores import core_of
from ._errors import Error
from ._request import Box, Sides, boxes_of, kind_text, precision_text, settings_of
from ._ticket import Ticket

Side = Literal["input", "output"]
Detail = Literal["summary", "all"]


class Plan:
    """A distributed transform, ready to run again and again.

    Making it is collective over `comm`, and so is the end of it: `close`, the end of a ``with``
    block, or when nobody holds it any more.

    Parameters
    ----------
    shape : int or sequence of int
        Points of the grid in real space along each of 1 to 8 axes.
    kind : {"c2c", "r2c", "c2r", "r2r"}, optional
        Complex to complex; real to complex, which halves the last Fourier axis; complex to real,
        the same the other way round; or real to real.
    bases : str or sequence of str, optional
        What is computed along each transformed axis: ``"fourier"`` (the default), ``"dct1"`` to
        ``"dct4"``, ``"dst1"`` to ``"dst4"``, ``"chebyshev"`` or ``"chebyshev-gauss"``. One word
        stands for all axes.
    comm : mpi4py.MPI.Comm, optional
        The ranks that share the field. None: this process alone, with all of its threads.
    dtype : dtype, optional
        Of the input or the output: float32, float64, complex64 or complex128. Double precision is
        the default.
    axes : sequence of int, optional
        The transformed axes; all by default. r2c halves the last Fourier one named.
    norm : {"backward", "ortho", "forward", "none"}, optional
        Which direction divides by the number of points, as in NumPy; none: neither.
    batch : int, optional
        Fields that are transformed together. They are the first axis of arrays if there are
        several.
    in_place : bool, optional
        The output may take the memory of the input: see `output_in`.
    input, output : str, box or list of boxes, optional
        Where the field starts, and where it ends: ``"free"`` (the planner's choice), ``"slab"``,
        ``"pencil"``, ``"brick"``, for the output also ``"same"`` (distributed as the input); or
        this rank's boxes, each as a tuple of slices, or as the first indices and those past the
        last. Together the boxes of all ranks tile the grid.
    order : {"C", "F"}, optional
        Whether the last or the first axis is contiguous in memory.
    **settings
        How to plan: ``effort="tune"``, ``threads=2``, ``grid=(2, 4)`` and the others that
        `weft.settings` lists. All ranks give the same.

    Raises
    ------
    Error
        If the problem cannot be, or ranks give different ones: the same on every rank.

    Examples
    --------
    >>> plan = weft.Plan((8, 6), kind="r2c")
    >>> u = plan.empty_input()
    >>> u[...] = 1
    >>> plan.forward(u)[0, 0]
    np.complex128(48+0j)
    """

    __slots__ = ("_core", "_comm", "_sides", "_shape", "_kind", "_many", "__weakref__")

    def __init__(
        self,
        shape: int | Sequence[int],
        kind: str = "c2c",
        bases: str | Sequence[str] | None = None,
        comm: Any = None,
        *,
        dtype: DTypeLike | None = None,
        axes: Sequence[int] | int | None = None,
        norm: str | None = None,
        batch: int | None = None,
        in_place: bool = False,
        input: Sides = None,
        output: Sides = None,
        order: Literal["C", "F"] = "C",
        **settings: Any,
    ) -> None:
        if order not in ("C", "F"):
            raise Error(f"the order is {order!r}", "one of: C (the last axis is contiguous), F (the first one)")
        if axes is not None and not isinstance(axes, int) and len(axes) == 0:
            raise Error("no axis is transformed", "name one axis at least", code="unsupported")
        texts = settings_of(
            shape,
            {
                "kind": kind_text(kind, bases),
                "precision": precision_text(kind, dtype),
                "axes": axes,
                "norm": norm,
                "batch": batch,
                "in_place": in_place,
                "input": input if isinstance(input, str) else None,
                "output": output if isinstance(output, str) else None,
                **settings,
            },
        )
        core, address = core_of(comm)
        self._core = core.Plan(texts, address, boxes_of(input), boxes_of(output), order == "F")
        self._comm = comm
        self._many = comm is not None
        self._kind = kind
        self._shape = tuple(int(points) for points in texts["extents"].split("x"))
        self._sides = tuple(_SideOf(self._core.share(is_input)) for is_input in (False, True))

    # ---- what it is ------------------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, ...]:
        """Points of the grid in real space along each axis."""
        return self._shape

    @property
    def comm(self) -> Any:
        """The communicator that the plan was made with; None for this process alone."""
        return self._comm

    @property
    def rank(self) -> int:
        """This process among the ranks of the plan."""
        return int(self._core.rank())

    @property
    def engine(self) -> str:
        """The name of the FFT library that computes."""
        return str(self._core.engine())

    @property
    def threads(self) -> int:
        """Threads that compute on this rank."""
        return int(self._core.threads())

    @property
    def strategy(self) -> str:
        """The strategy in a line, as the setting ``strategy`` takes it."""
        return str(self._core.strategy())

    @property
    def workspace_bytes(self) -> int:
        """Bytes that this rank holds beside the arrays."""
        return int(self._core.workspace_bytes())

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
        return str(self._core.describe(detail == "all"))

    def report(self) -> dict[str, Any]:
        """The plan as values, and what its last runs did on this rank, with times in seconds."""
        report: dict[str, Any] = self._core.report()
        return report

    def memory(self) -> dict[str, dict[str, int]]:
        """Bytes of this rank: those that were ``planned``, and those that are ``held`` now."""
        memory: dict[str, dict[str, int]] = self._core.memory()
        return memory

    # ---- where the field lies --------------------------------------------------------------------

    def _side(self, side: str) -> _SideOf:
        if side not in ("input", "output"):
            raise Error(f"there is no side {side!r}", "one of: input, output")
        return self._sides[side == "input"]

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
        box = self.box(side)
        ranges = [np.arange(part.start, part.stop, dtype=np.int64) for part in box]
        return _open_mesh(ranges)

    def wavenumbers(self, axis: int | None = None) -> Any:
        """The wavenumbers of this rank's part of the spectrum, which broadcast.

        As ``n * numpy.fft.fftfreq(n)`` and, on the axis that r2c halves, ``rfftfreq``.

        Parameters
        ----------
        axis : int, optional
            Of this axis alone, negative from the end.

        Returns
        -------
        tuple of numpy.ndarray, or numpy.ndarray
            An array for each axis, or that of `axis`.

        Raises
        ------
        Error
            For an axis that has no wavenumbers, and as with `box`.
        """
        box = self.box("input" if self._kind == "c2r" else "output")
        count = len(box)
        wanted = range(count) if axis is None else [axis]
        numbers = {}
        for each in wanted:
            part = box[each] if -count <= each < count else slice(0, 0)
            numbers[each % count] = np.array(self._core.wavenumbers(each, part.start, part.stop), dtype=np.int64)
        if axis is None:
            return _open_mesh([numbers[each] for each in range(count)])
        steps = [1] * count
        steps[axis] = -1
        return numbers[axis % count].reshape(steps)

    def waves(self, side: Side = "output") -> NDArray[np.int64]:
        """With a cut-off: the wave of each element of this rank's array, in three columns."""
        return self._side(side).waves()

    def parts(self, array: NDArray[Any], side: Side = "input") -> list[NDArray[Any]]:
        """Views of `array`, one for each of `boxes`."""
        of = self._side(side)
        if array.shape == of.shape and len(of.boxes) <= 1:
            return [array] * len(of.boxes)
        return of.parts(array)

    # ---- arrays ----------------------------------------------------------------------------------

    def _empty(self, is_input: bool) -> NDArray[Any]:
        side = self._sides[is_input]
        if not self._many and side.is_packed:
            return np.empty(side.shape, side.dtype)
        return side.shaped(self._core.allocate(is_input))

    def empty_input(self) -> NDArray[Any]:
        """An array for what `forward` takes on this rank; it may outlive the plan.

        It has the shape of this rank's box, after the fields of a batch; one axis if this rank has
        several boxes, or waves. The ranks of a node can work on it without a copy.
        """
        return self._empty(True)

    def empty_output(self) -> NDArray[Any]:
        """An array for what `forward` makes on this rank; see `empty_input`."""
        return self._empty(False)

    def output_in(self, u: NDArray[Any]) -> NDArray[Any]:
        """For a plan in place: the memory of the input `u`, seen as what `forward` makes of it.

        Raises
        ------
        Error
            If the output does not fit into the memory that `u` is a view of.
        """
        _require_room(u, self._sides[True], self._sides[False])
        output: NDArray[Any] = self._core.view(u, False)
        return output

    # ---- runs ------------------------------------------------------------------------------------

    def forward(self, u: Any, out: NDArray[Any] | None = None, scale: float | None = None) -> NDArray[Any]:
        """Transform forward. Collective.

        Parameters
        ----------
        u : array
            What `empty_input` makes, or any array of the same type, shape and order. Arrays of
            other libraries are taken by ``__array_interface__`` or ``__dlpack__``.
        out : array, optional
            As `empty_output`; by default a new one.
        scale : float, optional
            A factor of all results, beside what `norm` divides by.

        Returns
        -------
        numpy.ndarray
            `out`.

        Raises
        ------
        Error
            If the arrays are not what the plan takes, if they overlap though the plan is not in
            place, or if other ranks start something else.
        """
        return self._run(True, u, out, scale)

    def backward(self, v: Any, out: NDArray[Any] | None = None, scale: float | None = None) -> NDArray[Any]:
        """Transform backward: as `forward`, from what that makes to what it takes."""
        return self._run(False, v, out, scale)

    def start_forward(self, u: Any, out: NDArray[Any] | None = None, scale: float | None = None) -> Ticket:
        """Start `forward`, and return at once; the ticket tells when it has ended.

        All ranks start the transforms of a plan in the same order.
        """
        given, result = self._pair(True, u, out)
        return Ticket(self._core.start(True, given, result, 1.0 if scale is None else scale))

    def start_backward(self, v: Any, out: NDArray[Any] | None = None, scale: float | None = None) -> Ticket:
        """Start `backward`, and return at once; see `start_forward`."""
        given, result = self._pair(False, v, out)
        return Ticket(self._core.start(False, given, result, 1.0 if scale is None else scale))

    def _pair(self, is_forward: bool, given: Any, out: Any) -> tuple[NDArray[Any], NDArray[Any]]:
        if type(given) is not np.ndarray:
            given = as_array(given, "input" if is_forward else "output")
        if out is None:
            out = self._empty(not is_forward)
        elif type(out) is not np.ndarray:
            out = as_array(out, "output" if is_forward else "input")
        return given, out

    def _run(self, is_forward: bool, given: Any, out: Any, scale: float | None) -> NDArray[Any]:
        given, result = self._pair(is_forward, given, out)
        self._core.run(is_forward, given, result, 1.0 if scale is None else scale)
        return result

    def max_abs(self, values: NDArray[Any]) -> float:
        """The largest absolute value on all ranks; NaN if there is one. Collective."""
        mine = float(np.max(np.abs(values), initial=0.0))
        return float(np.max(self._comm.allgather(mine))) if self._many else mine

    # ---- its end ---------------------------------------------------------------------------------

    def close(self) -> None:
        """Wait for what is under way, and free the plan: collective. Its arrays stay."""
        self._core.close()

    def __enter__(self) -> Plan:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise Error("a plan cannot be pickled: it belongs to the ranks that made it", "make it where it is used")

    def __repr__(self) -> str:
        shape = "x".join(map(str, self._shape))
        return f"<weft.Plan {self._kind} of {shape}>"


class _SideOf:
    """A side of a plan on this rank."""

    def __init__(self, share: dict[str, Any]) -> None:
        self.dtype: np.dtype[Any] = np.dtype(share["dtype"])
        self.extents: tuple[int, ...] = share["extents"]
        self.elements: int = share["elements"]
        self.boxes = [tuple(map(slice, lo, hi)) for lo, hi in share["boxes"]]
        self._share = share
        fields = (share["fields"],) if share["fields"] > 1 else ()
        if share["has_waves"] or len(self.boxes) > 1:
            self.shape: tuple[int, ...] = (self.elements,)
        else:
            self.shape = fields + tuple(part.stop - part.start for part in self.box())
        self.is_packed = self.elements == int(np.prod(self.shape)) and (
            not self.boxes or len(self.boxes) > 1 or self._steps(0) == _packed(self.shape)
        )

    def _steps(self, number: int) -> tuple[int, ...]:
        fields = (self._share["field_stride"],) if self._share["fields"] > 1 else ()
        return fields + tuple(self._share["steps"][number])

    def shaped(self, memory: NDArray[Any]) -> NDArray[Any]:
        if not self.boxes or self.shape == (self.elements,):
            return memory.reshape(self.shape)
        steps = [step * self.dtype.itemsize for step in self._steps(0)]
        return np.ndarray(self.shape, self.dtype, memory, 0, steps)

    def box(self) -> tuple[slice, ...]:
        if self._share["has_waves"]:
            raise Error("this side has waves of a cut-off, and no box", "ask waves()")
        if len(self.boxes) > 1:
            raise Error(f"this rank has {len(self.boxes)} boxes", "ask boxes() and parts()")
        return self.boxes[0] if self.boxes else tuple(slice(0, 0) for _ in self.extents)

    def waves(self) -> NDArray[np.int64]:
        if not self._share["has_waves"]:
            raise Error("this side has boxes, and no waves of a cut-off", "ask boxes() and wavenumbers()")
        return np.array(self._share["waves"], dtype=np.int64).reshape(-1, 3)

    def parts(self, array: NDArray[Any]) -> list[NDArray[Any]]:
        if array.shape != (self.elements,) or array.dtype != self.dtype:
            raise Error(f"the array has the shape {array.shape}, and this side has ({self.elements},)", "see empty_input")
        views = []
        fields = (self._share["fields"],) if self._share["fields"] > 1 else ()
        for number, box in enumerate(self.boxes):
            steps = [step * self.dtype.itemsize for step in self._steps(number)]
            extents = fields + tuple(part.stop - part.start for part in box)
            views.append(np.lib.stride_tricks.as_strided(array[self._share["starts"][number] :], extents, steps))
        return views


def _packed(shape: tuple[int, ...]) -> tuple[int, ...]:
    steps = [1]
    for points in shape[:0:-1]:
        steps.append(steps[-1] * points)
    return tuple(steps[::-1])


def _open_mesh(lists: list[NDArray[np.int64]]) -> tuple[NDArray[np.int64], ...]:
    count = len(lists)
    return tuple(values.reshape([-1 if axis == own else 1 for axis in range(count)]) for own, values in enumerate(lists))


def _require_room(u: NDArray[Any], source: _SideOf, target: _SideOf) -> None:
    needed = max(source.elements * source.dtype.itemsize, target.elements * target.dtype.itemsize)
    owner: Any = u
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    begin = u.__array_interface__["data"][0]
    end = np.lib.array_utils.byte_bounds(owner)[1]
    if begin + needed > end:
        raise Error(
            f"the output takes {needed} bytes, and the memory of the input has {end - begin}",
            "take the input from plan.empty_input()",
        )
