# weft.plot.images: an array as an image within a chart, and the bar that says what its colours mean.
"""Images of values, and their scale."""

from __future__ import annotations

from typing import Callable

import numpy as np

from . import svg
from .colours import mapped
from .raster import address_of
from .scales import Scale, plain


def image_of(values: np.ndarray, low: float, high: float, colours: tuple[str, ...]) -> str:
    """The address of an image of values, whose first row is at the bottom."""
    return address_of(mapped(values[::-1], low, high, colours))


def placed(address: str, x: float, y: float, width: float, height: float, is_smooth: bool = True) -> str:
    """The image at a place, stretched to this size."""
    return svg.element("image", href=address, x=x, y=y, width=width, height=height, preserveAspectRatio="none",
                       style=f"image-rendering:{'auto' if is_smooth else 'pixelated'}")  # fmt: skip


def colour_bar(left: float, right: float, low: float, high: float, colours: tuple[str, ...], name: str,
               words: Callable[[float], str] = plain) -> str:  # fmt: skip
    """A bar of the colours with their values, 46 pixels high with its name."""
    steps = 64
    wide = (right - left) / steps
    x = Scale(low, high, left, right)
    shades = mapped(np.linspace(low, high, steps), low, high, colours)
    parts = [svg.rect(left + i * wide, 18, wide + 0.5, 10, fill=f"#{r:02x}{g:02x}{b:02x}") for i, (r, g, b) in enumerate(shades)]
    parts.append(svg.text(left, 12, name, "name"))
    ticks = x.ticks(max(3, int((right - left) / 90)))
    largest = max(map(abs, ticks))
    for value in ticks:
        shown = words(0.0 if abs(value) < 1e-12 * largest else value)
        parts += [svg.line(x(value), 28, x(value), 33, "axis"), svg.text(x(value), 46, shown, "tick", "middle")]
    return "".join(parts)
