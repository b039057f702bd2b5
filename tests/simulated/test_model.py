# tests/simulated/test_model: what is predicted and replayed is what a simulation of the same network takes.
import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WEFT = Path(os.environ.get("WEFT_BIN", ROOT / "build" / "bin" / "weft"))
MACHINE = {
    "weft_machine": 1, "name": "test", "ranks_per_node": 1, "cores_per_node": 1, "cache_bytes_per_core": 1 << 20,
    "shared_cache_bytes_per_node": 32 << 20, "memory_bytes_per_second": [1e10],
    "transforms": [{"points": 64, "seconds_per_point": 1e-9}], "message_seconds": 1e-7, "synchronization_seconds": 1e-6,
}
LINK = {"link_bytes_per_second": 175e6, "link_latency_seconds": 1e-7}
NETWORKS = {
    "torus": {"shape": "torus", "extents": [4, 4], "ties": "up"},
    "dragonfly": {"shape": "dragonfly", "groups": 2, "chassis_of_group": 2, "routers_of_chassis": 2, "nodes_of_router": 2,
                  "links_between_groups": 1, "links_between_chassis": 1, "links_between_routers": 1},
    "crossbar": {"shape": "crossbar", "nodes": 16},
    "fat tree": {"shape": "fat_tree", "children_of_levels": [4, 4], "parents_of_levels": [1, 2], "parallel_links_of_levels": [1, 1]},
}


# Beside what a strategy takes, its ranks agree for some microseconds on what they run.
AGREEMENT = 15e-6


def modelled(program, folder, network, *words):
    """What bench/model tells of strategies on a network with these links."""
    (folder / "machine.json").write_text(json.dumps({**MACHINE, "network": {**network, **LINK}}))
    command = [ROOT / "bench" / "model", "--machine", folder / "machine.json", "--weft", WEFT, "--program", program, *words,
               "--json", folder / "model.json"]
    ended = subprocess.run([str(word) for word in command], text=True, capture_output=True, timeout=600)
    assert ended.returncode == 0, ended.stderr
    return json.loads((folder / "model.json").read_text())


def test_replays_know_chunks_and_what_idle_links_cost(program, tmp_path):
    # A ring on which messages cross several links, in chunks beside passes that take about as long.
    told = modelled(program, tmp_path, {"shape": "torus", "extents": [6], "ties": "up"}, "72x72x72", "--chunks", "--pass-seconds-per-byte",
                    "2e-9", "--strategies", "3")
    for row in told["strategies"]:
        assert row["replayed_seconds"] == pytest.approx(row["simulated_seconds"] - AGREEMENT, rel=0.12), row
    closest = [abs(row[f"{how}_seconds"] / row["simulated_seconds"] - 1) for row in told["strategies"] for how in ("replayed", "predicted")]
    assert max(closest[::2]) < max(closest[1::2])


def test_rounds_take_what_is_predicted(program, tmp_path):
    # Rows of 8 on a ring of 8, and columns of 4 in the other direction.
    network = {"shape": "torus", "extents": [8, 4], "ties": "up"}
    told = modelled(program, tmp_path, network, "64x64x64", "--blocking", "--only",
                    "fftw | from 4x8x1 | fft 2 | alltoallv to 4x1x8 | fft 1 | alltoallv to 1x4x8 | fft 0")
    (row,) = told["strategies"]
    for how in ("predicted", "replayed"):
        assert row[f"{how}_seconds"] == pytest.approx(row["simulated_seconds"] - AGREEMENT, rel=0.1), row


def test_exchanges_alone_take_what_a_whole_plan_takes(program, tmp_path):
    # Groups of 8 and 4, whose members exchange pair by pair, and of 3 and 6, with uneven parts, which go by shifts.
    for extents, grid in (([8, 4], (4, 8)), ([6, 3], (3, 6))):
        rows, columns = grid
        network = {"shape": "torus", "extents": extents, "ties": "up"}
        words = ["40x36x50", "--only", f"fftw | from {rows}x{columns}x1 | fft 2 | alltoallv to {rows}x1x{columns} | fft 1 | "
                                       f"alltoallv to 1x{rows}x{columns} | fft 0"]
        (whole,) = modelled(program, tmp_path, network, *words, "--blocking")["strategies"]
        (alone,) = modelled(program, tmp_path, network, *words, "--exchanges-only")["strategies"]
        assert alone["simulated_seconds"] == pytest.approx(whole["simulated_seconds"] - AGREEMENT, rel=0.05)
        assert alone["predicted_seconds"] == whole["predicted_seconds"] and "replayed_seconds" not in alone


def test_exchanges_alone_refuse_what_they_do_not_know(program):
    for words, told in ((["8x8x8"], "--strategy"), (["8x8x8", "--repeat", "3", "--strategy", "fftw | from 8x1x1 | fft 2,1"], "--repeat"),
                        (["8xx8", "--strategy", "fftw | from 8x1x1 | fft 2,1"], "'8xx8' is not a shape"),
                        (["8x8x8", "--strategy", "fftw | from 8x1x1 | fft 2,1 | p2p to 1x8x1 | fft 0"], "'p2p to 1x8x1' does not go"),
                        (["8x8x8", "--strategy", "fftw | from 8x1x1 | fft 2,1 | alltoallv to 1x8x1 in 4 | fft 0"], "in one piece"),
                        (["8x8x8", "--strategy", "fftw | from 8x1x1 | fft 2,1"], "exchanges: ")):
        command = [ROOT / "bench" / "simulate", "--exchanges-only", "--program", program, "--", *words]
        ended = subprocess.run([str(word) for word in command], text=True, capture_output=True, timeout=60)
        assert ended.returncode == 2 and told in ended.stderr, ended


@pytest.mark.parametrize("name", NETWORKS)
def test_exchanges_take_what_is_predicted(program, tmp_path, name):
    told = modelled(program, tmp_path, NETWORKS[name], "48x48x48", "--strategies", "2")
    assert len(told["strategies"]) == 2
    for row, share, of_replay in zip(told["strategies"], (0.16, 0.3), (0.1, 0.25), strict=True):
        # p2p has a few messages under way at once, so that a link is idle now and then, more often for the slowest strategy.
        assert row["predicted_seconds"] == pytest.approx(row["simulated_seconds"] - AGREEMENT, rel=share), row
        assert row["replayed_seconds"] == pytest.approx(row["simulated_seconds"] - AGREEMENT, rel=of_replay), row
    assert told["kendall_tau"] == 1
