# compare/launches: how programs are started, and what they answer.
# Keeps: a program that breaks, hangs or refuses is left out with the line that says why, and nothing of it goes on running.
import json
import math
import os
import re
import shlex
import signal
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from . import PEERS
from .errors import BadUsage, LeftOut
from .machine import cached_variable
from .words import several

FEWEST_TRANSFORMS, MOST_TRANSFORMS, TIMED_SECONDS = 3, 100, 0.03
MPI_NAMES = {"openmpi": "Open MPI", "mpich": "MPICH", "other": "MPI"}


@dataclass
class Launcher:
    """How programs are started: the MPI launcher, its flags, the environment."""

    command: list
    mpi: str  # openmpi, mpich or other
    bind: bool
    cores: int
    version: str  # "Open MPI 4.1.4"
    environment: dict = field(default_factory=dict)

    def ranked(self, ranks, threads):
        flags = ["-n", str(ranks)]
        if self.mpi == "openmpi":
            flags += ["--bind-to", "core", "--map-by", f"slot:PE={threads}"] if self.bind else ["--bind-to", "none"]
            if ranks * threads > self.cores:
                flags.append("--oversubscribe")
        elif self.mpi == "mpich" and self.bind:
            flags += ["-bind-to", f"core:{threads}"]
        return self.command + flags

    def variables(self, threads, ranked):
        extra = dict(self.environment, OMP_NUM_THREADS=str(threads))
        if self.mpi in ("openmpi", "mpich"):
            extra["MPI4PY_MPIABI"] = self.mpi  # mpi4py's wheel serves both and would guess
        if self.mpi == "openmpi" and os.geteuid() == 0:
            extra.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        if self.bind and not ranked:
            extra.update(OMP_PROC_BIND="close", OMP_PLACES="cores")
        return {**os.environ, **extra}


def find_launcher(given, programs, bind):
    """The launcher of the MPI with which the programs were built, according to CMake's cache."""
    command = shlex.split(given) if given else [cached_variable(programs, "MPIEXEC_EXECUTABLE") or "mpiexec"]
    try:
        said = subprocess.run(command + ["--version"], capture_output=True, text=True, timeout=60)
    except OSError as error:
        raise BadUsage(f"the MPI launcher '{shlex.join(command)}' does not start: {error.strerror}\n"
                       "  try:   run ./dev setup, or give --launcher with the mpiexec of the MPI with which weft was built")
    text = said.stdout + said.stderr
    mpi = "openmpi" if "OpenRTE" in text or "Open MPI" in text else "mpich" if "hydra" in text.lower() else "other"
    number = re.search(r"\d+(?:\.\d+)+", text)
    version = MPI_NAMES[mpi] + (f" {number[0]}" if number else "")
    return Launcher(command, mpi, bind, len(os.sched_getaffinity(0)), version)


def run_for(command, environment, limit):
    """(status, standard output, standard error). Errors: LeftOut when it takes longer than `limit` seconds."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment) as process:
        try:
            out, err = process.communicate(timeout=limit)
        except BaseException as stop:
            process.send_signal(signal.SIGTERM)  # a launcher that is killed with SIGKILL leaves its ranks running
            try:
                process.communicate(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
            if isinstance(stop, subprocess.TimeoutExpired):
                raise LeftOut(f"it was still running after {limit:g} s; try --limit {2 * limit:g}") from None
            raise
    return process.returncode, out, err


def reason(name, status, err):
    """The line of a failed program's standard error that gives the reason."""
    lines = [line.strip() for line in err.splitlines() if line.strip(" -=*")]
    for wanted in (lambda l: l.startswith(name + ":"), lambda l: "Error" in l or "error while loading" in l):
        for line in lines:
            if wanted(line):
                return line.removeprefix(name + ":").strip()
    return f"it ended with status {status}" + (f": {lines[-1]}" if lines else "")


def last_json_line(text):
    for line in reversed(text.splitlines()):
        if line.startswith("{"):
            try:
                return json.loads(line)
            except json.JSONDecodeError:
                return None
    return None


def enough_transforms(seconds):
    """How many timed transforms a launch has, the fastest of which takes `seconds`: a few short ones end before clocks and caches settle."""
    return min(max(math.ceil(TIMED_SECONDS / seconds), FEWEST_TRANSFORMS), MOST_TRANSFORMS)


class Runs:
    """The launches of one case: the same fields and cores, and wisdom that is kept between launches."""

    def __init__(self, asked, case, launcher):
        self.asked, self.case, self.launcher = asked, case, launcher
        self.inner = asked.inner or FEWEST_TRANSFORMS  # timed transforms of the launches from now on
        self.name = "-".join([case.size, f"batch{case.batch}", case.kind, asked.precision])

    def problem(self, threads):
        a, c = self.asked, self.case
        return ["--size", c.size, "--batch", str(c.batch), "--kind", c.kind, "--precision", a.precision,
                "--threads", str(threads), "--inner", str(self.inner), "--warmup", str(a.warmup)]

    def forget_wisdom(self):
        for file in self.asked.wisdom.glob(f"*-{self.name}-*.wisdom"):
            file.unlink()

    def start(self, contestant, way):
        """Launches a program once and returns its line of JSON. Errors: LeftOut with the reason."""
        c = contestant.competitor
        if c.program.endswith(".py"):
            program = [self.asked.python, str(PEERS / c.program)]
        else:
            program = [str(self.asked.programs / c.program)]
            if not Path(program[0]).exists():
                raise LeftOut(f"{program[0]} is not built; configure CMake with -DWEFT_PEERS=ON to see the reason")
        self.asked.wisdom.mkdir(parents=True, exist_ok=True)
        file = "-".join([c.name, self.name, contestant.output, f"{contestant.ranks}x{contestant.threads}",
                         *(w.strip("-") for w in way)]) + ".wisdom"
        command = program + self.problem(contestant.threads) + [
            "--output", contestant.output, "--wisdom", str((self.asked.wisdom / file).resolve()), *way]
        if c.ranked:
            command = self.launcher.ranked(contestant.ranks, contestant.threads) + command
        status, out, err = run_for(command, self.launcher.variables(contestant.threads, c.ranked), self.asked.limit)
        line = last_json_line(out)
        if status != 0 or line is None:
            raise LeftOut(reason(c.name, status, err))
        if line["ranks"] != contestant.ranks:
            raise LeftOut(f"it ran with {several(line['ranks'], 'rank')} instead of {contestant.ranks}, "
                          "because it uses another MPI than the launcher")
        return line

    def copy(self):
        """Seconds of a plain threaded copy of all fields on the same cores, or None without the program."""
        program = self.asked.programs / "copy_bandwidth"
        threads = self.asked.ranks * self.asked.threads
        if not program.exists():
            return None
        status, out, _ = run_for([str(program)] + self.problem(threads), self.launcher.variables(threads, False),
                                 self.asked.limit)
        line = last_json_line(out)
        return line["copy_seconds"] if status == 0 and line else None
