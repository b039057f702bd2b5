# weft.plot.slices: a plane of a field as an image.
# Keeps: only the plane is read from the file.
"""Slices of fields."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, Sequence

import numpy as np

from .._errors import Error
from . import svg
from .axes import drawn, frame
from .colours import DIVERGING, SEQUENTIAL
from .images import colour_bar, image_of
from .page import Page, both_widths, note
from .raster import thinned
from .reading import open_field
from .scales import by, plain

MOST_PIXELS = 1024
PARTS: dict[str, Callable[[Any], Any]] = {"real": np.real, "imag": np.imag, "abs": np.abs, "phase": np.angle, "log": lambda z: np.log10(np.abs(z))}


def plane_of(field: np.ndarray, axis: int, index: int | None, others: Sequence[int] = ()) -> tuple[np.ndarray, tuple[int, int], str]:
    """The plane where `axis` has the `index`; the two axes that remain, and which plane it is, in words.

    Of fields of more than three axes, the last three are shown at the indices `others` of those
    before. Of two axes, the plane is the field. A field of one axis is a plane of one row.

    Raises
    ------
    Error
        For axes and indices that the field does not have.
    """
    shape = tuple(field.shape)
    if len(shape) == 1:
        return np.asarray(field)[None, :], (-1, 0), "the whole line"
    if len(shape) == 2:
        return np.asarray(field), (0, 1), "the whole plane"
    lead = len(shape) - 3
    if not -3 <= axis < len(shape) or 0 <= axis < lead:
        raise Error(f"axis {axis} of a field with {len(shape)} axes cannot be cut", f"--axis {lead} to {len(shape) - 1}")
    axis = axis + len(shape) if axis < 0 else axis
    chosen = list(others) + [0] * (lead - len(others))
    at = shape[axis] // 2 if index is None else index
    for number, (where, size) in enumerate([*zip(chosen, shape), (at, shape[axis])]):
        if not -size <= where < size:
            raise Error(f"index {where} is outside axis {number if number < lead else axis}, which has {size} points", f"0 to {size - 1}")
    at += shape[axis] * (at < 0)
    key = tuple(chosen[:lead]) + tuple(at if each == axis else np.s_[:] for each in range(lead, len(shape)))
    first, second = (each for each in range(lead, len(shape)) if each != axis)
    where = "".join(f"index {value} of axis {number}, " for number, value in enumerate(chosen[:lead]))
    return np.asarray(field[key]), (first, second), f"{where}index {at} of axis {axis}"


def _limits(values: np.ndarray) -> tuple[float, float, tuple[str, ...]]:
    """What is drawn darkest and lightest: 0.1 % of the values at either end may lie outside. Symmetric if there are both signs."""
    finite = values[np.isfinite(values)]
    if finite.size == 0:
        raise Error("the slice has no finite values", "choose another index")
    low, high = (float(each) for each in np.percentile(finite, [0.1, 99.9]))
    if low < 0 < high and min(-low, high) > 0.05 * max(-low, high):
        most = max(-low, high)
        return -most, most, DIVERGING
    return low, high if high > low else low + (abs(low) or 1.0), SEQUENTIAL


def slice(path: str | Path, axis: int = -1, index: int | None = None, part: str = "", dataset: str = "", others: Sequence[int] = ()) -> Page:
    """A plane of a field in a .npy, .h5 or .zarr file, as an image with axes and a bar of colours.

    Parameters
    ----------
    axis, index
        Which plane: the axis that is cut, and where (default: the middle of the last axis).
    part
        Of complex values: "real", "imag", "abs" (the default), "phase" or "log", the decimal logarithm
        of the absolute value, which real fields have, too.
    dataset
        The name of the array, in a file that has several.
    others
        Indices of the axes before the last three.

    Raises
    ------
    Error
        For files without an array of numbers, and planes without finite values.
    """
    field = open_field(path, dataset)
    plane, (first, second), where = plane_of(field, axis, index, others)
    if part and part not in PARTS:
        raise Error(f"there is no part '{part}'", f"one of: {', '.join(PARTS)}")
    is_complex = np.iscomplexobj(plane)
    chosen = part or ("abs" if is_complex else "real")
    with np.errstate(divide="ignore"):
        values = np.asarray(PARTS[chosen](plane), float)
    names = {"real": "real part" if is_complex else "value", "imag": "imaginary part", "abs": "absolute value", "phase": "phase, radians",
             "log": "log₁₀ of the absolute value"}  # fmt: skip
    bad = int(values.size - np.isfinite(values).sum())
    low, high, colours = _limits(values)
    pixels, sides = thinned(values, MOST_PIXELS)
    image = image_of(pixels, low, high, colours)
    rows, columns = values.shape

    def draw(width: float) -> str:
        wide = min(width - 70, 760)
        tall = min(max(wide * rows / columns, 60), 640)
        wide = min(wide, max(tall * columns / rows, 140))
        size = (width, 84 + tall + 48)
        at = frame(size, (0, columns), (0, rows), left=56, right=width - 56 - wide, top=84)
        y_name = f"axis {first}" if first >= 0 else ""
        pixelated = "pixelated" if columns < 200 else "auto"
        inside = svg.element("svg", svg.element("use", href="#field"), x=at.left, y=at.top, width=wide, height=tall, preserveAspectRatio="none",
                             viewBox="0 0 1 1", style=f"image-rendering:{pixelated}")  # fmt: skip
        label = f"Image of {names[chosen]}, {where}, of {Path(path).name}: from {plain(low)} to {plain(high)}"
        return svg.picture(*size, label, drawn(at, f"axis {second}", y_name), inside, colour_bar(at.left, at.right, low, high, colours, names[chosen]))

    said = [f"{where[0].upper()}{where[1:]}: {by(values.shape)} of {by(list(field.shape))} values, {field.dtype}. "
            f"Least {plain(float(np.nanmin(np.where(np.isfinite(values), values, np.nan))))}, "
            f"largest {plain(float(np.nanmax(np.where(np.isfinite(values), values, np.nan))))}."]  # fmt: skip
    if sides != (1, 1):
        said.append(f"A pixel is the mean of {by(sides)} values.")
    if bad:
        said.append(f"{bad} values are not finite, and grey.")
    page = Page(f"{Path(path).name}: {names[chosen]}", "Index 0 of each axis is at the lower left.", style=".definitions { position: absolute; width: 0; height: 0; }\n")
    pixelated = "pixelated" if columns < 200 else "auto"
    hidden = svg.element("svg", svg.element("image", id="field", href=image, width=1, height=1, preserveAspectRatio="none", style=f"image-rendering:{pixelated}"),
                         class_="definitions", aria_hidden="true")  # fmt: skip
    page.add("", note(" ".join(said)), hidden, both_widths(draw))
    return page
