# demo/launch: runs the program weft on several ranks and returns its output.
# Keeps: the command that is shown to the user is the command that ran, from the root of the repository.

import os
import shlex
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from .error import DemoError


@dataclass(frozen=True)
class Finished:
    command: str
    seconds: float  # wall clock of the whole command: start of the ranks and files included
    output: str


@dataclass(frozen=True)
class Launcher:
    root: Path
    program: str  # relative to root
    prefix: tuple[str, ...]  # the launcher and its options, before "-n RANKS"
    time_limit_seconds: float = 120

    def command(self, ranks: int, *arguments: str) -> list[str]:
        return [*self.prefix, "-n", str(ranks), self.program, *arguments]

    def run(self, ranks: int, *arguments: str) -> Finished:
        """Runs weft on `ranks` ranks. Errors: DemoError with weft's own message if it fails or does not end."""
        command = self.command(ranks, *arguments)
        shown = shlex.join(command)
        # Open MPI starts as root, the usual user of a container, only if both variables are set.
        environment = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        started = time.perf_counter()
        with subprocess.Popen(command, cwd=self.root, env=environment, text=True, errors="replace",
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
            try:
                output, complaints = running.communicate(timeout=self.time_limit_seconds)
            except subprocess.TimeoutExpired:
                # A launcher that is terminated ends its ranks; one that is killed leaves them running.
                running.terminate()
                raise DemoError(f"no end after {self.time_limit_seconds:g} s", doing=shown,
                                hint="run the same command by hand") from None
        seconds = time.perf_counter() - started
        if running.returncode != 0:
            said = (complaints.strip() or output.strip() or "it printed nothing").replace("\n", "\n    ")
            raise DemoError(f"weft ended with exit status {running.returncode}:\n    {said}", doing=shown,
                            hint="run the same command by hand; run ./dev build after a change of the sources")
        return Finished(shown, seconds, output.rstrip())


def find_launcher(root: Path, program: str) -> Launcher:
    """Finds the MPI launcher for `program`. Errors: DemoError if the launcher or the program is missing."""
    doing = "looking for the program and its launcher"
    if not os.access(root / program, os.X_OK):
        raise DemoError(f"there is no program {program}", doing=doing, hint="./dev build")
    if shutil.which("mpiexec.openmpi"):
        # Allows more ranks than cores, because the demo uses 4 ranks on any machine.
        return Launcher(root, program, ("mpiexec.openmpi", "--oversubscribe", "--bind-to", "none"))
    if shutil.which("mpiexec"):
        return Launcher(root, program, ("mpiexec",))
    raise DemoError("found neither mpiexec.openmpi nor mpiexec", doing=doing, hint="./dev setup")
