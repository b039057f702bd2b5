# weft.compat.mpi4py_fft.io.h5py_file: snapshots in files of HDF5: /name/3D/step, and slices in /name/2D/slice_4_slice/step.
"""Files of HDF5."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...._errors import Error
from .file_base import FileBase, import_of, slice_name

__all__ = ["HDF5File"]


class HDF5File(FileBase):
    """A file of HDF5, by h5py.

    Parameters
    ----------
    h5name : str
        Its name.
    domain : sequence, optional
        Of each axis its begin and length, or its points; 0 and 2 pi by default.
    mode : {"r", "w", "a"}, optional
        Whether it is read, made, or made if it is not there.
    **kw
        For h5py.File.

    Raises
    ------
    ImportError
        Without h5py.
    """

    def __init__(self, h5name: str, domain: Any = None, mode: str = "a", **kw: Any) -> None:
        super().__init__(h5name, domain)
        self._options = {name: value for name, value in kw.items() if name not in ("driver", "comm")}
        h5py = import_of("h5py", "h5py")
        self._create(lambda: h5py.File(h5name, mode, **self._options).close())

    @staticmethod
    def backend() -> str:
        """hdf5"""
        return "hdf5"

    def _opened(self, mode: str) -> Any:
        return import_of("h5py", "h5py").File(self.filename, mode, **self._options)

    def _stored(self, file: Any, step: int, name: str, u: Any, index: list[Any] | None, values: NDArray[Any]) -> None:
        group = file.require_group(name)
        self._describe(group, u)
        path = f"{u.dimensions}D" if index is None else f"{sum(isinstance(each, slice) for each in index)}D/{slice_name(index)}"
        stored = group.require_group(path).require_dataset(str(step), shape=values.shape, dtype=values.dtype)
        stored[...] = values

    def _describe(self, group: Any, u: Any) -> None:
        domain = ((0.0, 2 * np.pi),) * u.dimensions if self.domain is None else self.domain
        if len(domain) != u.dimensions:
            raise Error(f"the domain has {len(domain)} axes, and the field {u.dimensions}", "give the ends or the points of each axis")
        for name, value in (("shape", u.pencil.shape), ("rank", u.rank)):
            if name not in group.attrs:
                group.attrs.create(name, value)
            elif not np.array_equal(group.attrs[name], value):
                raise Error(f"the {name} of {group.name} is {group.attrs[name]}, and that of the field {value}", "give fields of one shape one name")
        points = isinstance(domain[0], np.ndarray)
        inner = group.require_group("mesh" if points else "domain")
        for axis, of_axis in enumerate(domain):
            values = np.squeeze(of_axis) if points else np.array([of_axis[0], of_axis[1]])
            inner.require_dataset(f"x{axis}", shape=values.shape, dtype=values.dtype, data=values)

    def _read(self, u: Any, name: str, step: int) -> None:
        with self._opened("r") as file:
            u[:] = file[f"{name}/{u.dimensions}D/{step}"][u.local_slice()]
