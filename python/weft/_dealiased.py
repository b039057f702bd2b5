# weft._dealiased: how many points products of fields need, so that what they keep has no aliases.
# Keeps: pure numbers; weft's plans leave out the other waves, which nobody stores, sends or transforms.
"""Numbers of points and modes for products without aliases."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TypeVar

from ._cores import core
from ._errors import Error

_Counts = TypeVar("_Counts", int, tuple[int, ...])


def dealiased_points(modes: _Counts, factors: int = 2) -> _Counts:
    """The points of a grid on which products of fields of so many modes have no aliases: with two factors, 3/2 as many.

    ::

        plan = weft.Plan(weft.spectral.dealiased_points((64, 64, 64)), "r2c", modes=(64, 64, 64))

    Parameters
    ----------
    modes : int or tuple of int
        The Fourier modes along an axis, or along each.
    factors : int, optional
        Of how many fields there are products.

    Returns
    -------
    int or tuple of int
        Numbers along which transforms are fast.

    Notes
    -----
    Waves up to K alias to waves above K on more than (factors + 1) K points. Of an even number of
    modes, the wave modes/2 alone may have aliases.
    """
    return _along(modes, lambda count: core().next_fast_length(needed_points(count, operator.index(factors)), "fourier"))


def dealiased_modes(points: _Counts, factors: int = 2) -> _Counts:
    """The most modes of which products have no aliases on a grid of so many points, an odd number: with two factors, 2/3.

    ::

        plan = weft.Plan((96, 96, 96), "r2c", modes=weft.spectral.dealiased_modes((96, 96, 96)))

    Parameters
    ----------
    points : int or tuple of int
        The points along an axis, or along each.
    factors : int, optional
        Of how many fields there are products.

    Returns
    -------
    int or tuple of int
        As `points`.
    """
    return _along(points, lambda count: 2 * ((count - 1) // (operator.index(factors) + 1)) + 1)


def _along(given: _Counts, of: Callable[[int], int]) -> _Counts:
    counts = tuple(operator.index(each) for each in given) if isinstance(given, tuple) else (operator.index(given),)
    if min(counts, default=0) < 1:
        raise Error(f"{given} points or modes are given", "give 1 or more")
    found = tuple(map(of, counts))
    return found if isinstance(given, tuple) else found[0]


def needed_points(modes: int, factors: int) -> int:
    """The fewest points for so many Fourier modes."""
    return (factors + 1) * (modes // 2) + modes % 2
