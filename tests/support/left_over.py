# tests/support/left_over: finds the processes and the files in /dev/shm that a run has left behind.
import os
import time
import uuid
from contextlib import suppress
from pathlib import Path

SHARED = "/dev/shm"


class Marked:
    """Runs whose processes are known by a mark in their environment: start them with `environment`."""

    def __init__(self):
        self.mark = f"WEFT_TEST_MARK={uuid.uuid4()}"
        self.environment = os.environ | dict([self.mark.split("=")])
        self.before = self.traces()

    def processes(self):
        found = []
        for place in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):  # it has ended
                if self.mark.encode() in (place / "environ").read_bytes().split(b"\0"):
                    found.append(place)
        return found

    @staticmethod
    def traces():
        """What could outlive processes: files of shared memory that none uses any more; other runs come and go."""
        # LLVM's OpenMP notes each process there, and a killed process leaves its note.
        files = {f"{SHARED}/{name}" for name in os.listdir(SHARED) if not name.startswith("__KMP_REGISTERED_LIB_")}
        for place in Path("/proc").glob("[0-9]*") if files else ():
            with suppress(OSError):
                files -= {line.split()[-1] for line in (place / "maps").read_text().splitlines() if SHARED in line}
        return files

    def has_left(self, patience=0.0):
        """What there still is of them. What other runs have beside them comes and goes, so that it is looked for again."""
        began = time.monotonic()
        while True:
            processes, traces = self.processes(), sorted(self.traces() - self.before)
            waits = patience if processes else max(patience, 20) if traces else 0
            if time.monotonic() - began >= waits:
                return processes + traces
            time.sleep(0.02)
