# tests/python/fields_on_ranks: distributed arrays on any number of ranks, compared with NumPy; one launch runs all checks.
# Usage: main(["7", "6,1"], modules) on 7 ranks - they are divided so, one division after another.
import sys
import time

import numpy as np
import weft
from mpi4py import MPI

comm = MPI.COMM_WORLD
SHAPE = (5, 7, 6)
WHOLE = np.random.default_rng(5).standard_normal(SHAPE)
FIELDS = np.random.default_rng(6).standard_normal((3, *SHAPE))
quick = {"effort": "estimate", "threads": 1}


def distributions():
    """Those that differ in what they do to arrays; slabs of 5 rows leave ranks without points."""
    mine = np.s_[0:5, 7 * comm.rank // comm.size : 7 * (comm.rank + 1) // comm.size, 0:6]
    return (
        None, "pencil", weft.Distribution("brick", ghosts=(1, (0, 2), 0), order="F"), weft.Distribution("slab", interleaved=True),
        mine if mine[1].start < mine[1].stop else [],
    )  # fmt: skip


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
    for where, dtype in zip(distributions(), (complex, np.complex64, bool, [("a", "f8"), ("b", "i4")], np.int16)):
        u = weft.DistArray(SHAPE, where, comm, dtype)
        assert u.shape == u.grid == SHAPE and u.ndim == 3 and u.size == 210 and u.dtype == np.dtype(dtype)
        assert u.nbytes == 210 * u.dtype.itemsize and u.batch == 1 and u.comm is comm and len(u) == 5
        assert u.inner.shape == tuple(part.stop - part.start for part in u.box) and not u.local.tobytes().strip(b"\0")
        counts = np.zeros(SHAPE, int)
        counts[u.box] = 1
        assert (comm.allreduce(counts) == 1).all()
        again = weft.DistArray(SHAPE, u.distribution, comm, dtype)
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
        refused(lambda: weft.DistArray((4, 4), comm=comm, dtype="f4" if wrong else "f8"), "float64 on rank 0, and float32", code="mismatch")
        refused(lambda: weft.DistArray.from_local(np.ones(2, "f4" if wrong else "f8"), comm=comm), "the type of the array is float64", code="mismatch")
        refused(lambda: weft.DistArray.from_array(np.ones(4 if wrong else 3), comm=comm), "the whole array", code="mismatch")
    refused(lambda: weft.DistArray.of(3), "an array of a int is wanted")
    u = weft.DistArray(SHAPE, comm=comm)
    for make in (lambda: np.asarray(u), lambda: weft.fft.fftn(u)):
        refused(make, "as one of NumPy's", "u.gather()")
    refused(u.__reduce__, "cannot be pickled")


def run_all(modules):
    for module in modules:
        for name, check in list(vars(module).items()):
            if name.startswith("test_"):
                begin = time.monotonic()
                check()
                module.comm.Barrier()
                if module.comm.rank == 0:
                    print(f"{module.comm.size} ranks {time.monotonic() - begin:6.2f} s  {name}", flush=True)


def main(divisions, *modules):
    """Run the tests of modules on parts of all ranks."""
    world = MPI.COMM_WORLD
    for sizes in divisions or [str(world.size)]:
        ends = np.cumsum([int(size) for size in sizes.split(",")])
        assert ends[-1] == world.size
        part = world.Split(int(np.searchsorted(ends, world.rank, side="right")))
        for module in modules:
            module.comm = part
        run_all(modules)
        world.Barrier()


if __name__ == "__main__":
    main(sys.argv[1:], sys.modules[__name__])
