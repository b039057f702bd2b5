# compare/calm: whether something else slows the cores, found out by a short loop of arithmetic on one core after the other.
# A neighbour on the second hardware threads of the cores is seen by no clock of the system, but takes a third of their speed.
import math
import multiprocessing
import os
import statistics
import time

import numpy as np

SLOWER = 1.15  # than at best: then a core is disturbed
SIZE = 64  # of matrices, so small that no library multiplies them with several threads
SAMPLES, PRODUCTS = 40, 30  # together 20 ms or so
PAUSE = 0.5  # seconds between two looks
FIRST_LOOKS = 5


def seconds_on(core):
    """The median time of a few matrix products on this core."""
    os.sched_setaffinity(0, {core})
    matrix, product = np.ones((SIZE, SIZE)), np.empty((SIZE, SIZE))
    times = []
    for _ in range(SAMPLES):
        begin = time.perf_counter()
        for _ in range(PRODUCTS):
            np.matmul(matrix, matrix, out=product)
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


class Calm:
    """Waits for undisturbed cores, for so many seconds at most; to be used in a with statement. `measure` gives the seconds of a
    core: of a process of its own, whose affinity changes, or what a test says."""

    def __init__(self, seconds, measure=None):
        self.seconds, self.best = seconds, {}
        self.cores = sorted(os.sched_getaffinity(0))
        self.pool = None if measure else multiprocessing.get_context("spawn").Pool(1)
        self.measure = measure or (lambda core: self.pool.apply(seconds_on, (core,)))

    def __enter__(self):
        for _ in range(FIRST_LOOKS):
            self.look()
        return self

    def __exit__(self, *_):
        if self.pool:
            self.pool.terminate()
            self.pool.join()

    def look(self):
        """The seconds of all cores."""
        times = {core: self.measure(core) for core in self.cores}
        self.best = {core: min(seconds, self.best.get(core, math.inf)) for core, seconds in times.items()}
        return times

    def is_calm(self, *looks):
        """Whether in these looks no core is slower than it has been at best, by all that is known now."""
        return all(seconds <= SLOWER * self.best[core] for times in looks for core, seconds in times.items())

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
