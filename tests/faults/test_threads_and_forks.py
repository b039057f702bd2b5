# tests/faults/test_threads_and_forks: several threads of an application wait at the same time, one may not, and a forked child ends.
# Environment: WEFT_BIN and WEFT_MPIEXEC as for tests/cli; the programs are where the build's other tests are.
import os
import shlex
import subprocess
from pathlib import Path

import pytest

PROGRAMS = Path(os.environ["WEFT_BIN"]).resolve().parents[1] / "tests"
ENVIRONMENT = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def told(program, ranks):
    run = subprocess.run([*shlex.split(os.environ["WEFT_MPIEXEC"]), "-n", str(ranks), PROGRAMS / program],
                         capture_output=True, text=True, timeout=200, env=ENVIRONMENT)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def has_llvms_openmp(program):
    return "libomp.so" in subprocess.run(["ldd", PROGRAMS / program], capture_output=True, text=True).stdout


@pytest.mark.skipif(has_llvms_openmp("forked"), reason="LLVM's OpenMP fails an assertion of its own when a forked child exits")
@pytest.mark.parametrize("ranks", [1, 3])
def test_a_forked_child_ends_though_a_thread_makes_progress(ranks):
    assert told("forked", ranks).count("the child ended with 5") == ranks


@pytest.mark.parametrize("ranks", [2, 4])
def test_two_threads_wait_for_plans_that_are_started_in_another_order_elsewhere(ranks):
    assert told("two_threads", ranks).count("right") == ranks


@pytest.mark.parametrize("ranks", [2, 3])
def test_a_start_on_a_thread_that_may_not_call_mpi_is_told_to_other_nodes_by_mpi_finalize(ranks):
    lines = told("other_thread", ranks).splitlines()
    assert sum(line.startswith(f"rank {ranks - 1}: this thread may not call MPI") for line in lines) == 1, lines
    assert sum(f": rank {ranks - 1} failed: this thread may not call MPI" in line for line in lines) == ranks - 1, lines
