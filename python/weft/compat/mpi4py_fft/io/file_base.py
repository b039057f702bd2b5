# weft.compat.mpi4py_fft.io.file_base: what files of all formats have in common: snapshots of fields, whole or slices of them.
# Keeps: one rank writes, so that no library needs to be built for MPI; what fails there is an error on all ranks.
"""Files that hold snapshots of distributed arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mpi4py import MPI
from numpy.typing import NDArray

from ...._errors import Error
from ..distarray import gathered


class FileBase:
    """A file of snapshots.

    Parameters
    ----------
    filename : str
        Its name.
    domain : sequence, optional
        Of each axis: its begin and its length or end, or its points.
    """

    def __init__(self, filename: str | None = None, domain: Any = None) -> None:
        self.f: Any = None
        self.filename = filename
        self.domain = domain

    @staticmethod
    def backend() -> str:
        """The format."""
        raise NotImplementedError

    def open(self, mode: str = "r+") -> None:
        """Open the file as `f`: for reading on all ranks, else on the first rank only."""
        if mode == "r" or MPI.COMM_WORLD.Get_rank() == 0:
            self.f = self._opened(mode)

    def close(self) -> None:
        """Close `f`."""
        if self.f is not None:
            self.f.close()
            self.f = None

    def write(self, step: int, fields: dict[str, Any], **kw: Any) -> None:
        """Write snapshot `step` of fields. Collective over the ranks that share them.

        Parameters
        ----------
        step : int
            The number of the snapshot.
        fields : dict
            Names, and lists of arrays, or of pairs of an array and an index into the whole of it.
        as_scalar : bool, optional
            Whether the components of tensors are arrays of their own.

        Raises
        ------
        Error
            If the first rank cannot write.
        """
        for name, listed in fields.items():
            if not isinstance(name, str) or not isinstance(listed, (tuple, list)):
                raise Error(f"the fields of {name!r} are no list", "give names, and lists of arrays: {'u': [u]}")
            for field in listed:
                u, index = field if isinstance(field, (tuple, list)) else (field, None)
                for part_name, part in _components(name, u) if kw.get("as_scalar", False) else [(name, u)]:
                    self._write_one(step, part_name, part, index)

    def read(self, u: Any, name: str, **kw: Any) -> None:
        """Read the whole of a field into `u`. Collective over the ranks that share it.

        Parameters
        ----------
        u : DistArray
            What is filled: each rank reads its part.
        name : str
            Of the field.
        step : int, optional
            The number of the snapshot.

        Raises
        ------
        Error
            On all ranks, if one cannot read.
        """
        wrong = _error_of(lambda: self._read(u, name, int(kw.get("step", 0))))
        text = wrong and f"{name!r} from {self.filename}: {wrong}"
        for comm in u.pencil.subcomm:  # whoever writes next finds the file closed
            text = max(comm.allgather(text))
        if text:
            raise Error(f"a rank cannot read {text}", code="io")

    def _read(self, u: Any, name: str, step: int) -> None:
        raise NotImplementedError

    def _write_one(self, step: int, name: str, u: Any, index: Any) -> None:
        free = u.rank
        listed = [slice(None)] * u.dimensions if index is None else list(index)
        if len(listed) != u.dimensions:
            raise Error(f"there are {len(listed)} indices of a field of {u.dimensions} axes", "give one for each axis: an int, or slice(None)")
        values = gathered(u, [slice(None)] * free + listed)
        on_first_rank(u, lambda: self._store(step, name, u, None if index is None else listed, values))

    def _store(self, step: int, name: str, u: Any, index: list[Any] | None, values: Any) -> None:
        file = self._opened("r+")
        try:
            self._stored(file, step, name, u, index, values)
        finally:
            file.close()

    def _opened(self, mode: str) -> Any:
        raise NotImplementedError

    def _stored(self, file: Any, step: int, name: str, u: Any, index: list[Any] | None, values: NDArray[Any]) -> None:
        raise NotImplementedError

    def _create(self, make: Callable[[], None]) -> None:
        text = ""
        if MPI.COMM_WORLD.Get_rank() == 0:
            text = _error_of(make)
        text = MPI.COMM_WORLD.bcast(text)
        if text:
            raise Error(f"the file {self.filename} cannot be opened: {text}", code="io")


def on_first_rank(u: Any, run: Callable[[], None]) -> None:
    """Run a function on the first of the ranks that share `u`. Error on all of them if it fails there."""
    comms = u.pencil.subcomm
    text = _error_of(run) if all(comm.Get_rank() == 0 for comm in comms) else ""
    for comm in reversed(comms):
        text = comm.bcast(text)
    if text:
        raise Error(f"the first rank cannot write: {text}", code="io")


def _error_of(run: Callable[[], None]) -> str:
    try:
        run()
    except Exception as error:  # it becomes an error on all ranks
        return f"{type(error).__name__}: {error}"
    return ""


def _components(name: str, u: Any) -> list[tuple[str, Any]]:
    indices = np.ndindex(u.shape[: u.rank])
    return [(name + "".join(map(str, index)), u[index] if index else u) for index in indices]


def slice_name(index: list[Any]) -> str:
    """What a slice of a field is called: ``slice_4_slice`` for ``[:, 4, :]``."""
    return "_".join("slice" if isinstance(each, slice) else str(each) for each in index)


def import_of(name: str, package: str) -> Any:
    """The module of a library that is not installed with weft.

    Raises
    ------
    ImportError
        Where it is not installed.
    """
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(f"files of this format need {package}, which is not installed: pip install {package}") from error
