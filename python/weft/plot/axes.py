# weft.plot.axes: the frame of a chart: grid lines, ticks and the names of the axes.
"""A chart's frame, with labels that do not touch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Sequence

from . import svg
from .labels import thinned, width_of
from .scales import Scale, plain


@dataclass(frozen=True)
class Frame:
    """Where a chart is in its picture, and its scales."""

    left: float
    top: float
    right: float
    bottom: float
    x: Scale
    y: Scale


def frame(size: tuple[float, float], x: tuple[float, float], y: tuple[float, float], log: str = "", right: float = 16,
          left: float = 56, top: float = 30, bottom: float = 48) -> Frame:  # fmt: skip
    """A frame in a picture of this size, with ranges of values; `log` names the axes that are logarithmic."""
    width, height = size
    return Frame(
        left, top, width - right, height - bottom,
        Scale(*x, left, width - right, "x" in log), Scale(*y, height - bottom, top, "y" in log),
    )  # fmt: skip


def drawn(at: Frame, x_name: str, y_name: str, x_text: Callable[[float], str] = plain, y_text: Callable[[float], str] = plain,
          x_ticks: Sequence[float] | None = None) -> str:  # fmt: skip
    """Horizontal grid lines, ticks and names. The name of the y axis is above it, where it is read without turning the head."""
    parts = []
    for value in at.y.ticks(max(3, int((at.bottom - at.top) / 45))):
        parts += [svg.line(at.left, at.y(value), at.right, at.y(value), "grid"),
                  svg.text(at.left - 8, at.y(value) + 4, y_text(value), "tick", "end")]  # fmt: skip
    ticks = list(x_ticks) if x_ticks is not None else at.x.ticks(max(3, int((at.right - at.left) / 60)))
    words = [x_text(value) for value in ticks]
    shown = thinned([at.x(value) for value in ticks], [width_of(each, 12) for each in words])
    parts.append(svg.line(at.left, at.bottom, at.right, at.bottom, "axis"))
    for value, each, is_shown in zip(ticks, words, shown):
        parts.append(svg.line(at.x(value), at.bottom, at.x(value), at.bottom + 5, "axis"))
        if is_shown:
            parts.append(svg.text(at.x(value), at.bottom + 19, each, "tick", "middle"))
    parts += [svg.text((at.left + at.right) / 2, at.bottom + 40, x_name, "name", "middle")] if x_name else []
    parts += [svg.text(4, at.top - 14, y_name, "name")] if y_name else []
    return "".join(parts)


def padded(low: float, high: float, is_log: bool, part: float = 0.06) -> tuple[float, float]:
    """A range with a margin on both sides."""
    if is_log:
        factor = (high / low) ** part if high > low else 1.5
        return low / factor, high * factor
    margin = part * (high - low) or abs(low) * part or 1.0
    return low - margin, high + margin
