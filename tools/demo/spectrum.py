# demo/spectrum: power spectra from the half spectrum of a real-to-complex transform.
# Pure: NumPy only. Keeps: Parseval - the power summed over all modes is the mean square of the field.

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class RadialSpectrum:
    frequency: np.ndarray  # centres of the shells, in cycles per unit of `spacing`
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


def mode_power(half_spectrum: np.ndarray, last_size: int) -> np.ndarray:
    """Power |F|^2 / N^2 of every mode of the half spectrum (last axis halved). Its sum, weighted with
    half_spectrum_weights, is the mean square of the field (Parseval)."""
    points = np.prod(half_spectrum.shape[:-1], dtype=np.int64) * last_size
    return (half_spectrum.real**2 + half_spectrum.imag**2) / float(points) ** 2


def radial_average(power: np.ndarray, last_size: int, spacing: tuple[float, ...], bin_width: float) -> RadialSpectrum:
    """Mean power over shells of equal |k| of a half spectrum. Shell i contains the modes with |k| within bin_width / 2 of
    i * bin_width; shells without modes are omitted.
    Shape: `power` as from mode_power. Units: `spacing` per axis, say in mm; `bin_width` then in 1/mm."""
    axes = [np.fft.fftfreq(n, d) for n, d in zip(power.shape[:-1], spacing)] + [np.fft.rfftfreq(last_size, spacing[-1])]
    radius = np.sqrt(sum(k**2 for k in np.meshgrid(*axes, indexing="ij", sparse=True)))
    shell = np.rint(radius / bin_width).astype(np.int64).ravel()
    weights = np.broadcast_to(half_spectrum_weights(last_size), power.shape).ravel()
    modes = np.bincount(shell, weights)
    total = np.bincount(shell, weights * power.ravel())
    present = modes > 0
    return RadialSpectrum(np.flatnonzero(present) * bin_width, total[present] / modes[present], modes[present])


def full_power(half_power: np.ndarray, last_size: int) -> np.ndarray:
    """Power of all modes, zero frequency in the middle of every axis (as fftshift leaves it).
    The missing half is the mirror image of the other: |F(-k)| = |F(k)| for a real field."""
    mirrored = half_power[..., 1 : (last_size + 1) // 2][..., ::-1]
    for axis in range(half_power.ndim - 1):
        mirrored = np.roll(np.flip(mirrored, axis), 1, axis)
    return np.fft.fftshift(np.concatenate([half_power, mirrored], axis=-1))
