# weft._files: distributed arrays in files: .npy, HDF5 and zarr.
# Keeps: bytes are moved by the compiled module, all ranks together; here is only what arrays are.
"""Writes and reads arrays of all ranks."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ._agreement import agreed, agreed_about
from ._core_types import BoxInMemory, Core, CoreFile, HeaderDict
from ._cores import core_of
from ._dist_array import DistArray
from ._distribution import Distribution
from ._errors import Error
from ._request import Sides, extents_of

_DTYPES = ("float32", "float64", "complex64", "complex128")


def write(
    path: str | os.PathLike[str],
    array: Any,
    distribution: Sides = None,
    comm: Any = None,
    *,
    dataset: str | None = None,
    shape: int | Sequence[int] | None = None,
    chunks: int | Sequence[int] | None = None,
    order: Literal["C", "F"] = "C",
) -> None:
    """Write an array of all ranks to a file. Collective.

    The file has its name only when it is complete: whatever fails, an older one stays as it was.

    Parameters
    ----------
    path : str or path
        ``"u.npy"``; ``"u.h5"`` or ``"u.hdf5"`` for HDF5; ``"u.zarr"`` for zarr 3. An array in a file
        of the last two is named as ``"u.h5:/velocity/u"``.
    array : DistArray or array
        What is written, of float32, float64, complex64 or complex128; without ghost points. Of an
        array that is none of `DistArray`, this rank's part.
    distribution, comm, shape
        Of such a part, as with `DistArray.from_local`.
    dataset : str, optional
        The name of the array in the file, if `path` has none. In HDF5 ``"data"`` by default; a file
        keeps its other datasets, for which it is copied first. ``u.xdmf`` beside it is for ParaView.
    chunks : int or sequence of int, optional
        Points of the chunks of zarr along each axis: by default about those of the ranks' boxes.
    order : {"C", "F"}, optional
        Which axis is contiguous in an .npy file. Other files have the last one.

    Raises
    ------
    Error
        If the array cannot be written completely, with the reason and the bytes wanted; the same on
        every rank.

    Examples
    --------
    >>> u = weft.DistArray((64, 48), "slab", MPI.COMM_WORLD)
    >>> weft.write("u.h5", u, dataset="velocity/u")
    """
    is_placed = isinstance(array, DistArray)
    if not is_placed:
        array = DistArray.from_local(array, distribution, shape=shape, comm=comm)

    def ask() -> tuple[str, tuple[HeaderDict, list[BoxInMemory]]]:
        if is_placed and (distribution is not None or shape is not None or (comm is not None and comm != array.comm)):
            raise Error("a DistArray and a distribution are given", "a DistArray has its distribution, shape and communicator")
        if order not in ("C", "F"):
            raise Error(f"the order is {order!r}", "one of: C (the last axis is contiguous), F (the first one)")
        header: HeaderDict = {
            "shape": array.shape, "dtype": _name_of(array.dtype), "chunks": _chunks_of(chunks, array.shape),
            "is_fortran": order == "F" and os.fsdecode(path).endswith(".npy"),
        }  # fmt: skip
        return f"a file of {header}", (header, _boxes(array, (0,) * len(array.shape)))

    header, boxes = agreed_about(array.comm, ask)
    with _opened(path, dataset, array.comm) as file:
        file.write(header, boxes)


def read(
    path: str | os.PathLike[str],
    distribution: Sides = None,
    comm: Any = None,
    *,
    dataset: str | None = None,
    slices: Any = None,
    out: DistArray | None = None,
    batch: int = 1,
    order: Literal["C", "F"] | Sequence[int] = "C",
) -> DistArray:
    """Read an array, or a part of it, each rank its own points. Collective.

    Parameters
    ----------
    path, dataset
        As with `write`. Without a name, the only dataset of a file of HDF5. Datasets of HDF5 may be
        in chunks and compressed, zarr's by gzip or zstd; numbers may be big endian.
    distribution, comm, batch, order
        Where the points shall be, as with `DistArray`.
    slices : slice, int, or tuple of them, optional
        The part to read, as ``numpy.s_[10:20, :, 5]``: numbers leave out their axis.
    out : DistArray, optional
        What is filled, and returned; it says the distribution and the communicator.

    Returns
    -------
    DistArray
        Of the type of the file. Ghost points are zero.

    Raises
    ------
    Error
        If there is no such array, if it is damaged or of other elements, or if `out` has another
        shape or type; the same on every rank.

    Examples
    --------
    >>> plane = weft.read("u.h5", "slab", MPI.COMM_WORLD, slices=np.s_[:, 5])
    """
    if out is not None:
        comm = out.comm
    with _opened(path, dataset, comm) as file:
        header = file.header()
        starts, extents, dropped = agreed(comm, "the slices", lambda: _selected(slices, header["shape"]))
        shape = tuple(n for axis, n in enumerate(extents) if axis not in dropped)
        if out is None:
            is_interleaved = isinstance(distribution, Distribution) and distribution.interleaved
            grid = shape if batch == 1 else shape[:-1] if is_interleaved else shape[1:]
            out = DistArray(grid, distribution, comm, header["dtype"], batch=batch, order=order)
        into = out

        def ask() -> tuple[str, list[BoxInMemory]]:
            if into.shape != shape or _name_of(into.dtype) != header["dtype"]:
                raise Error(
                    f"the array to fill has the shape {into.shape} and the type {into.dtype}, and what is read {shape} and {header['dtype']}",
                    "read without out=, which makes an array that fits",
                )
            return "an array", _boxes(into, starts, dropped)

        file.read(header, agreed_about(comm, ask))
    return into


@contextlib.contextmanager
def _opened(path: str | os.PathLike[str], dataset: str | None, comm: Any) -> Any:
    core, address = core_of(comm)

    def ask() -> tuple[str, str | None]:
        name = os.fsdecode(path)
        if "\0" in name or "\0" in (dataset or ""):
            raise Error(f"the name of a file is {name!r}", "give one without zero bytes")
        name.encode()  # an error if it is no UTF-8
        return name, None if dataset is None else str(dataset)

    text, inner = agreed(comm, "the file", ask)
    with _hdf5(core) if re.search(r"\.(h5|hdf5)(:|$)", text) else contextlib.nullcontext():
        file: CoreFile = core.open_file(text, inner, address)
        yield file


# HDF5's library is that of h5py where this is installed. One thread at a time may use it: h5py's lock says which.
def _hdf5(core: Core) -> Any:
    with contextlib.suppress(ImportError):
        import h5py  # type: ignore[import-untyped, unused-ignore]

        _take_library_of_h5py(core)
        return getattr(getattr(h5py, "_objects", None), "phil", None) or contextlib.nullcontext()
    return contextlib.nullcontext()


def _take_library_of_h5py(core: Core) -> None:
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        found = re.search(r"/\S*/libhdf5(?:_serial|_openmpi|_mpich)?[-.][^/\s]*", maps.read())
    if found:
        core.set_hdf5_library(found[0])


def _name_of(dtype: np.dtype[Any]) -> str:
    if dtype.name not in _DTYPES or not dtype.isnative:
        raise Error(f"files have no arrays of {dtype!r}", f"one of: {', '.join(_DTYPES)}")
    return dtype.name


def _chunks_of(chunks: int | Sequence[int] | None, shape: tuple[int, ...]) -> tuple[int, ...]:
    if chunks is None:
        return ()
    each = extents_of(chunks)
    if len(each) != len(shape) or min(each) < 1:
        raise Error(f"the chunks are {chunks!r} of an array of {shape}", "give the points along each axis, as (64, 64, 64)")
    return each


# The first index along each axis, how many follow, and which axes a number leaves out.
def _selected(slices: Any, shape: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    given = [] if slices is None else list(slices) if isinstance(slices, tuple) else [slices]
    if Ellipsis in given:
        at = given.index(Ellipsis)
        given[at : at + 1] = [slice(None)] * (len(shape) - len(given) + 1)
    if len(given) > len(shape):
        raise Error(f"there are {len(given)} slices of an array of {shape}", "give one for each axis at most")
    starts, extents, dropped = [0] * len(shape), list(shape), []
    for axis, part in enumerate(given):
        if isinstance(part, slice):
            begin, end, step = part.indices(shape[axis])
            if step != 1 or end <= begin:
                raise Error(f"the slice of axis {axis} is {part}, of {shape[axis]} points", "give one with points, and without a step")
            starts[axis], extents[axis] = begin, end - begin
            continue
        index = _index_of(part, axis, shape[axis])
        starts[axis], extents[axis] = index, 1
        dropped.append(axis)
    if len(dropped) == len(shape):
        raise Error(f"the slices {slices!r} leave no axis", "leave a slice in one of them, as 5:6")
    return tuple(starts), tuple(extents), tuple(dropped)


def _index_of(part: Any, axis: int, points: int) -> int:
    try:
        index = None if isinstance(part, (bool, np.bool_)) else range(points)[part]
    except (TypeError, IndexError):
        index = None
    if index is None:
        raise Error(f"the slice of axis {axis} is {part!r}, of {points} points", "give a slice, as 2:10, or an index")
    return int(index)


# This rank's boxes of the array in the file, of which the distributed array begins at `starts`.
def _boxes(array: DistArray, starts: tuple[int, ...], dropped: Sequence[int] = ()) -> list[BoxInMemory]:
    boxes: list[BoxInMemory] = []
    for box, part in zip(array.boxes, array.parts()):
        if part.size == 0:
            continue
        view: NDArray[Any] = np.expand_dims(part, tuple(dropped))
        own = iter(box)
        first = [start + (0 if axis in dropped else next(own).start) for axis, start in enumerate(starts)]
        if any(step < 0 or step % view.itemsize for step, n in zip(view.strides, view.shape) if n > 1):
            raise Error(f"the axes of the local array are {view.strides} bytes apart", "give an array whose elements are whole steps apart")
        steps = [max(0, step) // view.itemsize for step in view.strides]
        boxes.append((first, [f + n for f, n in zip(first, view.shape)], int(view.__array_interface__["data"][0]), steps))
    return boxes
