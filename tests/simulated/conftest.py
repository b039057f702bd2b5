# tests/simulated/conftest: runs weft on a simulated network. Builds the program for SimGrid's SMPI in build/smpi if it is not up
# to date.
# Skipped where there is no SimGrid.
import fcntl
import json
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "smpi"


def run(command, timeout, cwd=ROOT):
    ended = subprocess.run([str(word) for word in command], cwd=cwd, text=True, stdin=subprocess.DEVNULL,
                           capture_output=True, timeout=timeout)
    if ended.returncode == 77:
        pytest.skip(ended.stderr.strip())
    assert ended.returncode == 0, f"{ended.args}: {ended.returncode}\n{ended.stdout[-4000:]}{ended.stderr}"
    return ended


@pytest.fixture(scope="session")
def program():
    """weft, built for SMPI."""
    if not shutil.which("smpicc"):
        pytest.skip("no simulation here: there is no smpicc; it is in the Debian package libsimgrid-dev")
    BUILD.parent.mkdir(exist_ok=True)
    with open(BUILD.parent / ".smpi.lock", "w") as lock:  # tests of another build may want it too
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (BUILD / "build.ninja").exists():
            run(["cmake", "--preset", "smpi"], 300)
        run(["cmake", "--build", BUILD, "--target", "weft_main", "ensembles", "exchanges"], 1500)
    return BUILD / "bin" / "weft"


@pytest.fixture(scope="session")
def simulate_all(program, tmp_path_factory):
    """The same as simulate, of several entries: a list; or what another program beside weft tells."""

    def simulated(extents, hosts, *options, started="weft", **network):
        file = tmp_path_factory.mktemp("simulated") / "bench.json"
        words = [word for name, value in network.items() for word in (f"--{name.replace('_', '-')}", value)]
        run([ROOT / "bench" / "simulate", "--hosts", hosts, "--program", program.with_name(started), "--timeout", 600, *words, "--", extents,
             "--warmup", 0, "--repeat", 1, "--json", file, *options], 620)
        return json.loads(file.read_text())

    return simulated


@pytest.fixture(scope="session")
def simulate(simulate_all):
    """simulate(extents, hosts, options of weft bench ..., options of bench/simulate by name ...): what `weft bench` tells.

    simulate("64x64x64", 8, "--output", "same", pass_seconds_per_byte=1e-10, bandwidth="1GBps", platform="flat")
    is the one entry of its JSON, of one run. Times are simulated seconds, the same in every run."""

    def simulated(*arguments, **network):
        (entry,) = simulate_all(*arguments, **network)
        return entry

    return simulated
