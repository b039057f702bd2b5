# compare/calm: whether something else slows the cores, found out by a short loop of arithmetic on each.
# A neighbour on the second hardware threads of the cores is seen by no clock of the system, but takes a third of their speed.
import math
import multiprocessing
import os
import statistics
import time

import numpy as np

SLOWER = 1.15  # than at best: then a core is disturbed
SAMPLES, PRODUCTS = 40, 10  # together 20 ms or so
PAUSE = 0.5  # seconds between two looks


def seconds_on(core):
    """The median time of a few matrix products on this core."""
    os.sched_setaffinity(0, {core})
    matrix, product = np.ones((96, 96)), np.empty((96, 96))
    times = []
    for _ in range(SAMPLES):
        begin = time.perf_counter()
        for _ in range(PRODUCTS):
            np.matmul(matrix, matrix, out=product)
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


class Calm:
    """Waits for undisturbed cores, for so many seconds at most. `measure` gives the seconds of a core, for tests."""

    def __init__(self, seconds, measure=None):
        self.seconds, self.best = seconds, {}
        self.cores = sorted(os.sched_getaffinity(0))
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        self.pool = None if measure else multiprocessing.get_context("spawn").Pool(len(self.cores))
        self.measure = measure

    def is_calm(self):
        """Whether no core is slower than it has been at best."""
        if self.measure:
            times = [self.measure(core) for core in self.cores]
        else:
            times = self.pool.map(seconds_on, self.cores, chunksize=1)
        self.best = {core: min(seconds, self.best.get(core, math.inf)) for core, seconds in zip(self.cores, times)}
        return all(seconds <= SLOWER * self.best[core] for core, seconds in zip(self.cores, times))

    def wait(self):
        """Returns whether the cores are calm."""
        end = time.monotonic() + self.seconds
        while not self.is_calm():
            if time.monotonic() > end:
                return False
            time.sleep(PAUSE)
        return True

    def undisturbed(self, launch, most=3):
        """launch(), again if the cores were disturbed before or after, but at most so often. Returns what the last launch
        returned, and whether that one was undisturbed. Errors: those of launch."""
        for _ in range(most):
            was_calm = self.wait()
            result = launch()
            if self.is_calm() and was_calm:
                return result, True
        return result, False
