# weft.plot.page: one self-contained HTML page of pictures and tables.
# Keeps: the page loads nothing, and all words from outside are escaped.
"""The page that each picture is on."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Callable, Sequence

from .style import STYLE

# The widths for which pictures are drawn, in pixels: for windows wider and narrower than STYLE's limit.
WIDE, NARROW = 1000, 358


@dataclass
class Page:
    """A page: a title, a line below it that says of what and on which machine, and sections."""

    title: str
    about: str = ""
    sections: list[str] = field(default_factory=list)
    style: str = ""
    scripts: list[str] = field(default_factory=list)

    def add(self, heading: str, *parts: str) -> None:
        """Adds a section, of HTML that is escaped already."""
        head = f"<h2>{escape(heading)}</h2>\n" if heading else ""
        self.sections.append(f"<section>\n{head}" + "\n".join(parts) + "\n</section>\n")

    def html(self) -> str:
        """The whole page."""
        about = f'<p class="soft">{escape(self.about)}</p>\n' if self.about else ""
        scripts = "".join(f"<script>\n{script}</script>\n" for script in self.scripts)
        return (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{escape(self.title)}</title>\n<style>\n{STYLE}{self.style}</style>\n</head>\n<body>\n<main>\n<header>\n"
            f"<h1>{escape(self.title)}</h1>\n{about}</header>\n{''.join(self.sections)}</main>\n{scripts}</body>\n</html>\n"
        )

    def save(self, path: str | Path, png: str | Path | None = None, width: int = 1400) -> None:
        """Writes the page to `path` and, with `png`, a picture of it in a window `width` pixels wide.

        Raises
        ------
        Error
            If a file cannot be written, and if `png` is wanted where there is no Chromium.
        """
        from .browser import write_png
        from .reading import write_text

        write_text(path, self.html())
        if png is not None:
            write_png(Path(path), Path(png), width)


def both_widths(draw: Callable[[float], str]) -> str:
    """A picture as it is drawn for wide windows and for narrow ones, of which one is shown."""
    return f'<div class="wide">{draw(WIDE)}</div>\n<div class="narrow">{draw(NARROW)}</div>'


def note(words: str) -> str:
    """A paragraph of less weight."""
    return f'<p class="soft">{escape(words)}</p>'


def table(head: Sequence[str], rows: Sequence[Sequence[str]], texts: Sequence[int] = (0,)) -> str:
    """A table whose columns `texts` are words, and the others numbers."""

    def cells(tag: str, row: Sequence[str]) -> str:
        return "".join(f"<{tag}{'' if c in texts else ' class=number'}>{escape(each)}</{tag}>" for c, each in enumerate(row))

    body = "".join(f"<tr>{cells('td', row)}</tr>\n" for row in rows)
    return f'<div class="scroll"><table>\n<thead><tr>{cells("th", head)}</tr></thead>\n<tbody>\n{body}</tbody></table></div>'


def legend(entries: Sequence[tuple[str, str]]) -> str:
    """Colours and what they mean."""
    return '<p class="legend">' + " ".join(
        f'<span><i style="background:{colour}"></i>{escape(words)}</span>' for colour, words in entries) + "</p>"  # fmt: skip
