#!/usr/bin/env python3
# tools/compare: the command line of ./dev compare, which compares weft with its peers; tools/compare/ has its parts.
"""Run weft and other FFT libraries in turn, A B C A B C ..., and compare their times.

Every round launches every program anew, so that a slow minute of the machine slows all of them. A time is that of one
forward transform (of all fields, if there are several) on the slowest rank, between barriers, without planning. (FFTW plans
with MEASURE and keeps its wisdom in build/wisdom.) Before the rounds, each peer is tried in each of its ways (in place, out
of place, ...); the fastest way is used in the rounds. All spectra are compared at four frequencies of each field, and for
small sizes also with a direct sum. A program with a different spectrum is reported and gets no ratio. A peer that cannot
do what is asked is left out, with its reason.

The floor is a lower bound for fields that are larger than the caches: two passes over memory, at the speed of a plain
threaded copy that is measured in the same rounds."""

import argparse
import datetime
import json
import re
import sys
from pathlib import Path

from compare import ROOT
from compare.calm import calm_for
from compare.cases import CASES, Case
from compare.competitors import PEER_NAMES
from compare.course import Course, say
from compare.errors import BadUsage
from compare.kept import keep
from compare.launches import find_launcher
from compare.machine import describe
from compare.report import table
from compare.words import several

import peer

EXAMPLES = """examples:
  ./dev compare                                         256x256x256, c2c, double, 2 ranks, all peers
  ./dev compare --size 128x128x128 512x512x512 --ranks 4 --json ratios.json
  ./dev compare --kind r2c --precision single --output same
  ./dev compare --size 64x64x64 --batch 32              32 fields that are transformed together
  ./dev compare --size 64x64x64x64 1048576              four axes, and one
  ./dev compare --peers mkl-threads fftw-mpi --repeat 3   a short comparison with two peers
  ./dev compare --ranks 4 --weft-ranks 1 --weft-threads 4 weft with 4 threads, its peers with 4 ranks
  ./dev compare --ranks 4 --also-weft 1x4 2x2             weft three times: 4x1, 1x4 and 2x2
  ./dev compare --replan --bind                           on an idle machine, for numbers to publish
  ./dev compare --size 64x64x64 --calm 60                 beside a neighbour that is busy now and then
  ./dev compare --suite --keep                            the standing list of cases, kept in docs/measurements
  ./dev compare --suite --only 'r2c|8192'                 some of them

The column weft/it is the ratio of the medians: below 1, weft is faster. The next column has the smallest and the largest
ratio within a single round; if 1 is between them, the comparison does not show which program is faster."""

# What options are where they are not given: alone, and with --suite.
DEFAULTS = {"size": [[256, 256, 256]], "kind": "c2c", "batch": 1, "output": "both", "repeat": 9}
SUITE_DEFAULTS = {"output": "same", "repeat": 5}


def extents_of(text):
    try:
        return peer.parse_extents(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error))


def positive(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number of at least 1")
    return int(text)


def shape_of(text):
    """(ranks, threads) of "2x1"."""
    numbers = re.fullmatch(r"([1-9]\d*)x([1-9]\d*)", text)
    if not numbers:
        raise argparse.ArgumentTypeError(f"'{text}' is not ranks x threads, as in 1x2")
    return int(numbers[1]), int(numbers[2])


def pattern(text):
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"'{text}' is not a regular expression: {error}")


def add_problem_options(parser):
    parser.add_argument("--size", nargs="+", type=extents_of, metavar="AxBxC",
                        help="extents of the fields, with 1 to 4 axes each (default 256x256x256)")
    parser.add_argument("--batch", type=positive, metavar="N", help="number of fields that are transformed together (default 1)")
    parser.add_argument("--kind", choices=["c2c", "r2c"], help="c2c (default) or r2c")
    parser.add_argument("--precision", choices=["double", "single"], default="double")
    parser.add_argument("--output", choices=["same", "free", "both"],
                        help="same: natural order; free: the spectrum in the cheapest distribution; both (default): one table "
                             "for each; with --suite, same is the default")
    parser.add_argument("--suite", action="store_true",
                        help=f"compare the standing list of {len(CASES)} cases, each with weft as ranks x threads and as one "
                             "rank with all threads: " + "; ".join(map(str, CASES)))
    parser.add_argument("--only", type=pattern, metavar="REGEX", help="the cases of the suite that contain this")


def add_program_options(parser):
    parser.add_argument("--ranks", type=positive, default=2, help="number of MPI ranks (default 2)")
    parser.add_argument("--threads", type=positive, default=1,
                        help="number of threads of each rank (default 1); a peer without MPI runs ranks x threads threads")
    parser.add_argument("--weft-ranks", type=positive, help="number of ranks of weft, if it differs from --ranks")
    parser.add_argument("--weft-threads", type=positive, help="number of threads of each rank of weft")
    parser.add_argument("--also-weft", nargs="+", type=shape_of, default=[], metavar="RxT",
                        help="ranks x threads with which weft takes part in the rounds once more, with ratios of its own")
    parser.add_argument("--peers", nargs="*", choices=PEER_NAMES, default=list(PEER_NAMES), metavar="NAME",
                        help=f"the peers to compare with (default all: {', '.join(PEER_NAMES)})")
    parser.add_argument("--repeat", type=positive,
                        help="number of rounds, each of which launches every program once (default 9; with --suite 5)")
    parser.add_argument("--inner", type=positive,
                        help="number of timed transforms in one launch (default: as many as take the fastest program 30 ms, at least 3 "
                             "and at most 100)")
    parser.add_argument("--warmup", type=int, default=1, help="number of transforms before the timed ones (default 1)")
    parser.add_argument("--calm", type=float, default=0, metavar="SECONDS",
                        help="wait up to SECONDS before each launch of a round until every core is about as fast as at best, by a "
                             "short loop of arithmetic and by copies of memory, and the first two as close to each other, by how long a number takes between "
                             "them (program handoff, where it is built); launch again, at most twice, if that is not so afterwards "
                             "(default 0: no)")
    parser.add_argument("--bind", action="store_true",
                        help="bind ranks and threads to cores (default: the system schedules them)")


def add_result_options(parser):
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results to FILE")
    parser.add_argument("--keep", nargs="?", type=Path, const=ROOT / "docs" / "measurements", metavar="FOLDER",
                        help="also merge the results into the file of this processor in FOLDER (default docs/measurements), from "
                             "which tools/measurements.py makes the tables of docs/measurements/README.md")
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


def choose_cases(parser, asked):
    """Sets asked.cases, and the options that have other defaults with --suite."""
    if asked.suite:
        given = [f"--{name}" for name in ("size", "batch", "kind") if getattr(asked, name) is not None]
        if given:
            parser.error(f"--suite has its own cases; leave out {' and '.join(given)}, or choose cases with --only")
    elif asked.only:
        parser.error("--only chooses among the cases of --suite; give both")
    for name, value in {**DEFAULTS, **(SUITE_DEFAULTS if asked.suite else {})}.items():
        if getattr(asked, name) is None:
            setattr(asked, name, value)
    if not asked.suite:
        asked.cases = [Case(tuple(extents), asked.kind, asked.batch) for extents in asked.size]
        return
    asked.cases = [case for case in CASES if not asked.only or asked.only.search(str(case))]
    if not asked.cases:
        parser.error(f"no case of the suite contains '{asked.only.pattern}'; the cases are " + "; ".join(map(str, CASES)))


def choose_wefts(parser, asked):
    """Sets asked.wefts, the (ranks, threads) with which weft takes part; the first is the one called weft."""
    cores = asked.ranks * asked.threads
    ranks, threads = asked.weft_ranks, asked.weft_threads
    if ranks is None:
        ranks = cores // threads if threads else asked.ranks
    if threads is None:
        threads = max(1, cores // ranks)
    wanted = [(ranks, threads), *asked.also_weft] + ([(1, cores)] if asked.suite else [])
    asked.wefts = list(dict.fromkeys(wanted))
    for ranks, threads in asked.wefts:
        if ranks * threads != cores:
            parser.error(f"weft would use {ranks} x {threads} = {ranks * threads} "
                         f"cores, its peers {asked.ranks} x {asked.threads} = {cores}; "
                         f"try ranks and threads of weft whose product is {cores}")


def parse(arguments):
    parser = argparse.ArgumentParser(prog="./dev compare", description=__doc__, epilog=EXAMPLES,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add_problem_options(parser)
    add_program_options(parser)
    add_result_options(parser)
    asked = parser.parse_args(arguments)
    choose_cases(parser, asked)
    choose_wefts(parser, asked)
    return asked


def compare_all(asked, launcher, calm=None):
    """Compares case after case; prints and writes the results of each, so that a long run leaves what it has."""
    about = {"date": datetime.date.today().isoformat(), **describe(asked.programs, launcher)}
    results, wrong = [], []
    for number, case in enumerate(asked.cases, 1):
        if len(asked.cases) > 1:
            say(f"case {number} of {len(asked.cases)}")
        found, complaints = Course(asked, case, launcher, calm).run()
        found = [{**result, **about} for result in found]
        results += found
        wrong += complaints
        if asked.json:
            asked.json.write_text(json.dumps(results, indent=1) + "\n")
        if asked.keep:
            for file in keep(asked.keep, found):
                say(f"  kept in {file}")
        say("")
        for result in found:
            print(table(result) + "\n", flush=True)
    return wrong


def main(arguments=None):
    asked = parse(arguments)
    try:
        launcher = find_launcher(asked.launcher, asked.programs, asked.bind)
        if asked.ranks * asked.threads > launcher.cores:
            say(f"weft: {several(asked.ranks, 'rank')} x {several(asked.threads, 'thread')} share {launcher.cores} cores, "
                "so the times depend on the sharing more than on the programs")
        with calm_for(asked.calm, asked.programs) as calm:
            wrong = compare_all(asked, launcher, calm)
    except BadUsage as error:
        say(f"weft: {error}")
        return 2
    except KeyboardInterrupt:
        say("weft: interrupted; the finished results are above")
        return 1
    if asked.keep:
        say("run tools/measurements.py to put what was kept into docs/measurements/README.md and docs/performance.md")
    for complaint in wrong:
        say(f"weft compare: {complaint}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
