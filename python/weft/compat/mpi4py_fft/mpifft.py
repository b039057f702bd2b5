# weft.compat.mpi4py_fft.mpifft: transforms of distributed arrays: one plan of weft's where nothing is padded, else serial transforms and
# transfers in turn.
# Keeps: the parts are objects of their own as well, for programs that take a transform apart or build their own from such parts.
"""Parallel transforms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ..._errors import Error
from ..._plan import Plan
from . import fftw
from .distarray import DistArray
from .fftw._plan import axes_of, fits
from .libfft import FFT
from .pencil import Pencil, Subcomm, refuse_on_all_ranks

_MOST_AXES = 8


class Transform:
    """A chain of serial transforms with transfers between them.

    Parameters
    ----------
    xfftn : sequence of callable
        Serial transforms in one direction, which have an `input_array` and an `output_array`.
    transfer : sequence of callable
        Functions that move one array into another, one fewer.
    pencil : sequence of Pencil
        Where the first input lies, and the last output.
    """

    def __init__(self, xfftn: Sequence[Any], transfer: Sequence[Any], pencil: Sequence[Pencil]) -> None:
        if len(xfftn) != len(transfer) + 1 or len(pencil) != 2:
            raise Error(f"{len(xfftn)} serial transforms have {len(transfer)} transfers between them, and {len(pencil)} pencils",
                        "give one transfer fewer than transforms, and two pencils")  # fmt: skip
        self._xfftn = tuple(xfftn)
        self._transfer = tuple(transfer)
        self._pencil = tuple(pencil)

    @property
    def input_array(self) -> Any:
        """What a call takes that gives no input."""
        return self._xfftn[0].input_array

    @property
    def output_array(self) -> Any:
        """What a call fills that gives no output."""
        return self._xfftn[-1].output_array

    @property
    def input_pencil(self) -> Pencil:
        """Where the input lies."""
        return self._pencil[0]

    @property
    def output_pencil(self) -> Pencil:
        """Where the output lies."""
        return self._pencil[1]

    def __call__(self, input_array: Any = None, output_array: Any = None, **kw: Any) -> Any:
        """Transform. Collective.

        Parameters
        ----------
        input_array, output_array : array, optional
            Those of the object by default.
        **kw
            For the serial transforms: ``normalize``, by default True forward and False backward.

        Returns
        -------
        numpy.ndarray
            `output_array`, or that of the object.
        """
        if input_array is not None:
            self.input_array[...] = input_array
        for number, transfer in enumerate(self._transfer):
            self._xfftn[number](**kw)
            transfer(self._xfftn[number].output_array, self._xfftn[number + 1].input_array)
        self._xfftn[-1](**kw)
        if output_array is None:
            return self.output_array
        output_array[...] = self.output_array
        return output_array


class _WholeTransform(Transform):
    """The same as one plan of weft's, which takes the arrays of the caller as they are."""

    def __init__(self, plan: Plan, is_forward: bool, scale: float, xfftn: Sequence[Any], transfer: Sequence[Any], pencil: Sequence[Pencil]) -> None:
        super().__init__(xfftn, transfer, pencil)
        self._plan, self._is_forward, self._scale = plan, is_forward, scale

    def __call__(self, input_array: Any = None, output_array: Any = None, normalize: bool | None = None, **kw: Any) -> Any:
        try:
            source, out, target = self._arrays(input_array, output_array)
        except Exception as error:
            refuse_on_all_ranks(self._plan, self._is_forward, error)
            raise
        is_scaled = self._is_forward if normalize is None else bool(normalize)
        run = self._plan.forward if self._is_forward else self._plan.backward
        run(source.view(np.ndarray), out.view(np.ndarray), self._scale if is_scaled else None)
        if out is not target:
            target[...] = out
        return target

    # What the plan takes and makes, and the array to copy that to. The arrays of the object are made only where they are needed.
    def _arrays(self, given: Any, wanted: Any) -> tuple[Any, Any, Any]:
        taken, made = self._plan._sides[self._is_forward], self._plan._sides[not self._is_forward]
        out = wanted if wanted is not None and fits(wanted, made) else self.output_array
        target = out if wanted is None else wanted
        if target.shape[-len(made.shape) :] != made.shape:
            raise Error(f"the output has the shape {target.shape}, and what is made {made.shape}", "take arrays of newDistArray")
        if given is not None and fits(given, taken) and not np.may_share_memory(given, out):
            return given, out, target
        if given is not None:
            self.input_array[...] = given
        return self.input_array, out, target


class PFFT:
    """Transforms of an array that is distributed over ranks, forward and backward. Collective.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm or Subcomm
        The ranks that share the array, or a grid of them.
    shape : sequence of int
        Points of the array in real space; with padding, those that are kept of the spectrum.
    axes : int, sequence of int or sequence of sequences of int, optional
        The transformed axes, in groups. The last group is transformed first, and its last axis is
        halved if the array is real; the output is aligned in the last axis of the first group.
    dtype : dtype, optional
        Of the input: f, d, F, D; g and G are computed by NumPy.
    grid : sequence of int, optional
        Ranks along each axis; those that are not positive are chosen. Ones are added.
    padding : bool, number or sequence of numbers, optional
        By what factor the input has more points than there are waves, along all axes or each.
    collapse : bool, optional
        Whether neighbouring groups that need no transfer between them become one.
    backend : str, optional
        A name that mpi4py-fft takes; weft computes with all of them.
    transforms : dict, optional
        The functions that make the transforms of a group: ``{(1, 2): (dctn, idctn)}``.
    darray : DistArray, optional
        Instead of `comm`, `shape`, `dtype` and `grid`: an array to be transformed.
    **kw
        ``slab``: True, or the axis along which ranks share the array; and ``threads``, ``flags``,
        ``planner_effort`` and ``overwrite_input``.

    Attributes
    ----------
    forward, backward : Transform
        The transforms.
    axes : tuple
        The groups of axes.
    subcomm : Subcomm
        The communicators of each axis of the input.
    xfftn, transfer, pencil : list
        The serial transforms and the transfers between them, in the order of `forward`; where input
        and output lie.

    Raises
    ------
    Error
        For arguments that do not go together, or ranks that would have no points.
    """

    axes: Any
    subcomm: Any
    forward: Any
    backward: Any

    def __init__(
        self, comm: Any, shape: Sequence[int] | None = None, axes: Any = None, dtype: DTypeLike = float, grid: Sequence[int] | None = None,
        padding: Any = False, collapse: bool = False, backend: str = "fftw", transforms: Any = None, darray: DistArray | None = None, **kw: Any,
    ) -> None:  # fmt: skip
        slab = kw.pop("slab", False)
        if darray is not None:
            shape, dtype = darray.pencil.shape, darray.dtype
            axes = _rolled(len(shape), darray.alignment) if axes is None else axes
            comm = Subcomm(darray.pencil.subcomm)
        if shape is None or isinstance(shape, (int, np.integer)) or len(shape) < 1 or min(shape) < 1:
            raise Error(f"the shape is {shape!r}", "give the points of each axis, as (64, 64, 64)")
        kept = [int(n) for n in shape]
        groups = _groups_of(axes, len(kept))
        factors = _paddings(padding, kept)
        is_given = isinstance(comm, (tuple, list))
        if not is_given:
            self.subcomm = _made_subcomm(comm, len(kept), groups, grid, slab)
        else:
            self.subcomm = comm if isinstance(comm, Subcomm) else Subcomm(comm)
        self._plan: Plan | None = None
        self.transfer: list[Any] = []
        try:
            self._make(kept, groups, np.dtype(dtype), factors, collapse, backend, transforms, kw)
        except Exception:
            if not is_given:
                self.subcomm.destroy()
            raise

    def _make(
        self, kept: list[int], groups: list[tuple[int, ...]], dtype: np.dtype[Any], factors: list[float] | None, collapse: bool,
        backend: str, transforms: Any, kw: dict[str, Any],
    ) -> None:  # fmt: skip
        if len(self.subcomm) != len(kept) or self.subcomm[groups[-1][-1]].Get_size() != 1:
            raise Error(f"axis {groups[-1][-1]} is transformed first, and not whole on each rank", "set axes so that those to transform first are aligned")
        self.collapse = collapse
        if collapse and factors is None:
            groups = _collapsed(groups, self.subcomm, transforms, len(kept))
        self.axes = tuple(groups)
        self._input_shape = tuple(kept if factors is None else [math.floor(n * factor + 1e-9) for n, factor in zip(kept, factors)])
        self._configure(dtype, factors, backend, transforms, kw)

    def _configure(self, dtype: np.dtype[Any], factors: list[float] | None, backend: str, transforms: Any, kw: dict[str, Any]) -> None:
        self._dtypes = [dtype, dtype]
        self.xfftn: list[Any] = []
        shape = list(self._input_shape)
        pencil = Pencil(self.subcomm, shape, self.axes[-1][-1])
        self.pencil = [pencil, pencil]
        for group in reversed(self.axes):
            if self.xfftn:
                following = pencil.pencil(group[-1])
                if following.axis != pencil.axis:
                    self.transfer.append(pencil.transfer(following, self._dtypes[1]))
                    pencil = following
                else:
                    self.transfer.append(_Nothing())
            for axis in group:
                if pencil.subcomm[axis].Get_size() != 1:
                    raise Error(f"axis {axis} of the group {group} is not whole on each rank", "give the grid 1 along the axes of groups")
            padding = factors[group[-1]] if factors is not None and (len(group) == 1 or factors[group[-1]] != 1) else False
            fft = FFT(pencil.subshape, group, self._dtypes[1], padding, backend, transforms, **kw)
            self.xfftn.append(fft)
            self._dtypes[1] = fft._serial.output_dtype
            for axis in group:
                shape[axis] = fft._serial.output_shape[axis]
            pencil = Pencil(pencil.subcomm, shape, pencil.axis)
        self.pencil[1] = pencil
        self._output_shape = tuple(shape)
        chains = (
            ([fft.forward for fft in self.xfftn], [move.forward for move in self.transfer], self.pencil),
            ([fft.backward for fft in self.xfftn[::-1]], [move.backward for move in self.transfer[::-1]], self.pencil[::-1]),
        )
        self._plan = self._whole_plan(factors, kw)
        if self._plan is None:
            self.forward, self.backward = Transform(*chains[0]), Transform(*chains[1])
            return
        self.xfftn[0]._serial.allocate["U"] = self._plan.empty_input
        self.xfftn[-1]._serial.allocate["V"] = self._plan.empty_output
        scale = math.prod(fft.M for fft in self.xfftn)
        self.forward, self.backward = (
            _WholeTransform(self._plan, is_forward, scale, *chain) for is_forward, chain in zip((True, False), chains)
        )  # fmt: skip

    # One plan from the first pencil to the last, if weft has all of the transforms.
    def _whole_plan(self, factors: list[float] | None, kw: dict[str, Any]) -> Plan | None:
        grid = getattr(self.subcomm, "_grid", None)
        specs = [fft._serial.spec for fft in self.xfftn]
        if grid is None or factors is not None or None in specs or self._dtypes[0].char not in "fdFD" or len(self._input_shape) > _MOST_AXES:
            return None
        axes = [axis for group in self.axes for axis in group]
        bases = [basis for spec, group in zip(specs[::-1], self.axes) for basis in (("fourier",) * len(group) if isinstance(spec, str) else spec)]
        is_real, has_waves = self._dtypes[0].kind == "f", any(isinstance(spec, str) for spec in specs)
        kind = "c2c" if not is_real else "r2c" if has_waves else "r2r"
        boxes = [tuple(slice(first, first + n) for first, n in zip(pencil.substart, pencil.subshape)) for pencil in self.pencil]
        is_plain = all(isinstance(spec, str) for spec in specs)
        return Plan(
            self._input_shape, kind, None if is_plain else bases, grid, dtype=self._dtypes[0], axes=axes, norm="none",
            input=boxes[0], output=boxes[1], effort=_effort_of(kw), threads=kw.get("threads"),
        )  # fmt: skip

    def destroy(self) -> None:
        """Free the plans and the communicators. Collective."""
        for move in self.transfer:
            move.destroy()
        if getattr(self, "_plan", None) is not None:
            self._plan.close()  # type: ignore[union-attr]
        self.subcomm.destroy()

    def shape(self, forward_output: bool = True) -> tuple[int, ...]:
        """The shape of this rank's part of the output, or of the input of `forward`."""
        return self._pencil_of(forward_output).subshape

    def local_slice(self, forward_output: bool = True) -> tuple[slice, ...]:
        """This rank's part as an index into the whole array."""
        pencil = self._pencil_of(forward_output)
        return tuple(slice(first, first + n) for first, n in zip(pencil.substart, pencil.subshape))

    def global_shape(self, forward_output: bool = False) -> tuple[int, ...]:
        """The shape of the whole input, or of the output of `forward`."""
        return self._pencil_of(forward_output).shape

    def dtype(self, forward_output: bool = False) -> np.dtype[Any]:
        """The type of the input, or of the output of `forward`."""
        known = getattr(self, "_dtypes", None)
        if known is None:  # a class that is derived from this one makes its transforms itself
            known = [self.forward.input_array.dtype, self.forward.output_array.dtype]
        of: np.dtype[Any] = known[bool(forward_output)]
        return of

    @property
    def dimensions(self) -> int:
        """The number of axes."""
        return len(self.forward.input_pencil.shape)

    def _pencil_of(self, forward_output: bool) -> Pencil:
        pencil: Pencil = self.forward.output_pencil if forward_output else self.forward.input_pencil
        return pencil

    # An array for this rank's part, which the plan works on without a copy.
    def _allocated(self, forward_output: bool) -> NDArray[Any] | None:
        plan = getattr(self, "_plan", None)
        if plan is None:
            return None
        made: NDArray[Any] = plan.empty_output() if forward_output else plan.empty_input()
        return made


class _Nothing:
    """The transfer between two groups of axes that are aligned in the same one."""

    def forward(self, source: NDArray[Any], target: NDArray[Any]) -> None:
        target[...] = source

    backward = forward

    def destroy(self) -> None:
        pass


def _rolled(count: int, last: int) -> tuple[int, ...]:
    return tuple((last + 1 + n) % count for n in range(count))


def _groups_of(axes: Any, count: int) -> list[tuple[int, ...]]:
    if axes is None:
        return [(axis,) for axis in range(count)]
    listed = list(axes) if isinstance(axes, (Sequence, np.ndarray)) else [axes]
    groups = [axes_of(group, count) for group in listed]
    axes_of([axis for group in groups for axis in group], count)  # an error for an axis named twice
    return groups


def _made_subcomm(comm: Any, count: int, groups: list[tuple[int, ...]], grid: Sequence[int] | None, slab: Any) -> Subcomm:
    if slab is not False:
        axis = (groups[-1][-1] + 1) % count if slab is True else int(slab)
        return Subcomm(comm, [0 if each == axis else 1 for each in range(count)])
    if grid is not None:
        if len(grid) > count:
            raise Error(f"the grid is {tuple(grid)}, of an array of {count} axes", "give the ranks along each axis")
        return Subcomm(comm, [*grid, *[1] * (count - len(grid))])
    # When a group is transformed, all of its axes are whole: the last one is aligned, and the others have never been distributed.
    whole = {*groups[-1], *(axis for group in groups for axis in group[:-1])}
    return Subcomm(comm, [1 if axis in whole else 0 for axis in range(count)])


def _paddings(padding: Any, shape: list[int]) -> list[float] | None:
    if padding is False or padding is None:
        return None
    factors = list(padding) if isinstance(padding, (Sequence, np.ndarray)) else [padding] * len(shape)
    if len(factors) != len(shape) or padding is True:
        raise Error(f"the padding is {padding!r}, of {len(shape)} axes", "give a factor for all axes, or one for each, as (1.5, 1.5, 1)")
    numbers = [1.0 if factor is False else float(factor) for factor in factors]
    exact = [math.floor(n * factor + 1e-9) / n for n, factor in zip(shape, numbers)]
    return None if all(factor == 1 for factor in exact) else exact


def _collapsed(groups: list[tuple[int, ...]], subcomm: Any, transforms: Any, count: int) -> list[tuple[int, ...]]:
    named = [axes_of(axes, count) for axes in (transforms or {})]
    whole = [all(subcomm[axis].Get_size() == 1 for axis in group) and group not in named for group in groups]
    result = [groups[-1]]
    for number in range(len(groups) - 2, -1, -1):
        if whole[number] and whole[number + 1]:
            result[0] = groups[number] + result[0]
        else:
            result.insert(0, groups[number])
    return result


def _effort_of(kw: dict[str, Any]) -> str:
    flags = kw.get("flags", ())
    named = {flags} if isinstance(flags, int) else set(flags)
    named |= {fftw.flag_dict.get(kw.get("planner_effort", ""), 0)}
    return "measure" if named & {fftw.FFTW_PATIENT, fftw.FFTW_EXHAUSTIVE} else "estimate"
