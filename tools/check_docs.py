# tools/check_docs: checks that the links in the .md files resolve, that programs in them are those of examples/, and pieces of programs
# in the tutorial lines of these, and that docs/tried.md has a line for each section of docs/lab.
# ./dev docs runs this script, and tests/house/test_repository.py calls its functions.
import difflib
import posixpath
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

FENCE = re.compile(r"^(?P<fence>`{3,}|~{3,})[ ]*(?P<language>[\w+-]*)[^\n]*\n(?P<body>.*?)^(?P=fence)[ ]*$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+[\"'][^\"']*[\"'])?\s*\)")
DEFINITION = re.compile(r"^\s{0,3}\[[^\]]+\]:\s+<?(\S+?)>?(?:\s|$)", re.MULTILINE)
ATTRIBUTE = re.compile(r"<(?:img|a)\b[^>]*?\b(?:src|href)=[\"']([^\"']+)[\"']")
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*\s*$", re.MULTILINE)


def repository_files(root=ROOT):
    """The files that git tracks or would track, relative to the root; without git, all files outside build/ and dot folders."""
    listed = subprocess.run(["git", "-C", str(root), "-c", f"safe.directory={root}", "ls-files", "-co", "--exclude-standard", "-z"],
                            capture_output=True, text=True)
    if listed.returncode == 0:
        names = sorted(set(filter(None, listed.stdout.split("\0"))))
    else:
        everything = (path.relative_to(root) for path in Path(root).rglob("*"))
        names = sorted(p.as_posix() for p in everything if p.parts[0] not in ("build", ".venv", ".git"))
    return [name for name in names if (Path(root) / name).is_file()]


def anchors(text):
    """The anchors that GitHub gives to the headings of a page."""
    names = []
    for heading in HEADING.findall(FENCE.sub("", text)):
        name = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
        name = re.sub(r"[^\w\- ]", "", name).replace(" ", "-")
        names.append(f"{name}-{names.count(name)}" if name in names else name)
    return set(names) | set(re.findall(r"<a\s+(?:id|name)=[\"']([^\"']+)[\"']", text))


def broken_links(pages, exists, read):
    """The links whose targets do not exist. `pages` maps paths to texts; exists(path) and read(path) access the tree."""
    broken = []
    for page, text in sorted(pages.items()):
        prose = re.sub(r"`[^`\n]*`", "", FENCE.sub("", text))
        for target in LINK.findall(prose) + DEFINITION.findall(prose) + ATTRIBUTE.findall(prose):
            if re.match(r"[a-z][a-z0-9+.-]*:", target):
                continue
            path, _, anchor = target.partition("#")
            file = posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page
            if not exists(file):
                broken.append(f"{page}: the link {target} is broken: there is no {file}")
            elif anchor and file.endswith(".md") and anchor not in anchors(read(file)):
                broken.append(f"{page}: the link {target} is broken: {file} has no heading '#{anchor}'")
    return broken


def program(text):
    """A program in the form in which it is compared: without its first comment lines and without trailing blanks."""
    lines = [line.rstrip() for line in text.strip().splitlines()]
    while lines and (lines[0].startswith(("//", "! ")) or not lines[0]):
        lines.pop(0)
    return "\n".join(lines)


def strange_programs(pages, examples):
    """The programs in `pages` that are not examples; also reports if README.md does not show examples/hello.cpp, and which of the
    examples in C and Fortran docs/c.md and docs/fortran.md do not show."""
    strange = []
    known = {program(text): name for name, text in examples.items()}
    for page, text in sorted(pages.items()):
        shown = [program(m["body"]) for m in FENCE.finditer(text) if m["language"] in ("cpp", "c++", "c", "fortran")]
        shown = [body for body in shown if re.search(r"\bint main\b|^end program\b", body, re.MULTILINE)]
        for body in shown:
            if body not in known:
                nearest = max(known, key=lambda text: difflib.SequenceMatcher(None, text, body).ratio(), default="")
                difference = difflib.unified_diff(nearest.splitlines(), body.splitlines(), known.get(nearest, "examples/"), page, lineterm="")
                strange.append(f"{page}: shows a program that is not an example:\n" + "\n".join(difference))
        if page == "README.md" and "examples/hello.cpp" in examples and program(examples["examples/hello.cpp"]) not in shown:
            strange.append("README.md: does not show examples/hello.cpp")
        suffix = {"docs/c.md": ".c", "docs/fortran.md": ".f90"}.get(page)
        strange += [f"{page}: does not show {name}" for body, name in known.items() if suffix and name.endswith(suffix) and body not in shown]
    return strange


def strange_pieces(pages, examples, where=("docs/tutorial.md",)):
    """The pieces of C++ in these pages that are no lines of an example, one after another."""
    def flat(text):
        return "\n".join(line.strip() for line in text.strip().splitlines())

    known = ["\n" + flat(text) + "\n" for text in examples.values()]
    pieces = [(page, flat(m["body"])) for page in where for m in FENCE.finditer(pages.get(page, "")) if m["language"] == "cpp"]
    return [f"{page}: shows a piece that is in no example:\n{piece}" for page, piece in pieces if not any(f"\n{piece}\n" in text for text in known)]


def unlisted_sections(pages, index="docs/tried.md", folder="docs/lab/"):
    """The sections of the lab's pages that the index does not link to, itself or with its page as a whole."""
    linked = {posixpath.normpath(posixpath.join(posixpath.dirname(index), target)) for target in LINK.findall(pages.get(index, ""))}
    unlisted = []
    for page, text in sorted(pages.items()):
        if page.startswith(folder) and page not in linked:
            sections = re.findall(r"^## +(.*?) *$", FENCE.sub("", text), re.MULTILINE)
            unlisted += [f"{page}: {index} has no line for the section '{section}'" for section in sections
                         if f"{page}#{next(iter(anchors('## ' + section)))}" not in linked]
    return unlisted


def problems(root=ROOT):
    files = repository_files(root)

    def read(name):
        return (root / name).read_text(encoding="utf-8")

    pages = {name: read(name) for name in files if name.endswith(".md")}
    examples = {name: read(name) for name in files if re.fullmatch(r"examples/([^/]+\.cpp|c/[^/]+\.c)|fortran/examples/[^/]+\.f90", name)}
    return (broken_links(pages, lambda name: (root / name).exists(), read) + strange_programs(pages, examples)
            + strange_pieces(pages, examples) + unlisted_sections(pages))


def main():
    found = problems()
    for line in found:
        print(line, file=sys.stderr)
    pages = sum(name.endswith(".md") for name in repository_files())
    print(f"{pages} pages, {len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
