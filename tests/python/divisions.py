# tests/python/divisions: runs the tests of modules on parts of all ranks, one division after another, in one launch.
import time

import numpy as np
from mpi4py import MPI


def run_all(modules):
    for module in modules:
        for name, check in list(vars(module).items()):
            if name.startswith("test_"):
                begin = time.monotonic()
                check()
                module.comm.Barrier()
                if module.comm.rank == 0:
                    print(f"{module.comm.size} ranks {time.monotonic() - begin:6.2f} s  {name}", flush=True)


def main(divisions, *modules):
    """Runs all functions test_* of `modules`, whose `comm` is the part that this rank is in.

    A division is a text such as 4,3: the first 4 ranks of 7 and the others. Without any, all ranks are one part."""
    world = MPI.COMM_WORLD
    for sizes in divisions or [str(world.size)]:
        ends = np.cumsum([int(size) for size in sizes.split(",")])
        assert ends[-1] == world.size
        part = world.Split(int(np.searchsorted(ends, world.rank, side="right")))
        for module in modules:
            module.comm = part
        run_all(modules)
        world.Barrier()
