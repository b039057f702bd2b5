# weft._chebyshev: derivatives of fields of Chebyshev coefficients.
"""Derivatives of Chebyshev polynomials."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._errors import Error


def differentiate_chebyshev(coefficients: NDArray[Any], axis: int) -> NDArray[Any]:
    """The Chebyshev coefficients of the derivative along `axis`, on the interval from -1 to 1.

    Not collective: this rank's part of a field must span the axis.

    Parameters
    ----------
    coefficients : numpy.ndarray
        As a plan with the basis ``chebyshev`` or ``chebyshev-gauss`` along `axis` makes them.
    axis : int
        The axis of the array, negative from the end.

    Returns
    -------
    numpy.ndarray
        A new array.

    Raises
    ------
    Error
        If there is no such axis.

    Notes
    -----
    The recurrence ``b[k] = b[k+2] + 2 (k+1) a[k+1]``, half of it for k = 0, as sums: J. P. Boyd,
    Chebyshev and Fourier Spectral Methods, appendix A.
    """
    if not -coefficients.ndim <= axis < coefficients.ndim:
        raise Error(f"there is no axis {axis} in an array of {coefficients.ndim}", "axes count from 0, or from the end with -1")
    a = np.moveaxis(coefficients, axis, -1)
    result = np.zeros_like(coefficients)
    b = np.moveaxis(result, axis, -1)
    terms = a * (2 * np.arange(a.shape[-1], dtype=coefficients.real.dtype))
    for first in (1, 2):  # coefficients of even and of odd number
        sums = np.cumsum(terms[..., first::2][..., ::-1], axis=-1)[..., ::-1]
        b[..., first - 1 : first - 1 + 2 * sums.shape[-1] : 2] = sums
    b[..., :1] /= 2
    return result
