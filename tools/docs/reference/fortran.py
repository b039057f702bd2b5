# tools/docs/reference/fortran: the reference of the module `weft` of Fortran, made from fortran/src.
# The module weft_* that a name comes from has its `!>` above the declaration, or, of procedures of a type, above the procedure itself.
import re

from .text import fence, heading, prose


def joined(text):
    """Statements that go on in the next line, in one."""
    return re.sub(r"&\n\s*&?", "", text)


def public_names(root):
    """The names of the module `weft`, by the module that has them."""
    text = joined((root / "fortran/src/weft.f90").read_text(encoding="utf-8"))
    return {module: names.replace(" ", "").split(",") for module, names in re.findall(r"^  use (weft_\w+), only: (.*)$", text, re.MULTILINE)}


def comment_above(lines, number):
    """The `!>` lines right above a line, and those that go on behind them."""
    begin = number
    while begin > 0 and re.match(r"\s*!>", lines[begin - 1]):
        begin -= 1
    return "\n".join(re.sub(r"^\s*!> ?", "", line) for line in lines[begin:number])


def find(lines, pattern):
    return next((number for number, line in enumerate(lines) if re.match(pattern, line)), None)


def declared_arguments(lines, begin):
    """A procedure's first statement, its arguments and its result, without what is inside."""
    out = [lines[begin].strip()]
    while out[-1].endswith("&"):
        begin += 1
        out.append("    " + lines[begin].strip())
    names = set(re.findall(r"\w+", " ".join(out)))
    for line in lines[begin + 1:]:
        statement = line.strip()
        if "::" not in statement or not names & set(re.findall(r"\w+", re.sub(r"\([^)]*\)|!.*", "", statement.split("::")[1]))):
            break
        out.append("  " + statement)
    return "\n".join(out)


def procedure(lines, name):
    """What is said of a procedure, and its interface; nothing if it is not in this file."""
    at = find(lines, rf"\s*(?:[\w() ]+ )?(?:subroutine|function) {name}\(")
    return ("", "") if at is None else (comment_above(lines, at), declared_arguments(lines, at))


def bound(lines, begin, end, type_name):
    """The public procedures of a type, each under a heading: those of one comment together."""
    out, statements = [], joined("\n".join(lines[begin:end])).split("\n")
    here, comment = type_name.removeprefix("weft_"), []
    for statement in statements:
        if said := re.match(r"\s*!> ?(.*)", statement):
            comment.append(said[1])
            continue
        if not (made := re.match(r"\s*(procedure|generic) :: (\w+)(?: => (\w+))?", statement)):
            comment = []
            continue
        kind, name, target = made.groups()
        said, interface = procedure(lines, target or name)
        if kind == "generic" or comment:
            said, interface = "\n".join(comment), ""
        if kind == "generic" and not comment and out:  # goes with the one above
            out[-1][0].append(name)
            continue
        if call := re.match(r"(call \w+%\w+\([^)]*\))[.:,]?\s*(.*)", said, re.DOTALL):
            interface, said = call[1].replace("\n", " "), re.sub(r"^[a-z](?=[a-z]* )", lambda first: first[0].upper(), call[2])
        out.append(([name], re.sub(rf"\b{target}\b", name, interface) if target else interface, said))
        comment = []
    return "\n".join("\n".join([heading(4, [f"{here}%{name}" for name in names]), fence("fortran", interface) if interface else "",
                                prose(said, "fortran"), ""]) for names, interface, said in out)


def type_entry(lines, name, at):
    end = next(number for number in range(at, len(lines)) if re.match(rf"\s*end type {name}", lines[number]))
    inside = lines[at + 1:end]
    parts = next((number for number, line in enumerate(inside) if line.strip() == "contains"), len(inside))
    is_private = any(line.strip() == "private" for line in inside[:parts])
    shown = [lines[at], *([] if is_private else inside[:parts]), lines[end]]
    code = "\n".join(line.removeprefix("  ") for line in shown)
    return "\n".join([heading(3, [name]), prose(comment_above(lines, at), "fortran"), "", fence("fortran", code),
                      bound(lines, at + 1 + parts, end, name)])


def entry(lines, name, done):
    """The section of a name; parameters of one statement have one."""
    at = find(lines, rf"\s*type :: {name}\b")
    if at is not None:
        return type_entry(lines, name, at)
    at = find(lines, rf"\s*integer, parameter.*::.*\b{name}\b")
    if at is None:
        at = next((number for number in range(1, len(lines)) if re.search(rf"\b{name} = ", lines[number])
                   and lines[number - 1].endswith("&")), None)
        while at is not None and not re.match(r"\s*integer, parameter", lines[at]):
            at -= 1
    if at is not None:
        code = [lines[at]]
        while code[-1].endswith("&"):
            code.append(lines[at + len(code)])
        names = [each for each in re.findall(r"\b(weft_\w+) =", " ".join(code)) if each not in done]
        done.update(names)
        return "\n".join([heading(3, names), prose(comment_above(lines, at), "fortran"), "",
                          fence("fortran", "\n".join(line.removeprefix("  ") for line in code))])
    said, interface = procedure(lines, name)
    if not interface and (at := find(lines, rf"\s*interface {name}$")) is not None:
        first = re.match(r"\s*procedure :: (\w+)", lines[at + 1])[1]
        said, interface = comment_above(lines, at), re.sub(rf"\b{first}\b", name, procedure(lines, first)[1])
    if not interface:
        raise SystemExit(f"tools/docs: where is {name} declared in fortran/src?")
    return "\n".join([heading(3, [name]), prose(said, "fortran"), "", fence("fortran", interface)])


def page(root):
    out = ["# Reference of the module for Fortran\n\nWhat the module `weft` has, with the words of its sources; procedures that can fail have "
           "`stat` and `errmsg`, without which an error ends the program. [Using weft from Fortran](../fortran.md) shows programs.\n"]
    modules = public_names(root)
    for module in sorted(modules, key=lambda name: (name not in ("weft_plans", "weft_problems"), name)):
        path = next(path for path in (root / "fortran/src").glob(f"{module}.[fF]90"))
        lines, done = path.read_text(encoding="utf-8").split("\n"), set()
        subject = lines[0].partition(": ")[2]
        out.append(f"## {subject[:1].upper()}{subject[1:].rstrip('.')}\n")
        out += [entry(lines, name, done) for name in modules[module] if name not in done]
    return "\n".join(out)
