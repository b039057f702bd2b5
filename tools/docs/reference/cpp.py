# tools/docs/reference/cpp: the reference of the C++ interface, made from the headers in include/weft.
import re

from .cpp_reader import NEEDS_NONE, declarations
from .text import escaped, fence, heading, prose

# Headers of what programs write first, in this order; the others follow by their names.
FIRST = ("plan", "problem", "options", "field", "points", "wavenumbers", "ticket")


def opening(text):
    """What the first comment of a header says: its subject, and more if there is more."""
    lines = []
    for line in text.split("\n"):
        if not line.startswith("//"):
            break
        lines.append(re.sub(r"^// ?", "", line))
    lines = [line for line in lines if not line.startswith(("Floor: ", "Keeps: "))]
    lines[0] = lines[0].partition(": ")[2]
    return prose("\n".join([lines[0][:1].upper() + lines[0][1:], *lines[1:]]), "cpp")


def groups(of):
    """Declarations that share a docstring, one after another."""
    found = []
    for each in of:
        if each.text and not re.match(r"friend\b|~|template <>", each.said):
            if found and each.place and found[-1][0].place == each.place:
                found[-1].append(each)
            else:
                found.append([each])
    return found


def marks(group, owner):
    """Anchors for the members of a class: Plan.forward."""
    return "".join(f'<a id="{owner}.{name}"></a>' for name in dict.fromkeys(each.name for each in group) if re.fullmatch(r"\w+", name))


def lines_of_list(group, owner):
    said = " ".join(group[0].docstring.split())
    names = marks(group, owner) + ", ".join(f"`{' '.join(each.text.split())}`" for each in group)
    return f"- {names}: {escaped(said)}" if "\n\n" not in group[0].docstring else f"- {names}:\n\n" + "\n".join(
        "    " + line if line else "" for line in prose(group[0].docstring, "cpp").split("\n")) + "\n"


def members(of, level, owner):
    out, was_list = [], False
    for group in groups(of):
        if group[0].kind in ("class", "struct", "enum"):
            is_open = re.match(r"enum (?!class)", group[0].said)  # its values are names of the class
            out += ["", entity(group[0], level + 1, owner if is_open else None)]
        elif group[0].kind == "value":
            out += [*([""] if not was_list else []), lines_of_list(group, owner)]
        else:
            out += ["", f"<div>{marks(group, owner)}</div>", "", fence("cpp", "\n".join(each.text for each in group)), prose(group[0].docstring, "cpp")]
        was_list = group[0].kind == "value"
    return "\n".join(out)


def entity(declared, level=3, owner=None):
    body = [heading(level, [declared.name]), fence("cpp", declared.text), prose(declared.docstring, "cpp")]
    return "\n".join([*body, members(declared.members, level, owner or declared.name)]) + "\n"


def section(name, text):
    out = [f"## weft/{name}\n", opening(text), ""]
    for group in groups(declarations(text)):
        if group[0].kind in ("class", "struct", "enum") and len(group) == 1:
            out.append(entity(group[0]))
        else:
            names = [each.name for each in group if not NEEDS_NONE.match(each.said)]
            out += [heading(3, names), fence("cpp", "\n".join(each.text for each in group)), prose(group[0].docstring, "cpp"), ""]
    return "\n".join(out)


def page(root):
    headers = {path.stem: path for path in sorted((root / "include/weft").glob("*.hpp")) if path.stem != "weft"}
    order = [*FIRST, *(name for name in headers if name not in FIRST)]
    intro = ("# Reference of the C++ interface\n\nWhat the headers in `include/weft` declare, with the words of their comments; all names are "
             "in the namespace `weft`. `<weft/weft.hpp>` has all of them but `weft/reordered.hpp`, which belongs to the library "
             "`weft::machines`. [Using weft from C++](../guide.md) shows programs.\n")
    return "\n".join([intro, *(section(headers[name].name, headers[name].read_text(encoding="utf-8")) for name in order)])
