# README.md shows what examples/hello prints, apart from what depends on the machine.
import os
import re
from pathlib import Path

import pytest
from conftest import LAUNCHER, PROGRAM

ROOT = Path(__file__).resolve().parents[2]
HELLO = Path(PROGRAM).with_name("hello")


def parts_of(text):
    """The parts of a description: its first line without the threads, then what begins each other line."""
    first, *others = text.strip().splitlines()
    return [re.sub(r"\d+ threads? a rank", "", first)] + [re.split(r"  +|: |(?=\d)", line)[0] for line in others]


def test_the_readme_shows_what_hello_prints(weft):
    shown = re.search(r"\$ mpiexec -n (\d) build/bin/hello\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    if not HELLO.exists():
        pytest.skip("this build has no examples")
    ended = weft.start([*LAUNCHER, "-n", shown[1], os.fspath(HELLO)])
    assert ended.status == 0, ended.err
    assert len(ended.out.splitlines()) <= 7, ended.out

    def without_note(parts):
        return [part for part in parts if not part.startswith("note")]

    assert without_note(parts_of(ended.out)) == without_note(parts_of(shown[2])), ended.out
