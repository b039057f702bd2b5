# tests/house/test_docstrings: every name that a user of include/weft can write has a docstring.
# A docstring is `///` lines right above, or `///<` behind; it covers the declarations that follow without a blank line. The
# reader knows as much of C++ as the headers use: namespaces, classes, enumerations, functions, members.
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

LITERAL = re.compile(r'"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'')
SCOPE = re.compile(r"(namespace|class|struct|enum)\b")
NEEDS_NONE = re.compile(
    r"friend\b|~|class \w+$|template <>|using (\w+)::\1$|(\w+)\(\2&&")  # ... forward declarations, moving


def without_template(statement):
    """`template <class T> struct A` -> `struct A`; attributes go as well."""
    if statement.startswith("template <") and not statement.startswith("template <>"):
        depth = 0
        for at, letter in enumerate(statement):
            depth += (letter == "<") - (letter == ">")
            if letter == ">" and depth == 0:
                statement = statement[at + 1:]
                break
    return re.sub(r"\[\[\w+\]\]", "", statement).strip()


class Lines:
    """A header's lines: what is code, which are docstrings, which are blank."""

    def __init__(self, text):
        self.all = LITERAL.sub("0", text).split("\n")
        self.code = ["" if line.lstrip().startswith("#") else line.split("//")[0] for line in self.all]

    def has_docstring(self, first, last):
        """Of what stands in these lines: `///` above, `///<` behind, or those of its neighbours above."""
        if any("///<" in line for line in self.all[first:last + 1]):
            return True
        for line in reversed(self.all[:first]):
            if re.match(r"\s*///", line):
                return True
            if not line.strip() or re.match(r"\s*(public|private):", line) or SCOPE.match(without_template(line.strip())):
                return False
        return False


def undocumented(text):
    """The declarations in a header that a user can write and that have no docstring."""
    lines = Lines(text)
    missing = []
    scopes = [("namespace", True)]  # kind, and whether a user sees what is in it
    statement, first, parentheses, body = "", 0, 0, 0

    def end(last):
        nonlocal statement
        said = without_template(" ".join(statement.split()))
        seen = all(is_seen for _, is_seen in scopes)
        if said and seen and not NEEDS_NONE.match(said) and not lines.has_docstring(first, last):
            missing.append(said)
        statement = ""

    for number, line in enumerate(lines.code):
        for letter in line + "\n":
            if body > 0:
                body += (letter == "{") - (letter == "}")
                if body == 0 and "(" in statement:
                    end(number)
                continue
            parentheses += (letter == "(") - (letter == ")")
            said = without_template(" ".join(statement.split()))
            if parentheses > 0 or letter not in "{};:,":
                first = number if not said and not letter.isspace() else first
                statement += letter
            elif letter == "{" and SCOPE.match(said):
                kind = SCOPE.match(said)[1]
                one_line = kind == "enum" and "}" in line  # its docstring covers its values
                if kind != "namespace" and not said.startswith("template <>"):
                    end(number)
                scopes.append((kind, kind != "class" and not one_line and not said.startswith("template <>")))
                statement = ""
            elif letter == "{":
                body = 1
            elif letter == "}":
                if scopes[-1][0] == "enum":
                    end(number)
                scopes.pop()
                statement = ""
            elif letter == ":" and said in ("public", "private"):
                scopes[-1] = (scopes[-1][0], said == "public")
                statement = ""
            elif letter == ";" or (letter == "," and scopes[-1][0] == "enum"):
                end(number)
            else:
                statement += letter
    return missing


def test_every_public_name_has_a_docstring():
    headers = sorted((ROOT / "include/weft").glob("*.hpp"))
    assert len(headers) > 10, "no headers found: have they moved?"
    found = {path.name: undocumented(path.read_text(encoding="utf-8")) for path in headers}
    assert {name: missing for name, missing in found.items() if missing} == {}


@pytest.mark.parametrize("text", [
    "/// Does it.\nvoid f(int a = {}) {\n  if (a) g();\n}\n",
    "/// Both.\nvoid f();\nvoid g();\n",
    "/// Both.\nvoid f() {\n  if (a) return;\n}\nvoid g();\n",
    "/// A.\nclass A {\n public:\n  /// Of one.\n  A(int a) : a_(a) {}\n  A(A&& other);\n  ~A();\n\n private:\n  int a_ = {};\n};\n",
    "/// A.\ntemplate <class T>\nstruct A {\n  int a = 1;  ///< one\n  friend bool operator==(A, A) = default;\n};\n",
    "/// E.\nenum class E { a, b };\n",
    "/// E.\nenum class E {\n  a,  ///< one\n  b   ///< two\n};\n",
    "class Declared;\n",
    "namespace weft {\n/// f.\nvoid f(const char* = \"{\");\n}\n",
])
def test_what_is_documented_passes(text):
    assert undocumented(text) == []


@pytest.mark.parametrize("text, missing", [
    ("void f(int a = {}) {}\n", ["void f(int a = {})"]),
    ("/// f.\nvoid f();\n\nvoid g();\n", ["void g()"]),
    ("// Not a docstring.\nvoid f();\n", ["void f()"]),
    ("struct A {\n  /// a.\n  int a = 1;\n};\n", ["struct A"]),
    ("/// A.\nstruct A {\n  int a = {}, b;\n};\n", ["int a = , b"]),
    ("/// A.\nclass A {\n  int hidden;\n\n public:\n  A() = default;\n};\n", ["A() = default"]),
    ("/// A.\ntemplate <class T>\nclass A {\n public:\n  template <class U>\n  U f() const {\n    return {};\n  }\n};\n", ["U f() const"]),
    ("/// E.\nenum E {\n  a,  ///< one\n  b\n};\n", ["b"]),
    ("namespace weft {\nusing A = int;\n}\n", ["using A = int"]),
])
def test_what_is_not_documented_is_reported(text, missing):
    assert undocumented(text) == missing
