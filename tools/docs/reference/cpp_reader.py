# tools/docs/reference/cpp_reader: the declarations of a header of C++ and their docstrings.
# A docstring is `///` lines right above, or `///<` behind; it covers the declarations that follow without a blank line. The
# reader knows as much of C++ as the headers use: namespaces, classes, enumerations, functions, members.
import re
from dataclasses import dataclass, field

LITERAL = re.compile(r'"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'')
SCOPE = re.compile(r"(namespace|class|struct|enum)\b")
NEEDS_NONE = re.compile(
    r"friend\b|~|template <>|using (\w+)::\1$|(\w+)\(\2&&")  # ... moving


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


@dataclass
class Declaration:
    """What a user can write: in one line without its template, as the header has it without bodies, and what is said of it."""

    said: str
    text: str
    docstring: str
    place: int  # the line where the docstring begins; 0: none
    members: list = field(default_factory=list)

    @property
    def kind(self):
        scope = SCOPE.match(self.said)
        return scope[1] if scope and "(" not in self.said else "function" if "(" in self.said else "value"

    @property
    def name(self):
        said = re.sub(r"^(?:inline|static|constexpr|explicit|friend|virtual) ", "", re.sub(r"\s*\bfinal\b", "", self.said))
        if self.kind in ("class", "struct", "enum"):
            return re.search(r"(?:class|struct|enum(?: class)?)\s+(\w+)", said)[1]
        if operator := re.search(r"operator\s*(\(\)|\S+?)\s*\(", said):
            return "operator" + operator[1]
        if concept := re.match(r"concept (\w+)", said):
            return concept[1]
        if alias := re.match(r"using (\w+) =", said):
            return alias[1]
        if self.kind == "function" and not re.match(r"std::function|[\w:]+<[^=]*>\s+\w+$", said):
            said = re.sub(r"requires\s*\((?:[^()]|\([^()]*\))*\)\s*", "", said)
            return re.search(r"(~?\w+)\s*\(", said)[1]
        return re.search(r"(\w+)\s*(?:=.*|\[.*)?$", said)[1]


class Lines:
    """A header's lines: what is code, which are docstrings, which are blank."""

    def __init__(self, text):
        self.original = text.split("\n")
        self.all = LITERAL.sub(lambda literal: "0" * len(literal[0]), text).split("\n")
        self.code = ["" if line.lstrip().startswith("#") else line.split("//")[0] for line in self.all]

    def docstring(self, first, last):
        """Of what stands in these lines: `///` above, `///<` behind, or those of its neighbours above; and the line of its begin."""
        behind = [line.split("///<")[1].strip() for line in self.original[first:last + 1] if "///<" in line]
        if behind:
            return " ".join(behind), first + 1
        for number in reversed(range(first)):
            line = self.all[number]
            if re.match(r"\s*///", line):
                begin = number
                while begin > 0 and re.match(r"\s*///(?!<)", self.all[begin - 1]):
                    begin -= 1
                lines = [re.sub(r"^\s*///<? ?", "", each) for each in self.original[begin:number + 1]]
                return "\n".join(lines), begin + 1
            if not line.strip() or re.match(r"\s*(public|private):", line) or SCOPE.match(without_template(line.strip())):
                break
        return "", 0


def shown(text, is_function, column):
    """A declaration as it is printed: without the initializers of a constructor, and moved to the left by its column."""
    text = re.sub(r"\[\[nodiscard\]\] ", "", text)
    if is_function:
        text = re.split(r"\)(?: noexcept)?\s*:\s+(?=\w)", text)[0] + ")" if re.search(r"\)\s*:\s+\w", text) else text
        text = re.sub(r"^inline ", "", text)
    lines = [line.rstrip() for line in text.strip().split("\n") if line.strip()]
    return "\n".join([*lines[:1], *(line[min(column, len(line) - len(line.lstrip())):] for line in lines[1:])])


def declarations(text):
    """The declarations of a header that a user can write, in its order, those of classes in their classes."""
    lines = Lines(text)
    top = []
    scopes = [("namespace", True, top)]  # kind, whether a user sees what is in it, where declarations go
    statement, kept, first, indent, parentheses, body = "", "", 0, 0, 0, 0

    def end(last, is_defined=True):
        nonlocal statement, kept
        said, whole = without_template(" ".join(statement.split())), kept
        statement = kept = ""
        if not said or not all(is_seen for _, is_seen, _ in scopes) or (re.fullmatch(r"(class|struct) \w+", said) and not is_defined):
            return None  # a user sees nothing, or a class is declared that comes later
        docstring, place = lines.docstring(first, last)
        made = Declaration(said, shown(whole, "(" in said, indent), docstring, place)
        scopes[-1][2].append(made)
        return made

    for number, line in enumerate(lines.code):
        original = lines.original[number]
        for column, letter in enumerate(line + "\n"):
            written = original[column] if column < len(line) else letter
            if body > 0:
                body += (letter == "{") - (letter == "}")
                if "(" not in statement:
                    kept += written
                if body == 0 and "(" in statement:
                    end(number)
                continue
            parentheses += (letter == "(") - (letter == ")")
            said = without_template(" ".join(statement.split()))
            if parentheses > 0 or letter not in "{};:,":
                if not said and not letter.isspace():
                    first, indent = number, column
                statement, kept = statement + letter, kept + written
            elif letter == "{" and SCOPE.match(said):
                kind = SCOPE.match(said)[1]
                one_line = kind == "enum" and "}" in line  # its docstring covers its values
                into = scopes[-1][2]
                if kind != "namespace" and not said.startswith("template <>"):
                    made = end(number)
                    into = made.members if made else []
                scopes.append((kind, kind != "class" and not one_line and not said.startswith("template <>"), into))
                if one_line and made:
                    made.text += " " + original[column:].rstrip(";")
                statement = kept = ""
            elif letter == "{":
                body = 1
                if "(" not in statement:
                    kept += written
            elif letter == "}":
                if scopes[-1][0] == "enum":
                    end(number)
                scopes.pop()
                statement = kept = ""
            elif letter == ":" and said in ("public", "private"):
                scopes[-1] = (scopes[-1][0], said == "public", scopes[-1][2])
                statement = kept = ""
            elif letter == ";" or (letter == "," and scopes[-1][0] == "enum"):
                end(number, is_defined=False)
            else:
                statement, kept = statement + letter, kept + written
    return top


def undocumented(text):
    """The declarations in a header that need a docstring and have none."""
    def missing(of):
        for each in of:
            if not each.docstring and not NEEDS_NONE.match(each.said):
                yield each.said
            yield from missing(each.members)
    return list(missing(declarations(text)))
