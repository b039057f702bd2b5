# tests/house/test_c_symbols: the functions of <weft/weft.h>, and of <weft/reordered.h> of the library of machines, are those of a list,
# and each is explained. A name that has been released stays: programs that are compiled already call it.
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEADERS = {"weft.h": "c_symbols.txt", "reordered.h": "c_symbols_of_machines.txt"}

FUNCTION = re.compile(r"^(?!static)[\w ]+?[ *]+(weft_\w+)\(", re.MULTILINE)


def functions(text):
    return FUNCTION.findall(re.sub(r"//[^\n]*", "", text))


def text_of(header):
    return (ROOT / "include/weft" / header).read_text(encoding="utf-8")


def listed(name):
    lines = (ROOT / "tests/package" / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def unexplained(text):
    """The functions that follow no comment, not counting those that stand right below an explained one."""
    missing = []
    for block in re.split(r"\n\s*\n", text):
        names = functions(block)
        if names and not re.search(r"^//", block, re.MULTILINE):
            missing += names
    return missing


def test_every_header_of_c_has_a_list():
    assert sorted(path.name for path in (ROOT / "include/weft").glob("*.h")) == sorted(HEADERS)


@pytest.mark.parametrize("header", HEADERS)
def test_the_functions_of_the_header_are_those_of_the_list(header):
    assert sorted(functions(text_of(header))) == listed(HEADERS[header])


@pytest.mark.parametrize("header", HEADERS)
def test_every_function_is_explained(header):
    assert unexplained(text_of(header)) == []


def test_functions_are_found():
    text = "// Does.\nweft_status weft_do(int a,\n                    int b);\nvoid* weft_data(void);\nstatic inline int weft_at(int i) { return i; }\n"
    assert functions(text) == ["weft_do", "weft_data"]
    assert unexplained(text) == [] and unexplained(text + "\n\nint weft_not(void);\n") == ["weft_not"]
