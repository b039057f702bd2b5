# tools/docs/reference/text: comments of sources as Markdown.
import re
import textwrap


def escaped(text):
    """Text of a comment without what Markdown would take for marks: `<T>`, `a*b`. What stands in backticks stays."""
    parts = re.split(r"(`[^`\n]*`)", text)
    return "".join(part if i % 2 else re.sub(r"([*<\[\]]|(?<!\w)_|_(?!\w))", r"\\\1", part).replace("\\<", "&lt;") for i, part in enumerate(parts))


def prose(comment, language):
    """Paragraphs as they are; lines that are indented by four or more become programs of this language."""
    lines, out, code = comment.split("\n"), [], []

    def end_of_code():
        while code and not code[-1].strip():
            code.pop()
        if code:
            out.extend(["", f"```{language}", *textwrap.dedent("\n".join(code)).split("\n"), "```", ""])
            code.clear()

    for line in lines:
        if line.startswith("    ") or (code and not line.strip()):
            code.append(line)
        else:
            end_of_code()
            if re.match("[-*] ", line) and out and out[-1] and not re.match("[-* ] ", out[-1]):
                out.append("")
            out.append(escaped(line))
    end_of_code()
    return "\n".join(out).strip("\n")


def heading(level, names):
    """A heading of the names, with an anchor for each of them."""
    names = list(dict.fromkeys(names))
    marks = "".join(f'<a id="{name.replace("%", ".")}"></a>' for name in names)
    return f"{'#' * level} {marks}{', '.join(f'`{name}`' for name in names)}\n"


def fence(language, code):
    return f"```{language}\n{code}\n```\n"
