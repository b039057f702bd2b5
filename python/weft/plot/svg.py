# weft.plot.svg: builds pictures of SVG as text.
# Keeps: all text from outside is escaped; numbers are short.
"""Elements of SVG."""

from __future__ import annotations

from html import escape
from typing import Iterable


def number(value: float) -> str:
    """A coordinate with at most two decimals."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def _value(value: object) -> str:
    return number(float(value)) if isinstance(value, (int, float)) else escape(str(value))


def element(tag: str, *content: str, **attributes: object) -> str:
    """An element with content that is SVG already. An underscore in a name is a hyphen, at its end nothing."""
    names = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{_value(value)}"' for name, value in attributes.items() if value is not None
    )
    inner = "".join(content)
    return f"<{tag}{names}>{inner}</{tag}>" if inner else f"<{tag}{names}/>"


def text(x: float, y: float, words: str, class_: str | None = None, anchor: str | None = None, **attributes: object) -> str:
    """Words that begin at (x, y), or end there (anchor="end"), or are centred (anchor="middle")."""
    return element("text", escape(words), x=x, y=y, class_=class_, text_anchor=anchor, **attributes)


def line(x1: float, y1: float, x2: float, y2: float, class_: str | None = None, **attributes: object) -> str:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_, **attributes)


def rect(x: float, y: float, width: float, height: float, class_: str | None = None, title: str = "", **attributes: object) -> str:
    inside = [element("title", escape(title))] if title else []
    return element("rect", *inside, x=x, y=y, width=width, height=height, class_=class_, **attributes)


def circle(x: float, y: float, radius: float, class_: str | None = None, title: str = "", **attributes: object) -> str:
    inside = [element("title", escape(title))] if title else []
    return element("circle", *inside, cx=x, cy=y, r=radius, class_=class_, **attributes)


def polyline(points: Iterable[tuple[float, float]], class_: str | None = None, **attributes: object) -> str:
    return element("polyline", points=" ".join(f"{number(x)},{number(y)}" for x, y in points), class_=class_, **attributes)


def picture(width: float, height: float, label: str, *content: str, class_: str = "") -> str:
    """A whole picture. `label` says in words what it shows, to those who cannot see it."""
    return element("svg", *content, viewBox=f"0 0 {number(width)} {number(height)}", class_=class_ or None, role="img",
                   aria_label=label, xmlns="http://www.w3.org/2000/svg")  # fmt: skip
