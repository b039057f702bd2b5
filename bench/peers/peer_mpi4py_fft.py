# bench/peers/peer_mpi4py_fft: mpi4py-fft (Dalcin, Mortensen, Keyes, JPDC 128, 2019) under the protocol of peer.hpp.
# Its spectrum always stays distributed along another axis than its input: "output" says transposed.
# A batch has a plan for each field, and they run one after another: a plan that works on its own arrays copies nothing.
import json
import os
import sys
import time

import mpi4py_fft
import numpy as np
from mpi4py import MPI
from mpi4py_fft import PFFT, fftw

import peer

NAME = "mpi4py-fft"


def main():
    parser = peer.options(NAME)
    parser.add_argument("--collapse", action="store_true", help="transform the axes a rank holds whole in one FFTW call")
    asked = parser.parse_args()
    ranks = MPI.COMM_WORLD
    if asked.in_place:
        return refuse(ranks, "transforms between its own arrays only; leave --in-place out")
    if len(asked.size) < 2:
        return refuse(ranks, "distributes fields of 2 and more axes, not of one; try --size 256x256")

    dtype = np.dtype({"c2c double": "D", "c2c single": "F", "r2c double": "d", "r2c single": "f"}
                     [f"{asked.kind} {asked.precision}"])
    wisdom = os.path.basename(asked.wisdom)
    if wisdom:
        # mpi4py-fft puts precision and rank before the whole name it is given, so the name must have no folder.
        os.chdir(os.path.dirname(os.path.abspath(asked.wisdom)))
        mine = [f"{precision}{ranks.rank}_{wisdom}" for precision in fftw.factory.fftlib]
        if ranks.allreduce(all(os.path.exists(file) for file in mine), MPI.LAND):
            # FFTW takes wisdom only from planners of its own kind: a first plan makes this one threaded.
            fftw.fftn(fftw.aligned((2,), dtype=np.result_type(dtype, np.complex64)))
            fftw.import_wisdom(wisdom)
    start = time.perf_counter()
    # Slabs while there are planes enough (one exchange), pencils beyond.
    slabs = ranks.size <= min(asked.size[:2])
    plans = [PFFT(ranks, asked.size, dtype=dtype, grid=(-1,) if slabs else None, collapse=asked.collapse,
                  threads=asked.threads, planner_effort="FFTW_MEASURE") for _ in range(asked.batch)]
    plan_seconds = ranks.allreduce(time.perf_counter() - start, MPI.MAX)
    if wisdom:
        fftw.export_wisdom(wisdom)

    points = [peer.field(asked.size, asked.kind, plan.local_slice(False), member).astype(dtype)
              for member, plan in enumerate(plans)]

    def fill():
        for plan, field in zip(plans, points):
            np.copyto(plan.forward.input_array, field)

    def forward():
        for plan in plans:
            plan.forward(normalize=False)

    fill()
    forward()
    check = [[member, *line] for member, plan in enumerate(plans)
             for line in spectrum_at(peer.check_frequencies(asked.size, asked.kind), plan, ranks)]

    times = []
    for _ in range(asked.warmup + asked.inner):
        fill()
        ranks.Barrier()
        begin = time.perf_counter()
        forward()
        times.append(ranks.allreduce(time.perf_counter() - begin, MPI.MAX))
    if ranks.rank == 0:
        print(json.dumps({"peer": NAME, "version": mpi4py_fft.__version__, "ranks": ranks.size, "threads": asked.threads,
                          "plan_seconds": plan_seconds, "times": times[asked.warmup:], "output": "transposed",
                          "check": check}), flush=True)
    return 0


def spectrum_at(frequencies, plan, ranks):
    """[[k..., re, im], ...] on every rank, each value from the rank that holds it. Collective."""
    spectrum, box = plan.forward.output_array, plan.local_slice(True)
    check = []
    for k in frequencies:
        mine = all(part.start <= i < part.stop for i, part in zip(k, box))
        value = complex(spectrum[tuple(i - part.start for i, part in zip(k, box))]) if mine else 0j
        value = ranks.allreduce(value, MPI.SUM)
        check.append([*k, value.real, value.imag])
    return check


def refuse(ranks, why):
    if ranks.rank == 0:
        print(f"{NAME}: {why}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Exception as error:  # one rank alone would leave the others waiting for it
        print(f"{NAME}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
        MPI.COMM_WORLD.Abort(1)
