# tests/cli/test_browser: the pages of weft in a browser - what is visible, what colours it has, and that nothing is complained of.
# A script is added to a copy of each page. It writes what it has seen into the page, which Chromium prints after it has run.
import html
import json
import re
import shutil

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed, which `./dev test` installs")

BEFORE = """<script>
const complaints = [];
addEventListener("error", event => complaints.push(event.message ?? `cannot load ${event.target.src ?? event.target.href}`), true);
addEventListener("securitypolicyviolation", event => complaints.push(event.blockedURI));
for (const name of ["error", "warn"]) console[name] = (...words) => complaints.push(words.join(" "));
</script>
"""
AFTER = """<script>
const all = selector => [...document.querySelectorAll(selector)];
const is_visible = element => {
  const box = element.getBoundingClientRect();
  return box.width > 0 && box.height > 0 && getComputedStyle(element).visibility === "visible";
};
const fills = selector => all(selector).map(element => getComputedStyle(element).fill);
const look = () => { SCRIPT };
addEventListener("load", () => {
  const seen = look();
  const out = document.createElement("pre");
  out.id = "seen";
  out.textContent = JSON.stringify({...seen, complaints, width: document.documentElement.scrollWidth});
  document.body.append(out);
});
</script>
"""


def seen(weft, name, script, size="1200,900"):
    """What the script returns, a JavaScript object, in a copy of the page `name`; and what the browser complains of."""
    page = (weft.folder / name).read_text()
    copy = weft.folder / f"copy-{name}"
    copy.write_text(page.replace("<head>\n", "<head>\n" + BEFORE).replace("</body>", AFTER.replace("SCRIPT", script) + "</body>"))
    ended = weft.start([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                        "--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr", "--force-prefers-color-scheme=light",
                        f"--user-data-dir={weft.folder / 'browser'}", f"--window-size={size}", "--dump-dom", copy.as_uri()])
    assert ended.status == 0, ended.err
    found = re.search(r'<pre id="seen">(.*?)</pre>', ended.out, re.DOTALL)
    assert found, ended.out[-2000:] + ended.err
    told = json.loads(html.unescape(found[1]))
    assert told["complaints"] == []
    assert [line for line in ended.err.splitlines() if "CONSOLE" in line] == []
    return told


MACHINE = """
  const before = fills(".node"), legends = all(".of-load").map(is_visible);
  all('label[for="by-load"]')[0].click();
  const after = fills(".node"), later = all(".of-load").map(is_visible);
  all('label[for="by-rank"]')[0].click();
  const again = fills(".node");
  return {before, after, again, legends, later, nodes: all(".node").map(is_visible),
          chosen: all(".node").map(node => node.classList.contains("chosen")),
          titles: all(".node").map(node => node.querySelector("title").textContent),
          steps: all(".node").map(node => [...node.classList].find(name => /^k[0-7]$/.test(name)) ?? ""),
          scale: all(".of-load").slice(0, 1).flatMap(legend => [...legend.querySelectorAll("i")])
                 .map(swatch => getComputedStyle(swatch).backgroundColor),
          sections: all("section").map(is_visible), texts: all("svg.machine text").map(is_visible)};
"""


def place(weft, *arguments):
    weft("place", *arguments, "--page", "page.html")


def test_nodes_change_their_colours(weft):
    place(weft, "64x64x64", "--ranks", 60, "--machine", "blue-gene-l", "--free", "0-40,60-150")
    told = seen(weft, "page.html", MACHINE)
    assert len(told["nodes"]) == 512 and all(told["nodes"]) and all(told["sections"]) and all(told["texts"])
    assert told["before"] == told["again"]
    # By rank, every node of the job has a colour of its own, and the others two: free or not.
    chosen = [colour for colour, is_chosen in zip(told["before"], told["chosen"]) if is_chosen]
    others = {colour for colour, is_chosen in zip(told["before"], told["chosen"]) if not is_chosen}
    assert len(set(chosen)) == len(chosen) == 60 and len(others) == 2 and not others & set(chosen)
    # By load, nodes have the colour that the legend has for their step, and those without a load keep theirs.
    assert len(set(told["scale"])) == 8 and len(set(told["steps"])) > 4
    for before, after, step in zip(told["before"], told["after"], told["steps"]):
        assert after == (told["scale"][int(step[1])] if step else before)
    assert told["legends"] == [False] and told["later"] == [True]


def test_a_large_machine_fits_the_window(weft):
    place(weft, "96x96x96", "--ranks", 384, "--free", "0-3,40-47,400-419", "--machine", "shaheen-ii")
    for width in (1400, 600):
        told = seen(weft, "page.html", MACHINE, size=f"{width},900")
        assert len(told["nodes"]) == 6912 and all(told["nodes"]) and told["width"] <= width


def test_marks_have_colours(weft):
    (weft.folder / "marks").write_text("0-9: service\n10-12: empty\n")
    place(weft, "16x16x16", "--ranks", 16, "--machine", "cluster-100g", "--marks", "marks", "--free", "20-40")
    told = seen(weft, "page.html", MACHINE)
    colours = told["before"]
    assert len({*colours[:10]}) == len({*colours[10:13]}) == len({*colours[13:20]}) == 1
    assert len({colours[0], colours[10], colours[13], colours[40]}) == 4


def test_the_page_of_doctor_is_visible(weft):
    weft("doctor", "--seconds", 0.3, "--html", "doctor.html", ranks=2)
    told = seen(weft, "doctor.html", """
      return {pictures: all("svg").map(is_visible), sections: all("section").map(is_visible), points: all("circle").map(is_visible),
              cells: all("svg.map rect").map(is_visible), colours: fills("circle")};
    """)
    assert len(told["pictures"]) == 4 and len(told["sections"]) >= 6 and len(told["cells"]) == 4 and len(told["points"]) > 20
    assert all(all(told[part]) for part in ("pictures", "sections", "points", "cells"))
    assert "none" not in told["colours"] and len(set(told["colours"])) >= 3
