# tests/python/test_docs: the programs of docs/python.md run, and the types of the package hold.
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = re.findall(r"```python\n(.*?)```", (ROOT / "docs/python.md").read_text(), re.DOTALL)


def test_there_are_programs():
    assert len(PROGRAMS) == 6


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_programs_of_the_docs_run(run, number):
    run(PROGRAMS[number], ranks=2 if "MPI" in PROGRAMS[number] else 0)


def test_types_are_complete():
    # numpy's own files need not be looked at for long: the cache is beside the build's results.
    cache = Path(os.environ.get("WEFT_BIN", ROOT / "build/release/bin/weft")).parents[1] / "mypy"
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", cache, "-p", "weft"],
        capture_output=True, text=True, env={**os.environ, "MYPYPATH": str(ROOT / "python")},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["Plan", "Ticket", "Error", "fft", "settings", "progress", "next_fast_length"])
def test_what_is_public_has_docstrings(name):
    import weft

    thing = getattr(weft, name)
    assert thing.__doc__
    names = weft.fft.__all__ if name == "fft" else [n for n in vars(thing) if not n.startswith("_")] if isinstance(thing, type) else []
    assert [each for each in names if not getattr(thing, each).__doc__] == []
