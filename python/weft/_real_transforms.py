# weft._real_transforms: sines and cosines for weft.fft, with the factors that make their matrices orthogonal.
"""Sine and cosine transforms as scipy.fft defines them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._errors import Error
from ._transforms import axes_of, field_of, product, ranks_of, resized, resolved_points, scale_of
from ._transforms import transform as run

_ROOT = 2**0.5
# What is multiplied along each axis to make the matrix orthogonal: of the input by the root of 2, of the output by its inverse.
_ENDS = {
    ("dct", 1): ((0, -1), (0, -1)), ("dct", 2): ((), (0,)), ("dct", 3): ((0,), ()),
    ("dst", 2): ((), (-1,)), ("dst", 3): ((-1,), ()),
}  # fmt: skip


def points_of_round_trip(family: str, type_: int, n: int) -> int:
    """What a transform along `n` points and its inverse multiply by, without norm."""
    return 2 * (n - (family == "dct") + (family == "dst")) if type_ == 1 else 2 * n


def transform(
    family: str,
    is_forward: bool,
    x: Any,
    type: int,
    s: Any,
    axes: Any,
    norm: str | None,
    workers: int | None,
    orthogonalize: bool | None,
    comm: Any,
) -> NDArray[Any]:
    """A sine or cosine transform, or its inverse, with the arguments of scipy.fft."""
    if type not in (1, 2, 3, 4):
        raise Error(f"the type of the transform is {type!r}", "one of: 1, 2, 3, 4")
    field = field_of(x, False)
    resolved, points = axes_of(field.ndim, s, axes)
    if not resolved:
        return np.array(x)  # as SciPy: what is not transformed stays what it is
    ranks, shape = ranks_of(field, comm)
    if points is not None:
        field, shape = resized(field, shape, resolved, points, ranks)
    for axis in resolved:
        resolved_points(shape[axis])
    if type == 1 and family == "dct" and any(shape[a] < 2 for a in resolved):
        raise Error("a cosine transform of type 1 needs 2 points at least", "give more points, or another type")
    scale = scale_of(norm, is_forward, product(points_of_round_trip(family, type, shape[a]) for a in resolved))
    # The inverse of type 2 is type 3, and the other way round.
    effective = type if is_forward else {2: 3, 3: 2}.get(type, type)
    ortho = norm == "ortho" if orthogonalize is None else orthogonalize
    before, after = _ENDS.get((family, effective), ((), ())) if ortho else ((), ())
    if ranks is not None and (before or after):
        raise Error("orthogonalize is for one process", "give orthogonalize=False, and multiply the ends", code="unsupported")
    if before:
        field = field.copy()
        _multiply(field, resolved, before, _ROOT)
    kind = "c2c" if field.dtype.kind == "c" else "r2r"
    bases = tuple(f"{family}{effective}" for _ in resolved)
    result = run(field, shape, resolved, kind, True, scale, workers, ranks, bases)
    _multiply(result, resolved, after, 1 / _ROOT)
    return result


def _multiply(field: NDArray[Any], axes: list[int], ends: tuple[int, ...], factor: float) -> None:
    for axis in axes:
        for end in ends:
            field[(slice(None),) * axis + (end,)] *= factor
