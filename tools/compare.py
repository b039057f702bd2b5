#!/usr/bin/env python3
# tools/compare: compares weft with its peers, interleaved in one run: spectra, times, ratios, and the lower bound of the times.
# Keeps: all programs transform the same field on the same number of cores, and a wrong spectrum never gets a ratio.
"""Run weft and other FFT libraries in turn, A B C A B C ..., and compare their times.

Every round launches every program anew, so that a slow minute of the machine slows all of them. A time is that of one
forward transform on the slowest rank, between barriers, without planning. (FFTW plans with MEASURE and keeps its wisdom in
build/wisdom.) Before the rounds, each peer is tried in each of its ways (in place, out of place, ...); the fastest way
is used in the rounds. All spectra are compared at four frequencies, and for small sizes also with a direct sum. A program
with a different spectrum is reported and gets no ratio.

The floor is a lower bound for fields that are larger than the caches: two passes over memory, at the speed of a plain
threaded copy that is measured in the same rounds."""

import argparse
import json
import os
import shlex
import signal
import statistics
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
PEERS = ROOT / "bench" / "peers"
sys.path.insert(0, str(PEERS))
import peer  # noqa: E402  (the field and the check frequencies)

EXAMPLES = """examples:
  ./dev compare                                         256x256x256, c2c, double, 2 ranks, all peers
  ./dev compare --size 128x128x128 512x512x512 --ranks 4 --json ratios.json
  ./dev compare --kind r2c --precision single --output same
  ./dev compare --peers mkl-threads fftw-mpi --repeat 3   a short comparison with two peers
  ./dev compare --ranks 4 --weft-ranks 1 --weft-threads 4 weft with 4 threads, its peers with 4 ranks
  ./dev compare --replan --bind                           on an idle machine, for numbers to publish

The column weft/it is the ratio of the medians: below 1, weft is faster. The next column has the smallest and the largest
ratio within a single round; if 1 is between them, the comparison does not show which program is faster."""

BOTH_PLACES = ((), ("--in-place",))


@dataclass(frozen=True)
class Competitor:
    """One program of the comparison, and its options."""

    name: str
    program: str  # in the folder of programs, or a .py beside peer.hpp
    ranked: bool  # started by the MPI launcher; otherwise one process with ranks x threads threads
    outputs: tuple = ("same",)
    ways: tuple = BOTH_PLACES  # the fastest is found before the rounds
    remark: str = ""


COMPETITORS = (
    Competitor("weft", "peer_weft", True, ("same", "free")),
    Competitor("fftw-threads", "peer_fftw_threads", False),
    Competitor("mkl-threads", "peer_mkl_threads", False),
    Competitor("fftw-mpi", "peer_fftw_mpi", True, ("same", "free")),
    Competitor("mkl-cluster", "peer_mkl_cluster", True, ("same", "free")),
    Competitor("mpi4py-fft", "peer_mpi4py_fft.py", True, ("same", "free"), ((), ("--collapse",)),
               "leaves its spectrum transposed, and cannot return it in natural order"),
)
PEER_NAMES = tuple(c.name for c in COMPETITORS if c.name != "weft")


class LeftOut(Exception):
    """The reason why a program cannot take part."""


class BadUsage(Exception):
    """The reason why the requested comparison is impossible, and what to request instead."""


# -------------------------------------------------------------------------------------------------- numbers, text


def summary(times):
    """{"min", "median", "max"} of a list of seconds."""
    return {"min": min(times), "median": statistics.median(times), "max": max(times)}


def ratios_to(times, rounds, name="weft"):
    """For every other program, the ratio of medians, and the smallest and largest ratio within one round."""
    if name not in times:
        return {}, {}
    medians, within = {}, {}
    for other in times:
        if other == name:
            continue
        medians[other] = times[name]["median"] / times[other]["median"]
        each = [mine / its for mine, its in zip(rounds[name], rounds[other])]
        within[other] = {"min": min(each), "max": max(each)}
    return medians, within


def flops(extents, kind):
    """5 N log2 N for c2c, half of it for r2c."""
    points = float(np.prod(np.array(extents, dtype=float)))
    return 5 * points * np.log2(max(points, 2)) * (1 if kind == "c2c" else 0.5)


def direct_sum(extents, kind, frequencies):
    """The forward spectrum at some frequencies, summed directly over all points, a few planes at a time."""
    planes = max(1, 2**20 * extents[0] // int(np.prod(extents, dtype=np.int64)))
    sums = [0j] * len(frequencies)
    for begin in range(0, extents[0], planes):
        box = (slice(begin, min(begin + planes, extents[0])), *(slice(0, n) for n in extents[1:]))
        points = peer.field(extents, kind, box)
        for number, k in enumerate(frequencies):
            rest = points
            for part, n, ki in reversed(list(zip(box, extents, k))):
                # k*x is reduced modulo n as an integer, which keeps the phase exact.
                rest = rest @ np.exp(-2j * np.pi * ((np.arange(part.start, part.stop) * ki) % n) / n)
            sums[number] += complex(rest)
    return [[*k, z.real, z.imag] for k, z in zip(frequencies, sums)]


def deviation(check, reference, points):
    """The largest distance between two lists of check values, in units of a typical value, sqrt(points)."""
    if [c[:-2] for c in check] != [r[:-2] for r in reference]:
        raise LeftOut(f"its check frequencies are {[c[:-2] for c in check]}, not {[r[:-2] for r in reference]}")
    return float(max(distances(check, reference)) / np.sqrt(points))


def distances(check, reference):
    """The distances between the values at each frequency; infinite if a value is not finite."""
    found = [abs(complex(*c[-2:]) - complex(*r[-2:])) for c, r in zip(check, reference)]
    return [d if np.isfinite(d) else float("inf") for d in found]


def allowed_deviation(points, precision):
    """64 eps log2(points): about 1000 times the effect of rounding, and far below the effect of a mistake."""
    eps = np.finfo(np.float64 if precision == "double" else np.float32).eps
    return float(64 * eps * np.log2(max(points, 2)))


def most_agreed(checks, points, allowed):
    """The check values with which the most programs agree, from {(name, way...): check}.
    A program counts once, no matter in how many ways it was tried. Of two equally large groups, the one without weft wins."""
    def support(key):
        company = {other[0] for other, check in checks.items() if deviation(check, checks[key], points) <= allowed}
        return len(company), key[0] != "weft"

    return checks[max(checks, key=support)]


def disagreement(name, check, reference, points, allowed):
    """None, or a sentence with the worst frequency and both values."""
    if deviation(check, reference, points) <= allowed:
        return None
    found_distances = distances(check, reference)
    worst = found_distances.index(max(found_distances))
    found, expected = complex(*check[worst][-2:]), complex(*reference[worst][-2:])
    return (f"{name} has a wrong spectrum: at frequency {tuple(check[worst][:-2])} it found {found:.6g}, "
            f"expected {expected:.6g}; the difference is {found_distances[worst] / np.sqrt(points):.1e} of a typical value, "
            f"the limit {allowed:.1e}")


def several(count, word):
    return f"{count} {word}" + ("" if count == 1 else "s")


def milliseconds(seconds):
    return f"{1e3 * seconds:.4g}"


def table(result):
    """The comparison as a table, with one line for each program, the fastest first."""
    size = "x".join(map(str, result["extents"]))
    order = "natural order in and out" if result["output"] == "same" else "the spectrum in the cheapest distribution"
    lines = [f"{size} {result['kind']} {result['precision']}, {several(result['ranks'], 'rank')} x "
             f"{several(result['threads'], 'thread')}, {order} (--output {result['output']}), "
             f"{several(result['repeat'], 'round')}"]
    rows = [("", "min ms", "median ms", "max ms", "GFlop/s", "x floor", "weft/it", "in a round", "")]
    work = flops(result["extents"], result["kind"])
    marks = {}
    for name, times in sorted(result["times"].items(), key=lambda item: item[1]["median"]):
        if name in result["remarks"]:
            marks[name] = "*" * (len(marks) + 1)
        ratio, within = result["ratios"].get(name), result["ratios_within_rounds"].get(name)
        floor = result["floor_seconds"]
        rows.append((name + " " + marks.get(name, ""), milliseconds(times["min"]), milliseconds(times["median"]),
                     milliseconds(times["max"]), f"{work / times['median'] / 1e9:.2f}",
                     f"{times['median'] / floor:.2f}" if floor else "",
                     f"{ratio:.3f}" if ratio else "", f"{within['min']:.2f}-{within['max']:.2f}" if within else "",
                     result["ways"][name]))
    if result["floor_seconds"]:
        rows.append(("floor: 2 passes", "", milliseconds(result["floor_seconds"]), "", "", "1.00", "", "",
                     f"a copy of the field takes {milliseconds(result['copy_seconds'])} ms"))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [row[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(row[1:-1], widths[1:-1])] + [row[-1]]
        lines.append("  " + "  ".join(cells).rstrip())
    lines += [f"  {mark} {name} {result['remarks'][name]}" for name, mark in marks.items()]
    lines += [f"  left out: {name}: {why}" for name, why in result["left_out"].items()]
    lines.append(f"  all agree within {max(result['deviations'].values(), default=0):.1e} of a typical value, "
                 f"checked against {result['checked_against']}")
    return "\n".join(lines)


# --------------------------------------------------------------------------------------------------- the launches


@dataclass
class Launcher:
    """How programs are started: the MPI launcher, its flags, the environment."""

    command: list
    mpi: str  # openmpi, mpich or other
    bind: bool
    cores: int
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
    command = shlex.split(given) if given else None
    if not command:
        for folder in (programs.resolve(), programs.resolve().parent):
            cache = folder / "CMakeCache.txt"
            if cache.exists():
                for line in cache.read_text().splitlines():
                    if line.startswith("MPIEXEC_EXECUTABLE:") and not line.endswith("NOTFOUND"):
                        command = [line.split("=", 1)[1]]
    command = command or ["mpiexec"]
    try:
        said = subprocess.run(command + ["--version"], capture_output=True, text=True, timeout=60)
    except OSError as error:
        raise BadUsage(f"the MPI launcher '{shlex.join(command)}' does not start: {error.strerror}\n"
                       "  try:   run ./dev setup, or give --launcher with the mpiexec of the MPI with which weft was built")
    text = said.stdout + said.stderr
    mpi = "openmpi" if "OpenRTE" in text or "Open MPI" in text else "mpich" if "hydra" in text.lower() else "other"
    return Launcher(command, mpi, bind, len(os.sched_getaffinity(0)))


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


@dataclass
class Contestant:
    """A competitor with one --output, its fastest way, and its results so far."""

    competitor: Competitor
    output: str
    ranks: int
    threads: int
    way: tuple = ()
    rounds: list = field(default_factory=list)  # one list of seconds per round
    deviation: float = 0.0

    @property
    def label(self):
        free = self.output == "free" and not self.competitor.remark
        return self.competitor.name + (" free" if free else "")

    def how(self):
        threads = several(self.threads, "thread")
        cores = f"{self.ranks} x {threads}" if self.competitor.ranked else threads
        place = {(): "", ("--in-place",): ", in place", ("--collapse",): ", collapsed axes"}[self.way]
        return cores + place


class Runs:
    """The launches of one problem: the same field and cores, and wisdom that is kept between launches."""

    def __init__(self, asked, extents, launcher):
        self.asked, self.extents, self.launcher = asked, extents, launcher
        self.size = "x".join(map(str, extents))

    def problem(self, threads):
        a = self.asked
        return ["--size", self.size, "--kind", a.kind, "--precision", a.precision, "--threads", str(threads),
                "--inner", str(a.inner), "--warmup", str(a.warmup)]

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
        file = "-".join([c.name, self.size, self.asked.kind, self.asked.precision, contestant.output,
                         f"{contestant.ranks}x{contestant.threads}", *(w.strip("-") for w in way)]) + ".wisdom"
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
        """Seconds of a plain threaded copy of the field on the same cores, or None without the program."""
        program = self.asked.programs / "copy_bandwidth"
        threads = self.asked.ranks * self.asked.threads
        if not program.exists():
            return None
        status, out, _ = run_for([str(program)] + self.problem(threads), self.launcher.variables(threads, False),
                                 self.asked.limit)
        line = last_json_line(out)
        return line["copy_seconds"] if status == 0 and line else None


# -------------------------------------------------------------------------------------------------- the comparison


def contestants_for(asked):
    """The programs that take part for each output: weft and the requested peers; threaded ones only in natural order."""
    chosen = ["weft"] + [name for name in PEER_NAMES if name in asked.peers]
    outputs = ("same", "free") if asked.output == "both" else (asked.output,)
    found = []
    for c in COMPETITORS:
        if c.name not in chosen:
            continue
        if c.name == "weft":
            ranks, threads = asked.weft_ranks, asked.weft_threads
        elif c.ranked:
            ranks, threads = asked.ranks, asked.threads
        else:
            ranks, threads = 1, asked.ranks * asked.threads
        mine = [o for o in outputs if o in c.outputs]
        # A program whose spectrum is always transposed runs once, and is in both tables.
        found += [Contestant(c, o, ranks, threads) for o in (mine[:1] if c.remark else mine)]
    return found


def say(text):
    print(text, file=sys.stderr, flush=True)


def compare(asked, extents, launcher):
    """Runs the comparison for one size. Returns its results, one for each output, and the list of failures."""
    runs = Runs(asked, extents, launcher)
    points = int(np.prod(np.array(extents, dtype=object)))
    allowed = allowed_deviation(points, asked.precision)
    left_out, wrong, checks = {}, [], {}

    say(f"{runs.size} {asked.kind} {asked.precision}: planning, and finding the fastest way of each program")
    if asked.replan:
        for file in asked.wisdom.glob(f"*-{runs.size}-{asked.kind}-{asked.precision}-*.wisdom"):
            file.unlink()
    racing = []
    for contestant in contestants_for(asked):
        tried, why = {}, {}
        for way in contestant.competitor.ways:
            try:
                line = runs.start(contestant, way)
                tried[way] = min(line["times"])  # disturbances only make a launch slower
                checks[contestant.competitor.name, contestant.label, way] = line["check"]
                say(f"  {contestant.label + ' ' + ' '.join(way):28s} {milliseconds(tried[way]):>8s} ms"
                    f"   planned in {line['plan_seconds']:.2f} s")
            except LeftOut as out:
                why[way] = str(out)
                if "is not built" in str(out):
                    break
        if tried:
            contestant.way = min(tried, key=tried.get)
            racing.append(contestant)
        else:
            left_out[contestant.label] = next(iter(why.values()))
            if contestant.competitor.name == "weft" and "is not built" not in left_out[contestant.label]:
                wrong.append(f"{contestant.label} took no part: {left_out[contestant.label]}")
            say(f"  {contestant.label:28s} left out: {left_out[contestant.label]}")
    if not racing:
        raise BadUsage(f"no program could transform {runs.size}: " + "; ".join(f"{n}: {w}" for n, w in left_out.items()))

    frequencies = peer.check_frequencies(extents, asked.kind)
    if points <= asked.direct:
        reference, checked_against = direct_sum(extents, asked.kind, frequencies), "a direct sum"
    else:
        reference, checked_against = most_agreed(checks, points, allowed), "each other"

    def judged(contestant, way, check):
        complaint = disagreement(" ".join([contestant.label, *way]), check, reference, points, allowed)
        if complaint:
            say(f"  {complaint}")
            wrong.append(complaint)
            left_out.setdefault(contestant.label, complaint[complaint.index(" has ") + 5:])
            if contestant in racing:
                racing.remove(contestant)
        return not complaint

    for contestant in list(racing):
        for way in contestant.competitor.ways:
            if (contestant.competitor.name, contestant.label, way) in checks:
                judged(contestant, way, checks[contestant.competitor.name, contestant.label, way])

    copies = []
    for number in range(1, asked.repeat + 1):
        told = []
        for contestant in list(racing):
            try:
                line = runs.start(contestant, contestant.way)
            except LeftOut as out:
                left_out[contestant.label] = f"in round {number}: {out}"
                if contestant.competitor.name == "weft":
                    wrong.append(f"{contestant.label} failed in round {number}: {out}")
                racing.remove(contestant)
                continue
            if judged(contestant, contestant.way, line["check"]):
                contestant.rounds.append(line["times"])
                contestant.deviation = max(contestant.deviation, deviation(line["check"], reference, points))
                told.append(f"{contestant.label} {milliseconds(statistics.median(line['times']))}")
        copies.append(runs.copy())
        say(f"  round {number}/{asked.repeat} (ms)  " + "  ".join(told))

    measured = [seconds for seconds in copies if seconds]
    results = []
    for output in ("same", "free") if asked.output == "both" else (asked.output,):
        group = [c for c in racing if c.output == output or c.competitor.remark]
        missing = {c.competitor.name: left_out[c.label] for c in contestants_for(asked)
                   if c.label in left_out and (c.output == output or c.competitor.remark)}
        results.append(result_of(asked, extents, output, group, missing, statistics.median(measured) if measured else None,
                                 checked_against))
    return results, wrong


def result_of(asked, extents, output, group, left_out, copy_seconds, checked_against):
    """The JSON object of one size and output, with the programs that took part in every round."""
    times = {c.competitor.name: summary([t for times in c.rounds for t in times]) for c in group}
    rounds = {c.competitor.name: [statistics.median(times) for times in c.rounds] for c in group}
    ratios, within = ratios_to(times, rounds)
    return {
        "extents": extents, "kind": asked.kind, "precision": asked.precision, "ranks": asked.ranks,
        "threads": asked.threads, "weft_ranks": asked.weft_ranks, "weft_threads": asked.weft_threads,
        "output": output, "repeat": asked.repeat, "inner": asked.inner,
        "times": times, "ratios": ratios, "ratios_within_rounds": within, "rounds": rounds,
        "copy_seconds": copy_seconds, "floor_seconds": 2 * copy_seconds if copy_seconds else None,
        "ways": {c.competitor.name: c.how() for c in group},
        "remarks": {c.competitor.name: c.competitor.remark for c in group if c.competitor.remark},
        "left_out": left_out,
        "deviations": {c.competitor.name: c.deviation for c in group},
        "checked_against": checked_against,
    }


# --------------------------------------------------------------------------------------------------- command line


def extents_of(text):
    try:
        return peer.parse_extents(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error))


def positive(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number of at least 1")
    return int(text)


def parse(arguments):
    parser = argparse.ArgumentParser(prog="./dev compare", description=__doc__, epilog=EXAMPLES,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", nargs="+", type=extents_of, default=[[256, 256, 256]], metavar="AxBxC",
                        help="extents of the fields, with 1 to 3 axes each (default 256x256x256)")
    parser.add_argument("--kind", choices=["c2c", "r2c"], default="c2c")
    parser.add_argument("--precision", choices=["double", "single"], default="double")
    parser.add_argument("--output", choices=["same", "free", "both"], default="both",
                        help="same: natural order; free: the spectrum in the cheapest distribution; both (default): one table "
                             "for each")
    parser.add_argument("--ranks", type=positive, default=2, help="number of MPI ranks (default 2)")
    parser.add_argument("--threads", type=positive, default=1,
                        help="number of threads of each rank (default 1); a peer without MPI runs ranks x threads threads")
    parser.add_argument("--weft-ranks", type=positive, help="number of ranks of weft, if it differs from --ranks")
    parser.add_argument("--weft-threads", type=positive, help="number of threads of each rank of weft")
    parser.add_argument("--peers", nargs="*", choices=PEER_NAMES, default=list(PEER_NAMES), metavar="NAME",
                        help=f"the peers to compare with (default all: {', '.join(PEER_NAMES)})")
    parser.add_argument("--repeat", type=positive, default=9,
                        help="number of rounds, each of which launches every program once (default 9)")
    parser.add_argument("--inner", type=positive, default=3, help="number of timed transforms in one launch (default 3)")
    parser.add_argument("--warmup", type=int, default=1, help="number of transforms before the timed ones (default 1)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results to FILE")
    parser.add_argument("--bind", action="store_true",
                        help="bind ranks and threads to cores (default: the system schedules them)")
    parser.add_argument("--direct", type=int, default=256**3, metavar="N",
                        help="compare spectra with a direct sum up to N points (default 256x256x256), and larger ones only "
                             "with each other")
    parser.add_argument("--limit", type=float, default=900, metavar="SECONDS",
                        help="time limit of one launch (default 900)")
    parser.add_argument("--programs", type=Path, default=ROOT / "build" / "bin", metavar="FOLDER",
                        help="the folder of the programs (default build/bin)")
    parser.add_argument("--wisdom", type=Path, default=ROOT / "build" / "wisdom", metavar="FOLDER",
                        help="the folder of FFTW's wisdom, which is kept between launches (default build/wisdom)")
    parser.add_argument("--replan", action="store_true",
                        help="delete the wisdom of these problems first, because plans that were measured on a busy machine "
                             "are slow")
    parser.add_argument("--launcher", metavar="COMMAND", help="the MPI launcher (default: the one that CMake found)")
    parser.add_argument("--python", default=sys.executable, metavar="FILE", help="the Python that has mpi4py-fft")
    asked = parser.parse_args(arguments)

    cores = asked.ranks * asked.threads
    if asked.weft_ranks is None:
        asked.weft_ranks = cores // asked.weft_threads if asked.weft_threads else asked.ranks
    if asked.weft_threads is None:
        asked.weft_threads = max(1, cores // asked.weft_ranks)
    if asked.weft_ranks * asked.weft_threads != cores:
        parser.error(f"weft would use {asked.weft_ranks} x {asked.weft_threads} = {asked.weft_ranks * asked.weft_threads} "
                     f"cores, its peers {asked.ranks} x {asked.threads} = {cores}; "
                     f"try --weft-ranks and --weft-threads whose product is {cores}")
    return asked


def main(arguments=None):
    asked = parse(arguments)
    results, wrong = [], []
    try:
        launcher = find_launcher(asked.launcher, asked.programs, asked.bind)
        if asked.ranks * asked.threads > launcher.cores:
            say(f"weft: {several(asked.ranks, 'rank')} x {several(asked.threads, 'thread')} share {launcher.cores} cores, "
                "so the times depend on the sharing more than on the programs")
        for extents in asked.size:
            found, complaints = compare(asked, extents, launcher)
            results += found
            wrong += complaints
            if asked.json:  # after every size, so that a long run leaves what it has
                asked.json.write_text(json.dumps(results, indent=1) + "\n")
            say("")
            for result in found:
                print(table(result) + "\n", flush=True)
    except BadUsage as error:
        say(f"weft: {error}")
        return 2
    except KeyboardInterrupt:
        say("weft: interrupted; the finished results are above")
        return 1
    for complaint in wrong:
        say(f"weft compare: {complaint}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
