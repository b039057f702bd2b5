# weft.plot.spectra: radial power spectra of fields.
"""Spectra over shells of wavenumbers."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Sequence

import numpy as np

from .._errors import Error
from . import svg
from .axes import drawn, frame, padded
from .colours import series
from .page import Page, both_widths, note, table
from .radial import RadialSpectrum, Shells, mode_power
from .reading import open_field, positive
from .scales import by, plain, scientific

MOST_POINTS = 1 << 28  # that this process transforms; files of modes may be of any size
_SLAB = 1 << 22
_MOST_MARKS = 60


def spectrum_of(field: np.ndarray, lengths: Sequence[float], of_modes: bool = False, last_size: int | None = None) -> RadialSpectrum:
    """The radial spectrum of a field, or of its unscaled Fourier coefficients.

    Parameters
    ----------
    lengths
        The sides of the box, one an axis; wavenumbers are cycles per unit of length.
    of_modes, last_size
        The array has coefficients, as of numpy.fft.fftn or, with the number of points of the last axis,
        of rfftn.

    Raises
    ------
    Error
        For a field that is too large for this process, a wrong last size, and values that are not
        finite.
    """
    points = list(field.shape)
    if last_size is not None:
        if points[-1] != last_size // 2 + 1:
            raise Error(f"the last axis has {points[-1]} modes, and a half spectrum of {last_size} points has {last_size // 2 + 1}",
                        f"--last-size {2 * points[-1] - 2} or {2 * points[-1] - 1}")  # fmt: skip
        points[-1] = last_size
    spacing = [length / n for length, n in zip(lengths, points)]
    width = max(1 / length for length in lengths)
    if not of_modes:
        if field.size > MOST_POINTS:
            raise Error(f"the field has {field.size} points, and this process transforms at most {MOST_POINTS}",
                        "transform it with `weft transform`, and give the result with --modes")  # fmt: skip
        is_real = not np.iscomplexobj(field)
        spectrum = np.fft.rfftn(np.asarray(field)) if is_real else np.fft.fftn(np.asarray(field))
        last_size = points[-1] if is_real else None
        field = spectrum
    shells = Shells(field.shape, spacing, width, last_size)
    if field.ndim == 1:
        shells.add(mode_power(np.asarray(field), last_size))
    else:
        whole = math.prod(points)
        rows = max(1, _SLAB // max(1, math.prod(field.shape[1:])))
        for first in range(0, field.shape[0], rows):
            slab = np.asarray(field[first : first + rows])
            shells.add((slab.real.astype(float) ** 2 + slab.imag.astype(float) ** 2) / float(whole) ** 2, first)
    found = shells.spectrum()
    if not np.isfinite(found.power).all():
        raise Error("the field has values that are not finite", "look at a slice of it: python -m weft plot slice FILE")
    return found


def _drawn(shown: list[tuple[float, float]], unit: str, width: float, slope: float | None) -> str:
    size = (width, 440 if width > 500 else 340)
    k, power = [each[0] for each in shown], [each[1] for each in shown]
    low = max(min(power), max(power) * 1e-40)
    at = frame(size, padded(min(k), max(k), True, 0.04), padded(low, max(power), True), "xy", left=64)
    points = [(at.x(x), at.y(max(y, low))) for x, y in shown]
    parts = [drawn(at, f"wavenumber, cycles per {unit}", "power of the modes of a shell", y_text=lambda value: scientific(value))]
    if slope is not None:
        # Through the middle of the curve, for comparison.
        middle = len(shown) // 2
        line = [(x, power[middle] * (x / k[middle]) ** slope) for x in k]
        inside = [(at.x(x), at.y(y)) for x, y in line if at.y.low <= y <= at.y.high]
        if len(inside) > 1:
            parts.append(svg.polyline(inside, "ideal"))
            parts.append(svg.text(inside[0][0] + 8, max(inside[0][1], at.top + 12), f"slope {plain(slope)}", "tick"))
    parts.append(svg.polyline(points, "curve", stroke=series(0)))
    if len(points) <= _MOST_MARKS:
        parts += [svg.circle(x, y, 3.5, None, f"{plain(k_)}: {scientific(p, 3)}", fill=series(0)) for (x, y), (k_, p) in zip(points, shown)]
    return svg.picture(*size, f"Power over wavenumbers from {plain(min(k))} to {plain(max(k))}", *parts)


def spectrum(path: str | Path, lengths: Sequence[float] = (), of_modes: bool = False, last_size: int | None = None, dataset: str = "",
             slope: float | None = None) -> Page:  # fmt: skip
    """The radial power spectrum of a field in a .npy, .h5 or .zarr file.

    Parameters
    ----------
    lengths
        The sides of the box (default: 1 each, so that wavenumbers are whole numbers).
    of_modes, last_size
        The file has Fourier coefficients, as `weft transform` writes them; of a half spectrum, with the
        number of points of its last axis.
    slope
        Draws a power law for comparison, say -5/3.

    Raises
    ------
    Error
        As of `spectrum_of`, and for files without an array of numbers.
    """
    field = open_field(path, dataset)
    sides = [float(each) for each in lengths] or [1.0] * field.ndim
    if len(sides) != field.ndim or not all(positive(side) for side in sides):
        raise Error(f"the sides are {sides}, and the field has {field.ndim} axes", "give one positive length an axis, from 1e-18 to 1e18")
    found = spectrum_of(field, sides, of_modes, last_size)
    points = list(field.shape[:-1]) + [last_size or field.shape[-1]]
    whole = min(n / (2 * side) for n, side in zip(points, sides))
    total = found.power * found.modes
    shown = [(float(k), float(p)) for k, p in zip(found.frequency, total) if 0 < k <= whole * (1 + 1e-9) and p > 0]
    if not shown:
        raise Error(f"'{path}' has no power between wavenumbers 0 and {plain(whole)}", "give a field that is not constant")
    is_unit = all(side == 1 for side in sides)
    page = Page(f"Radial power spectrum of {Path(path).name}", f"{by(points)} points, {field.dtype}, in a box of sides {by([f'{side:g}' for side in sides])}.")
    said = (f"Shells are {plain(1 / min(sides))} wide. Shells above {plain(whole)}, where the sphere leaves the grid, are not drawn; "
            f"they have {100 * (1 - float(total[found.frequency <= whole * (1 + 1e-9)].sum() / total.sum())):.2g} % of the power. "
            f"The power of all modes, {scientific(float(total.sum()), 4)}, is the mean square of the field; "
            f"that of its mean is {scientific(float(total[0]), 4)}.")  # fmt: skip
    unit = "side of the box" if is_unit else "unit of length"
    page.add("", note(said), both_widths(lambda width: _drawn(shown, unit, width, slope)))
    strongest = sorted(shown, key=lambda each: -each[1])[:8]
    page.add("Strongest shells", table(["wavenumber", "power", "of the variance"],
             [[plain(k), scientific(p, 4), f"{100 * p / float(total[1:].sum()):.3g} %"] for k, p in strongest], ()))  # fmt: skip
    return page
