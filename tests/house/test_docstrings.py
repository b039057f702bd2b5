# tests/house/test_docstrings: every name that a user of include/weft can write has a docstring.
# The reader of headers is that of the site's reference, tools/docs/reference/cpp_reader.
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/docs"))
from reference.cpp_reader import declarations, undocumented  # noqa: E402


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


@pytest.mark.parametrize("text, shown", [
    ("/// A.\ntemplate <class T>\nclass A {\n public:\n  /// Of one.\n  explicit A(T a) : a_(a) {}\n  T a() const { return a_; }\n\n private:\n  T a_;\n};\n",
     {"A": "template <class T>\nclass A", "A.A": "explicit A(T a)", "A.a": "T a() const"}),
    ("/// E.\nenum class E { a, b };\n", {"E": "enum class E { a, b }"}),
    ("/// F.\nint f(int a = {}, const char* b = \"{;}\") noexcept;\n", {"f": 'int f(int a = {}, const char* b = "{;}") noexcept'}),
    ("/// B.\nstruct B {\n  std::function<int(int)> rank_of;  ///< of it\n  int most[3] = {1, 2};  ///< three\n};\n",
     {"B": "struct B", "B.rank_of": "std::function<int(int)> rank_of", "B.most": "int most[3] = {1, 2}"}),
    ("/// T.\ntemplate <class T>\nrequires(!std::is_const_v<T>) void g(T) {}\n", {"g": "template <class T>\nrequires(!std::is_const_v<T>) void g(T)"}),
    ("class A;\n/// O.\nbool operator==(A, A);\n", {"operator==": "bool operator==(A, A)"}),
])
def test_declarations_are_shown_without_what_only_the_compiler_needs(text, shown):
    def named(of, before=""):
        return {key: value for each in of for key, value in [(before + each.name, each.text), *named(each.members, f"{each.name}.").items()]}
    assert named(declarations(text)) == shown
