# tests/python/test_fft: weft.fft gives what scipy.fft gives, for arguments of all kinds.
import inspect

import numpy as np
import pytest
import scipy.fft
import weft
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

COMPLEX = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
REAL = ["dct", "idct", "dst", "idst"]
TAKE_REAL = ("rfft", "ihfft")
NORMS = [None, "backward", "ortho", "forward"]
few = settings(max_examples=40, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def array(rng, shape, dtype, layout):
    values = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * rng.standard_normal(shape)
    values = (10 * values).astype(dtype)
    if layout == "F":
        return np.asfortranarray(values)
    if layout == "strided":
        wide = np.zeros((*shape[:-1], 2 * shape[-1]), dtype)
        wide[..., ::2] = values
        return wide[..., ::2]
    return values


def agree(ours, theirs, rtol=None):
    assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
    tolerance = (2e-5 if theirs.dtype.itemsize <= (8 if theirs.dtype.kind == "c" else 4) else 1e-12) * max(1, np.abs(theirs).max(initial=0))
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=tolerance)


@st.composite
def fields(draw, dtypes, least=1):
    shape = tuple(draw(st.lists(st.integers(least, 9), min_size=1, max_size=4)))
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    return array(rng, shape, draw(st.sampled_from(dtypes)), draw(st.sampled_from(["C", "F", "strided"])))


@pytest.mark.parametrize("name", COMPLEX)
@few
@given(data=st.data())
def test_along_an_axis(name, data):
    real = ["f4", "f8", "i4", "?"]
    x = data.draw(fields(real if name in TAKE_REAL else [*real, "c8", "c16"], least=2))
    how = {
        "n": data.draw(st.none() | st.integers(1, 12)), "axis": data.draw(st.integers(-x.ndim, x.ndim - 1)),
        "norm": data.draw(st.sampled_from(NORMS)),
    }  # fmt: skip
    agree(getattr(weft.fft, name)(x, **how), getattr(scipy.fft, name)(x, **how))


@pytest.mark.parametrize("name", [name + "n" for name in COMPLEX])
@few
@given(data=st.data())
def test_along_several_axes(name, data):
    real = ["f4", "f8", "i8"]
    x = data.draw(fields(real if name[:-1] in TAKE_REAL else [*real, "c8", "c16"], least=2))
    axes = data.draw(st.none() | st.permutations(range(x.ndim)).flatmap(lambda p: st.integers(1, x.ndim).map(lambda k: tuple(p[:k]))))
    count = x.ndim if axes is None else len(axes)
    s = data.draw(st.none() | st.lists(st.integers(2, 9), min_size=count, max_size=count))
    how = {"s": s, "axes": axes, "norm": data.draw(st.sampled_from(NORMS))}
    agree(getattr(weft.fft, name)(x, **how), getattr(scipy.fft, name)(x, **how))


@pytest.mark.parametrize("name", REAL)
@few
@given(data=st.data())
def test_sines_and_cosines(name, data):
    x = data.draw(fields(["f4", "f8", "i4", "c8", "c16"], least=2))
    type_ = data.draw(st.sampled_from([1, 2, 3, 4]))
    how = {"norm": data.draw(st.sampled_from(NORMS)), "orthogonalize": data.draw(st.sampled_from([None, True, False]))}
    if data.draw(st.booleans()):
        name += "n"
        how["axes"] = data.draw(st.none() | st.just((x.ndim - 1,)))
    else:
        how |= {"axis": data.draw(st.integers(-x.ndim, x.ndim - 1)), "n": data.draw(st.none() | st.integers(2, 12))}
    before = x.copy()
    expected = getattr(scipy.fft, name)(x.real, type_, **how)
    if x.dtype.kind == "c":  # SciPy loses orthogonalize on the way to complex fields
        expected = expected + 1j * getattr(scipy.fft, name)(x.imag, type_, **how)
    agree(getattr(weft.fft, name)(x, type_, **how), expected)
    np.testing.assert_array_equal(x, before)


@pytest.mark.parametrize("name", [name + "2" for name in COMPLEX])
def test_along_two_axes(name):
    x = np.random.default_rng(5).standard_normal((3, 6, 4))
    agree(getattr(weft.fft, name)(x), getattr(scipy.fft, name)(x))
    agree(getattr(weft.fft, name)(x, s=(4, 4), axes=(0, 1)), getattr(scipy.fft, name)(x, s=(4, 4), axes=(0, 1)))


def test_signatures_are_those_of_scipy_and_comm():
    for name in [base + suffix for base in COMPLEX for suffix in ("", "2", "n")] + REAL + [name + "n" for name in REAL]:
        ours = inspect.signature(getattr(weft.fft, name)).parameters
        theirs = inspect.signature(getattr(scipy.fft, name)).parameters
        assert list(ours) == [*theirs, "comm"], name
        for each in theirs:
            assert (ours[each].default, ours[each].kind) == (theirs[each].default, theirs[each].kind), (name, each)


def test_wrong_arguments_are_refused_as_scipy_refuses_them():
    x = np.ones((4, 4))
    wrong = [
        dict(axes=(0, 0)), dict(axes=(2,)), dict(s=(4, 4, 4)), dict(s=(0, 4)), dict(s=(4,), axes=(0, 1)), dict(norm="no"),
        dict(workers=0), dict(workers=-100),
    ]  # fmt: skip
    for how in wrong:
        for library in (scipy.fft, weft.fft):
            with pytest.raises(ValueError):
                library.fftn(x, **how)
    for library in (scipy.fft, weft.fft):
        with pytest.raises(ValueError):
            library.fft(np.ones((4, 0)))
        with pytest.raises(TypeError):
            library.rfft(x * 1j)
        with pytest.raises(ValueError):
            library.dct(x, 5)
        with pytest.raises(NotImplementedError):
            library.fft(x, plan=3)
    with pytest.raises(weft.Error, match="comm is no communicator"):
        weft.fft.fftn(x, comm="world")
    with pytest.raises(weft.Error, match="no transforms of"):
        weft.fft.fftn(np.array(["a"]))


def test_as_a_backend_of_scipy():
    x = np.random.default_rng(1).standard_normal((6, 5))
    expected = scipy.fft.rfftn(x), scipy.fft.dctn(x, norm="ortho"), scipy.fft.fftn(x.astype("longdouble"))
    weft.fft.clear_cache()
    with scipy.fft.set_backend(weft.fft):
        agree(scipy.fft.rfftn(x), expected[0])
        agree(scipy.fft.dctn(x, norm="ortho"), expected[1])
        used = len(weft.fft._plans)
        agree(scipy.fft.fftn(x.astype("longdouble")), expected[2])  # weft has none: SciPy computes
    assert used == 2


def test_plans_are_kept_and_no_more_than_a_number_of_them():
    weft.fft.clear_cache()
    x = np.ones((4, 4))
    for norm in NORMS:
        weft.fft.fftn(x, norm=norm)
        weft.fft.ifftn(x, norm=norm)
    assert len(weft.fft._plans) == 1
    for n in range(1, 100):
        weft.fft.fft(np.ones(n))
    assert len(weft.fft._plans) == 64
    weft.fft.clear_cache()
    assert len(weft.fft._plans) == 0


def test_the_helpers_are_numpys():
    np.testing.assert_array_equal(weft.fft.fftfreq(6, 0.5), scipy.fft.fftfreq(6, 0.5))
    np.testing.assert_array_equal(weft.fft.fftshift(weft.fft.rfftfreq(6)), scipy.fft.fftshift(scipy.fft.rfftfreq(6)))
    assert weft.fft.next_fast_len(97, real=True) == 98
