# weft.plot.colours: colours that remain distinct for people with colour-blindness.
"""Palettes for series and for fields of values."""

from __future__ import annotations

import numpy as np

# Okabe and Ito, "Color Universal Design" (2008), the darker ones first, as the page is white; without their yellow.
SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#222222", "#8a6d3b")
WAIT = "#d9dde2"
CALL = "#222222"
OTHER = "#ffffff"

# Points of viridis (van der Walt and Smith, matplotlib 2015, CC0): brightness rises evenly.
SEQUENTIAL = ("#440154", "#482878", "#3e4989", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725")
# RdBu of Brewer's, reversed (colorbrewer2.org): white is zero.
DIVERGING = ("#053061", "#2166ac", "#4393c3", "#92c5de", "#d1e5f0", "#f7f7f7", "#fddbc7", "#f4a582", "#d6604d", "#b2182b", "#67001f")
MISSING = (150, 150, 150)  # values that are not finite


def series(number: int) -> str:
    return SERIES[number % len(SERIES)]


def rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mapped(values: np.ndarray, low: float, high: float, colours: tuple[str, ...]) -> np.ndarray:
    """Bytes of red, green and blue for values between `low` and `high`. Shape: (..., 3)."""
    stops = np.array([rgb(colour) for colour in colours], float)
    finite = np.isfinite(values)
    share = np.clip((np.where(finite, values, low) - low) / ((high - low) or 1.0), 0, 1) * (len(stops) - 1)
    below = np.minimum(share.astype(int), len(stops) - 2)
    part = (share - below)[..., None]
    mixed = stops[below] * (1 - part) + stops[below + 1] * part
    mixed[~finite] = MISSING
    shades: np.ndarray = np.rint(mixed).astype(np.uint8)
    return shades
