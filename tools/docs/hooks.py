# tools/docs/hooks: what MkDocs does not do itself: pages from outside docs/ and from the sources, anchors as forges make them, and a
# search that works from file://.
# MkDocs calls the functions on_*, in the order in which they stand here; mkdocs.yml says where each page is.
import html
import json
import logging
import posixpath
import re
import sys
from pathlib import Path

from mkdocs.structure.files import File
from pygments.formatters import HtmlFormatter

log = logging.getLogger("mkdocs.hooks")  # with --strict, warnings of MkDocs's loggers are errors
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
sys.path.insert(0, str(ROOT / "tools/docs"))
import check_docs  # noqa: E402
import examples  # noqa: E402
import program  # noqa: E402
import reference  # noqa: E402

# Files outside docs/ that are pages, by the names that these have on the site.
OUTSIDE = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changes.md", "LICENSE": "licence.md"}
LINK = re.compile(r"(?P<open>!?\[(?P<text>[^\]]*)\])\((?P<target>[^)\s]+)\)")


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def slug(heading, separator):
    """The anchor that a forge gives to a heading, by which pages are linked."""
    return next(iter(check_docs.anchors("# " + heading)))


def on_config(config):
    sections.clear()
    addresses.clear()
    config.markdown_extensions.append("toc")
    config.mdx_configs["toc"] = {"slugify": slug, "permalink": "#", "toc_depth": 3}
    return config


def made_pages():
    """The pages that are not files of docs/: where they come from, by the names that they have on the site, and their text."""
    yield from ((source, page, read(source)) for source, page in OUTSIDE.items() if page != "licence.md")
    yield "LICENSE", "licence.md", f"# Licence\n\n```\n{read('LICENSE')}```\n"
    yield "examples/", "examples.md", examples.page(ROOT)
    yield "weft --help", "reference/program.md", program.page(ROOT)
    yield from ((f"reference/{language}", f"reference/{language}.md", text) for language, text in reference.pages(ROOT))


addresses = {}  # of names, as prose writes them: weft::Plan, Options::arrays, weft_plan_create, weft.Plan


def add_addresses(page, text):
    """The names of a page of the reference. In C++, one that is not of a class is found with its namespace only."""
    for name in re.findall(r'<a id="([^"]+)">', text):
        spoken = name.replace(".", "::") if page.endswith("cpp.md") else name.replace(".", "%") if page.endswith("fortran.md") else name
        spoken = [spoken, f"weft::{spoken}"] if page.endswith("cpp.md") else [spoken]
        for each in spoken:
            if re.search(r"::|\.|%|_|^[A-Z]", each):
                addresses.setdefault(each, f"{page.removesuffix('.md')}.html#{name}")


def on_files(files, config):
    for _, page, text in made_pages():
        files.append(File.generated(config, page, content=text))
        if page.startswith("reference/"):
            add_addresses(page, text)
    return files


def site_page(target, source):
    """Where a link of the file `source` of the repository leads to on the site, as a path from its top; None if to no page."""
    path, _, anchor = target.partition("#")
    file = posixpath.normpath(posixpath.join(posixpath.dirname(source), path)) if path else source
    if re.fullmatch(r"examples(/\w+\.cpp)?", file):
        page, anchor = "examples.md", anchor or Path(file).stem * ("/" in file)
    elif file in OUTSIDE:
        page = OUTSIDE[file]
    elif file.startswith("docs/"):
        page = file.removeprefix("docs/")
    else:
        return None
    return page + ("#" + anchor if anchor else "")


def on_page_markdown(markdown, page, config, files):
    here = page.file.src_uri
    source = next((name for name, known in OUTSIDE.items() if known == here), f"docs/{here}")

    def moved(link):
        target = link["target"]
        if re.match(r"[a-z][a-z0-9+.-]*:|#", target):
            return link[0]
        there = site_page(target, source)
        if there is None:  # a file of the sources: its name remains
            return f"{link['text']} (`{posixpath.normpath(posixpath.join(posixpath.dirname(source), target))}`)"
        path, _, anchor = there.partition("#")
        return f"{link['open']}({posixpath.relpath(path, posixpath.dirname(here) or '.')}{'#' + anchor if anchor else ''})"

    parts, end = [], 0
    for fence in check_docs.FENCE.finditer(markdown):
        parts += [LINK.sub(moved, markdown[end:fence.start()]), fence[0]]
        end = fence.end()
    return "".join(parts) + LINK.sub(moved, markdown[end:])


# What a forge takes for a list, a table or a program, and Python-Markdown for a part of a paragraph.
MISREAD = re.compile(r"<p>(?:(?!</p>).)*?^(?:[-*] |1\. |\||```)[^\n]*", re.DOTALL | re.MULTILINE)


def on_page_content(content, page, config, files):
    if misread := MISREAD.search(content):
        log.warning(f"{page.file.src_uri}: an empty line is missing before the last line of: {misread[0]}")
    return linked(content, page.file.src_uri)


# What has no links of its own, tags, and between them text.
PARTS = re.compile(r"(<pre.*?</pre>|<a .*?</a>|<code>.*?</code>|<h[1-6].*?</h[1-6]>|<[^>]+>)", re.DOTALL)
# Names in the prose of the reference, which has no marks around them.
NAMES = re.compile(r"\b(?:(?:weft::)?[A-Z]\w*::\w+|(?:weft::)?[A-Z][a-z]+[A-Z]\w*|weft::\w+|weft_\w+)")


def linked(content, page):
    """The page with links from names of weft to the reference, and from examples to their page."""
    up = "../" * page.count("/")

    def link(shown, name):
        is_example = re.fullmatch(r"examples/(\w+)\.cpp", name)
        spoken = re.sub(r"\(\)$", "", html.unescape(name))
        # A class of both languages is Python's where Python is the subject.
        address = f"examples.html#{is_example[1]}" if is_example else "py" in page and addresses.get(f"weft.{spoken}") or addresses.get(spoken)
        return f'<a href="{up}{address}">{shown}</a>' if address and page != "examples.md" else shown

    parts = PARTS.split(content)
    for i, part in enumerate(parts):
        if part.startswith("<code>"):
            parts[i] = link(part, part[6:-7])
        elif i % 2 == 0 and page.startswith("reference/"):
            parts[i] = NAMES.sub(lambda name: link(name[0], name[0]), part)
    return "".join(parts)


def on_post_page(output, page, config):
    sections.extend(sections_of(page))
    return output


sections = []


def sections_of(page):
    """The sections of a page for the search: [address, title of the page, heading, text]."""
    place = f"{page.parent.title}: {page.title}" if page.parent else page.title
    parts = re.split(r'<h[1-4] id="([^"]+)">(.*?)</h[1-4]>', page.content, flags=re.DOTALL)
    for anchor, heading, body in zip(parts[1::3], parts[2::3], parts[3::3]):
        words = html.unescape(re.sub(r"<[^>]+>", " ", re.sub(r"</?(?:span|code|a|em|strong)\b[^>]*>", "", body)))
        title = html.unescape(re.sub(r"<[^>]+>|#</a>", "", heading))
        yield [f"{page.url}#{anchor}", place, title, " ".join(words.split())]


def on_post_build(config):
    site = Path(config.site_dir)
    # A script and no JSON file: a page that was opened from file:// may load scripts only.
    (site / "sections.js").write_text("window.weftSections = " + json.dumps(sections, ensure_ascii=False) + ";\n", encoding="utf-8")
    dark = HtmlFormatter(style="github-dark").get_style_defs(".highlight")
    light = HtmlFormatter(style="friendly").get_style_defs(".highlight")
    (site / "colours.css").write_text(f"{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n", encoding="utf-8")
