# tests/choices: bench/choices with a stand-in for weft bench.
import json
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parents[2] / "bench" / "choices"

# Fastest with streamed stores; the plan that measures takes MEASURED ms each way, and oneMKL is not here.
STAND_IN = """
import argparse, json, sys
parser = argparse.ArgumentParser()
parser.add_argument("extents")
parser.add_argument("--strategy", action="append")
parser.add_argument("--in-turn", action="store_true")
parser.add_argument("--effort")
parser.add_argument("--json")
args = parser.parse_args()
rule = "weft | from 2x1 | fft 1 | p2p to 1x2 | fft 0"
entries = []
for strategy in args.strategy or [rule]:
    if "mkl" in strategy:
        sys.exit("there is no engine 'mkl'")
    if strategy not in ("automatic", rule) and strategy.count(strategy.split("fft 1")[1].split(" |")[0]) < 2:
        sys.exit("not all passes have the choice: " + strategy)
    ms = MEASURED if strategy == "automatic" else 2 if "streamed" in strategy else 3
    times = {"min": ms / 1e3, "median": ms / 1e3, "max": ms / 1e3}
    entries.append({"extents": [4, 4], "kind": "c2c", "ranks": 2, "threads": 1, "strategy": rule if strategy == "automatic" else strategy,
                    "forward_seconds": times, "backward_seconds": times})
assert args.in_turn == ("automatic" in (args.strategy or []))
json.dump(entries, open(args.json, "w"))
"""


@pytest.fixture
def choices(tmp_path):
    def run(*options, measured=2.0, command=None):
        stand_in = tmp_path / "bench.py"
        stand_in.write_text(STAND_IN.replace("MEASURED", str(measured)))
        return subprocess.run([sys.executable, TOOL, *map(str, options), "--", *(command or [sys.executable, stand_in, "4x4"])],
                              cwd=tmp_path, text=True, capture_output=True, timeout=120)
    return run


def test_compares_with_the_best_fixed_choice(choices, tmp_path):
    ended = choices("--rounds", 2, "--json", tmp_path / "c.json", measured=2.2)
    assert ended.returncode == 0, ended.stderr
    result = json.loads((tmp_path / "c.json").read_text())
    assert result["ratio"] == pytest.approx(1.1)
    assert result["seconds"]["streamed"] == pytest.approx(4e-3) and result["seconds"]["in rows"] == pytest.approx(6e-3)
    assert not [words for words in result["seconds"] if "mkl" in words]
    assert "measured choice / best fixed one: 1.100 (1.100 to 1.100)" in ended.stdout
    assert len(result["ratios"]) == 2 and result["chosen"] == ["weft | from 2x1 | fft 1 | p2p to 1x2 | fft 0"]


@pytest.mark.parametrize("measured, status", [(2.0, 0), (2.5, 1)])
def test_a_bound_decides_the_status(choices, measured, status):
    assert choices("--rounds", 1, "--within", 1.05, measured=measured).returncode == status


def test_what_cannot_run_is_said(choices):
    ended = choices("--rounds", 1, command=[sys.executable, "-c", "import sys; sys.exit('no such grid')"])
    assert ended.returncode == 3 and "no such grid" in ended.stderr
    assert choices("--rounds", 0).returncode == 2 and "--rounds 0 is less than 1" in choices("--rounds", 0).stderr
