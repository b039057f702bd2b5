# weft.compat.mpi4py_fft.distarray: NumPy arrays that know which part of a distributed array they are.
# Keeps: a view or a result of NumPy's that is no longer such a part has the type ndarray, where indexing can tell.
"""Distributed arrays."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from numbers import Integral, Number
from typing import Any

import numpy as np
from mpi4py import MPI
from numpy.typing import DTypeLike, NDArray

from ..._errors import Error
from .pencil import Pencil, Subcomm, Transfer, axis_of


class DistArray(np.ndarray[Any, np.dtype[Any]]):
    """This rank's part of an array. Collective where communicators are made.

    Parameters
    ----------
    global_shape : sequence of int
        The shape of the whole array, tensor indices first.
    subcomm : Subcomm, sequence of int or None, optional
        The ranks that share it: a grid, or for each axis 1 where it is not shared. By default that
        of all ranks, with `alignment` or the last axis whole.
    val : number, optional
        What the array is filled with.
    dtype : dtype, optional
        The type.
    buffer : array, optional
        Memory for the array.
    strides : sequence of int, optional
        Bytes between neighbours in `buffer`.
    alignment : int, optional
        The axis that is not distributed, tensor indices not counted.
    rank : int, optional
        The number of tensor indices, which are not distributed: 0 for scalars, 1 for vectors.

    Raises
    ------
    Error
        For arguments that do not go together, and ranks that would have no points.
    """

    _p0: Any
    _rank: Any

    def __new__(
        cls, global_shape: Sequence[int], subcomm: Any = None, val: Any = None, dtype: DTypeLike = float, buffer: Any = None,
        strides: Any = None, alignment: int | None = None, rank: int = 0,
    ) -> DistArray:  # fmt: skip
        free = tuple(int(n) for n in global_shape[:rank])
        points = tuple(int(n) for n in global_shape[rank:])
        if not points:
            raise Error(f"an array of the shape {tuple(global_shape)} and the rank {rank} has no axis to share", "give points after the tensor indices")
        aligned = None if alignment is None else axis_of(alignment, len(points))
        comms = _subcomm_of(subcomm, len(points), aligned)
        if aligned is None:
            whole = [axis for axis, comm in enumerate(comms) if comm.Get_size() == 1]
            if not whole:
                raise Error(f"all of the {len(points)} axes are distributed", "leave one axis whole: give 1 there")
            aligned = whole[-1]
        pencil = Pencil(comms, points, aligned)
        obj: DistArray = np.ndarray.__new__(cls, free + pencil.subshape, np.dtype(dtype), buffer, 0, strides)
        if buffer is None and isinstance(val, Number):
            obj.fill(val)
        obj._p0 = pencil
        obj._rank = rank
        return obj

    def __array_finalize__(self, obj: Any) -> None:
        self._p0 = getattr(obj, "_p0", None)
        self._rank = getattr(obj, "_rank", None)

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        return array[()] if return_scalar else super().__array_wrap__(array, context, return_scalar)

    def __getitem__(self, key: Any) -> Any:
        if self._rank and isinstance(key, (Integral, slice)):
            part: Any = np.ndarray.__getitem__(self, key)
            part._rank = self._rank - isinstance(key, Integral)
            return part
        if self._rank and isinstance(key, tuple) and 0 < len(key) <= self._rank and all(isinstance(each, Integral) for each in key):
            part = np.ndarray.__getitem__(self, key)
            part._rank = self._rank - len(key)
            return part
        return np.ndarray.__getitem__(self.v, key)

    def __reduce__(self) -> Any:
        return self.v.__reduce__()  # a copy elsewhere is no part of the array of these ranks

    # ---- what it is a part of ----------------------------------------------------------------------

    @property
    def alignment(self) -> int:
        """The axis that is not distributed, tensor indices not counted."""
        return self._p0.axis  # type: ignore[no-any-return]

    @property
    def global_shape(self) -> tuple[int, ...]:
        """The shape of the whole array."""
        free: tuple[int, ...] = self.shape[: self._rank]
        return (*free, *self._p0.shape)

    @property
    def substart(self) -> tuple[int, ...]:
        """The index of this rank's first point in the whole array."""
        return (*(0,) * self._rank, *self._p0.substart)

    @property
    def subcomm(self) -> tuple[Any, ...]:
        """The communicators along each axis."""
        return (*(MPI.COMM_SELF,) * self._rank, *self._p0.subcomm)

    @property
    def commsizes(self) -> list[int]:
        """The ranks along each axis."""
        return [comm.Get_size() for comm in self.subcomm]

    @property
    def pencil(self) -> Pencil:
        """How the array is distributed."""
        return self._p0  # type: ignore[no-any-return]

    @property
    def rank(self) -> int:
        """The number of tensor indices."""
        return self._rank  # type: ignore[no-any-return]

    @property
    def dimensions(self) -> int:
        """The number of axes, tensor indices not counted."""
        return len(self._p0.shape)

    @property
    def v(self) -> NDArray[Any]:
        """The same memory as an array of NumPy's alone."""
        return self.view(np.ndarray)

    def local_slice(self) -> tuple[slice, ...]:
        """This rank's part as an index into the whole array."""
        whole = tuple(slice(0, n) for n in self.shape[: self._rank])
        return whole + tuple(slice(first, first + n) for first, n in zip(self._p0.substart, self._p0.subshape))

    # ---- moves -------------------------------------------------------------------------------------

    def get(self, gslice: Any) -> NDArray[Any] | None:
        """A part of the whole array, on rank 0; None on the others. Collective.

        Parameters
        ----------
        gslice : sequence of int and slice
            An index into the whole array, one for each of its axes, without steps.
        """
        return gathered(self, gslice)

    def get_pencil_and_transfer(self, axis: int) -> tuple[Pencil, Transfer]:
        """The distribution that is aligned in another axis, and the move to it, tensor indices not counted."""
        pencil = self._p0.pencil(axis)
        return pencil, self._p0.transfer(pencil, self.dtype)

    def redistribute(self, axis: int | None = None, out: DistArray | None = None) -> DistArray:
        """The same array aligned in another axis. Collective.

        Parameters
        ----------
        axis : int, optional
            The axis, tensor indices not counted; that of `out` by default.
        out : DistArray, optional
            An array of the same type that is aligned so; by default a new one.

        Returns
        -------
        DistArray
            `out`; this array itself if it is aligned in `axis` already.

        Raises
        ------
        Error
            If neither is given, or `out` is distributed in another way.
        """
        if axis is None and out is None:
            raise Error("neither an axis nor an array is given to redistribute", "give the axis to align, or the array to fill")
        aligned = axis_of(out.alignment if axis is None and out is not None else axis, self.dimensions)  # type: ignore[arg-type]
        if aligned == self.alignment:
            if out is None:
                return self
            pencil, transfer = self._p0, None
        else:
            pencil, transfer = self.get_pencil_and_transfer(aligned)
        if out is None:
            out = DistArray(self.global_shape, pencil.subcomm, None, self.dtype, alignment=aligned, rank=self.rank)
        if out.global_shape != self.global_shape or out.dtype != self.dtype or out.rank != self.rank or not _is_same_grid(out.pencil, pencil):
            raise Error(
                f"the array to fill, {out.global_shape} of {out.dtype} on a grid of {out.commsizes}, is not distributed as this one, "
                f"{self.global_shape} of {self.dtype}, is when axis {aligned} is aligned",
                "take what redistribute(axis) returns, or another array of its pencil",
            )
        if transfer is None:
            out.v[...] = self.v
            return out
        for index in np.ndindex(self.shape[: self.rank]):
            transfer.forward(self.v[index], out.v[index])
        transfer.destroy()
        return out

    # ---- files -------------------------------------------------------------------------------------

    def write(
        self, filename: Any, name: str = "darray", step: int = 0, global_slice: Any = None, domain: Any = None, as_scalar: bool = False
    ) -> None:  # fmt: skip
        """Write the array, or a slice of it, to a file. Collective.

        Parameters
        ----------
        filename : str or FileBase
            A file of HDF5's, whose name ends in h5, or of netCDF's.
        name : str, optional
            Of the array in the file.
        step : int, optional
            The number of the snapshot.
        global_slice : sequence of int and slice, optional
            An index into the whole array.
        domain : sequence, optional
            The ends or the points of each axis.
        as_scalar : bool, optional
            Whether the components of a tensor are arrays of their own.
        """
        field: Any = [self] if global_slice is None else [(self, global_slice)]
        _file_of(filename, domain, "a").write(step, {name: field}, as_scalar=as_scalar)

    def read(self, filename: Any, name: str = "darray", step: int = 0) -> None:
        """Read the array from a file. Collective; see `write`."""
        _file_of(filename, None, "r").read(self, name, step=step)


# The answer is the same on all ranks for grids that are made of the same ranks.
def _is_same_grid(one: Pencil, other: Pencil) -> bool:
    return all(
        a.Get_size() == b.Get_size() and (a.Get_size() == 1 or MPI.Comm.Compare(a, b) in (MPI.IDENT, MPI.CONGRUENT))
        for a, b in zip(one.subcomm, other.subcomm)
    )


def _file_of(filename: Any, domain: Any, mode: str) -> Any:
    if not isinstance(filename, str):
        return filename
    from .io import HDF5File, NCFile

    return (HDF5File if filename.endswith("h5") else NCFile)(filename, domain=domain, mode=mode)


def _subcomm_of(subcomm: Any, count: int, aligned: int | None) -> Any:
    if isinstance(subcomm, Subcomm):
        comms: Any = subcomm
    elif subcomm is None:
        whole = count - 1 if aligned is None else aligned
        comms = Subcomm(MPI.COMM_WORLD, [1 if axis == whole else 0 for axis in range(count)])
    elif all(isinstance(each, (int, np.integer)) for each in subcomm):
        comms = Subcomm(MPI.COMM_WORLD, subcomm)
    else:
        comms = Subcomm(subcomm)
    if len(comms) != count:
        raise Error(f"there are {len(comms)} communicators for {count} axes", "tensor indices have none")
    return comms


def gathered(u: DistArray, gslice: Any) -> NDArray[Any] | None:
    """A part of a whole array, on the first rank of its grid; None on the others. Collective."""
    index = list(gslice) if isinstance(gslice, (tuple, list)) else [gslice]
    shape = u.global_shape
    if len(index) != len(shape):
        raise Error(f"there are {len(index)} indices of an array of {len(shape)} axes", "give one for each axis: an int, or slice(None)")
    local: list[Any] = []
    ranges, inside = [], True
    for each, n, part in zip(index, shape, u.local_slice()):
        if isinstance(each, slice):
            first, last, step = each.indices(n)
            if step != 1:
                raise Error(f"a slice has the step {step}", "give slices without steps")
            low, high = max(first, part.start), min(max(last, first), part.stop)
            local.append(slice(low - part.start, max(high, low) - part.start))
            ranges.append((first, max(last, first), low, max(high, low)))
        else:
            at = axis_of(each, n) if -n <= each < n else _outside(each, n)
            inside = inside and part.start <= at < part.stop
            local.append(at - part.start)
    pieces = [([(low - first, high - first) for first, _, low, high in ranges], u.v[tuple(local)].copy())] if inside else []
    for comm in u.pencil.subcomm:  # first those of one line of the grid, then their first ranks
        if comm.Get_size() > 1:
            lists = comm.gather(pieces)
            if lists is None:
                return None
            pieces = [piece for each in lists for piece in each]
    result = np.empty([last - first for first, last, _, _ in ranges], u.dtype)
    for box, values in pieces:
        result[tuple(slice(low, high) for low, high in box)] = values
    return result


def _outside(index: Any, n: int) -> int:
    raise Error(f"there is no index {index} of {n} points", "count from 0, or from the end with -1")


def newDistArray(pfft: Any, forward_output: bool = True, val: Any = 0, rank: int = 0, view: bool = False) -> Any:
    """An array for what a transform takes or makes.

    Parameters
    ----------
    pfft : PFFT
        The transform.
    forward_output : bool, optional
        For what `forward` makes; False: for what it takes.
    val : number, optional
        What the array is filled with.
    rank : int, optional
        The number of tensor indices, which are first and have as many values as there are axes.
    view : bool, optional
        Return an array of NumPy's alone.

    Returns
    -------
    DistArray or numpy.ndarray
        The array.
    """
    pencil = pfft.forward.output_pencil if forward_output else pfft.forward.input_pencil
    dtype = pfft.dtype(forward_output) if callable(pfft.dtype) else pfft.dtype
    shape = (len(pencil.shape),) * rank + tuple(pencil.shape)
    buffer = pfft._allocated(forward_output) if rank == 0 and hasattr(pfft, "_allocated") else None
    made = DistArray(shape, Subcomm(pencil.subcomm), val, dtype, buffer, alignment=pencil.axis, rank=rank)
    if buffer is not None and val is not None:
        made.fill(val)
    return made.v if view else made


def Function(*args: Any, **kwargs: Any) -> Any:
    """The old name of `newDistArray`; ``tensor`` means a rank of 1."""
    warnings.warn("Function is the old name of newDistArray", FutureWarning, stacklevel=2)
    if "tensor" in kwargs:
        kwargs.pop("tensor")
        kwargs["rank"] = 1
    return newDistArray(*args, **kwargs)
