# tests/house/test_functions: no function of src/ is longer than 60 lines or has more than 6 parameters. In src/weft/compat, the library
# whose place a function takes says how many it has.
# Functions are found by their braces, which works for code that clang-format has laid out; the finder is tried on made-up code.
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MOST_LINES, MOST_PARAMETERS = 60, 6
OF_COMPAT = "src/weft/compat/"

# (file, function) of those that still break the limits. An entry that is no longer needed fails the test.
KNOWN = set()

# Comments, raw strings, strings and characters (not the ' in 1'000).
TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)
SCOPE = re.compile(r"\b(?:namespace|class|struct|union)\b|\bextern\s*$")
NAME = re.compile(r"(operator\s*\(\s*\)|operator\s*[^\s\w(]+|~?[A-Za-z_]\w*)\s*\(")
SPECIFIERS = re.compile(r"\b(?:__attribute__|alignas|decltype|noexcept)\s*(?=\()")


def spaces(text):
    """As many spaces as `text` has characters, with the same line breaks."""
    return re.sub(r"[^\n]", " ", text)


def blanked(text):
    """`text` without comments, strings and preprocessor lines."""
    text = TOKEN.sub(lambda m: spaces(m[0]), text)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda m: spaces(m[0]), text, flags=re.MULTILINE)


def closing(text, at, pair):
    """The index of the bracket that closes the one at `at`; the end of the text if there is none."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == pair[0]) - (text[i] == pair[1])
        if depth == 0:
            return i
    return len(text)


def without_templates(head):
    """`head` without template arguments, attributes and the parentheses of specifiers."""
    head = re.sub(r"->|<=>|<<|[<>]=|operator\s*[<>]", lambda m: m[0].replace("<", "?").replace(">", "?"), head)
    for opening in SPECIFIERS.finditer(head):
        end = closing(head, opening.end(), "()") + 1
        head = head[:opening.start()] + spaces(head[opening.start():end]) + head[end:]
    while inner := re.search(r"<[^<>]*>", head):
        head = head[:inner.start()] + spaces(inner[0]) + head[inner.end():]
    return head


def functions(text):
    """(name, first line, number of lines, number of parameters) of every function that is defined in `text`, in its order.
    A lambda counts as part of the function that contains it."""
    text = blanked(text)
    found, begin, at = [], 0, 0
    while at < len(text):
        letter = text[at]
        if letter == "(":
            at = closing(text, at, "()")
        elif letter in ";}":
            begin = at + 1
        elif letter == "{":
            head = re.sub(r"\b(?:public|private|protected)\s*:", lambda m: spaces(m[0]), text[begin:at])
            bare = without_templates(head)
            name = NAME.search(bare)
            if not name and SCOPE.search(bare):
                begin = at + 1
            elif name and re.search(r"\)[^(){}]*[^:]:[^:].*[\w>]\s*$", bare, re.DOTALL):
                # A member that a constructor initializes with braces: they are read as parentheses from here on.
                end = closing(text, at, "{}")
                text = text[:at] + "(" + re.sub(r"[{}]", " ", text[at + 1:end]) + ")" + text[end + 1:]
                at = end
            else:
                end = closing(text, at, "{}")
                if name and not re.search(r"=\s*$", bare):
                    first = begin + len(head) - len(head.lstrip())
                    inside = bare[name.end():closing(bare, name.end() - 1, "()")]
                    found.append((re.sub(r"\s", "", name[1]).replace("?", "<"), text.count("\n", 0, first) + 1,
                                  text.count("\n", first, end) + 1, parameters(inside)))
                at, begin = end, end + 1
        at += 1
    return found


def parameters(inside):
    """The number of parameters in the text between a function's parentheses, from which template arguments are removed."""
    while inner := re.search(r"[({\[][^(){}\[\]]*[)}\]]", inside):
        inside = inside[:inner.start()] + spaces(inner[0]) + inside[inner.end():]
    return inside.count(",") + 1 if inside.strip() not in ("", "void") else 0


def complaints(files):
    """The functions in `files`, a dict of path to text, that break the limits: a list of sentences."""
    wrong = []
    for path, text in sorted(files.items()):
        for name, line, lines, count in functions(text):
            if lines > MOST_LINES:
                wrong.append(f"{path}:{line}: {name} has {lines} lines")
            if count > MOST_PARAMETERS and not path.startswith(OF_COMPAT):
                wrong.append(f"{path}:{line}: {name} has {count} parameters")
    return wrong


def sources():
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
            for path in (ROOT / "src").rglob("*") if path.suffix in (".hpp", ".cpp")}


def is_known(complaint):
    path, _, sentence = complaint.split(":", 2)
    return (path, sentence.split()[0]) in KNOWN


def test_functions_are_short_and_have_few_parameters():
    assert [complaint for complaint in complaints(sources()) if not is_known(complaint)] == []


def test_the_list_of_known_functions_is_no_longer_than_needed():
    found = {(complaint.split(":")[0], complaint.split(":", 2)[2].split()[0]) for complaint in complaints(sources())}
    assert sorted(set(KNOWN) - found) == []


def test_most_functions_are_found():
    found = [name for text in sources().values() for name, *_ in functions(text)]
    assert len(found) > 800 and {"main", "plan_strategy", "route_of", "split", "~SharedRegion", "operator=="} <= set(found)


@pytest.mark.parametrize("code, expected", [
    ("int f() { return 1; }", [("f", 1, 1, 0)]),
    ("namespace a {\n\nint f(int a, int b) {\n  return a;\n}\n\n}  // namespace a\n", [("f", 3, 3, 2)]),
    ("struct S {\n  int a = 0;\n  int f() const { return a; }\n  S(int x) : a{x}, b(3) {\n    g({1, 2});\n  }\n};",
     [("f", 3, 1, 0), ("S", 4, 3, 1)]),
    ("template <class T, class U = std::pair<int, int>>\nT g(const std::map<int, int>& m, T t = {1, 2}) {\n  return t;\n}",
     [("g", 1, 4, 2)]),
    ("void S::run(int a,\n            int b) {\n  if (a) { h(); }\n  const auto f = [&](int x) { return x; };\n}", [("run", 1, 5, 2)]),
    ("constexpr int table[] = {1, 2};\nint x{3};\nvoid f() {}", [("f", 3, 1, 0)]),
    ("// void f() {\nvoid g() { say(\"{\"); }  // }\n", [("g", 2, 1, 0)]),
    ("#define M(x) \\\n  void x() { \\\n  }\nvoid g() {}", [("g", 4, 1, 0)]),
    ("bool operator==(const A& a, const A& b) {\n  return true;\n}\nS::~S() { free(); }", [("operator==", 1, 3, 2), ("~S", 4, 1, 0)]),
    ("void operator()(int* p) const { free(p); }", [("operator()", 1, 1, 1)]),
    ("__attribute__((noinline)) void f(int a) {\n}", [("f", 1, 2, 1)]),
    ("S::S(int a) : b_(a), c_(g({a})), d_{a} {\n}", [("S", 1, 2, 1)]),
    ("enum class E { a, b };\nextern \"C\" void f(int signal) {\n}", [("f", 2, 2, 1)]),
])
def test_functions_are_found_with_their_lines_and_parameters(code, expected):
    assert functions(code) == expected


def test_long_functions_and_long_lists_of_parameters_are_reported():
    body = "  g();\n" * 59
    assert complaints({"a.cpp": f"void f() {{\n{body}}}\n"}) == ["a.cpp:1: f has 61 lines"]
    assert complaints({"a.cpp": f"void f() {{\n{body[7:]}}}\n"}) == []
    seven = ", ".join(f"int a{i}" for i in range(7))
    assert complaints({"a.cpp": f"void f({seven}) {{}}\n"}) == ["a.cpp:1: f has 7 parameters"]
    assert complaints({"src/weft/compat/fftw-mpi/a.cpp": f"void f({seven}) {{}}\n"}) == []
