# tests/house/test_site: the site of ./dev docs is built without a warning: every link and anchor is there, and every page of docs/ in
# the navigation. Its reference has every public name, and its search finds them from file://.
import html
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/docs"))
import hooks  # noqa: E402
from reference import python  # noqa: E402

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("docs")
    # Not --quiet: what is not printed is not counted as a warning either.
    done = subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def missing(site, language, names):
    """The names that are no anchor of a reference, of which there must be many."""
    assert len(names) > 20
    anchors = set(re.findall(r' id="([^"]+)"', (site / f"reference/{language}.html").read_text()))
    return sorted(set(names) - anchors)


def test_pages_are_complete_and_refer_to_nothing_outside(site):
    pages = list(site.rglob("*.html"))
    assert len(pages) > 40
    for page in pages:
        text = page.read_text()
        assert "</footer>" in text
        assert re.findall(r'<(?:script|link|img)\b[^>]*(?:src|href)="(?:[a-z]+:)?//', text) == []


def test_every_link_between_pages_leads_to_an_anchor(site):
    anchors = {page: set(re.findall(r' id="([^"]+)"', page.read_text())) for page in site.rglob("*.html")}
    broken = []
    for page in anchors:
        for link in re.findall(r'href="([^":]+)"', page.read_text()):
            path, _, anchor = link.partition("#")
            there = (page.parent / path).resolve() if path else page
            if not there.exists() or (anchor and there.suffix == ".html" and anchor not in anchors[there]):
                broken.append(f"{page.name}: {link}")
    assert broken == []


def test_the_reference_of_c_has_every_function_type_and_constant(site):
    listed = [line for name in ("c_symbols.txt", "c_symbols_of_machines.txt") for line in read(f"tests/package/{name}").split("\n")
              if line and not line.startswith("#")]
    text = read("include/weft/weft.h") + read("include/weft/reordered.h")
    types = re.findall(r"^\} (weft_\w+);|^typedef struct \w+ (weft_\w+);|\(\*(weft_\w+)\)\(", text, re.MULTILINE)
    assert missing(site, "c", [*listed, *("".join(found) for found in types)]) == []
    page = (site / "reference/c.html").read_text()
    assert [name for name in re.findall(r"^  (WEFT_\w+) = ", text, re.MULTILINE) if name not in page] == []


def test_the_reference_of_cpp_has_every_class_and_function(site):
    types, functions = [], []
    for path in sorted((ROOT / "include/weft").glob("*.hpp")):
        text = re.sub(r"//[^\n]*", "", path.read_text())
        types += re.findall(r"^(?:class|struct|enum class)(?: \[\[nodiscard\]\])? (\w+)(?: final)?(?: :[^{;]*)? \{", text, re.MULTILINE)
        functions += re.findall(r"^(?:inline )?[\w:]+(?:<[^\n]*>)?[*&]? (\w+)\(", text, re.MULTILINE)
    assert {"Plan", "Problem", "Options", "Halo"} <= set(types) and {"allocate_bytes", "to_string"} <= set(functions)
    assert missing(site, "cpp", types + functions) == []


def test_the_reference_of_fortran_has_every_public_name_and_procedure_of_a_type(site):
    names = re.findall(r"\bweft_\w+", re.sub(r"^.*?only:|^ *!.*$", "", read("fortran/src/weft.f90").partition("implicit none")[0], flags=re.MULTILINE))
    names = [name for name in names if name != "weft_"]
    bound = []
    for path in (ROOT / "fortran/src").glob("weft_*.[fF]90"):
        for name, body in re.findall(r"^  type :: weft_(\w+)\n(.*?)^  end type", path.read_text(), re.MULTILINE | re.DOTALL):
            bound += [f"{name}.{found}" for found in re.findall(r"^    (?:procedure|generic) :: (\w+)", body, re.MULTILINE)]
    assert len(bound) > 40
    assert missing(site, "fortran", [*names, *bound]) == []


def test_the_reference_of_python_has_every_public_name_and_method(site):
    names = []
    for module, path in python.public_modules(ROOT).items():
        public = re.search(r"^__all__ = [\[(](.*?)[\])]", path.read_text(), re.MULTILINE | re.DOTALL)[1]
        names += [f"{module}.{name}" for name in re.findall(r'"(\w+)"', public) if not (path.parent / f"{name}.py").exists()
                  and not (path.parent / name).is_dir()]
    for name in ("Plan", "Reshape", "Halo", "Ticket", "Ensemble"):
        text = next(path.read_text() for path in (ROOT / "python/weft").glob("_*.py") if f"\nclass {name}" in path.read_text())
        body = re.split(r"\n(?=\S)", text.partition(f"\nclass {name}")[2])[0]
        names += [f"weft.{name}.{found}" for found in re.findall(r"^    (?:async )?def ([a-z]\w+)\(", body, re.MULTILINE)]
    assert missing(site, "python", names) == []


def test_every_function_of_c_has_a_section_that_the_search_finds(site):
    text = (site / "sections.js").read_text()
    sections = json.loads(text.removeprefix("window.weftSections = ").rstrip(";\n"))
    assert [address for address, _, heading, _ in sections if heading == "weft_plan_create"] == ["reference/c.html#weft_plan_create"]
    assert len(sections) > 500


# In a page of the site: what a search finds, and which texts of the pictures, at the width of a phone, touch others or are cut off.
LOOK = """<script>
const cut = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
const told = [];
for (const picture of document.querySelectorAll("#pictures svg")) {
  const frame = picture.getBoundingClientRect(), name = picture.querySelector("title").textContent;
  const texts = [...picture.querySelectorAll("text")].map(text => [text.textContent, text.getBoundingClientRect()]);
  texts.forEach(([text, box], i) => {
    if (box.left < frame.left || box.right > frame.right || box.top < frame.top || box.bottom > frame.bottom) told.push(`${name}: ${text} is cut off`);
    for (const [other, its] of texts.slice(i + 1)) if (cut(box, its)) told.push(`${name}: ${text} touches ${other}`);
  });
}
addEventListener("load", () => {
  document.getElementById("search").value = "weft_plan_create";
  document.getElementById("search").dispatchEvent(new Event("input"));
  setTimeout(() => {
    const seen = document.createElement("pre");
    seen.id = "seen";
    seen.textContent = JSON.stringify({found: document.querySelector("#found a")?.getAttribute("href"), told});
    document.body.append(seen);
  }, 1500);
});
</script></body>"""


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed, which `./dev test` installs")
def test_in_a_browser_the_search_works_from_a_file_and_no_label_touches_another(site):
    pictures = "".join(path.read_text() for path in sorted((ROOT / "docs/images/concepts").glob("*.svg")))
    assert pictures.count("<svg") == 6
    page = site / "look.html"
    page.write_text((site / "c.html").read_text().replace("</body>", f'<div id="pictures" style="width: 358px">{pictures}</div>{LOOK}'))
    done = subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                           "--host-resolver-rules=MAP * ~NOTFOUND", f"--user-data-dir={site / 'browser'}", "--virtual-time-budget=4000",
                           "--dump-dom", page.as_uri()], capture_output=True, text=True, timeout=120)
    page.unlink()
    seen = json.loads(html.unescape(re.search(r'<pre id="seen">(.*?)</pre>', done.stdout, re.DOTALL)[1]))
    assert seen == {"found": "./reference/c.html#weft_plan_create", "told": []}


@pytest.mark.parametrize("target, source, page", [
    ("docs/guide.md#in-place", "README.md", "guide.md#in-place"),
    ("../README.md#a-program", "docs/guide.md", "index.md#a-program"),
    ("../../README.md", "docs/compat/heffte.md", "index.md"),
    ("../examples/poisson.cpp", "docs/guide.md", "examples.md#poisson"),
    ("examples", "README.md", "examples.md"),
    ("../../src/weft/grid/box.hpp", "docs/lab/a.md", None),
])
def test_links_lead_to_pages_of_the_site(target, source, page):
    assert hooks.site_page(target, source) == page


def test_names_of_weft_lead_to_the_reference():
    hooks.add_addresses("reference/cpp.md", '<a id="Plan"></a> <a id="Plan.forward"></a> <a id="copy"></a>')
    hooks.add_addresses("reference/python.md", '<a id="weft.Plan"></a>')
    assert hooks.linked("<p><code>Plan::forward</code></p>", "guide.md") == '<p><a href="reference/cpp.html#Plan.forward"><code>Plan::forward</code></a></p>'
    assert hooks.linked("<code>Plan</code>", "compat/mpi4py-fft.md") == '<a href="../reference/python.html#weft.Plan"><code>Plan</code></a>'
    for plain in ("<code>copy</code>", "<pre><code>Plan</code></pre>", '<a href="x"><code>Plan</code></a>', "<p>Plan::forward</p>"):
        assert hooks.linked(plain, "guide.md") == plain
    assert "<a" in hooks.linked("<p>see Plan::forward</p>", "reference/c.md")


@pytest.mark.parametrize("content, is_misread", [
    ("<p>One:\n- a\n- b</p>", True), ("<p>One:\n| a | b |</p>", True), ("<p>One\n1. a</p>", True), ("<p>a</p>\n<ul>\n<li>- b</li></ul>", False),
    ("<p>It took\n47. So</p>", False), ("<p>a</p><pre>\n- b</pre>", False),
])
def test_lists_and_tables_that_are_read_as_text_are_found(content, is_misread):
    assert bool(hooks.MISREAD.search(content)) == is_misread


@pytest.mark.parametrize("page", sorted((ROOT / "docs/porting").glob("*.md")), ids=lambda page: page.stem)
def test_names_of_weft_on_the_pages_about_porting_exist(page):
    sources = [*(ROOT / "include/weft").glob("*"), *(ROOT / "fortran/src").glob("*")]
    known = set(re.findall(r"\w+", "\n".join(path.read_text(encoding="utf-8") for path in sources)))
    named = re.findall(r"\b(?:weft::|Options::|Norm::|Problem::|Distribution::)\w+(?:::\w+)*|\bweft_\w+|\bWEFT_\w+", page.read_text(encoding="utf-8"))
    assert page.stem in ("README", "mpi4py-fft") or len(named) > 2
    assert sorted({name for name in named if not set(name.split("::")) <= known}) == []
