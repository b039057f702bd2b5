# weft.plot.radial: power spectra over shells of equal wavenumber.
# Pure: NumPy only. Keeps: Parseval - the power of all modes is the mean square of the field.
"""Power of modes, and its sums over shells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Sequence

import numpy as np


@dataclass(frozen=True)
class RadialSpectrum:
    """Shells of equal |k|, each `width` wide, of which those without modes are left out. All arrays have one entry a shell."""

    frequency: np.ndarray  # centres of the shells, in cycles per unit of length
    power: np.ndarray  # mean power of one mode in the shell
    modes: np.ndarray  # modes of the full spectrum in the shell


def half_spectrum_weights(last_size: int) -> np.ndarray:
    """The number of modes of the full spectrum that each entry of the halved axis represents: two, itself and its mirror
    image, except at zero and, for an even `last_size`, at the Nyquist frequency, which are their own mirror images."""
    weights = np.full(last_size // 2 + 1, 2.0)
    weights[0] = 1.0
    if last_size % 2 == 0:
        weights[-1] = 1.0
    return weights


def mode_power(spectrum: np.ndarray, last_size: int | None = None) -> np.ndarray:
    """Power |F|²/N² of every mode of an unscaled spectrum; of a half spectrum if the last axis had `last_size` points.

    Its sum, weighted with half_spectrum_weights for a half spectrum, is the mean square of the
    field (Parseval).
    """
    last = spectrum.shape[-1] if last_size is None else last_size
    points = np.prod(spectrum.shape[:-1], dtype=np.int64) * last
    power: np.ndarray = (spectrum.real**2 + spectrum.imag**2) / float(points) ** 2
    return power


class Shells:
    """Sums of power and numbers of modes over shells, filled slab by slab along the first axis.

    Shape: that of the spectrum, whose last axis is halved if `last_size` is given. `spacing` is the
    distance of points along each axis; shell i has the modes with |k| within width/2 of i*width.
    """

    def __init__(self, shape: Sequence[int], spacing: Sequence[float], width: float, last_size: int | None = None) -> None:
        self.width = width
        self._axes = [np.fft.fftfreq(n, d) for n, d in zip(shape, spacing)]
        if last_size is not None:
            self._axes[-1] = np.fft.rfftfreq(last_size, spacing[-1])
        self._weights = np.ones(shape[-1]) if last_size is None else half_spectrum_weights(last_size)
        most = np.sqrt(sum(np.abs(axis).max() ** 2 for axis in self._axes))
        self._power = np.zeros(int(np.rint(most / width)) + 2)
        self._modes = np.zeros_like(self._power)

    def add(self, power: np.ndarray, first: int = 0) -> None:
        """Adds the power of modes, which begin at index `first` of the first axis."""
        axes = [self._axes[0][first : first + power.shape[0]], *self._axes[1:]]
        radius = np.sqrt(sum(k**2 for k in np.meshgrid(*axes, indexing="ij", sparse=True)))
        shell = np.rint(radius / self.width).astype(np.int64).ravel()
        weights = self._weights[first : first + power.shape[0]] if power.ndim == 1 else self._weights
        weights = np.broadcast_to(weights, power.shape).ravel()
        self._modes += np.bincount(shell, weights, len(self._modes))
        self._power += np.bincount(shell, weights * power.ravel(), len(self._power))

    def spectrum(self) -> RadialSpectrum:
        """The shells that have modes."""
        present = self._modes > 0
        return RadialSpectrum(np.flatnonzero(present) * self.width, self._power[present] / self._modes[present], self._modes[present])


def radial_average(power: np.ndarray, last_size: int | None, spacing: Sequence[float], width: float) -> RadialSpectrum:
    """Mean power over shells of a whole spectrum. Shape: `power` as from mode_power with the same `last_size`."""
    shells = Shells(power.shape, spacing, width, last_size)
    shells.add(power)
    return shells.spectrum()


def full_power(half_power: np.ndarray, last_size: int) -> np.ndarray:
    """Power of all modes, zero frequency in the middle of every axis (as fftshift leaves it).
    The missing half is the mirror image of the other: |F(-k)| = |F(k)| for a real field."""
    mirrored = half_power[..., 1 : (last_size + 1) // 2][..., ::-1]
    for axis in range(half_power.ndim - 1):
        mirrored = np.roll(np.flip(mirrored, axis), 1, axis)
    return np.fft.fftshift(np.concatenate([half_power, mirrored], axis=-1))
