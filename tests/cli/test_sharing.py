# tests/cli/test_sharing: ranks in containers of their own, here PID namespaces, cannot map each other's memory. They send messages
# instead, and say so where one looks.
# Environment: WEFT_BIN and WEFT_MPIEXEC as for conftest.
import json
import subprocess

import pytest

from conftest import ENVIRONMENT, LAUNCHER, PROGRAM

# With a /dev/shm of its own, as containers have: LLVM's OpenMP names a file in it by the process id, which is the same in both.
APART = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child", "sh", "-c", 'mount -t tmpfs none /dev/shm && exec "$@"', "sh"]
REASON = "rank 0 cannot use the memory of rank 1 on its node: "
# MPI must not look for the memory of the other rank by its process id either, which this rank has, too.
SETTINGS = {"OMPI_MCA_btl": "tcp,self"}


@pytest.fixture
def apart(weft, monkeypatch):
    """Runs weft on two ranks, each in a PID namespace of its own."""
    if subprocess.run([*APART, "true"], capture_output=True).returncode:
        pytest.skip("this user may not make PID namespaces")
    for name, value in SETTINGS.items():
        monkeypatch.setitem(ENVIRONMENT, name, value)

    if subprocess.run([*LAUNCHER, "-n", "2", *APART, PROGRAM, "engines"], env=ENVIRONMENT, capture_output=True).returncode:
        pytest.skip("this MPI does not run in PID namespaces")

    def run(*arguments, **variables):
        for name, value in variables.items():
            monkeypatch.setitem(ENVIRONMENT, name, value)
        return weft.start([*LAUNCHER, "-n", "2", *APART, PROGRAM, *map(str, arguments)])

    return run


def test_results_are_right_through_messages(apart, weft):
    ended = apart("bench", "12x10x9", "--repeat", 1, "--warmup", 0, "--json", "times.json", WEFT_LOG="info")
    assert ended.status == 0, ended.err
    (entry,) = json.loads((weft.folder / "times.json").read_text())
    assert entry["nodes"] == 2
    assert entry["max_error"] < 1e-14
    assert "shared" not in entry["strategy"] and "node" not in entry["strategy"]
    lines = [line for line in ended.err.splitlines() if line.startswith("weft info: ranks that cannot share")]
    assert lines, ended.err
    assert lines[0].startswith("weft info: ranks that cannot share memory count as different nodes: " + REASON)


def test_nothing_is_logged_unless_it_is_asked_for(apart):
    ended = apart("bench", "12x10x9", "--repeat", 1, "--warmup", 0)
    assert ended.status == 0, ended.err
    assert "weft info" not in ended.err


def test_the_table_of_exchanges_says_why(apart):
    ended = apart("exchanges", "--json")
    assert ended.status == 0, ended.err
    entries = {entry["name"]: entry for entry in json.loads(ended.out)}
    for name in "shared", "node":
        assert not entries[name]["applies"]
        assert entries[name]["reason"].startswith(REASON)
    assert entries["p2p"]["applies"]


@pytest.mark.parametrize("name", ["shared", "node"])
def test_an_exchange_that_was_demanded_is_an_error(apart, name):
    ended = apart("bench", "12x10x9", "--exchange", name)
    assert ended.status != 0
    assert ended.complaints[0].startswith(f"weft: the exchange '{name}' does not apply: {REASON}")


def test_a_wrong_level_of_the_log_is_an_error(weft, monkeypatch):
    monkeypatch.setitem(ENVIRONMENT, "WEFT_LOG", "loud")
    assert "WEFT_LOG is 'loud'" in weft.fails("bench", "8x8x8", ranks=2)
