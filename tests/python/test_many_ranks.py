# tests/python/test_many_ranks: the checks of checks_on_ranks.py on several numbers of ranks, in one launch.
from pathlib import Path

import pytest

pytest.importorskip("mpi4py")

CHECKS = Path(__file__).with_name("checks_on_ranks.py").read_text()


def test_all_checks_hold_on_one_to_seven_ranks(run):
    said = run(CHECKS, "7", "6,1", "4,3", "2,2,2,1", ranks=7, seconds=600, threads=1)
    assert len(said.splitlines()) == 9 * CHECKS.count("\ndef test_")
