# tests/house/test_classes: no class of src/ is longer than 250 lines where it is defined.
# Classes are found by their braces, as functions are (test_functions); the finder is tried on made-up code.
import re

import pytest
from test_functions import blanked, closing, sources

MOST_LINES = 250

HEAD = re.compile(r"(?<!enum )\b(?:class|struct|union)\s+(?:\w+::)*(\w+)\s*(?:final\s*)?(?::[^:;{}()][^;{}]*)?\{")


def classes(text):
    """(name, first line, number of lines) of every class that is defined in `text`, in its order; those within others, too."""
    text = blanked(text)
    found = []
    for head in HEAD.finditer(text):
        end = closing(text, head.end() - 1, "{}")
        found.append((head[1], text.count("\n", 0, head.start()) + 1, text.count("\n", head.start(), end) + 1))
    return found


def complaints(files):
    """A sentence about each class in `files`, a dict of path to text, that exceeds the limit."""
    return [f"{path}:{line}: {name} has {lines} lines"
            for path, text in sorted(files.items()) for name, line, lines in classes(text) if lines > MOST_LINES]


def test_no_class_exceeds_the_limit():
    assert complaints(sources()) == []


@pytest.mark.parametrize("text, found", [
    ("class Race {\n  int a;\n};", [("Race", 1, 3)]),
    ("namespace {\n\nstruct Tried : Entrant {\n  std::vector<int> all{1, 2};\n};\n}", [("Tried", 3, 3)]),
    ("struct Search::Way {\n};", [("Way", 1, 2)]),
    ("class A final : public B<C> {\n  struct Inner {\n  };\n};", [("A", 1, 4), ("Inner", 2, 2)]),
    ("class Plan;\nstruct Plan* make();\nenum class Kind { c2c };", []),
    ("// class Commented {\nauto text = \"struct Quoted {\";", []),
    ("template <class T>\nvoid f() {\n}", []),
])
def test_classes_are_found_with_their_lines(text, found):
    assert classes(text) == found


def test_a_class_that_is_too_long_is_reported():
    long = "class Long {\n" + "  int a;\n" * (MOST_LINES - 1) + "};\n"
    assert complaints({"src/a.cpp": long}) == ["src/a.cpp:1: Long has 251 lines"]
    assert complaints({"src/a.cpp": long.replace("  int a;\n", "", 1)}) == []
