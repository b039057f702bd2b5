# weft.plot.machines: the page of a machine and of a job on it, which the program weft draws.
"""Pages of machines."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Sequence

from .._errors import Error


def program(given: str = "") -> str:
    """The program weft: as given, that of the build that this package is in, or the first on PATH.

    Raises
    ------
    Error
        If there is none.
    """
    beside = Path(__file__).absolute().parents[3] / "bin" / "weft"
    found = shutil.which(given or (str(beside) if beside.exists() else "weft"))
    if found is None:
        raise Error(f"there is no program '{given or 'weft'}'", "build it (./dev build), and name it with --program", code="unsupported")
    return found


def machine(arguments: Sequence[str], page: str | Path, weft: str = "") -> None:
    """Has `weft place` write its page: the machine, the ranks on its nodes, and the loads of its links.

    Parameters
    ----------
    arguments
        Those of `weft place`: sizes, --ranks, --machine and others.

    Raises
    ------
    Error
        As of `program`, and with the words of `weft place` if it fails.
    """
    done = subprocess.run([program(weft), "place", *arguments, "--page", str(page)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        words = (done.stderr or done.stdout).strip().removeprefix("weft: ")
        message, _, hint = words.partition("\n  try:")
        raise Error(message or f"weft place has ended with status {done.returncode}", hint.strip() or "python -m weft plot machine --help")
