# weft.compat.mpi4py_fft.io.nc_file: snapshots in files of netCDF4: variables along time and the axes, which are x, y, z, r, s and t.
"""Files of netCDF4."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...._errors import Error
from .file_base import FileBase, import_of, slice_name

__all__ = ["NCFile"]
_AXES = "xyzrst"
_FREE = "ijk"


class NCFile(FileBase):
    """A file of netCDF4.

    Parameters
    ----------
    ncname : str
        Its name.
    domain : sequence, optional
        Of each axis its begin and end, or its points; 0 and 2 pi by default.
    mode : {"r", "w", "a"}, optional
        Whether it is read, made, or made if it is not there.
    clobber : bool, optional
        Whether a file may be replaced with the mode w.
    **kw
        For netCDF4.Dataset.

    Raises
    ------
    ImportError
        Without netCDF4.
    """

    def __init__(self, ncname: str, domain: Any = None, mode: str = "a", clobber: bool = True, **kw: Any) -> None:
        super().__init__(ncname, domain)
        self._options = {name: value for name, value in kw.items() if name not in ("parallel", "comm")}
        dataset = import_of("netCDF4", "netCDF4").Dataset

        def make() -> None:
            file = dataset(ncname, "w" if mode == "a" and not os.path.exists(ncname) else mode, clobber, **self._options)
            if "time" not in file.variables:
                file.createDimension("time", None)
                file.createVariable("time", float, ("time",))
            file.close()

        self._create(make)

    @staticmethod
    def backend() -> str:
        """netcdf4"""
        return "netcdf4"

    def _opened(self, mode: str) -> Any:
        return import_of("netCDF4", "netCDF4").Dataset(self.filename, mode, **self._options)

    def _stored(self, file: Any, step: int, name: str, u: Any, index: list[Any] | None, values: NDArray[Any]) -> None:
        times = file.variables["time"]
        known = np.flatnonzero(np.asarray(times[:]) == step)
        at = int(known[0]) if known.size else times.size
        times[at] = step
        axes = ["time", *_FREE[: u.rank], *_AXES[: u.dimensions]]
        self._describe(file, u, axes)
        if index is not None:
            axes = axes[: 1 + u.rank] + [_AXES[axis] for axis, each in enumerate(index) if isinstance(each, slice)]
            name = f"{name}_{slice_name(index)}"
        if name in (*_AXES, *_FREE, "time"):
            raise Error(f"a field has the name {name!r} of an axis", "give it another name")
        variable = file.variables[name] if name in file.variables else file.createVariable(name, u.dtype, axes)
        variable[at] = values

    def _describe(self, file: Any, u: Any, axes: list[str]) -> None:
        for axis, n in zip(axes[1 : 1 + u.rank], u.shape[: u.rank]):
            if axis not in file.variables:
                file.createDimension(axis, n)
                file.createVariable(axis, float, (axis,))[:] = np.arange(n)
        points = u.pencil.shape
        domain = ((0.0, 2 * np.pi),) * len(points) if self.domain is None else self.domain
        if len(domain) != len(points):
            raise Error(f"the domain has {len(domain)} axes, and the field {len(points)}", "give the ends or the points of each axis")
        for axis, n, of_axis in zip(axes[1 + u.rank :], points, domain):
            if axis not in file.variables:
                file.createDimension(axis, n)
                values = np.linspace(of_axis[0], of_axis[1], n) if len(of_axis) == 2 else np.squeeze(of_axis)
                file.createVariable(axis, float, (axis,))[:] = values

    # The step counts the snapshots of the file.
    def _read(self, u: Any, name: str, step: int) -> None:
        file = self._opened("r")
        try:
            u[:] = file.variables[name][(step, *u.local_slice())]
        finally:
            file.close()
