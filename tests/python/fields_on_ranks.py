# tests/python/fields_on_ranks: distributed arrays on any number of ranks, compared with NumPy; one launch runs all checks.
# Usage: main(["7", "6,1"], modules) on 7 ranks - they are divided so, one division after another.
import sys

import divisions
import numpy as np
import weft
from mpi4py import MPI

comm = MPI.COMM_WORLD
SHAPE = (5, 7, 6)
WHOLE = np.random.default_rng(5).standard_normal(SHAPE)
FIELDS = np.random.default_rng(6).standard_normal((3, *SHAPE))
quick = {"effort": "estimate", "threads": 1}


def distributions():
    """Those that differ in what they do to arrays, some of them for each number of ranks; slabs of 5 rows leave ranks without points."""
    mine = np.s_[0:5, 7 * comm.rank // comm.size : 7 * (comm.rank + 1) // comm.size, 0:6]
    every = (
        None, "pencil", weft.Distribution("brick", ghosts=(1, (0, 2), 0), order="F"), weft.Distribution("slab", interleaved=True),
        mine if mine[1].start < mine[1].stop else [],
    )  # fmt: skip
    return {1: every, 2: every, 3: every[1:3], 4: (every[0], every[2], every[4])}.get(comm.size, every[2:4])


def refused(call, *words, code="invalid"):
    """All ranks get the same error, with these words in it."""
    try:
        call()
        text = "no error"
    except weft.Error as error:
        text = str(error)
        assert error.code == code, text
    assert all(word in text for word in words), text
    assert len(set(comm.allgather(text))) == 1


def is_last():
    return comm.rank == comm.size - 1


def test_an_array_knows_its_place():
    types = [complex, [("a", "f8"), ("b", "i4")], bool, np.complex64, np.int16]
    for where, dtype in zip(distributions(), types):
        u = weft.DistArray(SHAPE, where, comm, dtype)
        assert u.shape == u.grid == SHAPE and u.ndim == 3 and u.size == 210 and u.dtype == np.dtype(dtype)
        assert u.nbytes == 210 * u.dtype.itemsize and u.batch == 1 and u.comm is comm and len(u) == 5
        assert u.inner.shape == tuple(part.stop - part.start for part in u.box) and not u.local.tobytes().strip(b"\0")
        counts = np.zeros(SHAPE, int)
        counts[u.box] = 1
        assert (comm.allreduce(counts) == 1).all()
        again = weft.DistArray(SHAPE, u.distribution, comm, dtype) if comm.size < 5 else u
        assert again.box == u.box and again.local.shape == u.local.shape and again.local.strides == u.local.strides
    assert weft.DistArray(6, comm=comm).shape == (6,) and "5x7x6 float64" in repr(weft.DistArray(SHAPE, comm=comm))


def test_arrays_are_made_of_whole_ones_functions_and_local_ones():
    for where in distributions():
        u = weft.DistArray.from_array(WHOLE, where, comm)
        np.testing.assert_array_equal(u.inner, WHOLE[u.box])
        x, y, z = u.indices()
        np.testing.assert_array_equal(weft.DistArray.from_function(lambda *at: WHOLE[at], SHAPE, where, comm).inner, WHOLE[x, y, z])
        is_interleaved = isinstance(where, weft.Distribution) and where.interleaved
        fields = np.moveaxis(FIELDS, 0, -1) if is_interleaved else FIELDS
        f = weft.DistArray.from_array(fields, where, comm, batch=3)
        assert f.shape == fields.shape and f.grid == SHAPE and f.batch == 3
        np.testing.assert_array_equal(f.inner, fields[f.box])
        v = weft.DistArray.from_local(u.local, where if where else u.distribution, shape=SHAPE, comm=comm)
        assert v.local is u.local and v.box == u.box
    rows = np.full((1 + comm.rank, 4), comm.rank, np.int8)
    u = weft.DistArray.from_local(rows, comm=comm)
    assert u.shape == (comm.size * (comm.size + 1) // 2, 4) and u.box[0].stop - u.box[0].start == 1 + comm.rank
    few = weft.DistArray.from_local(np.full((0 if is_last() else 2, 4), 2), comm=comm) if comm.size > 1 else u
    assert few.sum() == (16 * (comm.size - 1) if comm.size > 1 else 0) and sum(1 for row in few) == len(few) and 7 not in few
    mine = np.s_[0:4, 5 * comm.rank : 5 * comm.rank + 5]
    strided = np.zeros((8, 5))[::2]
    v = weft.DistArray.from_local(strided, mine, comm=comm)
    assert v.local is strided and v.shape == (4, 5 * comm.size) and weft.DistArray(v.shape, v.distribution, comm).local.strides == strided.strides


def test_several_boxes_of_a_rank():
    mine = [box for box in (np.s_[comm.rank : comm.rank + 1, 0:3], np.s_[2 * comm.size - 1 - comm.rank : 2 * comm.size - comm.rank, 0:3])]
    whole = np.arange(6.0 * comm.size).reshape(-1, 3)
    u = weft.DistArray.from_array(whole, mine, comm)
    assert u.shape == whole.shape and u.local.shape == (6,) and u.boxes == mine
    np.testing.assert_array_equal(u.local, np.concatenate([whole[box].ravel() for box in mine]))
    for wrong in (lambda: u.box, lambda: u.inner, u.indices):
        refused(wrong, "this rank has 2 boxes")


def test_plans_take_and_make_arrays_in_their_memory():
    far = np.fft.rfftn(WHOLE)
    for where in distributions():
        u = weft.DistArray.from_array(WHOLE, where, comm)
        with weft.Plan(SHAPE, "r2c", comm=comm, input=u.distribution, **quick) as plan:
            v = plan.forward(u)
            assert v.shape == far.shape and v.dtype == complex and isinstance(v, weft.DistArray)
            np.testing.assert_allclose(v.inner, far[v.box], atol=1e-12)
            w = weft.DistArray.of(plan)
            assert plan.start_backward(v, w).wait() is w and plan.forward(w, v) is v and plan.max_abs(v) == plan.max_abs(v.local)
            np.testing.assert_allclose(w.inner, WHOLE[w.box], atol=1e-13)
            out = plan.empty_output()
            assert plan.forward(u.local, out) is plan.forward(u, out) is out
            assert plan.inner(u).shape == u.inner.shape and len(plan.parts(u, ghosts=True)) == len(u.boxes)
            assert weft.DistArray.of(plan, "output").local.dtype == complex and weft.DistArray.of(plan, dtype=bool).local.shape == u.local.shape
    reshape = weft.Reshape(SHAPE, "slab", "pencil", comm, dtype=np.int32, **quick)
    numbers = weft.DistArray.from_array(np.arange(210, dtype=np.int32).reshape(SHAPE), "slab", comm)
    moved = reshape.forward(numbers)
    np.testing.assert_array_equal(moved.inner, np.arange(210).reshape(SHAPE)[moved.box])
    np.testing.assert_array_equal(reshape.start_backward(moved).wait().inner, numbers.inner)
    halo = weft.Halo(SHAPE, weft.Distribution("slab", ghosts=((1, 0), 0, 0)), comm, **quick)
    u = weft.DistArray.of(halo)
    u.inner[...] = WHOLE[u.box]
    assert halo.exchange(u) is u and halo.start(u).wait() is u
    if u.local.size:
        np.testing.assert_array_equal(u.local[0], WHOLE[u.box[0].start - 1])


def test_plans_in_place_have_both_sides_in_one_memory():
    with weft.Plan(SHAPE, "r2c", comm=comm, input="slab", in_place=True, **quick) as plan:
        u = weft.DistArray.of(plan)
        u.inner[...] = WHOLE[u.box]
        v = plan.output_in(u)
        assert plan.forward(u, v) is v and (np.shares_memory(u.local, v.local) or not u.local.size)
        np.testing.assert_allclose(v.inner, np.fft.rfftn(WHOLE)[v.box], atol=1e-12)


def test_plans_refuse_arrays_that_lie_elsewhere():
    u = weft.DistArray(SHAPE, weft.Distribution("brick", grid=(1, 1, comm.size)), comm)
    for make in (lambda: weft.Plan(SHAPE, "r2c", comm=comm, input="slab", **quick), lambda: weft.Reshape(SHAPE, "slab", "pencil", comm)):
        if comm.size > 1:
            refused(lambda: make().forward(u), "the input, an array of (5, 7, 6), is not distributed as that of the plan")
    plan = weft.Plan(SHAPE, "r2c", comm=comm, input="slab", **quick)
    right = weft.DistArray(SHAPE, "slab", comm)
    try:
        plan.forward(weft.DistArray.of(plan, "output") if is_last() else right)
        raise SystemExit("no error")
    except weft.Error as error:
        assert "the input, an array of (5, 7, 4), is not distributed" in str(error), str(error)
    sphere = weft.Plan((6, 6, 6), comm=comm, cutoff=2.0, **quick)
    refused(lambda: weft.DistArray.of(sphere, "output"), "waves of a cut-off", code="unsupported")


def test_what_one_rank_does_wrong_all_ranks_raise():
    wrong = is_last()
    refused(lambda: weft.DistArray(SHAPE, "slob" if wrong else "slab", comm), "slob")
    refused(lambda: weft.DistArray(SHAPE, "slab", comm, "no type" if wrong else "f8"), "there is no type 'no type'")
    refused(lambda: weft.DistArray(SHAPE, "slab", comm, object if wrong else "f8"), "objects of Python", code="unsupported")
    refused(lambda: weft.DistArray.from_local([1] if wrong else np.ones(2), comm=comm), "the local array is no array: list")
    refused(lambda: weft.DistArray.from_local(np.ones(()) if wrong else np.ones(2), comm=comm), "has no axis")
    refused(lambda: weft.DistArray.from_local(np.ones((2, 2)), "slab", comm=comm), "the shape of the grid is not given")
    refused(lambda: weft.DistArray.from_local(np.ones((9, 2)) if wrong else np.ones((2, 2)), "slab", shape=(2 * comm.size, 2), comm=comm), "(9, 2)")
    refused(lambda: weft.DistArray.from_local(np.ones((2, 4)).T[:, :2], "slab", shape=(4 * comm.size, 2), comm=comm), "bytes apart")
    refused(lambda: weft.DistArray.from_array(np.ones((2, 2)), comm=comm, batch=3), "(2, 2)", "(3, 2)")
    if comm.size > 1:
        refused(lambda: weft.DistArray.from_function(lambda x: 1 / 0 if wrong else x, 7, comm=comm), "ZeroDivisionError")
        refused(lambda: weft.DistArray((4, 5) if wrong else (4, 4), comm=comm), "4x5", code="mismatch")
        refused(lambda: weft.DistArray((4, 4), comm=comm, dtype="f4" if wrong else "f8"), "rank 0 asks for an array of float64, and rank", "for an array of float32", code="mismatch")
        refused(lambda: weft.DistArray.from_local(np.ones(2, "f4" if wrong else "f8"), comm=comm), "an array of float64 of the local ones", code="mismatch")
        refused(lambda: weft.DistArray.from_array(np.ones(4 if wrong else 3), comm=comm), "parts of an array of (3,), float64", code="mismatch")
    refused(lambda: weft.DistArray.of(3), "an array of a int is wanted")
    u = weft.DistArray(SHAPE, comm=comm)
    for make in (lambda: np.asarray(u), lambda: weft.fft.fftn(u)):
        refused(make, "as one of NumPy's", "u.gather()")
    refused(u.__reduce__, "cannot be pickled")


def halves():
    """Two boxes on each rank of a grid of 2 comm.size rows."""
    return [np.s_[comm.rank : comm.rank + 1, 0:3], np.s_[2 * comm.size - 1 - comm.rank : 2 * comm.size - comm.rank, 0:3]]


def test_indices_of_the_whole_array_are_those_of_numpy():
    keys = (
        np.s_[3, :, 5], np.s_[...], np.s_[2, 3, 4], np.s_[-1], np.s_[1:4, ..., ::-2], np.s_[::-1, 6:0:-3, -4:-1], np.s_[4:1, :, 0], np.s_[:, 0:0],
        (np.int64(2), slice(None, None, 2)), np.s_[..., 2],
    )  # fmt: skip
    for where in distributions():
        u = weft.DistArray.from_array(WHOLE, where, comm)
        mine = WHOLE.copy()
        for number, key in enumerate(keys):
            found = u[key]
            assert type(found) is type(mine[key])
            np.testing.assert_array_equal(found, mine[key], strict=True)
            value = number + 0.5 if number % 2 else np.sqrt(np.arange(np.size(WHOLE[key]))).reshape(np.shape(WHOLE[key]))
            u[key] = mine[key] = value
            np.testing.assert_array_equal(u.inner, mine[u.box])
        np.testing.assert_array_equal(u.gather(), mine, strict=True)
        one = u.gather(root=comm.size - 1)
        assert (one is None) == (not is_last()) and (one is None or (one == mine).all())
        u[...] = u + 1
        u[u > 1] = -7
        np.testing.assert_array_equal(u.gather(), np.where(mine + 1 > 1, -7, mine + 1))
    fields = weft.DistArray.from_array(FIELDS, "pencil", comm, batch=3)
    np.testing.assert_array_equal(fields[1, 2:4, ::3, -1], FIELDS[1, 2:4, ::3, -1])
    names = weft.DistArray.from_array(np.array([b"a", b"bcd", b"ef"] * 5), None, comm)
    assert names[4] == b"bcd" and (names[::7] == [b"a", b"bcd", b"ef"]).all()
    two = weft.DistArray.from_array(np.arange(6.0 * comm.size).reshape(-1, 3), halves(), comm)
    assert (two[:, 1] == 3 * np.arange(2.0 * comm.size) + 1).all()
    alone = weft.DistArray.from_array(WHOLE)
    alone[1] = 2
    assert alone.comm is None and (alone[1] == 2).all() and (alone.gather()[0] == WHOLE[0]).all()


def test_functions_of_elements_are_those_of_numpy():
    other = np.cos(WHOLE) + 2j
    for where in distributions():
        u, v = (weft.DistArray.from_array(whole, where, comm) for whole in (WHOLE, other))
        x, y, z = u.indices()
        at = np.indices(SHAPE)
        for made, expected in (
            (u + v, WHOLE + other), (2 * u, 2 * WHOLE), (np.float32(2) / v, np.float32(2) / other), (-abs(v), -abs(other)), (u**2, WHOLE**2),
            (np.exp(1j * u), np.exp(1j * WHOLE)), (u > 0.1, WHOLE > 0.1), ((u > 0) & ~(u > 1), (WHOLE > 0) & ~(WHOLE > 1)),
            (x * u - y, at[0] * WHOLE - at[1]), (np.hypot(u, z), np.hypot(WHOLE, at[2])), (v.real, other.real), (v.imag, other.imag),
            (v.conj(), other.conj()), (np.real(v), other.real), (np.conj(v), other.conj()), (u.astype(np.float32) + 1, WHOLE.astype("f4") + 1),
            (np.divmod(u, 0.3)[1], np.divmod(WHOLE, 0.3)[1]), (np.multiply(u, 2, dtype="f4", casting="same_kind"), np.multiply(WHOLE, 2, dtype="f4", casting="same_kind")),
        ):  # fmt: skip
            assert isinstance(made, weft.DistArray) and made.dtype == expected.dtype and made.local.strides == made.like().local.strides
            np.testing.assert_array_equal(made.inner, expected[made.box])
        copy = u.copy()
        copy += 1
        copy *= x
        np.add(copy, 1, out=copy, where=u > 0)
        expected = (WHOLE + 1) * at[0]
        np.testing.assert_array_equal(copy.inner, np.where(WHOLE > 0, expected + 1, expected)[u.box])
        np.testing.assert_array_equal(u.inner, WHOLE[u.box])
        is_interleaved = isinstance(where, weft.Distribution) and where.interleaved
        fields = np.moveaxis(FIELDS, 0, -1) if is_interleaved else FIELDS
        f = weft.DistArray.from_array(fields, where, comm, batch=3)
        product = u * f
        np.testing.assert_array_equal(product.inner, (WHOLE[..., None] * fields if is_interleaved else WHOLE * fields)[f.box])
        f -= u
        assert (f - f).any() == False and product.batch == 3  # noqa: E712
    ghosts = weft.DistArray.from_array(WHOLE, weft.Distribution("slab", ghosts=1), comm)
    assert all((part[0] == 0).all() for part in (ghosts + 1).parts(ghosts=True)) and all((part[1:-1, 1:-1, 1:-1] != 0).all() for part in (ghosts + 1).parts(ghosts=True))
    two = weft.DistArray.from_array(np.arange(6.0 * comm.size).reshape(-1, 3), halves(), comm)
    assert ((two * 2 + two)[...] == 3 * np.arange(6.0 * comm.size).reshape(-1, 3)).all()


def test_functions_refuse_arrays_that_lie_elsewhere():
    u, v = weft.DistArray(SHAPE, "slab", comm), weft.DistArray(SHAPE, weft.Distribution("brick", grid=(1, 1, comm.size)), comm)
    if comm.size > 1:
        for call in (lambda: u + v, lambda: np.add(u, 1, out=v), lambda: np.add(u, 1, where=v > 0)):
            refused(call, "distributed")
        other = comm.Create(comm.Get_group().Incl(range(comm.size)[::-1]))
        refused(lambda: u + weft.DistArray(SHAPE, "slab", other), "arrays of (5, 7, 6) and (5, 7, 6) are not distributed alike")
        other.Free()
    refused(lambda: u + weft.DistArray((5, 7, 7), "slab", comm), "arrays of (5, 7, 6) and (5, 7, 7)")
    refused(lambda: np.add(u, 1, out=u.local), "is to be written to an array of NumPy's")
    refused(lambda: bool(u), "u.any()")
    for call in (lambda: u + [1], lambda: u @ u, lambda: np.add.reduce(u), lambda: u + "a"):
        try:
            call()
            raise SystemExit("no error")
        except TypeError:
            pass
    if u.local.size:
        try:
            u + np.ones((2, 3, 4, 5))
            raise SystemExit("no error")
        except weft.Error as error:
            assert "(2, 3, 4, 5) does not broadcast to this rank's part" in str(error)


def test_ranks_without_points_find_what_the_others_find():
    u, numbers = weft.DistArray((2, 4), "slab", comm), weft.DistArray((2, 4), "slab", comm, int)
    for wrong in (lambda: np.add(u, 1j, out=u), lambda: numbers.__iadd__(1.5)):
        try:
            wrong()
            found = ""
        except TypeError as error:
            found = str(error)
        assert "Cannot cast" in found
    along = np.arange(4.0)  # of an axis that every rank with points has whole
    assert ((u + along)[1] == along).all() and (np.add(u, 1, where=along > 1)[0] == (along > 1)).all()


def test_values_are_set_as_numpy_sets_them():
    small = weft.DistArray((5, 4), "slab", comm, np.uint8)
    mine = np.zeros((5, 4), np.uint8)
    for value, refusal in ((300, OverflowError), (-1, OverflowError), (1j, TypeError), (np.nan, ValueError)):
        try:
            mine[1] = value
            raise SystemExit("no error of NumPy's")
        except refusal:
            refused(lambda: small.__setitem__(1, value), refusal.__name__) if comm.size > 1 else None
    assert not small.any()


def test_reductions_are_those_of_numpy():
    with_nan = WHOLE.copy()
    with_nan[2, 3, 4] = np.nan
    arrays = (with_nan, WHOLE, (100 * WHOLE).astype(np.int8), (WHOLE + 1j * WHOLE**2).astype("c8"), WHOLE.astype("f2"))
    results = []
    for where, whole in zip(distributions(), arrays):
        u = weft.DistArray.from_array(whole, where, comm)
        u.local[u.local == 0] = 0  # ghost points do not count:
        for part in u.parts(ghosts=True):
            if part.shape != u.inner.shape:
                part[0] = part[:, -2:] = 99
                u.inner[...] = whole[u.box]
        for name in ("sum", "mean", "min", "max", "any", "all"):
            expected = getattr(whole, name)()
            for found in (getattr(u, name)(), getattr(np, name)(u)) if whole is WHOLE else (getattr(u, name)(),):
                assert found.dtype == expected.dtype
                results.append(found.tobytes())
                np.testing.assert_allclose(found, expected, rtol=3e-3 if whole.dtype == "f2" else 1e-5 if whole.dtype == "c8" else 1e-13)
        for order in (1, 2, np.inf):
            np.testing.assert_allclose(u.norm(order), np.linalg.norm(whole.ravel().astype("c16"), order), rtol=3e-3 if whole.dtype == "f2" else 1e-6)
    assert len(set(comm.allgather(tuple(results)))) == 1
    u, v = (weft.DistArray.from_array(whole, "pencil", comm) for whole in (WHOLE + 1j, 1j * WHOLE))
    np.testing.assert_allclose(u.vdot(v), np.vdot(WHOLE + 1j, 1j * WHOLE), rtol=1e-13)
    np.testing.assert_allclose(u.sum(dtype="c8"), (WHOLE + 1j).sum(dtype="c8"), rtol=1e-5)
    refused(lambda: u.sum(axis=0 if is_last() else None), "the sum of a distributed array is that of all its elements", code="unsupported")
    refused(lambda: u.norm(3), "the order of a norm is 3")
    big = weft.DistArray.from_array(WHOLE.astype(">f8"), None, comm)
    np.testing.assert_allclose(big.mean(), WHOLE.mean())
    for array in (WHOLE > 0, np.arange(210, dtype=np.int8).reshape(SHAPE)):
        few = weft.DistArray.from_array(array, None, comm)
        assert few.vdot(few) == np.vdot(array, array) and few.vdot(few).dtype == array.dtype
    refused(lambda: np.array_equal(u, u), "(u == v).all()")  # which would take any error for a difference
    refused(lambda: u.vdot(3 if is_last() else v), "the other array is not distributed as this one")
    if comm.size > 1:
        refused(lambda: u.sum() if is_last() else u.mean(), "rank 0 asks for the mean of an array of (5, 7, 6), complex128, in", "for the sum of", code="mismatch")
        other = weft.DistArray(SHAPE, weft.Distribution("brick", grid=(1, 1, comm.size)), comm, complex)
        refused(lambda: (other if is_last() else u).sum(), "in the distribution", code="mismatch")


def test_indices_that_are_none():
    u = weft.DistArray.from_array(WHOLE, "slab", comm)
    wrong = is_last()
    refused(lambda: u[9 if wrong else 0], "there is no index 9 along an axis of 5")
    refused(lambda: u[0, 0, 0, 0], "the index (0, 0, 0, 0) is one of 4 axes, and the array has 3")
    for key in ([0, 1], True, None, "a", 1.0):
        refused(lambda: u[key if wrong else 0], "is no index of a whole array")
    refused(lambda: u.__setitem__(0, np.ones(5) if wrong else 1), "broadcast") if comm.size > 1 else None
    refused(lambda: u.__setitem__(0, u), "a distributed array is set to a part of another")
    refused(lambda: u.__setitem__(u, 1), "elements are to be set where an array of (5, 7, 6), float64, is true")
    refused(lambda: u.gather(comm.size if wrong else 0), f"there is no rank {comm.size}")
    if comm.size > 1:
        refused(lambda: u[0 if wrong else 1], "rank 0 asks for [1, 0:7:1, 0:6:1] of an array", "for [0,", code="mismatch")
        refused(lambda: u.__setitem__(0 if wrong else 1, 2), "rank 0 asks for setting [1, 0:7:1, 0:6:1]", "for setting [0,", code="mismatch")
        refused(lambda: u.gather(None if wrong else 0), "for rank 0", "for all ranks", code="mismatch")
        refused(lambda: u.sum() if wrong else u.gather(), "for the sum of", code="mismatch")
        refused(lambda: u.sum() if wrong else u.__setitem__(0, 0), "rank 0 asks for setting", "for the sum of", code="mismatch")


def test_arrays_move_to_other_distributions():
    wheres = [*distributions(), *(["brick"] if comm.size < 5 else [])]
    for source, target, dtype in zip(wheres, [*wheres[1:], wheres[0]], (bool, "c16", [("a", "f8"), ("b", "i4")], np.int16, float, "f4")):
        whole = (100 * WHOLE).astype(np.int16)
        whole = (whole > 0) if dtype is bool else whole.astype(dtype)
        moved = weft.DistArray.from_array(whole, source, comm).redistribute(target)
        assert moved.dtype == whole.dtype and moved.local.strides == weft.DistArray(SHAPE, target, comm, dtype).local.strides
        np.testing.assert_array_equal(moved.inner, whole[moved.box])
    apart = weft.Distribution("slab", interleaved=True)
    fields = weft.DistArray.from_array(FIELDS, weft.Distribution("pencil", ghosts=1), comm, batch=3).redistribute(apart)
    np.testing.assert_array_equal(fields.inner, np.moveaxis(FIELDS, 0, -1)[fields.box])
    again = fields.redistribute("brick", order="F")
    np.testing.assert_array_equal(again.inner, FIELDS[again.box])
    whole = np.arange(6.0 * comm.size).reshape(-1, 3)
    two = weft.DistArray.from_array(whole, halves(), comm)
    np.testing.assert_array_equal(two.redistribute("slab").redistribute(halves()).local, two.local)
    alone = weft.DistArray.from_array(FIELDS, batch=3).redistribute(weft.Distribution("slab", order="F", interleaved=True))
    np.testing.assert_array_equal(alone.inner, np.moveaxis(FIELDS, 0, -1))
    refused(lambda: two.redistribute("slob" if is_last() else "slab"), "slob")
    refused(lambda: weft.DistArray((2 * comm.size, 3), halves(), comm, batch=2).redistribute("slab"), "several boxes", code="unsupported")


def test_ghost_points_are_filled():
    ghosts = ((1, 2), 1, (0, 1))
    for dtype, more in ((float, {}), (np.int8, {"order": "F"}), ("f4", {"interleaved": True}), (complex, {})):
        where = weft.Distribution("brick", ghosts=ghosts, **more)
        batch = 2 if dtype in ("f4", complex) else 1
        u = weft.DistArray(SHAPE, where, comm, dtype, batch=batch)
        x, y, z = u.indices()
        numbers = np.arange(batch).reshape((1, 1, 1, 2) if more.get("interleaved") else (2, 1, 1, 1)) if batch > 1 else 0
        u.inner[...] = (x + 5 * y + 3 * z + 50 * numbers) % 127
        assert u.exchange() is u
        for part, box in zip(u.parts(ghosts=True), u._layout.side.boxes):
            at = [np.arange(of.start - b, of.stop + a) % n for of, (b, a), n in zip(box, ((1, 2), (1, 1), (0, 1)), SHAPE)]
            x, y, z = at[0][:, None, None], at[1][:, None], at[2]
            expected = x + 5 * y + 3 * z
            expected = expected[..., None] + 50 * numbers if more.get("interleaved") else expected + 50 * numbers
            np.testing.assert_array_equal(part, (expected % 127).astype(dtype))
    u.local[...] = -1
    u.inner[...] = 1
    u.exchange(periodic=False)
    if u.local.size and u.box[1].start == 0:
        assert (u.local[:, 0] == -1).all()
    refused(lambda: u.exchange(periodic=[4] if is_last() else [0]), "the periodic axis 4") if comm.size > 1 else None
    refused(lambda: weft.DistArray(4).exchange(), "has no communicator", "COMM_SELF")


def test_a_communicator_that_has_been_freed():
    own = comm.Dup()
    u = weft.DistArray.from_array(WHOLE, "slab", own)
    plan = weft.Plan(SHAPE, comm=own, input="slab", **quick)
    own.Free()
    for call in (u.sum, u.gather, lambda: u[0], lambda: u.redistribute("brick"), lambda: u.vdot(u), u.exchange):
        refused(call, "the communicator of the array has been freed")
    assert (u + u).inner.shape == u.inner.shape and weft.DistArray.of(plan).inner.shape == u.inner.shape


if __name__ == "__main__":
    divisions.main(sys.argv[1:], sys.modules[__name__])
