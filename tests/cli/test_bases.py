# tests/cli/test_bases: sines, cosines and Chebyshev polynomials of `weft transform` against scipy.fft and numpy.polynomial.
import itertools

import numpy as np
import pytest
import scipy.fft
from numpy.polynomial import chebyshev

from reference import TOLERANCE, random_array, relative_error

SHAPE = (6, 7, 9)


def transform(weft, x, *arguments, ranks=0):
    np.save(weft.folder / "x.npy", x)
    ended = weft("transform", "x.npy", "y.npy", "--verify", *arguments, ranks=ranks)
    assert "verified: error " in ended.out
    return np.load(weft.folder / "y.npy")


@pytest.mark.parametrize("kind, number", itertools.product(["dct", "dst"], [1, 2, 3, 4]))
def test_equals_scipy(weft, kind, number):
    """Every norm, there and back, real and complex, all axes and some."""
    norms = {"backward": 1, "ortho": 2, "forward": 3}
    for norm, ranks in norms.items():
        for inverse, dtype, axes in [(False, "f8", (0, 1, 2)), (True, "f4", (2, 0)), (False, "c16", (1,)), (True, "c8", (1, 2))]:
            x = random_array(SHAPE, dtype, seed=number)
            y = transform(weft, x, "--kind", f"{kind}{number}", "--norm", norm, "--axes", ",".join(map(str, axes)),
                          *(["--inverse"] if inverse else []), ranks=ranks if dtype == "f8" else 0)
            function = getattr(scipy.fft, ("i" if inverse else "") + kind + "n")
            expected = function(x.astype("c16" if np.iscomplexobj(x) else "f8"), type=number, axes=axes, norm=norm)
            assert y.dtype == x.dtype
            assert relative_error(y, expected) < TOLERANCE["single" if dtype in ("f4", "c8") else "double"]


@pytest.mark.parametrize("ranks", [0, 3])
def test_mixed_with_fourier(weft, ranks):
    x = random_array(SHAPE, "f8")
    y = transform(weft, x, "--kind", "sfc", ranks=ranks)
    expected = scipy.fft.rfft(scipy.fft.dct(scipy.fft.dst(x, axis=0), axis=2), axis=1)
    assert relative_error(y, expected) < TOLERANCE["double"]
    back = transform(weft, y, "--kind", "sfc", "--inverse", "--last-size", 7, ranks=ranks)
    assert relative_error(back, x) < TOLERANCE["double"]


@pytest.mark.parametrize("ranks", [0, 3])
def test_complex_fields_mixed_with_fourier(weft, ranks):
    x = random_array(SHAPE, "c16")
    expected = np.fft.fft(scipy.fft.dct(scipy.fft.dst(x, axis=0), axis=2), axis=1)
    for word in "sfc", "dst2,fourier,dct2", "c2c:sfc", "c2c:dst2,fourier,dct2":
        y = transform(weft, x, "--kind", word, ranks=ranks)
        assert y.shape == SHAPE and y.dtype == x.dtype
        assert relative_error(y, expected) < TOLERANCE["double"]
    back = transform(weft, y, "--kind", "c2c:sfc", "--inverse", ranks=ranks)
    assert relative_error(back, x) < TOLERANCE["double"]
    some = transform(weft, x.astype("c8"), "--kind", "c2c:cf", "--axes", "2,0", ranks=ranks)
    assert relative_error(some, np.fft.fft(scipy.fft.dct(x, axis=2), axis=0)) < TOLERANCE["single"]


def test_a_kind_and_bases_are_those_that_the_bases_have_alone(weft):
    x = random_array(SHAPE, "f8")
    y = transform(weft, x, "--kind", "r2c:sfc")
    assert (y == transform(weft, x, "--kind", "sfc")).all()
    back = transform(weft, y, "--kind", "c2r:sfc", "--last-size", 7)
    assert relative_error(back, x) < TOLERANCE["double"]
    assert (back == transform(weft, y, "--kind", "sfc", "--inverse", "--last-size", 7)).all()


@pytest.mark.parametrize("word, points", [("chebyshev", lambda n: np.cos(np.pi * np.arange(n) / (n - 1))),
                                          ("chebyshev-gauss", lambda n: np.cos(np.pi * (np.arange(n) + 0.5) / n))])
def test_chebyshev_coefficients_are_those_of_the_polynomial(weft, word, points):
    coefficients = random_array((8, 5), "f8")
    values = chebyshev.chebgrid2d(points(8), points(5), coefficients)
    assert relative_error(transform(weft, values, "--kind", word), coefficients) < TOLERANCE["double"]
    assert relative_error(transform(weft, coefficients, "--kind", word, "--inverse"), values) < TOLERANCE["double"]
    one = transform(weft, chebyshev.chebval(points(8), coefficients, tensor=True).T.copy(), "--kind", word, "--axes", "0")
    assert relative_error(one, coefficients) < TOLERANCE["double"]
