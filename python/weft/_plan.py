# weft._plan: a plan of distributed transforms, for NumPy arrays.
"""Plans: distributed transforms that are prepared once and run many times."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ._core_types import CorePlan
from ._cores import core_of
from ._device_arrays import DeviceArray
from ._distribution import Cutoff
from ._errors import Error
from ._located import Located
from ._request import Sides, asked_on_all_ranks, plan_request
from ._runnable import Side, TwoSided
from ._sides import SideOf, open_mesh
from ._ticket import Ticket


class Plan(TwoSided):
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
        The transformed axes; all by default. r2c halves the last Fourier one named. With an empty
        list, the field is only moved.
    norm : {"backward", "ortho", "forward", "none"}, optional
        Which direction divides by the number of points, as in NumPy; none: neither.
    batch : int, optional
        Fields that are transformed together. They are the first axis of arrays if there are
        several.
    in_place : bool, optional
        The output may take the memory of the input: see `output_in`.
    input, output : str, box, list of boxes or Distribution, optional
        Where the field starts, and where it ends: ``"free"`` (the planner's choice), ``"slab"``,
        ``"pencil"``, ``"brick"``, for the output also ``"same"`` (distributed as the input); this
        rank's boxes, each as a tuple of slices, or as the first indices and those past the last,
        which tile the grid together with those of the other ranks; or a `Distribution`, which says
        all of this and how arrays lie in memory.
    order : {"C", "F"} or sequence of int, optional
        Whether the last or the first axis is contiguous in memory, where a `Distribution` does not
        say it; or all axes, the slowest first.
    support : sequence of int or box, optional
        The part of the grid that arrays hold in real space: the first so many points along each
        axis, or a box. The field is zero elsewhere.
    cutoff : float or Cutoff, optional
        Keep only the waves k with ``|k| <= cutoff``, or those of a `Cutoff`.
    placement : callable, optional
        ``placement(grid, piece)`` returns the rank of a piece of a process grid, whose numbers of
        pieces and whose place in the grid are tuples; the same on every rank. In it, a batch is
        axis 0.
    pieces : int, optional
        With `placement`: how many pieces there are; by default one for each rank.
    stream : int or stream, optional
        Of CuPy, PyTorch or another library, where a device computes: its work is enqueued there, and
        runs return when it is, which is before it has happened. The stream must outlive the plan.
    **settings
        ``modes=(8, 8, 8)`` keeps so many coefficients along each axis. The others say how to plan:
        ``effort="tune"``, ``threads=2``, ``grid=(2, 4)``, as `weft.settings` lists. All ranks give
        the same.

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

    __slots__ = ("_kind", "_settings", "_has_stream")

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
        order: Literal["C", "F"] | Sequence[int] = "C",
        support: Any = None,
        cutoff: float | Cutoff | None = None,
        placement: Callable[[tuple[int, ...], tuple[int, ...]], int] | None = None,
        pieces: int | None = None,
        stream: Any = None,
        **settings: Any,
    ) -> None:
        core, address = core_of(comm)
        asked = asked_on_all_ranks(
            core,
            address,
            lambda: plan_request(
                shape, kind, bases, dtype, axes, batch, input, output, order, support, cutoff, placement, pieces,
                norm=norm, in_place=in_place, stream=stream, **settings,
            ),
        )  # fmt: skip
        self._of(core.make_plan(asked, address), comm, asked, kind)

    def _of(self, core: CorePlan, comm: Any, asked: dict[str, Any], kind: str) -> None:
        self._set(core, comm, tuple(int(points) for points in asked["settings"]["extents"].split("x")), asked)
        self._kind, self._settings, self._has_stream = kind, asked["settings"], "stream" in asked

    @classmethod
    def _made(cls, core: CorePlan, comm: Any, asked: dict[str, Any], kind: str) -> Plan:
        plan: Plan = object.__new__(cls)
        plan._of(core, comm, asked, kind)
        return plan

    @property
    def engine(self) -> str:
        """The name of the FFT library that computes, or of the driver of devices."""
        return self._core.engine()

    def wavenumbers(self, axis: int | None = None, odd: bool = False) -> Any:
        """The wavenumbers of this rank's part of the spectrum, which broadcast.

        As ``n * numpy.fft.fftfreq(n)`` and, on the axis that r2c halves, ``rfftfreq``.

        Parameters
        ----------
        axis : int, optional
            Of this axis alone, negative from the end.
        odd : bool, optional
            For odd derivatives of real fields: 0 for the wave that alternates from point to point,
            n/2 of an even n, which has none.

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
            numbers[each % count] = np.array(self._core.wavenumbers(each, part.start, part.stop, odd), dtype=np.int64)
        if axis is None:
            return open_mesh([numbers[each] for each in range(count)])
        steps = [1] * count
        steps[axis] = -1
        return numbers[axis % count].reshape(steps)

    def waves(self, side: Side = "output") -> NDArray[np.int64]:
        """With a cut-off: the wave of each element of this rank's array, in three columns."""
        return self._side(side).waves()

    def output_in(self, u: Any) -> Any:
        """For a plan in place: the memory of the input `u`, seen as what `forward` makes of it.

        Raises
        ------
        Error
            If the plan is not in place, or the output does not fit into the memory that `u` is a
            view of.
        """
        if isinstance(u, DeviceArray):
            self._core.require_in_place()
            return u._seen_as(self._sides[False])
        if isinstance(u, Located):
            return u._with(self._layouts[False], self.output_in(u._require_of(self._layouts[True], "input")))
        _require_room(u, self._sides[True], self._sides[False])
        return self._core.view(u, False)

    def forward(self, u: Any, out: Any = None, scale: float | None = None) -> Any:
        """Transform forward. Collective.

        Parameters
        ----------
        u : array
            What `empty_input` makes, or any array of the same type, shape and order. Arrays of
            other libraries are taken by ``__array_interface__`` or ``__dlpack__`` and, where a device
            computes, by ``__cuda_array_interface__``.
        out : array, optional
            As `empty_output`; by default a new one, in memory of a device if `u` is there.
        scale : float, optional
            A factor of all results, beside what `norm` divides by.

        Returns
        -------
        numpy.ndarray, or as given
            `out`.

        Raises
        ------
        Error
            If the arrays are not what the plan takes, if they overlap though the plan is not in
            place, or if other ranks start something else.
        """
        return self._run(True, u, out, scale)

    def backward(self, v: Any, out: Any = None, scale: float | None = None) -> Any:
        """Transform backward: as `forward`, from what that makes to what it takes."""
        return self._run(False, v, out, scale)

    def start_forward(self, u: Any, out: Any = None, scale: float | None = None) -> Ticket:
        """Start `forward`, and return at once; the ticket tells when it has ended.

        All ranks start the transforms of a plan in the same order.
        """
        return self._start(True, u, out, scale)

    def start_backward(self, v: Any, out: Any = None, scale: float | None = None) -> Ticket:
        """Start `backward`, and return at once; see `start_forward`."""
        return self._start(False, v, out, scale)

    def max_abs(self, values: NDArray[Any] | Located) -> float:
        """The largest absolute value on all ranks; NaN if there is one. Collective."""
        if isinstance(values, Located):
            values = values.inner
        return self._core.largest(float(np.max(np.abs(values), initial=0.0)))

    def __repr__(self) -> str:
        return f"<weft.Plan {self._kind} of {'x'.join(map(str, self._shape))}>"


def _require_room(u: NDArray[Any], source: SideOf, target: SideOf) -> None:
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
