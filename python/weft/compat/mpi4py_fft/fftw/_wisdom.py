# weft.compat.mpi4py_fft.fftw._wisdom: what FFTW remembers of its measurements; serial plans of weft's are made by prediction.
"""Wisdom and limits of planning, which change nothing."""

from __future__ import annotations

from pathlib import Path

from ...._errors import Error
from ._plan import plans


def export_wisdom(filename: str) -> None:
    """Write a file that `import_wisdom` takes: serial plans are made by prediction, and there is nothing to remember.

    Each rank has a file of its own, as in mpi4py-fft: the name begins with ``Dn_``, where n is the rank.
    """
    _file_of(filename).write_text("weft has no wisdom of serial transforms\n", encoding="utf-8")


def import_wisdom(filename: str) -> None:
    """Accept a file that `export_wisdom` has written.

    Raises
    ------
    Error
        If there is no such file.
    """
    if not _file_of(filename).is_file():
        raise Error(f"there is no file {_file_of(filename)}", "export_wisdom writes it", code="io")


def _file_of(filename: str) -> Path:
    from mpi4py import MPI

    path = Path(filename)
    return path.with_name(f"D{MPI.COMM_WORLD.Get_rank()}_{path.name}")


def forget_wisdom() -> None:
    """Do nothing: there is no wisdom of serial transforms."""


def set_timelimit(limit: float) -> None:
    """Accept a limit of planning: weft's serial plans take milliseconds."""


def cleanup() -> None:
    """Free the plans that serial transforms have left."""
    plans.clear()
