# tests/chunks: bench/chunks with a stand-in for weft bench; tests/simulated runs it with weft.
import json
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "bench" / "chunks"
SVG = "{http://www.w3.org/2000/svg}"

# Takes 10 ms in one piece, least at 8 chunks, and backward twice as long; weft's own choice is 4.
STAND_IN = """
import argparse, json
parser = argparse.ArgumentParser()
parser.add_argument("extents")
parser.add_argument("--chunks", type=int)
parser.add_argument("--json")
args = parser.parse_args()
chunks = args.chunks or 4
seconds = {1: 10e-3, 4: 6.6e-3, 8: 6e-3, 64: 8e-3}[chunks]
times = lambda t: {"min": t, "median": t, "max": t}
entry = {"extents": [int(n) for n in args.extents.split("x")], "kind": "c2c", "precision": "double", "ranks": 2, "nodes": 2,
         "chunks": chunks, "strategy": f"in {chunks}", "forward_seconds": times(seconds), "backward_seconds": times(2 * seconds)}
json.dump([entry] * (2 if args.extents == "2x2" else 1), open(args.json, "w"))
"""


@pytest.fixture
def chunks(tmp_path):
    """chunks(options ..., command=...): bench/chunks, with the stand-in unless another command is given."""
    stand_in = tmp_path / "bench.py"
    stand_in.write_text(STAND_IN)

    def run(*options, extents="8x8", command=None):
        words = command or [sys.executable, stand_in, extents]
        return subprocess.run([sys.executable, TOOL, *options, "--", *map(str, words)], cwd=tmp_path, text=True,
                              capture_output=True, timeout=300)

    return run


def test_the_best_and_wefts_own_number_are_told(chunks, tmp_path):
    ended = chunks("--chunks", "4,8,64", "--json", "chunks.json")
    assert ended.returncode == 0, ended.stderr
    found = json.loads((tmp_path / "chunks.json").read_text())
    assert [one["chunks"] for one in found["tried"]] == [1, 4, 8, 64], "one piece is always among them"
    assert found["blocking"]["forward_seconds"] == 10e-3
    assert (found["own"]["chunks"], found["forward_best_chunks"]) == (4, 8)
    assert found["forward_own_to_best"] == pytest.approx(1.1)
    assert "weft's own choice takes 1.100 (forward) and 1.100 (backward) of the best time" in ended.stdout


def test_the_picture_has_a_point_for_every_number_and_a_ring_around_wefts_own(chunks, tmp_path):
    assert chunks("--chunks", "1,4,8,64", "--svg", "chunks.svg", "--title", "here & now").returncode == 0
    picture = xml.parse(tmp_path / "chunks.svg").getroot()
    lines = [[tuple(map(float, point.split(","))) for point in line.get("points").split()]
             for line in picture.iter(f"{SVG}polyline")]
    assert [len(line) for line in lines] == [4, 4]
    (x1, y1), (x4, y4), (x8, y8), (x64, y64) = lines[0]
    assert x8 - x4 == pytest.approx((x64 - x1) / 6, abs=0.2), "every doubling is as wide"
    assert y1 < y64 < y4 < y8, "the least time is lowest"
    rings = [circle for circle in picture.iter(f"{SVG}circle") if circle.get("fill") == "none"]
    assert (float(rings[0].get("cx")), float(rings[0].get("cy"))) == pytest.approx((x4, y4))
    dashed = [line for line in picture.iter(f"{SVG}line") if line.get("stroke-dasharray")]
    assert [float(line.get("y1")) for line in dashed] == pytest.approx([y1]), "the blocking time"
    assert "here & now" in [text.text for text in picture.iter(f"{SVG}text")]


@pytest.mark.parametrize("ratio, status", [("1.11", 0), ("1.09", 1)])
def test_a_choice_that_is_too_far_from_the_best_ends_with_status_1(chunks, ratio, status):
    assert chunks("--chunks", "8", "--within", ratio).returncode == status


@pytest.mark.parametrize("options, told", [
    (["--chunks", "0,4"], "'0,4' is not a list of numbers of chunks; write it as in 1,4,16"),
    (["--chunks", "few"], "'few' is not a list of numbers of chunks"),
    (["--rounds", "0"], "--rounds 0 is less than 1"),
])
def test_wrong_use_is_told(chunks, options, told):
    ended = chunks(*options)
    assert (ended.returncode, told in ended.stderr) == (2, True), ended.stderr


def test_a_launch_that_fails_ends_it_with_its_status_and_words(chunks):
    ended = chunks(command=[sys.executable, "-c", "import sys; print('no hosts here', file=sys.stderr); sys.exit(77)"])
    assert ended.returncode == 77
    assert "no hosts here" in ended.stderr


def test_several_configurations_are_refused(chunks):
    ended = chunks(extents="2x2")
    assert (ended.returncode, "measures 2 configurations" in ended.stderr) == (2, True)


def test_there_must_be_a_command():
    ended = subprocess.run([sys.executable, TOOL], text=True, capture_output=True, timeout=60)
    assert (ended.returncode, "no command; write it after --" in ended.stderr) == (2, True)
