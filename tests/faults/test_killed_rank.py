# tests/faults/test_killed_rank: when a rank is killed or fails during transforms in shared memory, all other ranks end soon with
# the reason, and leave nothing behind - with and without a launcher that ends them.
# Environment: WEFT_BIN and WEFT_MPIEXEC as for tests/cli; the program `endless` is where the build's other tests are.
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import left_over  # noqa: E402

PROGRAM = Path(os.environ["WEFT_BIN"]).resolve().parents[1] / "tests" / "endless"
LAUNCHER = shlex.split(os.environ["WEFT_MPIEXEC"])
RANKS = 4
PATIENCE = 240  # seconds; without a launcher's help weft takes one

IS_OPENMPI = "Open" in subprocess.run([LAUNCHER[0], "--version"], capture_output=True, text=True).stdout
# The launcher ends the other ranks when a rank has failed, or leaves them running. MPICH's launcher always ends them after a
# signal. Open MPI's launcher, if it leaves them running, reports success regardless of how its ranks ended.
ENDS, RECOVERS, CLEANS_LESS = (), ("--enable-recovery",), ("-disable-auto-cleanup",)
LETS_BE = RECOVERS if IS_OPENMPI else CLEANS_LESS
# What a launcher says when it is the one that ends the others. MPICH's, if it leaves them running, breaks off in one of thirteen
# runs: it answers a process that has ended meanwhile.
LAUNCHERS_TEXT = "|".join([r"exited on signal 9 \(Killed\)", r"APPLICATION TERMINATED WITH THE EXIT STRING: Killed \(signal 9\)",
                           "unable to forward PMI response to MPI process"])


class Endless(left_over.Marked):
    """A run of `endless`, from when all ranks are in the middle of it."""

    def __init__(self, flags, *arguments, ranks=RANKS):
        super().__init__()
        environment = self.environment | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        self.running = subprocess.Popen(
            [*LAUNCHER, *flags, "-n", str(ranks), PROGRAM, *arguments], env=environment, text=True, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.ids = {}
        self.told = ""
        while len(self.ids) < ranks:
            line = self.running.stdout.readline()
            self.told += line
            assert line, f"it does not run: {self.told}"
            if match := re.fullmatch(r"rank (\d+) process (\d+) runs\n", line):
                self.ids[int(match[1])] = int(match[2])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for place in self.processes():
            os.kill(int(place.name), signal.SIGKILL)
        self.running.communicate()

    def end(self):
        """Waits for it; its status and all it said."""
        try:
            rest, _ = self.running.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            pytest.fail(f"after {PATIENCE} s there still are {self.processes()}: {self.told}")
        return self.running.returncode, self.told + rest


@pytest.mark.parametrize("flags", [ENDS, LETS_BE], ids=" ".join)
@pytest.mark.parametrize("rank", [0, 2])
def test_the_others_end_when_a_rank_is_killed(rank, flags):
    with Endless(flags) as run:
        time.sleep(0.3)
        os.kill(run.ids[rank], signal.SIGKILL)
        status, told = run.end()
        assert status != 0 or flags == RECOVERS, told
        why = f"rank {rank} (process {run.ids[rank]}) has ended while others of its node waited for it"
        if flags == RECOVERS:
            for other in set(range(RANKS)) - {rank}:
                assert f"on rank {other}: {why}\n" in told
        else:
            assert why in told or re.search(LAUNCHERS_TEXT, told), told
        assert run.has_left(patience=20) == []


@pytest.mark.skipif(not IS_OPENMPI, reason="MPICH's launcher ends all ranks after a signal")
def test_the_others_end_when_a_rank_is_killed_whose_device_they_work_on():
    with Endless(LETS_BE, "--late") as run:
        os.kill(run.ids[2], signal.SIGKILL)
        _, told = run.end()
        for other in (0, 1, 3):
            assert f"on rank {other}: rank 2 (process {run.ids[2]}) has ended while others of its node waited for it\n" in told
        assert run.has_left(patience=20) == []


def test_the_others_end_when_a_rank_fails():
    with Endless(LETS_BE, "1") as run:
        status, told = run.end()
        assert status != 0 or LETS_BE == RECOVERS, told
        assert re.search(r"^on rank 1: cannot allocate \d+ bytes of shared memory", told, re.MULTILINE), told
        for other in (0, 2, 3):
            why = f"^on rank {other}: rank 1 refused to start run \\d+ of this plan: cannot allocate "
            assert re.search(why, told, re.MULTILINE), told
        assert run.has_left(patience=20) == []


def test_the_last_to_notice_is_told_of_the_refusal_and_not_that_the_rank_has_ended():
    seconds_until_the_other_looks = "3"
    with Endless(LETS_BE, "1", seconds_until_the_other_looks, ranks=2) as run:
        _, told = run.end()
        assert re.search(r"^on rank 0: rank 1 refused to start run \d+ of this plan: cannot allocate ", told, re.MULTILINE), told
