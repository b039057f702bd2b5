# tests/python/mpi4py_fft_on_ranks: programs for mpi4py-fft, written from its documentation, compared with NumPy and SciPy; one launch
# runs all of them on several numbers of ranks.
# Usage: mpiexec -n 7 python -m mpi4py mpi4py_fft_on_ranks.py 7 6,1 4,3 - the ranks are divided so, one division after another.
# Keeps: nothing here is weft's, so that the same file runs with the original: what only the face has is in mpi4py_fft_of_weft.py.
import functools
import sys
import warnings

import divisions
import mpi4py_fft
import numpy as np
import scipy.fft
from mpi4py import MPI
from mpi4py_fft import PFFT, DistArray, Function, newDistArray
from mpi4py_fft import fftw as plans
from mpi4py_fft.libfft import FFT, FFTBase
from mpi4py_fft.mpifft import Transform
from mpi4py_fft.pencil import Pencil, Subcomm, Transfer

comm = MPI.COMM_WORLD
SHAPE = (14, 9, 12)


def values(shape=SHAPE, dtype="d", seed=1):
    """The same random field on all ranks."""
    random = np.random.default_rng(seed)
    field = random.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        field = field + 1j * random.standard_normal(shape)
    return field.astype(dtype)


def near(given, expected, dtype="d"):
    """Equal, but for the rounding of the type."""
    tolerance = 3e-5 if np.dtype(dtype).char in "fF" else 1e-12
    expected = np.asarray(expected)
    np.testing.assert_allclose(np.asarray(given), expected, atol=tolerance * max(1.0, np.abs(expected).max(initial=0.0)))


def round_trip(fft, whole, expected):
    """Forward is `expected`, a whole array, divided by the number of points; backward brings the field back."""
    u = newDistArray(fft, False)
    assert u.shape == fft.shape(False) and u.dtype == fft.dtype(False) == whole.dtype and u.global_shape == whole.shape
    u[:] = whole[fft.local_slice(False)]
    v = fft.forward(u, newDistArray(fft))
    assert isinstance(v, DistArray) and v.dtype == fft.dtype(True) == expected.dtype
    assert v.global_shape == fft.global_shape(True) == expected.shape
    near(v, expected[fft.local_slice()], whole.dtype)
    near(fft.backward(v, newDistArray(fft, False)), u, whole.dtype)
    near(u, whole[fft.local_slice(False)], whole.dtype)  # still
    assert fft.pencil[1].axis == fft.axes[0][-1] and fft.pencil[0].axis == fft.axes[-1][-1]
    fft.destroy()


def fourier(whole, order):
    """What NumPy has for the axes in this order, the last one of which is halved."""
    made = (np.fft.rfftn if whole.dtype.kind == "f" else np.fft.fftn)(whole.astype("D" if whole.dtype.kind == "c" else "d"), axes=order)
    return (made / np.prod([whole.shape[axis] for axis in order])).astype(whole.dtype.char.upper())


def test_all_axes_in_all_types():
    for dtype in "dF" if comm.size > 3 else "dDfF":
        whole = values(dtype=dtype)
        round_trip(PFFT(comm, SHAPE, dtype=dtype), whole, fourier(whole, (0, 1, 2)))


def test_the_last_axis_that_is_named_is_transformed_first_and_halved():
    whole = values()
    for order in ((0, 2, 1), (1, 0, 2)):
        round_trip(PFFT(comm, SHAPE, axes=order), whole, fourier(whole, order))
    round_trip(PFFT(comm, SHAPE, axes=1), whole, fourier(whole, (1,)))
    round_trip(PFFT(comm, (7, 11), dtype="F"), values((7, 11), "F"), fourier(values((7, 11), "F"), (0, 1)))
    round_trip(PFFT(comm, (8, 7, 9, 6)), values((8, 7, 9, 6)), fourier(values((8, 7, 9, 6)), (0, 1, 2, 3)))


def test_groups_grids_and_slabs():
    whole = values()
    fft = PFFT(comm, SHAPE, axes=((0,), (1, 2)))
    assert [sub.Get_size() for sub in fft.subcomm] == [comm.size, 1, 1] and len(fft.xfftn) == 2 and len(fft.transfer) == 1
    round_trip(fft, whole, fourier(whole, (0, 1, 2)))
    for how in ({"slab": True}, {"slab": 1, "backend": "numpy"}, {"grid": (1, -1)}, {"grid": (-1,), "collapse": True}):
        round_trip(PFFT(comm, SHAPE, **how), whole, fourier(whole, (0, 1, 2)))
    fft = PFFT(comm, SHAPE, grid=(-1,), collapse=True)
    assert fft.collapse is True and fft.axes == (((0,), (1, 2)) if comm.size > 1 else ((0, 1, 2),))
    fft.destroy()
    # grids are MPI's, and the lowest ranks have the remainder
    fft = PFFT(comm, SHAPE, grid=(-1, -1))
    sizes = MPI.Compute_dims(comm.size, [0, 0, 1])
    assert [sub.Get_size() for sub in fft.subcomm] == sizes
    rows = SHAPE[0] // sizes[0] + (fft.subcomm[0].Get_rank() < SHAPE[0] % sizes[0])
    assert fft.shape(False)[0] == rows and fft.dimensions == 3
    fft.destroy()


def test_a_call_without_arrays_uses_those_of_the_transform():
    whole = values()
    fft = PFFT(comm, SHAPE)
    fft.forward.input_array[:] = whole[fft.local_slice(False)]
    v = fft.forward()
    assert v is fft.forward.output_array and type(v) is np.ndarray
    near(v, fourier(whole, (0, 1, 2))[fft.local_slice()])
    near(fft.forward(whole[fft.local_slice(False)], normalize=False), np.fft.rfftn(whole)[fft.local_slice()])
    fft.backward.input_array[:] = v
    near(fft.backward(normalize=True), whole[fft.local_slice(False)])
    # what does not fit is copied: another order in memory, another type
    other = np.asfortranarray(whole[fft.local_slice(False)].astype("f"))
    out = np.zeros(fft.shape()[::-1], "F").T
    assert fft.forward(other, out) is out
    near(out, fourier(whole, (0, 1, 2))[fft.local_slice()], "f")
    assert fft.forward.input_pencil.subshape == fft.shape(False) and fft.forward.output_pencil.subshape == fft.shape()
    assert fft.backward.input_pencil is fft.forward.output_pencil
    fft.destroy()


def test_a_transform_can_be_taken_apart():
    whole = values()
    for kw in ({}, {"axes": ((1,), (0, 2))}):
        fft = PFFT(comm, SHAPE, **kw)
        u = whole[fft.local_slice(False)]
        fft.xfftn[0].forward.input_array[:] = u
        for number, serial in enumerate(fft.xfftn):
            serial.forward()
            if number < len(fft.transfer):
                fft.transfer[number].forward(serial.forward.output_array, fft.xfftn[number + 1].forward.input_array)
        order = [axis for group in fft.axes for axis in group]
        near(fft.xfftn[-1].forward.output_array, fourier(whole, order)[fft.local_slice()])
        own = Transform([x.backward for x in fft.xfftn[::-1]], [t.backward for t in fft.transfer[::-1]], fft.pencil[::-1])
        near(own(fourier(whole, order)[fft.local_slice()]), u)
        fft.destroy()


def test_cosines_and_sines():
    whole = values()
    dct1, idct1 = functools.partial(plans.dctn, type=1), functools.partial(plans.idctn, type=1)
    fft = PFFT(comm, SHAPE, axes=((0,), (1, 2)), transforms={(1, 2): (dct1, idct1)})
    expected = np.fft.rfft(scipy.fft.dctn(whole, type=1, axes=(1, 2)), axis=0) / (14 * 2 * 8 * 2 * 11)
    round_trip(fft, whole, expected)
    fft = PFFT(comm, SHAPE, axes=(1, 0, 2), transforms={(0,): (plans.dstn, plans.idstn), (1,): (plans.dctn, plans.idctn), (2,): (plans.dctn, plans.idctn)})
    expected = scipy.fft.dct(scipy.fft.dct(scipy.fft.dst(whole, axis=0), axis=1), axis=2) / (28 * 18 * 24)
    round_trip(fft, whole, expected)
    dct3, idct3 = functools.partial(plans.dctn, type=3), functools.partial(plans.idctn, type=3)
    single = values(dtype="f")
    fft = PFFT(comm, SHAPE, dtype="f", axes=(1, 0, 2), transforms={(2,): (dct3, idct3)})
    expected = np.fft.rfft2(scipy.fft.dct(single.astype("d"), type=3, axis=2), axes=(1, 0)) / (14 * 9 * 24)
    round_trip(fft, single, expected.astype("F"))


def widened(kept, axis, n, m, is_half):
    """The spectrum of n points with zeros for the waves of m points; the alternating wave of an even n is shared by both signs.

    Of half spectra, mpi4py-fft does so for 2, 6, 10, ... points only."""
    kept = np.moveaxis(kept, axis, 0)
    wide = np.zeros((m // 2 + 1 if is_half else m, *kept.shape[1:]), kept.dtype)
    for k, waves in enumerate(kept):
        if n % 2 == 0 and k == n // 2 and m > n:
            if is_half:
                wide[k] = waves.real / 2 if n % 4 == 2 else waves
            else:
                wide[k] = wide[k - n] = waves / 2
        else:
            wide[k if is_half or k < (n + 1) // 2 else k - n] = waves
    return np.moveaxis(wide, 0, axis)


def backward(v, shape, wide, is_real):
    """The field that has the waves v, on more points."""
    for axis, (n, m) in enumerate(zip(shape, wide)):
        is_half = is_real and axis == len(shape) - 1
        v = widened(v, axis, n, m, is_half)
        v = np.fft.irfft(v, m, axis) * m if is_half else np.fft.ifft(v, axis=axis) * m
    return v


def test_padding_and_truncation():
    for dtype in "dD":
        for shape, factors in ((SHAPE, [1.5, 1.5, 1.5]), ((9, 8, 10), [1, 1.3, 2])):
            fft = PFFT(comm, shape, dtype=dtype, padding=list(factors))
            wide = tuple(int(np.floor(n * factor)) for n, factor in zip(shape, factors))
            assert fft.global_shape() == wide
            v = values(fft.global_shape(True), "D", 2)
            u = fft.backward(v[fft.local_slice()]).copy()
            near(u, backward(v, shape, wide, dtype == "d")[fft.local_slice(False)])
            # of a field that has these waves alone, the same waves come back
            again = fft.forward(u, np.zeros(fft.shape(), "D"))
            if dtype == "D":
                near(again, v[fft.local_slice()])
            near(fft.backward(again), u)
            fft.destroy()


def test_an_array_can_be_planned_for():
    grid = Subcomm(comm, [1, 0, 0])
    u = DistArray(SHAPE, subcomm=grid, val=2.0, alignment=0)
    assert u.alignment == 0
    fft = PFFT(comm, darray=u)
    assert fft.axes[-1] == (0,) and fft.shape(False) == u.shape
    v = fft.forward(u)
    near(v, np.where(sum(np.ogrid[fft.local_slice()]) == 0, 2.0, 0.0))
    grid.destroy()


def test_pencils_and_transfers():
    grid = Subcomm(comm, [0, 0, 1])
    assert isinstance(grid, tuple) and len(grid) == 3 and np.prod([sub.Get_size() for sub in grid]) == comm.size
    for dtype in ("F", "i2", "u1"):
        whole = np.zeros(SHAPE, dtype)
        whole.view(np.uint8).reshape(-1)[:] = np.arange(whole.nbytes) % 125 + 1
        p0 = Pencil(grid, SHAPE)
        p1 = p0.pencil(0)
        p2 = p1.pencil(1)
        assert (p0.axis, p1.axis, p2.axis) == (2, 0, 1) and p1.subshape[0] == SHAPE[0] and p0.shape == SHAPE

        def part(pencil):
            return np.ascontiguousarray(whole[tuple(slice(b, b + n) for b, n in zip(pencil.substart, pencil.subshape))])

        there, further = p0.transfer(p1, dtype), p1.transfer(p2, dtype)
        assert isinstance(there, Transfer) and there.subshapeA == p0.subshape and there.subshapeB == p1.subshape
        a, b, c = part(p0), np.zeros(p1.subshape, dtype), np.zeros(p2.subshape, dtype)
        there.forward(a, b)
        assert (b == part(p1)).all()
        further.forward(b, c)
        assert (c == part(p2)).all()
        back = np.zeros(p0.subshape, dtype)
        b[...] = 0
        further.backward(c, b)
        there.backward(b, back)
        assert (back == a).all()
        there.destroy()
        further.destroy()
    grid.destroy()
    assert [sub.Get_size() for sub in Subcomm(comm, 2)] == MPI.Compute_dims(comm.size, [0, 0])


def test_distributed_arrays():
    grid = Subcomm(comm, [0, 1, 0])
    whole = values((2, *SHAPE))
    u = DistArray((3, *SHAPE), subcomm=grid, rank=1, dtype="f", val=3, alignment=1)
    assert (u == 3).all() and u.dtype == np.float32 and u.rank == 1 and u.dimensions == 3 and u.pencil.shape == SHAPE
    assert u.global_shape == (3, *SHAPE) and u.alignment == 1 and u.commsizes == [1, *(sub.Get_size() for sub in grid)]
    assert u.substart[0] == 0 and u.local_slice()[0] == slice(0, 3) and type(u.v) is np.ndarray and len(u.subcomm) == 4
    assert isinstance(u[1], DistArray) and u[1].rank == 0 and u[1].global_shape == SHAPE and isinstance(u[0:2], DistArray)
    assert type(u[:, 0]) is np.ndarray and isinstance(u + 1, DistArray) and (u + 1).rank == 1
    s = DistArray(SHAPE, subcomm=grid, buffer=whole[0][part_of(u)].copy(), alignment=1)
    for axis in (0, 1, 2):
        r = s.redistribute(axis)
        assert r.alignment == axis and r.pencil.subshape == r.shape and (r is s) == (axis == 1)
        np.testing.assert_array_equal(r, whole[0][r.local_slice()])
        s2 = DistArray(SHAPE, subcomm=grid, alignment=1)
        assert r.redistribute(out=s2) is s2
        np.testing.assert_array_equal(s2, s)
    pencil, transfer = s.get_pencil_and_transfer(2)
    b = np.zeros(pencil.subshape)
    transfer.forward(s.v, b)
    np.testing.assert_array_equal(b, s.redistribute(2))
    t = DistArray((2, *SHAPE), subcomm=grid, rank=1, alignment=1)
    t[:] = whole[t.local_slice()]
    r = t.redistribute(0)
    assert r.rank == 1 and r.alignment == 0
    np.testing.assert_array_equal(r, whole[r.local_slice()])
    tensor = DistArray((2, 2, *SHAPE), subcomm=grid, rank=2)
    assert tensor.rank == 2 and tensor[1].rank == 1 and tensor[0, 1].rank == 0 and isinstance(tensor[0, 1], DistArray)
    grid.destroy()


def part_of(u):
    """This rank's part of the axes that are shared."""
    return u.local_slice()[u.rank :]


def test_arrays_for_a_transform():
    fft = PFFT(comm, SHAPE)
    u = newDistArray(fft, False, val=2)
    assert u.global_shape == SHAPE and (u == 2).all() and u.alignment == 2
    v = newDistArray(fft, rank=1)
    assert v.shape == (3, *fft.shape()) and v.dtype == complex and (v == 0).all() and v.rank == 1 and v.alignment == 0
    assert newDistArray(fft, False, rank=2).shape == (3, 3, *fft.shape(False))
    assert type(newDistArray(fft, view=True)) is np.ndarray
    for number in range(3):
        v[number] = fft.forward(number * u)
    near(v[2], np.where(sum(np.ogrid[fft.local_slice()]) == 0, 4.0, 0.0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert Function(fft, False, tensor=1).rank == 1
    fft.destroy()


def serial(make, field, expected, **kw):
    """A serial plan gives what is expected, with arrays of its own and of others, and is normalised if asked."""
    plan = make(field.copy(), **kw)
    out = plan(field.copy())
    assert out is plan.output_array
    near(out, expected, field.dtype)
    other = np.zeros_like(out)
    assert plan(field.copy(), other, normalize=True) is other
    near(other, expected * plan.get_normalization(), field.dtype)
    plan.input_array[:] = field
    near(plan(), expected, field.dtype)
    plan.destroy()


def test_serial_plans():
    if comm.size > 1:
        return  # the same on all ranks
    for real, complex_ in ("dD", "fF"):
        field, waves = values((5, 6, 7), real), values((5, 6, 7), complex_)
        for axes in ((1,), (0, 2), (2, 0, 1)):
            points = np.prod([waves.shape[axis] for axis in axes])
            serial(plans.fftn, waves, np.fft.fftn(waves, axes=axes), axes=axes)
            serial(plans.ifftn, waves, np.fft.ifftn(waves, axes=axes) * points, axes=axes)
            half = np.fft.rfftn(field, axes=axes).astype(complex_)
            serial(plans.rfftn, field, half, axes=axes)
            serial(plans.irfftn, half, field * points, axes=axes, s=[field.shape[axis] for axis in axes])
            for type_ in (1, 2, 3, 4):
                for name, make, inverted in (("dctn", plans.dctn, plans.idctn), ("dstn", plans.dstn, plans.idstn)):
                    reference = getattr(scipy.fft, name)
                    serial(make, field, reference(field, type=type_, axes=axes), axes=axes, type=type_)
                    serial(inverted, field, reference(field, type={2: 3, 3: 2}.get(type_, type_), axes=axes), axes=axes, type=type_)
    # as the documentation of mpi4py-fft has them
    a = plans.aligned(4, dtype="D")
    a[:] = 1, 2, 3, 4
    near(plans.hfftn(a.copy())(a.copy()), np.array([15.0, -4, 0, -1, 0, -4]))
    b = plans.aligned_like(a.real, fill=0)
    b[:] = 1, 2, 3, 4
    near(plans.ihfftn(b.copy())(b.copy()), np.array([10, -2 + 2j, -2]))


def test_plans_of_a_kind():
    if comm.size > 1:
        return  # the same on all ranks
    waves = values((4, 6), "D")
    plan = plans.get_planned_FFT(waves.copy(), np.zeros_like(waves), (0, 1), plans.FFTW_BACKWARD, threads=1, flags=(plans.FFTW_ESTIMATE,), normalization=0.5)
    near(plan(waves.copy(), normalize=True), np.fft.ifftn(waves) * 12)
    assert plan.get_normalization() == 0.5
    x, y = np.zeros((4, 6)), np.zeros((4, 4), complex)
    x[...] = waves.real
    near(plans.get_planned_FFT(x.copy(), y, (0, 1), plans.R2C)(x.copy()), np.fft.rfftn(x))
    near(plans.get_planned_FFT(np.fft.rfftn(x), x.copy(), (0, 1), plans.C2R)(np.fft.rfftn(x)), 24 * x)
    near(plans.get_planned_FFT(x.copy(), x.copy(), (0, 1), plans.FFTW_RODFT10)(x.copy()), scipy.fft.dstn(x))
    assert plans.get_normalization(plans.FFTW_REDFT00, (4, 6), (1,)) == 0.1 and plans.get_normalization(plans.R2C, (4, 6), (0, 1)) == 1 / 24
    assert plans.inverse[plans.rfftn] is plans.irfftn and plans.inverse[plans.FFTW_REDFT10] == plans.FFTW_REDFT01
    assert plans.flag_dict["FFTW_PATIENT"] == 32 and plans.dct_type[2] == 5 and plans.idst_type[3] == 9
    assert plans.get_fftw_lib("d") is plans.fftlib["D"] and plans.get_fftw_lib("i") is None
    assert plans.aligned((3, 5), n=16, dtype="f").shape == (3, 5) and plans.get_alignment(plans.aligned(7)) == 32
    plans.set_timelimit(1.0)


def test_serial_transforms():
    if comm.size > 1:
        return  # the same on all ranks
    field = values((4, 6))
    for backend in ("fftw", "numpy"):
        fft = FFT((4, 6), backend=backend)
        near(fft.forward(field), np.fft.rfftn(field) / 24)
        out = np.zeros((4, 6))
        assert fft.backward(np.fft.rfftn(field), out) is out
        near(out, 24 * field)
        near(fft.forward(field, normalize=False), np.fft.rfftn(field))
    assert fft.axes == [0, 1] and fft.M == 1 / 24 and fft.real_transform and fft.padding_factor == 1 and isinstance(fft, FFTBase)
    fft = FFT((12, 3), axes=(0,), dtype="D", padding=1.5)
    assert fft.forward.output_array.shape == (8, 3) and fft.forward.input_array.shape == (12, 3)
    kept = values((8, 3), "D")
    u = fft.backward(kept)
    near(u, backward(kept, (8,), (12,), False))
    near(fft.forward(u), kept)


def test_long_doubles():
    if mpi4py_fft.fftw.get_fftw_lib("g") is None:
        return
    whole = values().astype("g")
    fft = PFFT(comm, SHAPE, dtype="g")
    v = fft.forward(whole[fft.local_slice(False)])
    assert v.dtype.char == "G"
    near(v.astype("D"), fourier(values(), (0, 1, 2))[fft.local_slice()])
    near(fft.backward(v), whole[fft.local_slice(False)])
    fft.destroy()
    near(plans.dctn(whole.copy(), axes=(1,))(whole.copy()).astype("d"), scipy.fft.dct(values(), axis=1))


if __name__ == "__main__":
    divisions.main(sys.argv[1:], sys.modules[__name__])
