# weft._bases: what a plan computes along each axis, as its settings say.
"""The bases of a plan's axes."""

from __future__ import annotations

import math
import re

_LETTERS = {"f": "fourier", "s": "dst2", "c": "dct2", "ch": "chebyshev"}


class Bases:
    """The basis of each axis in the words of plans, empty where an axis is not transformed; and which axis is halved."""

    def __init__(self, settings: dict[str, str], shape: tuple[int, ...]) -> None:
        axes = [int(axis) % len(shape) for axis in settings["axes"].split(",")] if settings.get("axes") else list(range(len(shape)))
        kind, _, text = settings["kind"].rpartition(":")
        if text in ("c2c", "r2c", "c2r"):
            kind, names = text, ["fourier"]
        elif re.fullmatch("[fsch]+", text):
            names = [_LETTERS[letter] for letter in re.findall("ch|[fsc]", text)]
        else:
            names = text.split(",")
        of = dict(zip(axes, names * len(axes) if len(names) == 1 else names))
        self.names = [of.get(axis, "") for axis in range(len(shape))]
        fourier = [axis for axis in axes if of[axis] == "fourier"]
        self.halved = fourier[-1] if kind in ("r2c", "c2r") else None
        self.fourier_points = math.prod(shape[axis] for axis in fourier)
        """What a round trip without a norm multiplies by, of Fourier axes."""
