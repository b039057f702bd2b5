# tools/docs/reference/c: the reference of the interface for C, made from the headers in include/weft.
# A block of a header ends with an empty line; in it, comments at the margin belong to the declarations below them.
import re

from .text import fence, heading, prose

NAMES = re.compile(r"^typedef (?:struct|enum) (\w+)(?: WEFT_AS_INT)? \{|^typedef struct \w+ (\w+);|^typedef [\w ]+\(\*(\w+)\)|^#define (WEFT_\w+) "
                   r"|^(?:static inline )?[\w ]+?[ *]+(weft_\w+)\(", re.MULTILINE)
PASSED_OVER = re.compile(r"^#(?!define WEFT_(?:MOST|UNCHECKED|ANOTHER|NOT_C))|^extern|^\}$")


def without_body(code):
    return re.sub(r"^(static inline [^{]*?) \{\n.*?^\}", r"\1;", code, flags=re.DOTALL | re.MULTILINE)


def entries(block):
    """(comment, code) of a block: comments at the margin, and the declarations that follow each."""
    found, comment, code, depth = [], [], [], 0
    for line in block.split("\n"):
        if line.startswith("//") and depth == 0:
            if code:
                found.append((comment, code))
                comment, code = [], []
            comment.append(re.sub(r"^// ?", "", line))
        elif depth > 0 or not PASSED_OVER.match(line):
            code.append(line)
            depth += line.split("//")[0].count("{") - line.split("//")[0].count("}")
    return [*found, (comment, code)] if code else found


def header(text):
    """The opening comment of a header, and what its sections declare."""
    opening, _, rest = text.partition("\n#ifndef ")
    lines = [re.sub(r"^// ?", "", line) for line in opening.split("\n")]
    out = [prose("\n".join(line for line in lines[:1] + lines[1:] if not line.startswith("Floor: ")).partition(": ")[2], "c"), ""]
    for block in re.split(r"\n\s*\n", rest):
        if named := re.fullmatch(r"// ---- (.*) ----", block.strip()):
            out.append(f"## {named[1][:1].upper()}{named[1][1:]}\n")
            continue
        for comment, code in entries(block):
            code = without_body("\n".join(code)).strip("\n").replace(" WEFT_AS_INT", "")
            names = ["".join(found) for found in NAMES.findall(code)]
            if names:
                out += [heading(3, names), prose("\n".join(comment), "c"), "", fence("c", code)]
    return "\n".join(out)


def page(root):
    weft, reordered = ((root / "include/weft" / name).read_text(encoding="utf-8") for name in ("weft.h", "reordered.h"))
    intro = ("# Reference of the interface for C\n\nWhat `<weft/weft.h>` declares, with the words of its comments. "
             "[Using weft from C](../c.md) shows programs.\n\n")
    return intro + header(weft) + "\n## Ranks in the order of the network\n\n" + header(reordered)
