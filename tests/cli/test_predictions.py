# tests/cli/test_predictions: bench/predictions - the table, its JSON, and wrong input.
# Environment: WEFT_BIN and WEFT_MPIEXEC as for conftest.
import json
import shlex
import sys
from pathlib import Path

import pytest

from conftest import LAUNCHER, PROGRAM

SCRIPT = Path(__file__).resolve().parents[2] / "bench" / "predictions"


@pytest.fixture
def predictions(weft):
    """predictions(arguments): bench/predictions of the machine "cluster-100g", on two ranks of this one."""
    (weft.folder / "machine.json").write_text(weft.run("plan", "--print-machine", "cluster-100g").out)

    def run(*arguments):
        return weft.start([sys.executable, str(SCRIPT), "--machine", "machine.json", "--weft", PROGRAM,
                           "--launch", shlex.join([*LAUNCHER, "-n", "2"]), "--ranks", "2", *arguments])

    return run


def test_a_prediction_stands_beside_what_was_measured_and_the_fastest_choice(weft, predictions):
    ended = predictions("--only", "64x64x64 --kind", "--choices", "3", "--rounds", "1", "--repeat", "1", "--json", "table.json")
    assert ended.status == 0, ended.err
    (row,) = json.loads((weft.folder / "table.json").read_text())
    assert (row["problem"], row["ranks"], row["threads"]) == ("64x64x64 --kind r2c", 2, 1)
    assert 0 < row["best_of_choices_seconds"] <= row["chosen_seconds"]
    assert "fft" in row["strategy"] and "fft" in row["best_of_choices"]
    weft.run("plan", "64x64x64", "--kind", "r2c", "--machine", "machine.json", "--ranks", 2, "--strategy", row["strategy"],
             "--json", "plan.json")
    assert row["predicted_seconds"] == json.loads((weft.folder / "plan.json").read_text())[0]["predicted_seconds"]
    ratio = row["predicted_seconds"] / row["measured_seconds"]
    assert f"{ratio:.2f}" in ended.out.splitlines()[1]
    assert f"{int(0.75 <= ratio <= 1.25)} of 1 predictions are within 25%" in ended.out
    assert "of 1 choices are within 5% of the fastest strategy" in ended.out


@pytest.mark.parametrize(("arguments", "message"), [
    (["--only", "nothing"], "bench/predictions: no problem contains 'nothing'; there are: 64x64x64, "),
    (["--rounds", "0"], "--rounds 0: there must be at least one"),
    (["--shape", "1x2"], "--shape is for ranks on this machine, and --launch for others"),
])
def test_wrong_input_is_refused(predictions, arguments, message):
    ended = predictions(*arguments)
    assert ended.status == 2
    assert message in ended.err


def test_what_weft_says_about_a_wrong_machine_is_passed_on(weft, predictions):
    (weft.folder / "machine.json").write_text("{")
    ended = predictions("--only", "64x64x64 --kind", "--repeat", "1")
    assert ended.status != 0
    assert "the file is no JSON" in ended.err
