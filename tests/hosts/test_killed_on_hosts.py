# tests/hosts/test_killed_on_hosts: a rank of one host is killed at some step of a run over two; its neighbour on the host and the
# ranks of the other host are told, and leave nothing behind.
# Environment: WEFT_BIN is the program, of either MPI; `weft_faults` is where the build's other tests are. Skipped where bench/hosts
# cannot work.
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))
import left_over  # noqa: E402

PROGRAM = Path(os.environ["WEFT_BIN"]).resolve().parents[1] / "tests" / "weft_faults"
# Open MPI's launcher leaves the others running, but does not end itself then; MPICH's ends all.
LEAVES_RUNNING = {"OMPI_MCA_orte_enable_recovery": "1"}
SURVIVORS = 3
PATIENCE = 240  # seconds


@pytest.mark.skipif("libmpich" in subprocess.run(["ldd", PROGRAM], capture_output=True, text=True).stdout,
                    reason="MPICH's launcher ends all ranks after a signal")
@pytest.mark.parametrize("seed", range(1, 1 + int(os.environ.get("WEFT_KILLS", "4"))))
def test_ranks_of_all_hosts_are_told(seed):
    marked = left_over.Marked()
    told, lines = "", []
    with subprocess.Popen([ROOT / "bench" / "hosts", "--hosts", "2", "--ranks-per-host", "2", "--", PROGRAM, "--kill", str(seed)],
                          env=marked.environment | LEAVES_RUNNING, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT) as run:
        late = threading.Timer(PATIENCE, run.send_signal, [signal.SIGTERM])
        late.start()
        for line in run.stdout:
            told += line
            lines += re.findall(r"^rank (\d): (.*)", line)
            if len(lines) == SURVIVORS:
                run.send_signal(signal.SIGTERM)
        late.cancel()
    if run.returncode == 77:
        pytest.skip(told.strip())
    assert sorted(rank for rank, _ in lines) == ["0", "1", "2"], told
    for _, line in lines:  # an array of the killed process cannot be mapped any more
        assert line == "right" or "rank 3 (process" in line or "memory of rank 3" in line, told
    assert marked.has_left(patience=20) == []
