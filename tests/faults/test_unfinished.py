# tests/faults/test_unfinished: MPI_Finalize completes a transform that is still running; afterwards weft reports that MPI is not running.
# Environment: WEFT_BIN and WEFT_MPIEXEC as for tests/cli; the program `unfinished` is where the build's other tests are.
import os
import shlex
import subprocess
from pathlib import Path

import pytest

PROGRAM = Path(os.environ["WEFT_BIN"]).resolve().parents[1] / "tests" / "unfinished"


@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_finalize_ends_what_is_under_way(ranks):
    environment = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    run = subprocess.run([*shlex.split(os.environ["WEFT_MPIEXEC"]), "-n", str(ranks), PROGRAM],
                         capture_output=True, text=True, timeout=200, env=environment)
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.count("the transform has ended") == ranks
    assert run.stderr.count("MPI is not running") == ranks
