# tests/python/spectral_on_ranks: weft.spectral on any number of ranks, compared with NumPy's transforms of the whole field, and with
# known answers; fields_on_ranks.py runs it.
import functools

import numpy as np
import weft
from fields_on_ranks import quick, refused
from mpi4py import MPI
from weft import spectral

comm = MPI.COMM_WORLD
LENGTHS = (1.0, 2.3, 4.1)  # no wave lies between two shells
RANDOM = np.random.default_rng(8)
SCALAR = RANDOM.standard_normal((10, 7, 9))
VECTOR = RANDOM.standard_normal((3, 10, 7, 9))
FLAT = RANDOM.standard_normal((2, 11, 8))


class Whole:
    """What NumPy computes of whole spectra."""

    def __init__(self, shape, lengths, is_real):
        numbers = [n * np.fft.fftfreq(n) for n in shape]
        if is_real:
            numbers[-1] = np.arange(shape[-1] // 2 + 1)
        self.axes = tuple(range(-len(shape), 0))
        self.transform = functools.partial(np.fft.rfftn if is_real else np.fft.fftn, axes=self.axes)
        mesh = np.meshgrid(*numbers, indexing="ij")
        self.k = [2 * np.pi / length * each for each, length in zip(mesh, lengths)]
        # The wave n/2 of an even n has no odd derivative.
        self.odd = [np.where(2 * abs(each) == n, 0, k) for each, n, k in zip(mesh, shape, self.k)]
        self.squares = sum(k**2 for k in self.k)

    def gradient(self, v):
        return np.stack([1j * k * v for k in self.odd])

    def divergence(self, v):
        return sum(1j * k * each for k, each in zip(self.odd, v))

    def curl(self, v):
        d = [[1j * k * each for each in v] for k in self.odd]
        if len(v) == 2:
            return d[0][1] - d[1][0]
        return np.stack([d[1][2] - d[2][1], d[2][0] - d[0][2], d[0][1] - d[1][0]])

    def inverse_laplacian(self, v):
        return np.where(self.squares == 0, 0, -v / np.where(self.squares == 0, 1, self.squares))

    def divergence_free(self, v):
        squares = sum(k**2 for k in self.odd)
        along = sum(k * each for k, each in zip(self.odd, v)) / np.where(squares == 0, 1, squares)
        return np.stack([each - k * along for k, each in zip(self.odd, v)])


def near(found, whole, box=None):
    """A local array, or a DistArray, is the part of the whole one."""
    if isinstance(found, weft.DistArray):
        assert found.shape == whole.shape
        found, box = found.inner, found.box
    expected = whole[(*(slice(None) for _ in range(whole.ndim - len(box))), *box)]
    single = found.dtype == np.complex64
    np.testing.assert_allclose(found, expected, rtol=1e-4 if single else 1e-12, atol=(1e-5 if single else 1e-13) * np.abs(whole).max())


CASES = (
    ("r2c", VECTOR, {}), ("c2c", FLAT.astype(np.complex64), {"dtype": np.complex64}), ("c2c", VECTOR + 1j * VECTOR[::-1], {"norm": "forward"}),
    ("r2c", FLAT, {"output": weft.Distribution("pencil", order="F", ghosts=1), "norm": "ortho"}),
)  # fmt: skip


def some(cases):
    """All on few ranks, and half of them on many, where plans take long to make."""
    return cases if comm.size < 3 else cases[comm.size % 2 :: 2]


def test_operators_are_what_numpy_computes():
    for kind, fields, more in some(CASES):
        shape, lengths = fields.shape[1:], LENGTHS[: fields.ndim - 1]
        with weft.Plan(shape, kind, comm=comm, batch=len(fields), **more, **quick) as plan:
            ops = spectral.Operators(plan, lengths)
            u = weft.DistArray.of(plan)
            u.inner[...] = fields[u.box]
            v = plan.forward(u)
            whole = Whole(shape, lengths, kind == "r2c")
            derivatives_of(plan, ops, v, whole, whole.transform(fields, norm=more.get("norm")))
            spectra_of(ops, v, fields, Whole(shape, lengths, False))


def derivatives_of(plan, ops, v, whole, far):
    box = plan.box("output")
    for name in ("curl", "divergence", "divergence_free"):
        near(getattr(ops, name)(v), getattr(whole, name)(far))
        near(getattr(ops, name)(v.inner), getattr(whole, name)(far), box)
    for given in (v, v.inner):
        near(ops.laplacian(given), -whole.squares * far, box)
        near(ops.inverse_laplacian(given), whole.inverse_laplacian(far), box)
        near(ops.derivative(given, -1, 3), (1j * whole.odd[-1]) ** 3 * far, box)
        near(ops.derivative(given, 0, 2), -(whole.k[0] ** 2) * far, box)
        near(ops.derivative(given, 0, 0), far, box)
        near(ops.gradient(ops.divergence(given)), whole.gradient(whole.divergence(far)), box)
    smallest = (1e-3 if v.dtype == np.complex64 else 1e-10) * abs(far).max()
    assert ops.divergence(ops.divergence_free(v)).norm() < smallest
    assert len(far) == 2 or ops.divergence(ops.curl(v)).norm() < smallest
    assert plan.backward(ops.divergence_free(v)).dtype == plan.dtype()


def spectra_of(ops, v, fields, whole):
    powers = np.abs(np.fft.fftn(fields, axes=whole.axes, norm="forward")) ** 2
    for width, given in ((None, v.inner), (3.0, v)):
        found = ops.spectrum(given, width)
        step = width or 2 * np.pi / max(ops.lengths)
        shell = np.rint(np.sqrt(whole.squares) / step).astype(int)
        for i in range(len(found.k)):
            np.testing.assert_allclose(found.power[:, i], powers[:, shell == i].sum(axis=1), rtol=1e-5, atol=1e-12)
            assert found.waves[i] == (shell == i).sum() and np.isclose(found.k[i], i * step)
        assert len(found.k) > shell.max() and len(set(comm.allgather(found.power.tobytes()))) == 1
        np.testing.assert_allclose(found.power.sum(axis=1), (np.abs(fields) ** 2).mean(axis=whole.axes), rtol=1e-5)
        np.testing.assert_allclose(found.mean * np.maximum(found.waves, 1), found.power)
    if comm.size > 1:
        refused(lambda: ops.spectrum(v, -1 if comm.rank == comm.size - 1 else None), "the width of the shells is -1")
        refused(lambda: ops.spectrum(v, 2 if comm.rank == comm.size - 1 else None), "rank 0 asks for the spectrum of", "in shells of 2.0", code="mismatch")


def test_waves_between_two_shells_are_in_the_last_one():
    with weft.Plan((6,), "r2c", comm=comm, **quick) as plan:
        u = weft.DistArray.of(plan)
        u.local[...] = 1
        v = plan.forward(u)
        for length, width in ((1.225352997221894, 30.765919639931116), (5.215727807951501, 1.4455935290796553)):
            assert weft.spectral.Operators(plan, length).spectrum(v, width).waves.sum() == 6


def test_known_derivatives_in_a_box_of_any_lengths():
    shape = (12, 9, 10)
    with weft.Plan(shape, "r2c", comm=comm, **quick) as plan:
        ops = spectral.Operators(plan, LENGTHS)
        u = weft.DistArray.of(plan)
        x, y, z = (2 * np.pi * index / n for index, n in zip(u.indices(), shape))
        a, b, c = (2 * np.pi / length for length in LENGTHS)
        u.inner[...] = np.sin(2 * x) * np.cos(3 * y) + np.cos(4 * z) + 7
        v = plan.forward(u)
        slopes = [plan.backward(weft.DistArray.from_local(part.copy(), plan.box("output") if part.size else [], shape=(12, 9, 6), comm=comm).inner) for part in ops.gradient(v.inner)]
        near(slopes[0], 2 * a * np.cos(2 * x) * np.cos(3 * y) + 0 * z, np.s_[:, :, :])
        near(slopes[1], -3 * b * np.sin(2 * x) * np.sin(3 * y) + 0 * z, np.s_[:, :, :])
        near(slopes[2], -4 * c * np.sin(4 * z) + 0 * x * y, np.s_[:, :, :])
        f = plan.backward(ops.laplacian(v))
        near(f.inner, -(4 * a**2 + 9 * b**2) * np.sin(2 * x) * np.cos(3 * y) - 16 * c**2 * np.cos(4 * z), np.s_[:, :, :])
        again = plan.backward(ops.inverse_laplacian(plan.forward(f)))
        assert (again - u + 7).norm(np.inf) < 1e-12
        sawtooth = weft.DistArray.of(plan)
        sawtooth.inner[...] = (-1.0) ** u.indices()[0]  # the wave n/2 of an even n
        waves = plan.forward(sawtooth)
        assert ops.gradient(waves).norm() == 0 and abs(ops.laplacian(waves).norm() / waves.norm() - (6 * a) ** 2) < 1e-9


def convolution(a, b, kept):
    """The kept waves of the product of two whole spectra, as a sum over waves."""
    result = np.zeros_like(a)
    numbers = [np.fft.fftfreq(m, 1 / m).astype(int) for m in kept]
    waves = np.stack([each.ravel() for each in np.meshgrid(*numbers, indexing="ij")], -1)
    index = {tuple(wave): tuple(wave) for wave in waves}
    for p in waves:
        for q in waves:
            if tuple(p + q) in index:
                result[tuple(p + q)] += a[tuple(p)] * b[tuple(q)]
    return result


def real_spectrum(shape):
    """That of a real field without the waves m/2 of even m."""
    field = np.fft.fftn(RANDOM.integers(-3, 4, shape))
    for axis, m in enumerate(shape):
        if m % 2 == 0:
            np.moveaxis(field, axis, 0)[m // 2] = 0
    return field


RANDOM_FIELDS = [real_spectrum((5, 4, 3)) for _ in range(2)]


def test_products_have_no_aliases():
    kept = (5, 4, 3)
    shape = spectral.dealiased_points(kept)
    assert all(n >= 3 * (m // 2) + m % 2 for n, m in zip(shape, kept))
    whole, exact = RANDOM_FIELDS, convolution(*RANDOM_FIELDS, kept)
    for kind, norm in some((("c2c", "forward"), ("r2c", "none"), ("c2r", None), ("r2c", "ortho"))):
        with weft.Plan(shape, kind, comm=comm, modes=kept, norm=norm, **quick) as plan:
            side = "input" if kind == "c2r" else "output"
            box = plan.box(side)
            points = np.prod(shape)
            factor = {"forward": 1, "ortho": points**0.5}.get(norm, points)
            wave = (..., slice(0, kept[2] // 2 + 1)) if kind != "c2c" else ...
            ops = spectral.Operators(plan)
            a, b = (np.ascontiguousarray(factor * each[wave][box]) for each in whole)
            near(ops.product(a, b), factor * exact[wave], box)
            placed = [weft.DistArray.of(plan, side) for _ in range(2)]
            for each, local in zip(placed, (a, b)):
                each.inner[...] = local
            near(ops.product(*placed), factor * exact[wave])
            refused(lambda: ops.product(a, b, a), "products of 3 fields of 5 modes have aliases on", "and none on 9")
    with weft.Plan((8, 8), "r2c", comm=comm, **quick) as plan:
        refused(lambda: spectral.Operators(plan).product(plan.empty_output(), plan.empty_output()), "aliases on 8 points, and none on 12")
    assert spectral.dealiased_points(64) == 96 and spectral.dealiased_points(21) == 32 and spectral.dealiased_points((3, 3), 3) == (5, 5)
    assert spectral.dealiased_modes(32) == 21 and spectral.dealiased_modes((96, 97), 3) == (47, 49)
    refused(lambda: spectral.dealiased_points(0), "0 points or modes")


def test_waves_of_a_cut_off_have_operators_too():
    shape = (12, 10, 8)
    fields = np.random.default_rng(3).standard_normal((3, *shape))
    full = Whole(shape, (2 * np.pi,) * 3, False)
    kept, powers = full.squares < 9.5, np.abs(np.fft.fftn(fields, axes=(1, 2, 3), norm="forward")) ** 2
    shell = np.rint(np.sqrt(full.squares)).astype(int)
    with weft.Plan(shape, "r2c", comm=comm, cutoff=3.0, norm="forward", batch=3, **quick) as plan:
        v = plan.forward(np.ascontiguousarray(fields[(slice(None), *plan.box())]))
        ops = spectral.Operators(plan)
        found = ops.spectrum(v)
        for i in range(4):
            np.testing.assert_allclose(found.power[:, i], powers[:, kept & (shell == i)].sum(axis=1))
        k, lines = plan.waves().T, v.reshape(3, -1)
        np.testing.assert_allclose(ops.derivative(v, 1), (1j * k[1] * lines).ravel(), atol=1e-15)
        np.testing.assert_allclose(ops.laplacian(v), (-(k**2).sum(axis=0) * lines).ravel(), atol=1e-15)
        np.testing.assert_allclose(ops.divergence(v), (1j * k * lines).sum(axis=0), atol=1e-15)
        np.testing.assert_allclose(ops.divergence(ops.divergence_free(v)), 0, atol=1e-15)
        assert plan.backward(ops.curl(v)).dtype == float


def test_derivatives_along_chebyshev_and_fourier_axes():
    shape, height = (8, 12, 9), 3.0
    for basis, points in (("chebyshev", np.cos(np.pi * np.arange(12) / 11)), ("chebyshev-gauss", np.cos(np.pi * (np.arange(12) + 0.5) / 12))):
        whole_axis = weft.Distribution("brick", grid=(comm.size, 1, 1))
        with weft.Plan(shape, "r2c", ("fourier", basis, "fourier"), comm, output=whole_axis, **quick) as plan:
            ops = spectral.Operators(plan, (2 * np.pi, height, 1))
            u = weft.DistArray.of(plan)
            x, y, z = u.indices()
            x, y, z = 2 * np.pi * x / 8, height / 2 * points[y], 2 * np.pi * z / 9
            u.inner[...] = np.sin(x) * y**3 + np.cos(2 * z) * y
            v = plan.forward(u)
            one = np.s_[:, :, :]
            near(plan.backward(ops.derivative(v, 1)).inner, 3 * np.sin(x) * y**2 + np.cos(2 * z), one)
            near(plan.backward(ops.derivative(v, 1, 2)).inner, 6 * np.sin(x) * y + 0 * z, one)
            near(plan.backward(ops.derivative(v, 2)).inner, -4 * np.pi * np.sin(2 * z) * y + 0 * x, one)
            squares = 16 * np.pi**2
            near(plan.backward(ops.laplacian(v)).inner, np.sin(x) * (6 * y - y**3) - squares * np.cos(2 * z) * y, one)
            refused(lambda: ops.inverse_laplacian(v), f"axis 1 has the basis {basis}, not one of: fourier", code="unsupported")
            refused(lambda: ops.product(v, v), "have aliases on 8 points")
    # cos(x) y^5 times cos(x) y^6, of which the waves up to 1 and the polynomials up to T_6 are kept.
    for basis, points in (("chebyshev", np.cos(np.pi * np.arange(11) / 10)), ("chebyshev-gauss", np.cos(np.pi * (np.arange(11) + 0.5) / 11))):
        with weft.Plan((5, 11), "c2c", ("fourier", basis), comm, modes=(3, 7), norm="forward", **quick) as plan:
            x, y = plan.indices()
            x, y = 2 * np.pi * x / 5, points[y]
            spectra = [plan.forward((np.cos(x) * y**power).astype(complex)) for power in (5, 6)]
            expected = np.zeros((3, 7))
            expected[0] = np.polynomial.chebyshev.poly2cheb([0] * 11 + [1])[:7] / 2
            near(spectral.Operators(plan).product(*spectra), expected, plan.box("output"))
    with weft.Plan((6, 5), "r2r", ("dct2", "chebyshev"), comm, output=weft.Distribution("brick", grid=(1, comm.size)), **quick) as plan:
        ops = spectral.Operators(plan)
        refused(lambda: ops.derivative(plan.empty_output(), 0), "axis 0 has the basis dct2", code="unsupported")
        if comm.size in (2, 3):
            try:
                ops.derivative(plan.empty_output(), 1)
                raise SystemExit("no error")
            except weft.Error as error:
                assert "axis 1, of Chebyshev polynomials, is divided" in str(error)


def test_what_operators_refuse():
    with weft.Plan((6, 5, 4), "r2c", comm=comm, batch=3, **quick) as plan:
        wrong = comm.rank == comm.size - 1
        refused(lambda: spectral.Operators(3), "operators of a int are wanted")
        for lengths in (0, -1, np.nan, (1, 2), "long", (1, 2, np.inf)):
            refused(lambda: spectral.Operators(plan, lengths if wrong else 1), "the lengths are")
        if comm.size > 1:
            refused(lambda: spectral.Operators(plan, 2 if wrong else 1), "rank 0 asks for operators in a box of the lengths (1.0, 1.0, 1.0)", "(2.0, 2.0, 2.0)", code="mismatch")
        ops = spectral.Operators(plan)
        v = weft.DistArray.of(plan, "output")
        refused(lambda: ops.curl(ops.divergence(v)), "the spectrum has 1 fields, and 3 are needed")
        refused(lambda: ops.gradient(v), "the spectrum has 3 fields, and 1 are needed")
        refused(lambda: ops.laplacian(v.astype(np.complex64)), "complex64")
        refused(lambda: ops.laplacian(weft.DistArray.of(plan)), "is not distributed as the spectrum")
        refused(lambda: ops.derivative(v, 3), "there is no axis 3 of 3")
        refused(lambda: ops.derivative(v, 0, -1), "the order of a derivative is -1")
        refused(lambda: ops.laplacian(3), "the spectrum is no array")
        refused(ops.product, "the product of no spectra")
    with weft.Plan((6, 5, 4), comm=comm, axes=(0, 1), **quick) as plan:
        refused(lambda: spectral.Operators(plan).derivative(plan.empty_output(), 2), "axis 2 is not transformed", code="unsupported")
