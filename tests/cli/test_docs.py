# tests/cli/test_docs: the options of weft that the documentation names are those of --help, and its scripts have no errors of syntax.
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/docs"))
import program  # noqa: E402

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs/porting").glob("*.md"))]
COMMANDS = ("transform", "bench", "tune", "plan", "place", "doctor", "exchanges", "engines")
COMMAND = re.compile(rf"\bweft ({'|'.join(COMMANDS)})\b([^`|\n]*)")
SCRIPT = re.compile(r"^```(?:sh|bash)\n(.*?)^```", re.DOTALL | re.MULTILINE)


def options_in(text):
    """(command, option) for each option behind a command of weft."""
    text = text.replace("\\\n", " ")
    return {(command, option) for command, rest in COMMAND.findall(text) for option in re.findall(r"(?<=\s)--[a-z][\w-]*", rest.split(" # ")[0])}


def test_options_in_the_docs_are_those_of_help(weft):
    named = {found for page in PAGES for found in options_in(page.read_text())}
    assert len(named) > 30 and ("doctor", "--machine-file") in named
    for command in COMMANDS:
        known = set(re.findall(r"(?<![\w-])--[a-z][\w-]*", weft(command, "--help").out))
        assert sorted(option for of, option in named if of == command and option not in known) == []


def test_the_site_has_the_help_of_every_command(weft, monkeypatch):
    page = program.page(ROOT)
    assert re.findall(r"^## weft (\w+)", page, re.MULTILINE) == list(COMMANDS)
    assert weft("tune", "--help").out.strip() in page
    monkeypatch.setenv("WEFT_BIN", "nowhere")
    assert "./dev build" in program.page(ROOT)


def test_the_theory_of_costs_is_what_weft_plan_predicts(weft):
    page = (ROOT / "docs/cost-model.md").read_text()
    weft("plan", "1024x1024x1024", "--ranks", 64, "--json", "plan.json")
    plan = json.loads((weft.folder / "plan.json").read_text())[0]
    walk, exchange = plan["stages"][0], plan["stages"][1]
    for seconds in (walk["memory_seconds"], exchange["link_seconds"], plan["predicted_seconds"]):
        assert f"{1e3 * seconds:.3f} ms" in page
    assert f"{1e3 * walk['transform_seconds']:.3f}e-3" in page


def test_options_are_found():
    text = "`weft plan 8x8 --ranks 2` and --others\n  mpiexec -n 2 build/bin/weft bench 8x8 --in-place \\\n  --json FILE  # --not\nweft tune --list | grep --all\n"
    assert options_in(text) == {("plan", "--ranks"), ("bench", "--in-place"), ("bench", "--json"), ("tune", "--list")}


@pytest.mark.parametrize("page", [page for page in PAGES if SCRIPT.search(page.read_text())], ids=lambda page: page.stem)
def test_scripts_in_the_docs_have_no_errors(page):
    for script in SCRIPT.findall(page.read_text()):
        done = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True)
        assert done.returncode == 0, script + done.stderr
        if shutil.which("shellcheck"):
            done = subprocess.run(["shellcheck", "--shell=bash", "--severity=warning", "--exclude=SC2046", "-"], input=script, capture_output=True, text=True)
            assert done.returncode == 0, done.stdout
