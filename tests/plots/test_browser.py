# tests/plots/test_browser: pages as Chromium shows them, in windows of a phone and of a desk: no words touch, and nothing is wider than the window.
# All pages are in frames of one page, so that the browser starts once.
import html
import json
import re
import shutil
import struct
import subprocess

import made
import numpy as np
import pytest
from weft import plot
from weft.plot.browser import chromium

pytestmark = pytest.mark.skipif(chromium() is None, reason="no chromium is installed, which `./dev test` installs")
WIDTHS = (390, 1400)

SCRIPT = """
const complaints = [];
const visible = box => box.width > 0 && box.height > 0;
const look = frame => {
  const page = frame.contentDocument, words = [];
  const found = {name: frame.dataset.name, width: page.documentElement.scrollWidth, pictures: 0, words: 0, touching: [], outside: [], small: []};
  for (const picture of page.querySelectorAll("div > svg[role=img]")) {
    const around = picture.getBoundingClientRect();
    if (!visible(around)) continue;
    ++found.pictures;
    const boxes = [...picture.querySelectorAll("text")].map(each => [each.textContent, each.getBoundingClientRect()]).filter(each => visible(each[1]));
    found.words += boxes.length;
    boxes.forEach(([text, a], i) => {
      if (a.left < around.left - 1 || a.right > around.right + 1) found.outside.push(text);
      if (a.height < 9) found.small.push(text);
      for (const [other, b] of boxes.slice(i + 1))
        if (a.left + 1 < b.right && b.left + 1 < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom) found.touching.push([text, other]);
    });
  }
  const readout = page.querySelector(".readout");
  if (readout) {
    const lanes = [...page.querySelectorAll(".timeline .lanes")].find(each => visible(each.getBoundingClientRect()));
    const box = lanes.getBoundingClientRect(), at = {clientX: box.left + 0.1 * box.width, clientY: box.top + 3, bubbles: true};
    lanes.dispatchEvent(new frame.contentWindow.PointerEvent("pointermove", at));
    found.said = readout.querySelector("span").textContent;
    found.lines = lanes.querySelector(".mine").getAttribute("d");
    page.querySelector('[data-zoom="0.5"]').click();
    found.view = lanes.getAttribute("viewBox");
    found.ticks = [...lanes.parentNode.querySelectorAll(".ticks text")].map(each => each.textContent);
  }
  return found;
};
addEventListener("load", () => {
  const seen = [...document.querySelectorAll("iframe")].map(look);
  const out = document.createElement("pre");
  out.id = "seen";
  out.textContent = JSON.stringify(seen);
  document.body.append(out);
});
"""


def long_names(result):
    result["exchange"] = "a-very-long-name-of-an-exchange"
    return result


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """All pictures, of easy and of difficult values."""
    folder = tmp_path_factory.mktemp("pages")
    write = lambda name, value: made.write(folder / name, value)  # noqa: E731
    field = np.random.default_rng(1).standard_normal((12, 40, 70))
    np.save(folder / "field.npy", field * 1e-9)
    np.save(folder / "tall.npy", np.abs(field[:, :, :3]).transpose(1, 0, 2))
    same_speed = [made.bench((n, 64, 64), ranks=r, seconds=0.1 / r, gflops=10 * r * (1 + 1e-4 * n)) for n in (60, 61, 62, 63, 64, 65, 66) for r in (1, 2, 4)]
    many_cores = [made.bench(ranks=r, seconds=1 / r, gflops=3.0 * r) for r in (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128)]
    peers = {name: {"min": 0.9e-3 * f, "median": 1e-3 * f, "max": 3e-3 * f} for name, f in (("weft", 1), ("fftw-threads", 1.01), ("mpi4py-fft", 40))}
    cases = [{"extents": [n] * 3, "kind": kind, "precision": "double", "times": peers} for n in (64, 100, 1024) for kind in ("c2c", "r2c")]
    bench = write("bench.json", [made.bench(), long_names(made.bench((65, 64, 64)))])
    return {
        "trace": plot.trace(write("t.json", made.trace())), "ranks": plot.trace(write("many.json", made.trace(500, 5))),
        "rows": plot.trace(write("rows.json", made.trace(64, 4, title="a title " * 30))),
        "roofline": plot.roofline(bench, write("d.json", made.doctor())), "memory": plot.roofline(bench, bandwidth=5e9),
        "scaling": plot.scaling([write("s.json", same_speed)]), "cores": plot.scaling([write("c.json", many_cores)]),
        "compare": plot.compare([write("p.json", cases)]), "slice": plot.slice(folder / "field.npy"), "tall": plot.slice(folder / "tall.npy"),
        "spectrum": plot.spectrum(folder / "field.npy", slope=-2.0),
    }


def run(folder, page, *options, size="1500,900"):
    return subprocess.run([chromium(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                           "--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr", f"--user-data-dir={folder / 'profile'}",
                           f"--window-size={size}", *options, page.as_uri()], capture_output=True, text=True, timeout=120, check=True)


def test_no_words_touch_in_any_window(pages, tmp_path):
    frames = "".join(f'<iframe data-name="{name} {width}" style="width:{width}px;height:900px;border:0" srcdoc="{html.escape(page.html())}"></iframe>\n'
                     for width in WIDTHS for name, page in pages.items())
    (tmp_path / "all.html").write_text(f"<!doctype html><html><head><meta charset=utf-8></head><body>{frames}<script>{SCRIPT}</script></body></html>")
    done = run(tmp_path, tmp_path / "all.html", "--dump-dom")
    assert [line for line in done.stderr.splitlines() if "CONSOLE" in line] == []
    seen = json.loads(html.unescape(re.search(r'<pre id="seen">(.*?)</pre>', done.stdout, re.DOTALL)[1]))
    assert [each["name"] for each in seen] == [f"{name} {width}" for width in WIDTHS for name in pages]
    for each in seen:
        assert each["pictures"] >= 1 and each["words"] > 3, each
        assert (each["touching"], each["outside"], each["small"]) == ([], [], []), each
        assert each["width"] <= int(each["name"].split()[1]), each
    said = {each["name"]: each for each in seen}
    assert said["trace 1400"]["said"].startswith("rank 0: pass 0: axes 1 (4 times), 40 µs from 0 on")
    assert said["trace 1400"]["lines"].count("M") == 2  # it sends one message and receives one
    assert said["trace 390"]["view"] == "2500 0 5000 78" and said["trace 390"]["ticks"][0] != "0"
    assert said["ranks 390"]["said"].startswith("ranks 0 to 15: ")


def test_a_png_is_as_wide_as_was_asked_and_as_high_as_the_page(pages, tmp_path):
    pages["spectrum"].save(tmp_path / "page.html", png=tmp_path / "page.png", width=700)
    data = (tmp_path / "page.png").read_bytes()
    width, height = struct.unpack(">II", data[16:24])
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and width == 700 and 500 < height < 1500
    assert sorted(each.name for each in tmp_path.iterdir()) == ["page.html", "page.png"]
    assert shutil.which("chromium") is None or chromium() == shutil.which("chromium")
