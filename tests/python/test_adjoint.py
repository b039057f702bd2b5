# tests/python/test_adjoint: the adjoint of every transform, by its definition: <g, F u> = <F* g, u> for all numbers u and g.
# Keeps: random numbers on both sides, also where forward or backward would not read or make them, so that nothing holds by chance.
import numpy as np
import pytest
import weft
from weft._adjoint import adjoint_of, transformed

NORMS = ("backward", "ortho", "forward", "none")
SINES = ("dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4", "chebyshev", "chebyshev-gauss")
SCALE = 2.0
random = np.random.default_rng(0)


def numbers(side):
    values = random.standard_normal(side.shape)
    return (values + 1j * random.standard_normal(side.shape) if side.dtype.kind == "c" else values).astype(side.dtype)


def weighted(values, weights):
    for each in weights:
        values = values * each
    return values


def inner(a, b):
    return np.vdot(a, b).real


def has_adjoints(shape, kind="c2c", scale=SCALE, **settings):
    plan = weft.Plan(shape, kind, effort="estimate", threads=1, **settings)
    for is_forward in (True, False):
        u, g = numbers(plan._sides[is_forward]), numbers(plan._sides[not is_forward])
        adjoint = adjoint_of(plan, is_forward)
        v = transformed(plan, is_forward, lambda: u, scale)
        back = transformed(plan, not is_forward, lambda: weighted(g, adjoint.before), scale * adjoint.scale)
        close = 1e-5 if u.dtype.char in "fF" else 1e-12
        size = np.linalg.norm(g.astype(complex)) * np.linalg.norm(v.astype(complex))
        assert abs(inner(g, v) - inner(weighted(back, adjoint.after), u)) <= close * size, (is_forward, shape, kind, settings)


@pytest.mark.parametrize("norm", NORMS)
def test_fourier_transforms_of_odd_and_even_sizes(norm):
    for kind in ("c2c", "r2c", "c2r"):
        for shape in ((1,), (2,), (5,), (6,), (4, 5), (5, 4), (3, 4, 6), (3, 4, 7)):
            has_adjoints(shape, kind, norm=norm)
        for settings in (
            {"axes": (0, 1)}, {"axes": (2, 0)}, {"axes": 1}, {"batch": 3}, {"modes": (3, 4, 2)}, {"modes": (6, 4, 4)}, {"support": (4, 5, 3)},
            {"support": np.s_[1:4, 3:5, 0:3]}, {"dtype": np.complex64}, {"in_place": True}, {"order": "F"}, {"cutoff": 1.5},
            {"cutoff": 1.5, "batch": 2}, {"order": "F", "in_place": True, "axes": (2, 1, 0)},
        ):  # fmt: skip
            has_adjoints((6, 5, 4), kind, norm=norm, **settings)


@pytest.mark.parametrize("norm", NORMS)
def test_sines_cosines_and_polynomials(norm):
    for basis in SINES:
        for kind in ("r2r", "c2c"):
            for settings in ({}, {"modes": (4, 3)}, {"modes": (6, 3)}, {"support": np.s_[2:6, 0:4]}):
                has_adjoints((6, 5), kind, bases=basis, norm=norm, **settings)
        has_adjoints((2,), "r2r", bases=basis, norm=norm)
        if basis not in ("dct1", "chebyshev"):
            has_adjoints((1,), "r2r", bases=basis, norm=norm)
    has_adjoints((6, 6), "r2c", bases=("dct1", "fourier"), norm=norm)
    has_adjoints((6, 5, 6), "c2r", bases=("fourier", "chebyshev", "dst2"), norm=norm, modes=(4, 4, 4), support=np.s_[0:6, 1:4, 2:6])


def test_moves_and_several_boxes():
    has_adjoints((6, 5), axes=(), scale=1.0)
    for kind in ("r2c", "c2r"):
        halves = [np.s_[0:6, 0:2], np.s_[0:6, 2:5]] if kind == "r2c" else [np.s_[0:2, 0:3], np.s_[2:6, 0:3]]
        for settings in ({"input": halves}, {"input": halves, "batch": 2}, {"input": weft.Distribution(boxes=halves, interleaved=True), "batch": 2}):
            has_adjoints((6, 5), kind, bases=("dct2", "fourier"), **settings)


def test_the_adjoint_of_a_closed_plan_is_an_error():
    plan = weft.Plan((4, 4), effort="estimate")
    plan.close()
    with pytest.raises(weft.Error, match="closed"):
        adjoint_of(plan, True)
