# tests/cli/conftest: runs the program weft, without or with the launcher, and checks how it ends.
# Environment: WEFT_BIN is the program, WEFT_MPIEXEC the launcher and its flags, without "-n".
import os
import shlex
import signal
import subprocess
import tempfile
from dataclasses import dataclass

import pytest

PROGRAM = os.path.abspath(os.environ["WEFT_BIN"])
LAUNCHER = shlex.split(os.environ["WEFT_MPIEXEC"])
# Open MPI keeps files of all jobs of a user in one folder, and the last to end removes it, even while another one begins. Tests in
# other files run at the same time, so that each run of pytest has a folder of its own.
FOLDER_OF_JOBS = tempfile.TemporaryDirectory(prefix="weft-")
ENVIRONMENT = os.environ | {
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_orte_tmpdir_base": FOLDER_OF_JOBS.name,
    # After a rank has ended with an error, Open MPI's launcher waits two seconds for the others, which would add up to minutes.
    "OMPI_MCA_odls_base_sigkill_timeout": "0",
}
# A process without a launcher starts a part of Open MPI's, which takes longer than most tests need, and never uses it. The tests
# that name their whole command start it nonetheless, as users do.
ALONE = {"OMPI_MCA_ess_singleton_isolated": "1"}


@dataclass(frozen=True)
class Ended:
    command: str
    status: int
    out: str
    err: str

    @property
    def complaints(self):
        """The lines of standard error that belong to weft's messages, not to its launcher's."""
        return [line for line in self.err.splitlines() if line.startswith(("weft:", "  try:   ", "  while: "))]


class Weft:
    def __init__(self, folder):
        self.folder = folder
        self.variables = {}  # of every run

    def start(self, command, timeout=300, **variables):
        """Runs any command. A hang fails the test and leaves no process running."""
        with subprocess.Popen(command, cwd=self.folder, env=ENVIRONMENT | self.variables | variables, text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as running:
            try:
                out, err = running.communicate(timeout=timeout)
            except subprocess.TimeoutExpired:
                running.terminate()  # a launcher that is terminated ends its ranks
                try:
                    running.communicate(timeout=10)
                except subprocess.TimeoutExpired:
                    os.killpg(running.pid, signal.SIGKILL)
                pytest.fail(f"no end after {timeout} s: {shlex.join(command)}")
        return Ended(shlex.join(command), running.returncode, out, err)

    def run(self, *arguments, ranks=0):
        """Runs weft on `ranks` ranks; for 0, without the launcher."""
        command = [PROGRAM, *map(str, arguments)]
        return self.start([*LAUNCHER, "-n", str(ranks), *command]) if ranks else self.start(command, **ALONE)

    def __call__(self, *arguments, ranks=0):
        """Runs weft, which must succeed."""
        ended = self.run(*arguments, ranks=ranks)
        assert ended.status == 0, f"{ended.command}\n{ended.out}{ended.err}"
        return ended

    def fails(self, *arguments, ranks=0, status=2):
        """Runs weft, which must end with `status` and print one message, once. Returns the message."""
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


@pytest.fixture(scope="session")
def remembered(tmp_path_factory):
    """remembered(ranks): the text of a file of wisdom with one entry, of 8x8x8, which is tuned once."""
    texts = {}

    def text(ranks=0):
        if ranks not in texts:
            weft = Weft(tmp_path_factory.mktemp("remembered"))
            weft.variables["WEFT_WISDOM"] = "wisdom.json"
            weft("tune", "8x8x8", "--seconds", 1, "--threads", 1, ranks=ranks)
            texts[ranks] = (weft.folder / "wisdom.json").read_text()
        return texts[ranks]

    return text
