# tests/cli/test_help: help, version and tables; every example of every --help runs, with less to measure.
import json
import re
import shlex

import numpy as np
import pytest

from conftest import LAUNCHER, PROGRAM
from reference import random_array

COMMANDS = ["transform", "bench", "tune", "plan", "place", "doctor", "exchanges", "engines"]


def examples(help_text):
    _, _, rest = help_text.partition("Examples:\n")
    rest = rest.replace("\\\n", "")  # as a shell joins lines
    return [line.strip() for line in rest.splitlines() if line.startswith("  ")]


def runnable(example):
    """As it stands, but without bench's trials, and measured once or for a moment: tests of these commands do more."""
    words = shlex.split(re.sub(r"--seconds [\d.]+", "--seconds 0.2", example))
    if "bench" in words:
        words += [] if "--workload" in words else ["--effort", "estimate"]
        words += [] if "--repeat" in words else ["--repeat", "1"]
    if words[0] == "mpiexec":
        return [*LAUNCHER, *words[1:3], PROGRAM, *words[4:]]
    return [PROGRAM, *words[1:]]


@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_the_examples_of_help_run(weft, command):
    weft.variables["WEFT_WISDOM"] = "remembered.json"
    said = weft(*([command] if command else []), "--help")
    assert said.err == ""
    lines = examples(said.out)
    assert len(lines) >= 2
    np.save(weft.folder / "field.npy", random_array((12, 10, 24), "f8"))
    np.save(weft.folder / "waves.npy", random_array((12, 10), "c8"))
    for line in lines:
        ended = weft.start(runnable(line))
        assert ended.status == 0, f"{line}\n{ended.out}{ended.err}"


def test_help_lists_every_command(weft):
    out = weft("--help").out
    assert [name for name in COMMANDS if f"  {name} " not in out] == []


@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_help_fits_a_terminal_of_100_columns(weft, command):
    lines = weft(*([command] if command else []), "--help").out.splitlines()
    assert [line for line in lines if len(line) > 100] == []
    # What does not fit goes on below the description.
    assert command in (None, "exchanges", "engines") or any(line.startswith(30 * " ") for line in lines)


def test_help_and_version_are_printed_once(weft):
    assert weft("--help", ranks=3).out.count("Usage: weft") == 1
    assert weft("bench", "--help", ranks=3).out.count("Usage: weft bench") == 1
    assert weft("--version", ranks=3).out == "weft 0.1.0\n"
    assert weft("--version").out == "weft 0.1.0\n"


def test_help_names_what_the_contract_names(weft):
    wanted = {"transform": "--kind --inverse --axes --norm --exchange --grid --threads --verify --last-size --modes --points "
                           "--use-ranks --strategy",
              "bench": "--kind --precision --in-place --batch --decomposition --grid --input --output --exchange --engine "
                       "--threads --chunks --progress --in-flight --workload --work --node-size --warmup --repeat --no-verify --json --trace "
                       "--use-ranks --strategy"}
    for command, options in wanted.items():
        out = weft(command, "--help").out
        assert [option for option in options.split() if option not in out] == []


@pytest.mark.parametrize("command, unused, reason", [
    ("plan", ["--node-size 2", "--effort measure", "--reproducible"], "has no meaning for predictions"),
    ("place", ["--node-size 2", "--effort measure", "--reproducible"], "has no meaning for predictions"),
    ("tune", ["--strategy fftw", "--effort measure", "--reproducible"], "leaves nothing to tune"),
])
def test_help_does_not_list_what_a_command_refuses(weft, command, unused, reason):
    listed = [word for line in weft(command, "--help").out.splitlines() for word in line.split()[:1]]
    assert "--threads" in listed
    for option in unused:
        name = option.split()[0]
        assert name not in listed
        assert f"{name} {reason}" in weft.fails(command, "8x8x8", *option.split())


@pytest.mark.parametrize("ranks", [0, 3])
@pytest.mark.parametrize("command, first", [("exchanges", "p2p"), ("engines", "fftw")])
def test_tables_tell_what_there_is(weft, command, first, ranks):
    rows = json.loads(weft(command, "--json", ranks=ranks).out)
    assert first in [row["name"] for row in rows]
    for row in rows:
        assert row["summary"] and isinstance(row["applies"], bool)
        assert row["applies"] or row["reason"]
    lines = weft(command, ranks=ranks).out.splitlines()
    assert [line.split()[0] for line in lines] == [row["name"] for row in rows]
    assert ["does not apply here" in line for line in lines] == [not row["applies"] for row in rows]


def test_engines_are_those_of_the_processor_and_then_devices(weft):
    rows = json.loads(weft("engines", "--json").out)
    assert [row["name"] for row in rows][-5:] == ["cuda", "cufft", "hip", "hipfft", "fastest"]
    for row in rows[-5:-1]:
        assert row["applies"] == ("devices" in row) == ("version" in row)
        for number, device in enumerate(row.get("devices", [])):
            assert device["number"] == number and device["name"] and device["memory_bytes"] > 0 and device["processors"] > 0
