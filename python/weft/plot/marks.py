# weft.plot.marks: places names beside marks where they cover neither marks nor each other.
"""Labels of points in a plane."""

from __future__ import annotations

from typing import Sequence

from .labels import width_of

Box = tuple[float, float, float, float]  # left, top, right, bottom


def touches(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def beside(points: Sequence[tuple[float, float]], words: Sequence[str], area: Box, size: float = 12) -> list[tuple[float, float] | None]:
    """For each point, where its words begin, on their base line; None where there is no room.

    Each takes the first place that is free of those to its right, left, above and below, in the
    order of the points.
    """
    radius = 6.0
    taken: list[Box] = [(x - radius, y - radius, x + radius, y + radius) for x, y in points]
    found: list[tuple[float, float] | None] = []
    for (x, y), label in zip(points, words):
        wide, tall = width_of(label, size), size * 1.25
        starts = [(x + 10, y + step) for step in (4, -10, 18, -24, 32)] + [(x - 10 - wide, y + step) for step in (4, -10, 18, -24, 32)]
        starts += [(x - wide / 2, y + step) for step in (-12, 22, -28, 38, 54, -44)]
        place = None
        for left, base in starts:
            box = (left - 2, base - tall + 2, left + wide + 2, base + 4)
            inside = box[0] >= area[0] and box[1] >= area[1] and box[2] <= area[2] and box[3] <= area[3]
            if inside and not any(touches(box, other) for other in taken):
                place = (left, base)
                taken.append(box)
                break
        found.append(place)
    return found
