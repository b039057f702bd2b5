# tests/faults/test_killed_anywhere: a rank is killed at some step of a run over several nodes (pretended ones); the ranks of its node
# and those of the others end soon, with an error or the right result.
# Environment: WEFT_BIN and WEFT_MPIEXEC as for tests/cli; the program `weft_faults` is where the build's other tests are.
import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

PROGRAM = Path(os.environ["WEFT_BIN"]).resolve().parents[1] / "tests" / "weft_faults"
LAUNCHER = shlex.split(os.environ["WEFT_MPIEXEC"])
IS_OPENMPI = "Open" in subprocess.run([LAUNCHER[0], "--version"], capture_output=True, text=True).stdout
RANKS = 4
SEEDS = range(1, 1 + int(os.environ.get("WEFT_KILLS", "6")))


def told(seed, *flags):
    environment = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    run = subprocess.run([*LAUNCHER, *flags, "-n", str(RANKS), PROGRAM, "--kill", str(seed)], capture_output=True, text=True,
                         timeout=300, env=environment)
    assert "hangs" not in run.stderr, run.stderr
    return run


@pytest.mark.parametrize("seed", SEEDS)
def test_the_launcher_ends_the_others(seed):
    assert told(seed).returncode != 0


@pytest.mark.skipif(not IS_OPENMPI, reason="MPICH's launcher ends all ranks after a signal")
@pytest.mark.parametrize("seed", SEEDS)
def test_weft_ends_the_others_where_the_launcher_does_not(seed):
    lines = re.findall(r"^rank (\d): (.*)", told(seed, "--enable-recovery").stdout, re.MULTILINE)
    assert sorted(rank for rank, _ in lines) == ["0", "1", "2"], lines
    for _, line in lines:
        assert line == "right" or "rank 3 (process" in line or "process" in line and "No such file" in line, lines
