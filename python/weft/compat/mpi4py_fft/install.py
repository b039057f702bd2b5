# weft.compat.mpi4py_fft.install: from its import on, the name mpi4py_fft is that of this package.
# Keeps: all of its modules are there under both names, so that no class is there twice.
"""Makes ``import mpi4py_fft`` import weft's."""

import importlib
import pkgutil
import sys

from . import __name__ as _name
from . import __path__ as _path

_OURS = "mpi4py_fft"


def _install() -> None:
    loaded = sys.modules.get(_OURS)
    if loaded is not None and loaded.__spec__ is not None and loaded.__spec__.name != _name and hasattr(loaded, "PFFT"):
        raise ImportError("mpi4py_fft of another package has been imported already: import weft.compat.mpi4py_fft.install before it")
    names = [_name, *(found.name for found in pkgutil.walk_packages(_path, f"{_name}.") if not found.name.endswith(("__main__", ".install")))]
    for name in names:
        sys.modules[_OURS + name[len(_name) :]] = importlib.import_module(name)


_install()
