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
FUNCTIONS = [base + suffix for base in COMPLEX for suffix in ("", "2", "n")] + [base + suffix for base in REAL for suffix in ("", "n")]
TAKE_REAL = ("rfft", "ihfft")
NORMS = [None, "backward", "ortho", "forward"]
few = settings(max_examples=15, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))


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
    if layout == "reversed":
        return values[..., ::-1]
    return values


def agree(ours, theirs, rtol=None):
    assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
    tolerance = (2e-5 if theirs.dtype.itemsize <= (8 if theirs.dtype.kind == "c" else 4) else 1e-12) * max(1, np.abs(theirs).max(initial=0))
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=tolerance)


@st.composite
def calls(draw, name):
    """A field, mostly small, and arguments of a function of scipy.fft, not all of which make sense."""
    is_rare = draw(st.integers(0, 5)) == 0
    least = 0 if is_rare else 1 if draw(st.booleans()) else 2
    shape = tuple(draw(st.lists(st.integers(least, 8), min_size=0 if is_rare else 2 if name.endswith("2") else 1, max_size=4)))
    dtypes = ["f4", "f8", "f2", "i4", "u1", "?"] + (["c8", "c16"] if is_rare or not name.startswith(TAKE_REAL) else [])
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    x = array(rng, shape, draw(st.sampled_from(dtypes)), draw(st.sampled_from(["C", "F", "strided", "reversed"])) if shape else "C")
    points, axis = st.integers(0 if is_rare else 1, 11), st.integers(-x.ndim - is_rare, max(0, x.ndim - 1 + is_rare))
    how = {"norm": draw(st.sampled_from(NORMS + ["euclid"] * is_rare)), "overwrite_x": draw(st.booleans()), "workers": draw(st.sampled_from([1, 1, None, -1]))}
    if name[-1] in "2n":
        if name[-1] == "n" or draw(st.booleans()):
            how["axes"] = draw(st.none() | st.permutations(range(x.ndim)).flatmap(lambda p: st.integers(1 - is_rare, len(p)).map(lambda k: tuple(p[:k]))))
        count = 2 if name[-1] == "2" and "axes" not in how else x.ndim if how.get("axes") is None else len(how["axes"])
        how["s"] = draw(st.none() | st.lists(points, min_size=count, max_size=count))
    else:
        how |= {"n": draw(st.none() | points), "axis": draw(axis)}
    if name.strip("in")[:3] in ("dct", "dst"):
        how |= {"type": draw(st.sampled_from([1, 2, 3, 4] + [5] * is_rare)), "orthogonalize": draw(st.sampled_from([None, True, False]))}
    return x, how


def scipys(name, x, how):
    """What scipy.fft computes, or None if it refuses."""
    function = getattr(scipy.fft, name)
    if how.get("n") == 0 or 0 in (how.get("s") or ()) or how.get("type") == 5:
        return None  # irfft makes one point of none, and without axes nobody looks at the type: weft refuses both
    try:
        if "orthogonalize" in how and x.dtype.kind == "c":  # SciPy loses orthogonalize on the way to complex fields
            return function(x.real, **how) + 1j * function(x.imag, **how)
        return function(x, **how)
    except (ValueError, TypeError, IndexError, RuntimeError):
        return None


@pytest.mark.parametrize("name", FUNCTIONS)
@few
@given(data=st.data())
def test_a_function_computes_and_refuses_what_that_of_scipy_does(name, data):
    x, how = data.draw(calls(name))
    before = x.copy()
    expected = scipys(name, x.copy(), how)
    if expected is None:
        with pytest.raises((ValueError, TypeError)):
            getattr(weft.fft, name)(x, **how)
    else:
        agree(getattr(weft.fft, name)(x, **how), expected)
    np.testing.assert_array_equal(x, before)


@pytest.mark.parametrize("name", [name + "2" for name in COMPLEX])
def test_along_two_axes(name):
    x = np.random.default_rng(5).standard_normal((3, 6, 4))
    agree(getattr(weft.fft, name)(x), getattr(scipy.fft, name)(x))
    agree(getattr(weft.fft, name)(x, s=(4, 4), axes=(0, 1)), getattr(scipy.fft, name)(x, s=(4, 4), axes=(0, 1)))


def test_signatures_are_those_of_scipy_and_comm():
    for name in FUNCTIONS:
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


def test_all_functions_are_dispatched_as_a_backend_of_scipy():
    x = np.random.default_rng(1).standard_normal((6, 5))
    used = []
    with scipy.fft.set_backend(weft.fft, only=True):
        for name in FUNCTIONS:
            weft.fft.clear_cache()
            agree(getattr(scipy.fft, name)(x), getattr(weft.fft, name)(x))
            used.append(len(weft.fft._plans))
    assert used == [1] * len(FUNCTIONS)


def test_what_weft_has_not_is_left_to_scipy():
    x = np.random.default_rng(1).standard_normal((6, 5))
    wide = x.astype("longdouble")
    calls = [
        lambda: scipy.fft.fftn(wide), lambda: scipy.fft.rfft(wide), lambda: scipy.fft.dct(wide), lambda: scipy.fft.fftn(np.ones((2,) * 9)),
        lambda: scipy.fft.fht(x[0], 0.1, 0.5), lambda: scipy.fft.ifht(x[0], 0.1, 0.5),
    ]  # fmt: skip
    expected = [call() for call in calls]
    with scipy.fft.set_backend(weft.fft):
        for call, result in zip(calls, expected):
            agree(call(), result)
        with pytest.raises(NotImplementedError, match="plan"):
            scipy.fft.fft(x, plan=object())
        with pytest.raises(ValueError, match="norm"):
            scipy.fft.fft(x, norm="euclid")
    assert weft.fft.__ua_function__(scipy.fft.fft, (x,), {"of_later_versions": 1}) is NotImplemented
    assert weft.fft.__ua_function__(scipy.fft.fft, (x,), {"plan": object()}) is NotImplemented


def test_long_doubles_and_strange_arrays_are_refused():
    for x in (np.ones(4, "longdouble"), np.ones(4, "clongdouble"), np.array(["a"]), np.array([None]), np.ones(4, "M8[s]"), np.ones(3, "f4,f4")):
        for name in ("fft", "irfft", "dct"):
            with pytest.raises(weft.Error, match="there are no transforms of") as caught:
                getattr(weft.fft, name)(x)
            assert caught.value.code == "unsupported"


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
