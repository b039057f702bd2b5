# tests/house/test_repository: rules for every file: no paths of one machine, no broken links, a first line that says what it is.
# The checks are functions that are also applied to made-up text, so that each is seen to fail.
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import check_docs  # noqa: E402

BINARY = (".png", ".jpg", ".gif", ".ico", ".gz", ".npy", ".nii", ".pdf", ".woff2", ".input")
MACHINE_PATH = re.compile(r"(?:^|[\s\"'(=`:,\[])/(?:home|root|work|tmp|Users)/[A-Za-z0-9_.]")

COMMENT = {
    "//": (".hpp", ".h", ".cpp", ".c", ".cu", ".cuh", ".js"),
    "#": (".py", ".sh", ".cmake", ".txt", ".in", ".supp", ".yml", ".yaml", ".toml", ".gitignore", ".clang-format", ".clang-tidy",
          "dev", ".ci/run"),
    "!": (".f90", ".F90"),
}


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def text_files():
    return [name for name in check_docs.repository_files() if not name.endswith(BINARY)]


def machine_paths(text):
    """The lines of `text` that contain a path which exists on one machine only."""
    return [line.strip() for line in text.splitlines() if MACHINE_PATH.search(line)]


def says_what_it_is(name, text):
    """Whether a file that can have comments starts with one; after `#!`, on the next line."""
    for mark, endings in COMMENT.items():
        if name.endswith(tuple(e for e in endings if e.startswith("."))) or name in endings:
            lines = text.splitlines() or [""]
            first = lines[1] if lines[0].startswith("#!") and len(lines) > 1 else lines[0]
            return first.startswith((mark, "/*", '"""')) and len(first.strip('/*#!" ')) > 0
    return True


def test_no_file_names_a_place_on_one_machine():
    found = {name: machine_paths(read(name)) for name in text_files()}
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_every_link_resolves_every_program_shown_is_an_example_and_every_measurement_is_listed():
    assert check_docs.problems(ROOT) == []


def test_tests_that_replace_functions_of_mpi_say_so():
    # By these words CMake knows that such a file is a program of its own.
    silent = [name for name in text_files() if name.startswith("tests/") and name.endswith("_test.cpp")
              and re.search(r"^\w+ P?MPI_\w+\(", read(name), re.MULTILINE) and 'extern "C"' not in read(name)]
    assert silent == []


def test_every_file_says_in_its_first_line_what_it_is():
    assert [name for name in text_files() if not says_what_it_is(name, read(name))] == []


def test_the_repository_is_not_taken_for_empty():
    assert {"dev", "CMakeLists.txt", "tests/house/test_repository.py"} <= set(text_files())


@pytest.mark.parametrize("line, found", [
    ("open('" + "/home" + "/ada/field.npy')", True),
    ("cd " + "/work" + "/main", True),
    ("MKL_DIR=" + "/tmp" + "/v/lib", True),
    ("apt reads /etc/apt/sources.list and python is /usr/bin/python3", False),
    ("frame/work/unit and https://host.example/home/page", False),
])
def test_a_machine_path_is_told_from_a_common_one(line, found):
    assert bool(machine_paths(line)) == found


@pytest.mark.parametrize("name, text, good", [
    ("src/weft/grid/box_algebra.hpp", "// grid/box: a half-open region.\n#pragma once\n", True),
    ("src/weft/grid/box_algebra.hpp", "#pragma once\n", False),
    ("src/weft/grid/box_algebra.cpp", "", False),
    ("tools/a.py", "# tools/a: does this.\n", True),
    ("tools/a.py", "import os\n", False),
    ("dev", "#!/usr/bin/env bash\n# The door.\n", True),
    ("dev", "#!/usr/bin/env bash\nset -e\n", False),
    ("cmake/a.cmake", "#\nset(A)\n", False),
    ("README.md", "weft\n", True),
])
def test_a_file_without_a_first_comment_is_found(name, text, good):
    assert says_what_it_is(name, text) == good


def links(text, **others):
    pages = {"docs/page.md": text, **others}
    known = {"docs/page.md", "docs/other.md", "README.md"}
    contents = {**pages, "docs/other.md": "# Other page\n## The `weft` program, twice\n", "README.md": ""}
    return check_docs.broken_links(pages, known.__contains__, contents.__getitem__)


@pytest.mark.parametrize("link", [
    "[a](other.md)", "[a](../README.md)", "[a](other.md#other-page)", "[a](other.md#the-weft-program-twice)", "[a](https://x.org/y)",
    "# Here\n[a](#here)", "`[a](nowhere.md)`", "```\n[a](nowhere.md)\n```", "[a]: other.md",
])
def test_a_good_link_passes(link):
    assert links(link + "\n") == []


@pytest.mark.parametrize("link", [
    "[a](nowhere.md)", "[a](other.md#gone)", "[a](#here)", "![a](images/gone.png)", "[a]: gone.md", '<img width="3" src="gone.png">',
])
def test_a_broken_link_is_reported(link):
    assert len(links(link + "\n")) == 1


def test_a_piece_of_a_program_that_is_in_no_example_is_reported():
    examples = {"examples/a.cpp": "int main() {\n  f();\n  g(1);\n  h();\n}\n"}

    def strange(body):
        return check_docs.strange_pieces({"docs/tutorial.md": f"```cpp\n{body}\n```\n"}, examples)

    assert strange("f();\n  g(1);") == [] and strange("g(1);\nh();") == []
    assert len(strange("f();\nh();")) == 1 and len(strange("g(2);")) == 1 and len(strange("(1);")) == 1


def test_a_section_of_the_lab_without_a_line_in_the_index_is_reported():
    lab = {"docs/lab/tiles.md": "# Tiles\n## Wide `rows`\n## Narrow rows\n```\n## no heading\n```\n"}
    assert check_docs.unlisted_sections({**lab, "docs/tried.md": "[a](lab/tiles.md#wide-rows)\n"}) == [
        "docs/lab/tiles.md: docs/tried.md has no line for the section 'Narrow rows'"]
    assert check_docs.unlisted_sections({**lab, "docs/tried.md": "[a](lab/tiles.md)\n"}) == []
    assert len(check_docs.unlisted_sections(lab)) == 2


def test_a_program_that_is_no_example_is_reported():
    hello = "// examples/hello: one line.\n#include <a>\nint main() { return 0; }\n"
    shown = "```cpp\n#include <a>\nint main() { return 0; }\n```\n"
    examples = {"examples/hello.cpp": hello}
    assert check_docs.strange_programs({"README.md": shown}, examples) == []
    assert "is not an example" in check_docs.strange_programs({"README.md": shown + shown.replace("0", "1")}, examples)[0]
    assert check_docs.strange_programs({"README.md": ""}, examples) == ["README.md: does not show examples/hello.cpp"]
    in_fortran = {"fortran/examples/hello.f90": "! hello: it.\nprogram hello\nend program hello\n"}
    wrong = "```fortran\nprogram hallo\nend program hallo\n```\n"
    assert check_docs.strange_programs({"a.md": wrong.replace("hallo", "hello")}, in_fortran) == []
    assert "is not an example" in check_docs.strange_programs({"a.md": wrong}, in_fortran)[0]
    assert check_docs.strange_programs({"docs/fortran.md": ""}, in_fortran) == ["docs/fortran.md: does not show fortran/examples/hello.f90"]
    in_c = {"examples/c/hello.c": "// hello: in C.\nint main(void) { return 0; }\n"}
    assert check_docs.strange_programs({"docs/c.md": "```c\nint main(void) { return 0; }\n```\n"}, in_c) == []
    assert check_docs.strange_programs({"docs/c.md": ""}, in_c) == ["docs/c.md: does not show examples/c/hello.c"]
