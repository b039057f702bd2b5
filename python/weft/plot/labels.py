# weft.plot.labels: how wide words are, and where labels go so that none covers another.
"""The layout of labels, without a browser."""

from __future__ import annotations

from typing import Sequence

# Widths in parts of the size of the font, of DejaVu Sans, which is wider than what most systems have.
_NARROW, _SMALL, _WIDE = set("ijl.,:;|!' "), set("frt()[]/-I"), set("mwMW@%→")


def width_of(words: str, size: float = 13) -> float:
    """How wide the words may be, rather too much than too little."""
    widths = sum(0.34 if c in _NARROW else 0.46 if c in _SMALL else 0.98 if c in _WIDE else 0.7 if c.isupper() else 0.64 for c in words)
    return size * widths


def shortened(words: str, width: float, size: float = 13) -> str:
    """The words, with an ellipsis in their middle if they are wider than `width`."""
    if width_of(words, size) <= width:
        return words
    for left in range(len(words) - 1, 1, -1):
        shown = words[: (left + 1) // 2] + "…" + words[len(words) - left // 2 :]
        if width_of(shown, size) <= width:
            return shown
    return "…"


def spread(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Places as near as possible to those given, in the same order, at least `gap` apart and within the limits if they fit.

    Each group of labels that touch is centred on what its labels want, as in isotonic regression
    (pool adjacent violators: Ayer et al., 1955).
    """
    order = sorted(range(len(places)), key=lambda i: places[i])
    groups: list[list[float]] = []  # sum of what its members want for its first label, members
    for rank, i in enumerate(order):
        groups.append([places[i] - rank * gap, 1])
        while len(groups) > 1 and groups[-2][0] / groups[-2][1] > groups[-1][0] / groups[-1][1]:
            total, members = groups.pop()
            groups[-1][0] += total
            groups[-1][1] += members
    last = len(places) - 1
    found, rank = [0.0] * len(places), 0
    for total, members in groups:
        first = max(low, min(total / members, high - last * gap))
        for _ in range(int(members)):
            found[order[rank]] = first + rank * gap
            rank += 1
    return found


def thinned(places: Sequence[float], widths: Sequence[float], gap: float = 8) -> list[bool]:
    """Which of the labels centred at these places remain so that none touches the one before."""
    shown, end = [], float("-inf")
    for place, width in sorted(zip(places, widths)):
        shown.append(place - width / 2 >= end + gap)
        if shown[-1]:
            end = place + width / 2
    return shown
