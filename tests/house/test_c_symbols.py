# tests/house/test_c_symbols: the functions of <weft/weft.h> are those of a list, and each is explained. A name that has been released
# stays: programs that are compiled already call it.
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEADER = (ROOT / "include/weft/weft.h").read_text(encoding="utf-8")
LIST = ROOT / "tests/package/c_symbols.txt"

FUNCTION = re.compile(r"^(?!static)[\w ]+?[ *]+(weft_\w+)\(", re.MULTILINE)


def functions(text):
    return FUNCTION.findall(re.sub(r"//[^\n]*", "", text))


def listed():
    return [line for line in LIST.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]


def unexplained(text):
    """The functions that follow no comment, not counting those that stand right below an explained one."""
    missing = []
    for block in re.split(r"\n\s*\n", text):
        names = functions(block)
        if names and not re.search(r"^//", block, re.MULTILINE):
            missing += names
    return missing


def test_the_functions_of_the_header_are_those_of_the_list():
    assert sorted(functions(HEADER)) == listed()


def test_every_function_is_explained():
    assert unexplained(HEADER) == []


def test_functions_are_found():
    text = "// Does.\nweft_status weft_do(int a,\n                    int b);\nvoid* weft_data(void);\nstatic inline int weft_at(int i) { return i; }\n"
    assert functions(text) == ["weft_do", "weft_data"]
    assert unexplained(text) == [] and unexplained(text + "\n\nint weft_not(void);\n") == ["weft_not"]
