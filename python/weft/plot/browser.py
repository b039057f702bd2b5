# weft.plot.browser: a page as a PNG, as Chromium shows it. There is one way of drawing: that of the page.
"""Pictures of pages."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from html import escape
from pathlib import Path

from .._errors import Error

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_HEIGHT = re.compile(r'<html[^>]* data-height="(\d+)"')
# A frame, as windows of Chromium without a screen are at least 500 pixels wide unless they draw an image.
_MEASURE = """<!doctype html><html><body><iframe style="width: {width}px; height: 900px; border: 0" srcdoc="{page}"></iframe>
<script>addEventListener("load", () => document.documentElement.dataset.height =
  Math.ceil(document.querySelector("iframe").contentDocument.querySelector("main").getBoundingClientRect().bottom))</script></body></html>
"""
_SECONDS = 60


def chromium() -> str | None:
    """The first browser found on PATH that can draw without a screen."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def _run(browser: str, folder: str, page: Path, width: int, height: int, *options: str) -> str:
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
               "--host-resolver-rules=MAP * ~NOTFOUND", f"--user-data-dir={folder}/profile", f"--window-size={width},{height}",
               *options, page.as_uri()]  # fmt: skip
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Error(f"{browser} draws no picture: {error}", "open the page in a browser", code="system") from error
    if done.returncode != 0:
        raise Error(f"{browser} has ended with status {done.returncode}", done.stderr.strip()[-300:], code="system")
    return done.stdout


def write_png(page: Path, png: Path, width: int) -> None:
    """Draws the page `page` in a window `width` pixels wide, as high as the page is.

    Raises
    ------
    Error
        Without a Chromium on PATH, and if it fails.
    """
    browser = chromium()
    if browser is None:
        raise Error(f"there is no Chromium on PATH, which draws '{png}'",
                    f"install it (Debian: apt-get install chromium), or open '{page}' in a browser", code="unsupported")  # fmt: skip
    with tempfile.TemporaryDirectory(prefix="weft-plot-") as folder:
        copy, drawn = Path(folder, "page.html"), Path(folder, "page.png")
        words = escape(page.read_text(encoding="utf-8"))
        copy.write_text(_MEASURE.format(width=width, page=words), encoding="utf-8")
        found = _HEIGHT.search(_run(browser, folder, copy, width + 100, 900, "--dump-dom"))
        height = int(found[1]) if found else 900
        _run(browser, folder, page.resolve(), width, height, f"--screenshot={drawn}")
        try:
            shutil.copyfile(drawn, png)
        except OSError as error:
            raise Error(f"cannot write '{png}': {error.strerror or error}", code="io") from error
