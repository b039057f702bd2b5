# demo/figures: the page's Plotly figures, as plain dictionaries of data and layout.
# The page replaces a colour written as @name by that of its light or dark theme.

import numpy as np

from .spectrum import RadialSpectrum
from .volume import OPPOSITE, MriVolume

GREYS = [[0, "#000000"], [1, "#ffffff"]]
# Dark to light through one family of hues, so that brighter always means more.
SEA = [[0, "#081d58"], [0.25, "#225ea8"], [0.5, "#1d91c0"], [0.7, "#7fcdbb"], [0.85, "#c7e9b4"], [1, "#ffffd9"]]

FONT = {"family": "inherit", "size": 13, "color": "@ink"}
PLAIN = {"paper_bgcolor": "rgba(0,0,0,0)", "plot_bgcolor": "rgba(0,0,0,0)", "font": FONT, "dragmode": False,
         "hoverlabel": {"bgcolor": "@card", "bordercolor": "@line", "font": {"color": "@ink"}}}
FREQUENCY_TICKS_PER_MM = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2)


def _letter(text: str, x: float, y: float, xanchor: str, yanchor: str) -> dict:
    return {"text": f"<b>{text}</b>", "x": x, "y": y, "xref": "x domain", "yref": "y domain", "xanchor": xanchor,
            "yanchor": yanchor, "showarrow": False, "bgcolor": "rgba(0,0,0,0.55)",
            "font": {"color": "#b9cbdb", "size": 12}}


def slice_figure(volume: MriVolume) -> dict:
    """The middle slice of the first volume, in grey, with directions and a scale bar."""
    values = volume.values[:, :, volume.middle_slice, 0]
    width_mm, height_mm = volume.slice_mm()
    dx, dy = volume.voxel_mm[:2]
    right, top = volume.towards[:2]
    bar_mm, margin_mm = 50, 8
    return {
        "data": [{
            "type": "heatmap", "z": values.T.astype(int).tolist(), "x0": dx / 2, "dx": dx, "y0": dy / 2, "dy": dy,
            "zmin": 0, "zmax": float(np.percentile(values, 99.7)), "colorscale": GREYS, "showscale": False,
            "zsmooth": "best",
            "hovertemplate": "x %{x:.0f} mm, y %{y:.0f} mm<br>intensity %{z}<extra></extra>"}],
        "layout": PLAIN | {
            "margin": {"l": 0, "r": 0, "t": 0, "b": 0},
            "xaxis": {"visible": False, "range": [0, width_mm], "fixedrange": True},
            "yaxis": {"visible": False, "range": [0, height_mm], "fixedrange": True},
            "shapes": [{"type": "line", "x0": width_mm - margin_mm - bar_mm, "x1": width_mm - margin_mm,
                        "y0": margin_mm, "y1": margin_mm, "line": {"color": "#ffffff", "width": 3}}],
            "annotations": [
                _letter(OPPOSITE[right], 0.01, 0.5, "left", "middle"), _letter(right, 0.99, 0.5, "right", "middle"),
                _letter(top, 0.5, 0.99, "center", "top"), _letter(OPPOSITE[top], 0.5, 0.01, "center", "bottom"),
                {"text": f"{bar_mm} mm", "x": width_mm - margin_mm - bar_mm / 2, "y": margin_mm, "yanchor": "bottom",
                 "showarrow": False, "font": {"color": "#ffffff", "size": 12}}]},
    }


def spectrum_figure(power: np.ndarray, voxel_mm: tuple[float, ...]) -> dict:
    """Log power of the slice's modes, zero frequency in the middle. `power` as from full_power."""
    # A mode that is exactly zero has no logarithm; the smallest normal number stands in for it.
    decades = np.log10(np.maximum(power / power.max(), np.finfo(float).tiny))
    low, high = np.percentile(decades, [2, 99.5])
    kx, ky = (np.fft.fftshift(np.fft.fftfreq(n, d)) for n, d in zip(power.shape, voxel_mm))
    axis = {"showgrid": False, "zeroline": False, "ticks": "outside", "tickcolor": "@line", "fixedrange": True,
            "dtick": 0.1}
    return {
        "data": [{
            "type": "heatmap", "z": np.round(decades.T, 3).tolist(),
            "x0": kx[0], "dx": kx[1] - kx[0], "y0": ky[0], "dy": ky[1] - ky[0],
            "zmin": round(float(low), 1), "zmax": round(float(high), 1), "colorscale": SEA,
            "colorbar": {"orientation": "h", "y": 1.01, "yanchor": "bottom", "thickness": 9, "len": 1,
                         "xpad": 0, "ypad": 2, "outlinewidth": 0, "ticklabelposition": "outside top", "dtick": 1,
                         "tickprefix": "10<sup>", "ticksuffix": "</sup>", "tickfont": {"color": "@soft"}},
            "hovertemplate": "k<sub>x</sub> %{x:.3f}, k<sub>y</sub> %{y:.3f} mm⁻¹<br>"
                             "power 10<sup>%{z:.1f}</sup> of the strongest<extra></extra>"}],
        "layout": PLAIN | {
            "margin": {"l": 52, "r": 4, "t": 4, "b": 44},
            "xaxis": axis | {"title": {"text": "k<sub>x</sub> (mm⁻¹)", "standoff": 6}, "constrain": "domain"},
            "yaxis": axis | {"title": {"text": "k<sub>y</sub> (mm⁻¹)", "standoff": 6}, "constrain": "domain",
                             "scaleanchor": "x"}},
    }


def radial_figure(volume: RadialSpectrum, one_slice: RadialSpectrum, highest: float) -> dict:
    """Both radial spectra up to the frequency `highest` (mm^-1), relative to their zero mode, on log-log axes."""
    def curve(spectrum: RadialSpectrum, name: str, colour: str) -> dict:
        shown = (spectrum.frequency > 0) & (spectrum.frequency <= highest * (1 + 1e-9))
        k = spectrum.frequency[shown]
        return {"type": "scatter", "mode": "lines+markers", "name": name, "x": [float(f"{v:.6g}") for v in k],
                "y": [float(f"{v:.4g}") for v in spectrum.power[shown] / spectrum.power[0]],
                "customdata": [[round(1 / v, 1), int(m)] for v, m in zip(k, spectrum.modes[shown])],
                "line": {"color": colour, "width": 2.5}, "marker": {"size": 5},
                "hovertemplate": "%{y:.1e} at %{x:.3f} mm⁻¹ (%{customdata[0]} mm; %{customdata[1]} modes)"}

    return {
        "data": [curve(volume, "whole volume (3-D)", "@first"), curve(one_slice, "middle slice (2-D)", "@second")],
        "layout": PLAIN | {
            "margin": {"l": 70, "r": 14, "t": 34, "b": 76}, "hovermode": "x",
            "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
            "xaxis": {"type": "log", "fixedrange": True, "gridcolor": "@line", "zeroline": False,
                      "tickvals": FREQUENCY_TICKS_PER_MM,
                      "range": [float(np.log10(0.88 * one_slice.frequency[1])), float(np.log10(1.06 * highest))],
                      "ticktext": [f"{k:g}<br>{1 / k:.0f}" for k in FREQUENCY_TICKS_PER_MM],
                      "tickangle": 0,
                      "title": {"text": "spatial frequency |k| (mm⁻¹)<br>wavelength 1/|k| (mm)", "standoff": 8}},
            "yaxis": {"type": "log", "fixedrange": True, "gridcolor": "@line", "zeroline": False, "dtick": 1,
                      "exponentformat": "power",
                      "title": {"text": "mean power of a mode, zero mode = 1", "standoff": 8}}},
    }
