# tests/house/test_unity: no helper of one file can be taken for that of another one.
# Why: files of a floor are compiled together (WEFT_UNITY). Two helpers of one name and the same arguments are then an error of the
# compiler. If their arguments are numbers of other types, or other kinds of text, a call might silently take the other helper.
import re
from collections import defaultdict
from itertools import combinations
from pathlib import Path

from test_floors import without_comments_and_strings

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "src/weft").glob("*/**/*.cpp"))
FUNCTION = re.compile(r"^(?!(?:template|return|if|for|namespace|struct|class|using)\b)[A-Za-z_][^=(){};]*?\b(\w+)\(([^{};]*?)\)[^(){};]*[{;]", re.MULTILINE)
CONVERTIBLE = [{"bool", "int", "std::int32_t", "std::int64_t", "std::size_t", "std::uint64_t", "unsigned", "float", "double", "Real"},
               {"char*", "std::string", "std::string_view"}]


def kinds(arguments):
    """The types of a list of arguments; of those that convert to each other, one for all."""
    found, depth = [""], 0
    for char in arguments:
        depth += (char in "<(") - (char in ">)")
        if char == "," and depth == 0:
            found.append("")
        else:
            found[-1] += char
    types = [re.sub(r"\bconst\b|\w+\s*$|[\s&]", "", argument.split("=")[0].strip()) for argument in found]
    return tuple(next((str(i) for i, group in enumerate(CONVERTIBLE) if kind in group), kind) for kind in types)


def helpers(text):
    """The functions that the unnamed namespaces of a formatted file declare: names, and kinds of arguments."""
    parts = re.findall(r"^namespace \{\n(.*?)^\}  // namespace\n", text, re.MULTILINE | re.DOTALL)
    return {(name, kinds(arguments)) for part in parts for name, arguments in FUNCTION.findall(without_comments_and_strings(part))}


def test_tells_helpers_by_the_kinds_of_their_arguments():
    text = ("namespace {{\n\nstd::int64_t larger({} a, {} b) {{\n  return a;\n}}\nstd::string text_of(const std::vector<Box>& all,\n"
            "                    int n);\n\n}}  // namespace\nint outside(int n);\n")
    whole, broken = helpers(text.format("std::int64_t", "std::int64_t")), helpers(text.format("double", "double"))
    assert whole == broken == {("larger", ("0", "0")), ("text_of", ("std::vector<Box>", "0"))}
    assert helpers(text.format("const Box&", "int")) != whole


def test_no_helper_can_be_taken_for_that_of_another_file():
    owners = defaultdict(list)
    for path in SOURCES:
        name = path.relative_to(ROOT / "src/weft")
        for helper in helpers(path.read_text(encoding="utf-8")):
            owners[name.parts[0], helper].append(name.as_posix())
    confused = [f"{helper[0]}: {' and '.join(pair)}" for (_, helper), files in owners.items() for pair in combinations(files, 2)]
    assert not confused, "a helper of several files belongs in a header of the floor, and two helpers have two names:\n" + "\n".join(confused)
