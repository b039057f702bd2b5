# compare/calm: whether something else slows the cores, found out by a short loop of arithmetic and copies of memory on one core
# after the other, and by how long a number takes from one core to another. A neighbour on the second hardware threads of the cores
# is seen by no clock of the system, but takes a third of their speed; others take memory only; and virtual cores do not share a
# cache all the time.
import contextlib
import functools
import json
import math
import multiprocessing
import os
import statistics
import subprocess
import time

import numpy as np

# Times, of the best that was seen, from which on a core is disturbed, or two cores share no cache as they did before. Copies take
# 1.2 to 1.5 times the best even where nothing disturbs arithmetic (AMD EPYC, Zen 4).
LIMITS = {"arithmetic": 1.15, "memory": 1.6, "handoff": 2}
SIZE = 64  # of matrices, so small that no library multiplies them with several threads
SAMPLES, PRODUCTS = 40, 30  # together 20 ms or so
COPIED = 64 << 20  # bytes, more than most caches hold
COPIES = 15  # together 0.1 s or so
PAUSE = 0.5  # seconds between two looks
FIRST_LOOKS = 5
MOST_CORES = 8  # a look at each takes some 0.15 s


def median_seconds(work, samples):
    times = []
    for _ in range(samples):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


@functools.cache
def copied():
    """Two arrays that are in memory."""
    return np.ones(COPIED, np.uint8), np.ones(COPIED, np.uint8)


def seconds_on(core):
    """The median times of a few matrix products, and of a copy in memory, on this core."""
    os.sched_setaffinity(0, {core})
    matrix, product = np.ones((SIZE, SIZE)), np.empty((SIZE, SIZE))

    def multiply():
        for _ in range(PRODUCTS):
            np.matmul(matrix, matrix, out=product)

    source, target = copied()
    return {"arithmetic": median_seconds(multiply, SAMPLES), "memory": median_seconds(lambda: np.copyto(target, source), COPIES)}


def seconds_between(program, first, second):
    """The time of a number from one core to the other."""
    said = subprocess.run([program, str(first), str(second)], capture_output=True, text=True, check=True)
    return json.loads(said.stdout)["handoff_seconds"]


class Calm:
    """Waits for undisturbed cores, for so many seconds at most; to be used in a with statement. Of many cores, some are looked at.
    `measure` gives the seconds that a core takes, by what it does: of a process of its own, whose affinity changes, or what a test
    says. `handoff` is the program that measures the way between the first two cores, or a function of both; without it this is not
    looked at. Errors: CalledProcessError if that program fails."""

    def __init__(self, seconds, measure=None, handoff=None):
        self.seconds, self.best = seconds, {}
        every = sorted(os.sched_getaffinity(0))
        self.cores = every[::math.ceil(len(every) / MOST_CORES)]
        self.pool = None if measure else multiprocessing.get_context("spawn").Pool(1)
        self.measure = measure or (lambda core: self.pool.apply(seconds_on, (core,)))
        self.pairs = [every[:2]] if handoff and len(every) > 1 else []
        self.handoff = handoff if callable(handoff) else lambda first, second: seconds_between(handoff, first, second)

    def __enter__(self):
        for _ in range(FIRST_LOOKS):
            self.look()
        return self

    def __exit__(self, *_):
        if self.pool:
            self.pool.terminate()
            self.pool.join()

    def look(self):
        """The seconds of all cores, and of pairs of them."""
        times = {(what, core): seconds for core in self.cores for what, seconds in self.measure(core).items()}
        times |= {("handoff", *pair): self.handoff(*pair) for pair in self.pairs}
        self.best = {what: min(seconds, self.best.get(what, math.inf)) for what, seconds in times.items()}
        return times

    def is_calm(self, *looks):
        """Whether in these looks no core is slower, and no pair farther apart, than it has been at best, by all that is known now."""
        return all(seconds <= LIMITS[what[0]] * self.best[what] for times in looks for what, seconds in times.items())

    def wait(self):
        """Returns the last look: that of calm cores, unless the time is over."""
        end = time.monotonic() + self.seconds
        while True:
            times = self.look()
            if self.is_calm(times) or time.monotonic() > end:
                return times
            time.sleep(PAUSE)

    def undisturbed(self, launch, most=3):
        """launch(), again if the cores were disturbed before or after, but at most so often. Returns what the last launch
        returned, and whether that one was undisturbed. Errors: those of launch."""
        for _ in range(most):
            before = self.wait()
            result = launch()
            if self.is_calm(before, self.look()):
                return result, True
        return result, False


def calm_for(seconds, programs):
    """A Calm with the program handoff of this folder, if that is built; for 0 seconds a context without a value."""
    if seconds <= 0:
        return contextlib.nullcontext()
    handoff = programs / "handoff"
    return Calm(seconds, handoff=handoff if handoff.exists() else None)
