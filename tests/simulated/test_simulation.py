# tests/simulated/test_simulation: simulated times follow from bytes, bandwidths and latencies, and are the same in every run
# and on every machine.
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import run

ROOT = Path(__file__).resolve().parents[2]
BYTES = 64**3 * 16  # of the field


def stages(entry, what):
    return [stage for stage in entry["stages"] if stage["name"].startswith(what)]


def test_two_runs_are_equal_to_the_last_bit(simulate):
    first, second = (simulate("64x48x32", 8, "--output", "same", pass_seconds_per_byte=1e-10) for _ in range(2))
    assert first == second
    assert first["forward_seconds"]["median"] > 0


@pytest.fixture(scope="module")
def pretend_machine(tmp_path_factory):
    """A library that, preloaded, tells of other caches and cores than there are."""
    built = tmp_path_factory.mktemp("pretend") / "pretend_machine.so"
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", built, ROOT / "tests" / "support" / "pretend_machine.c", "-ldl"],
                   check=True, timeout=300)
    return built


def passes(entry):
    return [stage["name"] for stage in stages(entry, "pass ")]


def test_the_stated_caches_of_a_host_decide_its_passes(simulate):
    # The field takes 16 MB: as a tile a cache of level 2 may hold it, for a sweep half of level 3.
    def of(level_2, level_3):
        return passes(simulate("100x100x100", 1, level_2_cache=level_2, level_3_cache=level_3))

    assert of("1MiB", "16MiB") == ["pass 0: axes 2,1", "pass 1: axes 0"]
    assert of("1MiB", "32MiB") == passes(simulate("100x100x100", 1)) == ["pass 0: axes 2,1 then 0"]
    assert of("16MiB", "480MiB") == ["pass 0: axes 2,1,0"]


@pytest.mark.parametrize("factor", [16, 0.0625])
def test_no_plan_and_no_time_depends_on_the_machine_that_simulates(simulate, pretend_machine, monkeypatch, factor):
    def cache_bytes_told_here():
        return int(subprocess.run(["getconf", "LEVEL3_CACHE_SIZE"], check=True, capture_output=True, text=True).stdout)

    for name in ("LD_PRELOAD", "PRETEND_CACHES", "PRETEND_CORES"):  # these tests may run under such a pretence themselves
        monkeypatch.delenv(name, raising=False)
    extents, hosts, options = "100x100x100", 2, ("--output", "same")
    told, here = cache_bytes_told_here(), simulate(extents, hosts, *options, pass_seconds_per_byte=1e-10)
    for name, value in (("LD_PRELOAD", pretend_machine), ("PRETEND_CACHES", factor), ("PRETEND_CORES", 5)):
        monkeypatch.setenv(name, str(value))
    assert cache_bytes_told_here() == int(factor * told)
    assert simulate(extents, hosts, *options, pass_seconds_per_byte=1e-10) == here


def test_the_results_are_right_where_time_is_simulated(simulate):
    assert simulate("30x20x12", 6, "--kind", "r2c", pass_seconds_per_byte=1e-10)["max_error"] < 1e-14


def test_a_pass_takes_the_seconds_said_for_each_byte_it_loads(simulate):
    entry = simulate("64x64x64", 8, "--chunks", 1, "--progress", "inline", pass_seconds_per_byte=1e-10)
    passes = stages(entry, "pass ")
    assert len(passes) == 2
    for one in passes:
        assert one["seconds"] == pytest.approx(BYTES / 8 * 1e-10, rel=1e-9)


def test_nothing_but_messages_takes_time_where_passes_take_none(simulate):
    entry = simulate("64x64x64", 8, "--chunks", 1, "--progress", "inline")
    assert all(one["seconds"] == 0 for one in stages(entry, "pass "))
    (exchange,) = stages(entry, "exchange ")
    # And a vote, of a few latencies.
    assert 0 <= entry["forward_seconds"]["median"] - exchange["seconds"] < 20e-6


@pytest.mark.parametrize("platform", ["flat", "fat-tree"])
@pytest.mark.parametrize("exchange", ["p2p", "alltoall"])
def test_an_exchange_takes_its_bytes_by_the_bandwidth(simulate, platform, exchange):
    entry = simulate("64x64x64", 8, "--exchange", exchange, "--chunks", 1, "--progress", "inline",
                     platform=platform, bandwidth="0.1GBps", latency="1us")
    (stage,) = stages(entry, "exchange ")
    assert stage["bytes"] == BYTES / 8 * 7 / 8
    wire = stage["bytes"] / 0.1e9
    # Messages have envelopes and latencies. p2p has two under way at once: where routes are static, a link is idle now and then.
    most = 1.1 if (exchange, platform) == ("p2p", "fat-tree") else 1.005
    assert wire < stage["seconds"] < most * wire


@pytest.mark.parametrize("sends", [0, 1, 7])
def test_exchanges_alone_take_their_bytes_by_the_bandwidth_however_many_sends_are_under_way(program, sends):
    words = [ROOT / "bench" / "simulate", "--exchanges-only", "--sends", sends, "--hosts", 8, "--bandwidth", "0.1GBps", "--program", program,
             "--", "64x64x64", "--strategy", "fftw | from 8x1x1 | fft 2,1 | alltoallv to 1x8x1 | fft 0"]
    told = json.loads(run(words, 300).stdout)
    wire = BYTES / 8 * 7 / 8 / 0.1e9
    assert wire < told["seconds"] < 1.01 * wire


def test_collectives_that_block_are_right_and_take_their_bytes_by_the_bandwidth(simulate):
    entry = simulate("64x64x64", 8, "--exchange", "alltoallv", "--chunks", 1, "--progress", "inline", "--blocking", bandwidth="0.1GBps")
    assert entry["max_error"] < 1e-14
    wire = BYTES / 8 * 7 / 8 / 0.1e9
    assert wire < entry["forward_seconds"]["median"] < 1.02 * wire


@pytest.mark.parametrize("arguments, told", [
    (["--exchange", "p2p", "--chunks", "1"], "blocking collectives, and the exchange p2p"),
    (["--exchange", "alltoallv", "--chunks", "2"], "blocking collectives, and 2 chunks"),
    (["--exchange", "alltoallv", "--chunks", "1", "--in-flight", "2"], "blocking collectives, and 2 transforms in flight"),
    (["--exchange", "alltoallv", "--workload", "halo"], "--blocking, and the workload halo"),
])
def test_what_cannot_block_is_refused(program, arguments, told):
    ended = subprocess.run([sys.executable, ROOT / "bench" / "simulate", "--blocking", "--", "64x64x64", *arguments],
                           text=True, capture_output=True, cwd=ROOT, timeout=300)
    assert ended.returncode == 2
    assert told in ended.stderr
    assert "leave --blocking out" in ended.stderr


def test_a_message_is_under_way_while_its_ranks_compute(program, tmp_path):
    built = tmp_path / "overlap"
    subprocess.run(["smpicc", "-O1", "-o", built, Path(__file__).with_name("overlap.c")], check=True, timeout=300)
    words = [ROOT / "bench" / "simulate", "--hosts", "2", "--platform", "flat", "--program", built, "--", "-"]
    told = subprocess.run(words, check=True, capture_output=True, text=True, timeout=300).stdout
    ranks = sorted([float(word) for word in line.split()] for line in told.splitlines())
    assert [int(rank[0]) for rank in ranks] == [0, 1]
    for _, posting, computing, waiting, polling in ranks:
        # 1000 us on the wire at 1 GB/s, and latencies.
        assert computing == 700
        assert posting + computing + waiting == pytest.approx(1002, abs=10)
        assert polling == pytest.approx(1002, abs=10)


def test_64_hosts_are_simulated_in_seconds(simulate):
    entry = simulate("64x64x64", 64, pass_seconds_per_byte=1e-10)
    assert (entry["ranks"], entry["nodes"], entry["threads"]) == (64, 64, 1)


@pytest.mark.parametrize("arguments, told", [
    (["--hosts", "8"], "no EXTENTS; write them after --"),
    (["--bandwidth", "fast", "--", "8x8"], "'fast' is not a bandwidth; write it as in 1GBps"),
    (["--latency", "1", "--", "8x8"], "'1' is not a time with a unit; write it as in 1us"),
    (["--level-2-cache", "big", "--", "8x8"], "'big' is not the size of a cache; write it in bytes, or as in 512KiB or 32MiB"),
    (["--level-3-cache", "0", "--", "8x8"], "'0' is not the size of a cache"),
    (["--sends", "2", "--", "8x8"], "--sends 2 is a number of messages, and belongs to --exchanges-only"),
    (["--test-cost", "0us", "--", "8x8"], "a rank that polls would wait forever"),
    (["--cfg", "smpi/alltoallv", "--", "8x8"], "write it as in smpi/alltoallv:ring"),
    (["--program", "nowhere/weft", "--", "8x8"], "there is no nowhere/weft; build it with `./dev build smpi`"),
    (["--nodes", "0,99", "--", "8x8"], "--nodes has host 99, but the platform has 8"),
    (["--nodes", "0,0", "--", "8x8"], "does not name different hosts"),
    (["--nodes", "@nowhere", "--", "8x8"], "is no list of hosts"),
    (["--links", "1x2x1", "--", "8x8"], "belongs to a dragonfly"),
    (["--platform", "dragonfly", "--shape", "2x2x2x2", "--links", "1x2", "--", "8x8"], "--links has three numbers"),
    (["--platform", "fat-tree", "--tree", "2;4,8;1,4", "--", "8x8"], "'2;4,8;1,4' is no fat tree"),
    (["--platform", "fat-tree", "--hosts", "7", "--tree", "2;4,8;1,4;1,1", "--", "8x8"], "is not the product of --tree, 32"),
    (["--tree", "2;4,8;1,4;1,1", "--", "8x8"], "--tree belongs to a fat tree"),
    (["--platform", "torus", "--", "8x8"], "--platform torus needs --shape"),
    (["--", "8x8", "--threads", "2"], "2 threads a simulated rank"),
    (["--", "8x8", "--node-size", "2"], "a simulation has one rank per node"),
])
def test_what_cannot_be_simulated_is_refused(program, arguments, told):
    ended = subprocess.run([sys.executable, ROOT / "bench" / "simulate", *arguments], text=True, capture_output=True,
                           cwd=ROOT, timeout=300)
    assert ended.returncode == 2
    assert told in ended.stderr


@pytest.mark.skipif("WEFT_BIN" not in os.environ, reason="WEFT_BIN, a program that is not simulated, is not set")
def test_a_program_that_is_not_simulated_knows_no_costs():
    ended = subprocess.run([os.environ["WEFT_BIN"], "bench", "--help"], check=True, capture_output=True, text=True, timeout=300)
    assert "--threads" in ended.stdout
    assert "--pass-seconds-per-byte" not in ended.stdout
