# demo/figures: the page's figures, as SVG. Their colours are those of the page's light or dark theme.

import numpy as np

from weft.plot import svg
from weft.plot.axes import drawn, frame
from weft.plot.images import colour_bar, image_of, placed
from weft.plot.page import both_widths
from weft.plot.radial import RadialSpectrum
from weft.plot.scales import scientific

from .volume import OPPOSITE, MriVolume

GREYS = ("#000000", "#ffffff")
# Dark to light through one family of hues, so that brighter always means more.
SEA = ("#081d58", "#225ea8", "#1d91c0", "#41b6c4", "#c7e9b4", "#ffffd9")
FREQUENCY_TICKS_PER_MM = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2)


def slice_figure(volume: MriVolume) -> str:
    """The middle slice of the first volume, in grey, with directions and a scale bar. Its units are millimetres."""
    values = volume.values[:, :, volume.middle_slice, 0]
    wide, tall = volume.slice_mm()
    right, top = volume.towards[:2]
    bar_mm, margin_mm, letter_mm = 50, 8, 7
    address = image_of(values.T, 0, float(np.percentile(values, 99.7)), GREYS)

    def word(x: float, y: float, text: str, anchor: str) -> str:
        return svg.text(x, y, text, "on-image", anchor, font_size=letter_mm)

    middle, low = tall / 2 + letter_mm / 3, tall - 4
    return svg.picture(
        wide, tall, f"Slice {volume.middle_slice + 1} of the scan, a brain in cross-section", placed(address, 0, 0, wide, tall),
        word(4, middle, OPPOSITE[right], "start"), word(wide - 4, middle, right, "end"),
        word(wide / 2, letter_mm + 3, top, "middle"), word(wide / 2, low, OPPOSITE[top], "middle"),
        svg.rect(wide - margin_mm - bar_mm, tall - margin_mm, bar_mm, 1.5, fill="#fff"),
        word(wide - margin_mm - bar_mm / 2, tall - margin_mm - 3, f"{bar_mm} mm", "middle"))


def spectrum_figure(power: np.ndarray, voxel_mm: tuple[float, ...]) -> str:
    """Log power of the slice's modes, zero frequency in the middle. `power` as from full_power."""
    # A mode that is exactly zero has no logarithm; the smallest normal number stands in for it.
    decades = np.log10(np.maximum(power / power.max(), np.finfo(float).tiny))
    low, high = (float(each) for each in np.percentile(decades, [2, 99.5]))
    kx, ky = (np.fft.fftshift(np.fft.fftfreq(n, d)) for n, d in zip(power.shape, voxel_mm))
    # Each mode is the middle of a pixel.
    (x0, x1), (y0, y1) = ((k[0] - step / 2, k[-1] + step / 2) for k, step in ((kx, kx[1] - kx[0]), (ky, ky[1] - ky[0])))
    width, left, right, top = 400, 52, 10, 84
    wide = width - left - right
    tall = wide * (y1 - y0) / (x1 - x0)
    size = (width, top + tall + 48)
    at = frame(size, (x0, x1), (y0, y1), left=left, right=right, top=top)
    return svg.picture(*size, "Power of each wave of the slice, strongest in the middle", drawn(at, "kx, per mm", "ky, per mm"),
                       placed(image_of(decades.T, low, high, SEA), at.left, at.top, wide, tall, is_smooth=False),
                       colour_bar(at.left, at.right, low, high, SEA, "power, of the strongest", lambda decade: scientific(10.0**decade)))


def _radial(curves: tuple[tuple[str, str, RadialSpectrum], ...], highest: float, width: float) -> str:
    shown = []
    for name, colour, spectrum in curves:
        within = (spectrum.frequency > 0) & (spectrum.frequency <= highest * (1 + 1e-9))
        shown.append((name, colour, spectrum.frequency[within], spectrum.power[within] / spectrum.power[0], spectrum.modes[within]))
    lowest = min(k[0] for _, _, k, _, _ in shown)
    powers = np.concatenate([power for *_, power, _ in shown])
    size = (width, 430 if width > 500 else 350)
    at = frame(size, (0.88 * lowest, 1.06 * highest), (powers.min() / 1.5, powers.max() * 1.5), "xy", left=60, bottom=70)
    ticks = [k for k in FREQUENCY_TICKS_PER_MM if at.x.low <= k <= at.x.high]
    parts = [drawn(at, "", "mean power of a mode, zero mode = 1", lambda k: f"{k:g}", scientific, ticks)]
    parts += [svg.text(at.x(k), at.bottom + 35, f"{1 / k:.0f}", "tick", "middle") for k in ticks]
    parts.append(svg.text((at.left + at.right) / 2, at.bottom + 58, "frequency |k|, per mm; below: wavelength, mm", "name", "middle"))
    for number, (name, colour, ks, power, modes) in enumerate(shown):
        points = [(at.x(k), at.y(p)) for k, p in zip(ks, power)]
        parts.append(svg.polyline(points, "curve", stroke=colour))
        parts += [svg.circle(x, y, 3, None, f"{p:.1e} at {k:.3f} per mm ({1 / k:.1f} mm; {m:.0f} modes)", fill=colour)
                  for (x, y), k, p, m in zip(points, ks, power, modes)]
        y = at.top + 14 + 20 * number
        parts += [svg.line(at.right - 150, y - 4, at.right - 128, y - 4, "curve", stroke=colour), svg.text(at.right - 122, y, name)]
    return svg.picture(*size, "Mean power of a mode over its frequency, of the volume and of one slice", *parts)


def radial_figure(volume: RadialSpectrum, one_slice: RadialSpectrum, highest: float) -> str:
    """Both radial spectra up to the frequency `highest` (mm^-1), relative to their zero mode, on log-log axes."""
    curves = (("volume (3-D)", "var(--first)", volume), ("slice (2-D)", "var(--second)", one_slice))
    return both_widths(lambda width: _radial(curves, highest, width))
