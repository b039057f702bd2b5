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
    config.markdown_extensions.append("toc")
    config.mdx_configs["toc"] = {"slugify": slug, "permalink": "#", "toc_depth": 3}
    return config


def made_pages():
    """The pages that are not files of docs/: where they come from, by the names that they have on the site, and their text."""
    yield from ((source, page, read(source)) for source, page in OUTSIDE.items() if page != "licence.md")
    yield "LICENSE", "licence.md", f"# Licence\n\n```\n{read('LICENSE')}```\n"
    yield "examples/", "examples.md", examples.page(ROOT)
    yield from ((f"reference/{language}", f"reference/{language}.md", text) for language, text in reference.pages(ROOT))


def on_files(files, config):
    for _, page, text in made_pages():
        files.append(File.generated(config, page, content=text))
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
    up = "../" * page.file.src_uri.count("/")
    names = {path.name for path in (ROOT / "examples").glob("*.cpp")}
    return re.sub(r"<code>(examples/(\w+)\.cpp)</code>", lambda found: f'<a href="{up}examples.html#{found[2]}">{found[0]}</a>'
                  if f"{found[2]}.cpp" in names and page.file.src_uri != "examples.md" else found[0], content)


def on_post_page(output, page, config):
    sections.extend(sections_of(page))
    return output


sections = []


def sections_of(page):
    """The sections of a page for the search: [address, title of the page, heading, text]."""
    place = f"{page.parent.title}: {page.title}" if page.parent else page.title
    parts = re.split(r'<h[1-4] id="([^"]+)">(.*?)</h[1-4]>', page.content, flags=re.DOTALL)
    for anchor, heading, body in zip(parts[1::3], parts[2::3], parts[3::3]):
        words = html.unescape(re.sub(r"<[^>]+>", " ", body))
        title = html.unescape(re.sub(r"<[^>]+>|#</a>", "", heading))
        yield [f"{page.url}#{anchor}", place, title, " ".join(words.split())]


def on_post_build(config):
    site = Path(config.site_dir)
    # A script and no JSON file: a page that was opened from file:// may load scripts only.
    (site / "sections.js").write_text("window.weftSections = " + json.dumps(sections, ensure_ascii=False) + ";\n", encoding="utf-8")
    dark = HtmlFormatter(style="github-dark").get_style_defs(".highlight")
    light = HtmlFormatter(style="friendly").get_style_defs(".highlight")
    (site / "colours.css").write_text(f"{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n", encoding="utf-8")
