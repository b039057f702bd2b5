# tests/python/test_docs: the programs of Python in the documentation and the examples run, and the types of the package hold.
import ast
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [(ROOT / "docs" / name).read_text() for name in ("python.md", "python-fields.md", "tutorial.md", "files.md", "cost-model.md")]
PROGRAMS = [program for page in PAGES for program in re.findall(r"```python\n(.*?)```", page, re.DOTALL)]
EXAMPLES = sorted((ROOT / "examples/python").glob("*.py"))
ALL = "import runpy, sys\nfor file in sys.argv[1:]:\n    print(file)\n    runpy.run_path(file, run_name='__main__')"


def test_the_docs_show_all_examples():
    assert len(EXAMPLES) == 9
    assert [file.name for file in EXAMPLES if file.read_text() not in PROGRAMS] == []


@pytest.mark.parametrize("ranks", [1, 4])
def test_examples_find_the_known_answers(run, ranks):
    said = run(ALL, *map(str, EXAMPLES), ranks=ranks, threads=1, seconds=200)
    assert said.count(".py") == 9 * ranks


@pytest.mark.parametrize("ranks", [0, 2])
def test_programs_of_the_docs_run(run, ranks, tmp_path):
    examples = [file.read_text() for file in EXAMPLES]
    files = []
    for number, program in enumerate(PROGRAMS):
        if ("MPI" in program) == (ranks > 0) and program not in examples:
            files.append(tmp_path / f"program_{number}.py")
            files[-1].write_text(program)
    assert len(files) == (14 if ranks else 9)
    run(f"import os\nos.chdir({str(tmp_path)!r})\n{ALL}", *map(str, files), ranks=ranks)


def test_types_are_complete():
    # numpy's own files need not be looked at for long: the cache is beside the build's results.
    cache = Path(os.environ.get("WEFT_BIN", ROOT / "build/release/bin/weft")).parents[1] / "mypy"
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", cache, "-p", "weft"],
        capture_output=True, text=True, env={**os.environ, "MYPYPATH": str(ROOT / "python")},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def arguments_of(function):
    """How many arguments a function has, without self, as its class in the compiled module or in weft._core_types says it."""
    if hasattr(function, "__nb_signature__"):
        definition = ast.parse(function.__nb_signature__[0][0] + ": ...").body[0]
        names = [each.arg for each in (*definition.args.posonlyargs, *definition.args.args)]
    else:
        names = list(inspect.signature(function).parameters)
    return len(names) - (names[:1] == ["self"])


def public(thing):
    return {name: each for name, each in vars(thing).items() if not name.startswith("_") and callable(each) and not isinstance(each, type)}


def test_types_of_the_compiled_module_are_what_it_has():
    from weft import _core_types as types
    from weft._cores import core

    compiled = core()
    for ours, theirs in (
        (types.Core, compiled), (types.CorePlan, compiled.Plan), (types.CoreTicket, compiled.Ticket), (types.CoreEnsemble, compiled.Ensemble),
        (types.CoreFile, compiled.File),
    ):  # fmt: skip
        assert {name: arguments_of(each) for name, each in public(ours).items()} == {
            name: arguments_of(each) for name, each in public(theirs).items()
        }


@pytest.mark.parametrize("name", __import__("weft").__all__)
def test_what_is_public_has_docstrings(name):
    import weft

    thing = getattr(weft, name)
    assert thing.__doc__
    classes = [each for each in thing.__mro__ if each.__module__.startswith("weft.")] if isinstance(thing, type) else []
    names = thing.__all__ if name in ("fft", "spectral") else [n for each in classes for n in vars(each) if not n.startswith("_")]
    fields = getattr(thing, "__dataclass_fields__", {})
    assert [each for each in names if each not in fields and not getattr(thing, each).__doc__] == []
