# tests/cli/conftest: starts the program weft, alone or under the launcher, and looks at how it ends.
# Environment: WEFT_BIN is the program, WEFT_MPIEXEC the launcher and its flags, without "-n".
import os
import shlex
import signal
import subprocess
from dataclasses import dataclass

import pytest

PROGRAM = os.path.abspath(os.environ["WEFT_BIN"])
LAUNCHER = shlex.split(os.environ["WEFT_MPIEXEC"])
ENVIRONMENT = os.environ | {
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    # Once a rank has ended with an error, Open MPI's launcher gives the others two seconds; here that adds up to minutes.
    "OMPI_MCA_odls_base_sigkill_timeout": "0",
}


@dataclass(frozen=True)
class Ended:
    command: str
    status: int
    out: str
    err: str

    @property
    def complaints(self):
        """What weft, not its launcher, wrote on standard error: the lines from "weft:" on that belong to a message."""
        return [line for line in self.err.splitlines() if line.startswith(("weft:", "  try:   ", "  while: "))]


class Weft:
    def __init__(self, folder):
        self.folder = folder

    def start(self, command, timeout=100):
        """Runs any command; a hang fails the test, and leaves no process behind."""
        with subprocess.Popen(command, cwd=self.folder, env=ENVIRONMENT, text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as running:
            try:
                out, err = running.communicate(timeout=timeout)
            except subprocess.TimeoutExpired:
                running.terminate()  # a launcher that is asked to end takes its ranks along
                try:
                    running.communicate(timeout=10)
                except subprocess.TimeoutExpired:
                    os.killpg(running.pid, signal.SIGKILL)
                pytest.fail(f"no end after {timeout} s: {shlex.join(command)}")
        return Ended(shlex.join(command), running.returncode, out, err)

    def run(self, *arguments, ranks=0):
        """On `ranks` ranks; without the launcher for 0."""
        launch = [*LAUNCHER, "-n", str(ranks)] if ranks else []
        return self.start([*launch, PROGRAM, *map(str, arguments)])

    def __call__(self, *arguments, ranks=0):
        """The same, and it must succeed without a word on standard error but for progress."""
        ended = self.run(*arguments, ranks=ranks)
        assert ended.status == 0, f"{ended.command}\n{ended.out}{ended.err}"
        return ended

    def fails(self, *arguments, ranks=0, status=2):
        """It must end with `status` and say one thing, once; returns what it said."""
        before = sorted(os.listdir(self.folder))
        ended = self.run(*arguments, ranks=ranks)
        told = f"{ended.command}\n{ended.out}{ended.err}"
        assert ended.status == status, told
        assert sum(line.startswith("weft:") for line in ended.complaints) == 1, told
        assert "internal error" not in ended.err and "MPI_Abort" not in ended.err, told
        assert sorted(os.listdir(self.folder)) == before, "something was left behind: " + told
        return "\n".join(ended.complaints)


@pytest.fixture
def weft(tmp_path):
    return Weft(tmp_path)
