# weft: distributed FFTs of NumPy arrays; plans are in weft.Plan, functions with the signatures of scipy.fft in weft.fft.
"""Distributed FFTs of fields that are spread over many processes.

`Plan` prepares a transform once and runs it many times, on one process or on the ranks of a
communicator of mpi4py's::

    plan = weft.Plan((512, 512, 512), kind="r2c", comm=MPI.COMM_WORLD)
    u = plan.empty_input()
    x, y, z = plan.indices()
    u[...] = np.sin(2 * np.pi * x / 512)
    v = plan.forward(u)
    w = plan.backward(v)

A `DistArray` is an array that is distributed over the ranks, which `write` and `read` keep in
files. `Ensemble` runs many transforms at once, each on some of the ranks. `Reshape` moves fields of
any elements from one `Distribution` to another, and `Halo` fills ghost points. `spectral` has
derivatives and more of spectra. Errors are `Error`.

`weft.torch` and `weft.jax` have a plan's transforms as functions that PyTorch and JAX differentiate; they are
imported when they are used, and need these libraries.
"""

from __future__ import annotations

import importlib
from typing import Any

from ._cores import core as _core
from . import fft, spectral
from ._chebyshev import differentiate_chebyshev
from ._device_arrays import DeviceArray
from ._dist_array import DistArray
from ._distribution import Cutoff, Distribution
from ._ensemble import Ensemble
from ._errors import Error
from ._files import read, write
from ._movement import Halo, Reshape
from ._plan import Plan
from ._ticket import Ticket

__version__ = "0.1.0"

__all__ = [
    "Cutoff", "DeviceArray", "DistArray", "Distribution", "Ensemble", "Error", "Halo", "Plan", "Reshape", "Ticket",
    "differentiate_chebyshev", "fft", "next_fast_length", "progress", "read", "settings", "spectral", "write",
]  # fmt: skip


def progress() -> bool:
    """Take all transforms under way of plans with a communicator a step further.

    Returns
    -------
    bool
        Whether there was anything to do.
    """
    return _core().progress()


def next_fast_length(at_least: int, basis: str = "fourier") -> int:
    """The smallest number of points, `at_least` so many, along which transforms are fast.

    Raises
    ------
    Error
        Below 1, and for a basis that there is not.
    """
    return _core().next_fast_length(at_least, basis)


def settings() -> dict[str, str]:
    """The names of settings, which plans take as keywords, and what they mean."""
    return {name.replace("-", "_"): meaning for name, _, meaning in _core().settings()}


def __getattr__(name: str) -> Any:
    if name in ("torch", "jax"):  # not before they are used, as import weft needs neither
        return importlib.import_module(f"weft.{name}")
    raise AttributeError(f"module 'weft' has no attribute {name!r}")
