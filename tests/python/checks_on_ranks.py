# tests/python/checks_on_ranks: what holds on any number of ranks, compared with NumPy; one launch runs all checks.
# Usage: mpiexec -n 7 python -m mpi4py checks_on_ranks.py 7 6,1 4,3 - the ranks are divided so, one division after another.
import math
import sys

import divisions
import numpy as np
import weft
from mpi4py import MPI
from weft._adjoint import adjoint_of, transformed

comm = MPI.COMM_WORLD
WHOLE = np.random.default_rng(1).standard_normal((13, 6, 8))
SHAPE = WHOLE.shape
quick = {"effort": "estimate", "threads": 1}


def rows(count):
    """The rows of `count` that this rank has if they are shared out evenly."""
    return slice(count * comm.rank // comm.size, count * (comm.rank + 1) // comm.size)


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


def test_a_reshape_moves_elements_of_any_type():
    for dtype in (np.int32, [("a", "f8"), ("b", "i4", 3)], "S8"):
        values = np.zeros(SHAPE, dtype)
        values.view(np.uint8).reshape(-1)[:] = np.arange(values.nbytes) % 126 + 1
        with weft.Reshape(SHAPE, "slab", "pencil", comm, dtype=dtype, **quick) as reshape:
            u = reshape.empty_input()
            assert u.dtype == values.dtype == reshape.dtype("output") and reshape.extents() == SHAPE
            u[...] = values[reshape.box()]
            v = reshape.forward(u)
            assert v.tobytes() == values[reshape.box("output")].tobytes()
            assert reshape.start_backward(v).wait().tobytes() == u.tobytes()
    refused(lambda: weft.Reshape(SHAPE, "slab", "pencil", comm, dtype=np.int8), "4 bytes", code="unsupported")
    refused(lambda: weft.Reshape(SHAPE, "slab", "pencil", comm, dtype=object), "objects of Python", code="unsupported")
    refused(lambda: weft.Reshape(SHAPE, "free", "pencil", comm), "free")


def test_a_reshape_takes_orders_ghosts_and_boxes():
    columns = weft.Distribution("pencil", order="F", ghosts=(0, (1, 2), 0))
    mine = np.s_[rows(13), 0:6, 0:8]
    reshape = weft.Reshape(SHAPE, mine, columns, comm, **quick)
    v = reshape.empty_output()
    v[...] = -1
    assert reshape.forward(WHOLE[mine].copy(), v) is v
    np.testing.assert_array_equal(reshape.inner(v, "output"), WHOLE[reshape.box("output")])
    if v.size:
        assert v.flags.f_contiguous and (v[:, 0] == -1).all() and (v[:, -2:] == -1).all()


def expected_with_ghosts(box, before, after, periodic):
    at = [np.arange(part.start - b, part.stop + a) for part, b, a in zip(box, before, after)]
    inside = [(i >= 0) & (i < n) | p for i, n, p in zip(at, SHAPE, periodic)]
    values = WHOLE[np.ix_(*(i % n for i, n in zip(at, SHAPE)))]
    return np.where(inside[0][:, None, None] & inside[1][:, None] & inside[2], values, -1.0)


def test_a_halo_fills_ghost_points_with_corners():
    for order, periodic in (("C", True), ("F", (0, -1)), ("C", False)):
        where = weft.Distribution("brick", ghosts=((1, 2), 1, (0, 1)), order=order)
        with weft.Halo(SHAPE, where, comm, periodic=periodic, **quick) as halo:
            u = halo.empty_array()
            u[...] = -1
            halo.inner(u)[...] = WHOLE[halo.box()]
            assert halo.exchange(u) is u
            is_periodic = [periodic is True or (periodic is not False and axis in (0, 2)) for axis in range(3)]
            if u.size:
                np.testing.assert_array_equal(u, expected_with_ghosts(halo.box(), (1, 1, 0), (2, 1, 1), is_periodic))
                assert [x.size for x in halo.indices()] == list(halo.inner(u).shape)
            assert halo.start(u).wait() is u
    refused(lambda: weft.Halo(SHAPE, weft.Distribution("slab", ghosts=14), comm), "14 ghost points")
    refused(lambda: weft.Halo(SHAPE, "slab", comm, periodic=[3]), "the periodic axis 3")
    refused(lambda: weft.Distribution("slab", ghosts=(1, 1)).request(3, 1, "C"), "the ghost points are (1, 1), of 3 axes")


def test_a_halo_moves_structures():
    where = weft.Distribution("slab", ghosts=1)
    halo = weft.Halo((12, 4), where, comm, dtype=[("a", "f8"), ("b", "i4")], **quick)
    u = halo.empty_array()
    x, y = halo.indices()
    halo.inner(u)["a"], halo.inner(u)["b"] = x + y / 10, 100 * x + y
    halo.exchange(u)
    if u.size:
        far = (np.arange(x[0, 0] - 1, x[-1, 0] + 2) % 12)[:, None]
        np.testing.assert_array_equal(u["b"], 100 * far + np.arange(-1, 5) % 4)
    refused(lambda: halo.exchange(u["a"]), "elements of float64")


def test_a_plan_leaves_ghost_points_alone():
    spectrum = np.fft.rfftn(WHOLE)
    for order in ("F", "C") if comm.size < 4 else ("F",):
        where = weft.Distribution("pencil", ghosts=(1, (0, 2), 1), order=order)
        plan = weft.Plan(SHAPE, "r2c", comm=comm, input=where, output="slab", **quick)
        u = plan.empty_input()
        u[...] = -1
        plan.inner(u)[...] = WHOLE[plan.box()]
        v = plan.forward(u)
        np.testing.assert_allclose(v, spectrum[plan.box("output")], atol=1e-12)
        u[...] = -1
        plan.backward(v, u)
        np.testing.assert_allclose(plan.inner(u), WHOLE[plan.box()], atol=1e-13)
        assert u.size == 0 or (u[0] == -1).all()
        assert [part.shape for part in plan.parts(u, ghosts=True)] == [u.shape] * len(plan.boxes())


def test_the_fields_of_a_batch_are_the_last_axis_if_interleaved():
    fields = np.random.default_rng(2).standard_normal((*SHAPE, 3))
    where = weft.Distribution("slab", interleaved=True)
    plan = weft.Plan(SHAPE, "r2c", comm=comm, batch=3, input=where, output=where, **quick)
    v = plan.forward(fields[plan.box()].copy())
    np.testing.assert_allclose(v, np.fft.rfftn(fields, axes=(0, 1, 2))[plan.box("output")], atol=1e-12)
    assert plan.parts(v, "output")[0].shape == v.shape if v.size else True


def test_arrays_with_strides_of_the_applications_are_taken_as_they_are():
    mine = np.s_[rows(13), 0:6, 0:8]
    large = np.full((mine[0].stop - mine[0].start, 6, 20), -1.0)
    u = large[:, :, 3:19:2]
    u[...] = WHOLE[mine]
    plan = weft.Plan(SHAPE, "r2c", comm=comm, input=weft.Distribution(boxes=mine if u.size else [], like=u if u.size else []), **quick)
    v = plan.forward(u)
    np.testing.assert_allclose(v, np.fft.rfftn(WHOLE)[plan.box("output")], atol=1e-12)
    u[...] = 0
    plan.backward(v, u)
    np.testing.assert_allclose(u, WHOLE[mine], atol=1e-13)
    assert (large[:, :, ::2] == -1).all()
    copy = WHOLE[mine].copy()
    if comm.size == 1:
        refused(lambda: plan.forward(copy), "axes are", "bytes apart")


def test_several_boxes_lie_in_one_array():
    half = np.s_[rows(13), 0:6, 0:4], np.s_[rows(13), 0:6, 4:8]
    count = half[0][0].stop - half[0][0].start
    memory = np.zeros(count * 48 + 7)
    views = [memory[5 : 5 + count * 24].reshape(count, 4, 6).transpose(0, 2, 1), memory[6 + count * 24 : 6 + count * 48].reshape(count, 6, 4)]
    boxes = list(half) if count else []
    plan = weft.Plan(SHAPE, "r2c", comm=comm, input=weft.Distribution(boxes=boxes, like=views if count else []), **quick)
    for part, box in zip(plan.parts(memory) if count else [], boxes):
        part[...] = WHOLE[box]
    v = plan.forward(memory if count else np.zeros(0))
    np.testing.assert_allclose(v, np.fft.rfftn(WHOLE)[plan.box("output")], atol=1e-12)


def test_an_ensemble_transforms_each_instance_on_its_ranks():
    fields = [np.random.default_rng(i).standard_normal((8, 6 + i)) for i in range(4)]
    chosen = [[0], list(range(comm.size)), [comm.size - 1], [comm.size - 1, 0] if comm.size > 1 else [0]]
    for policy in (None, "subsets", chosen):
        bands = weft.Ensemble([field.shape for field in fields], comm, policy, kind="r2c", in_flight=2, **quick)
        assert len(bands) == 4 and bands.comm is comm
        assert bands.policy in ("all", "subsets", "mixed") if policy is None else bands.policy == (policy if isinstance(policy, str) else "chosen")
        if policy is chosen:
            assert [bands.ranks(i) for i in range(4)] == [sorted(ranks) for ranks in chosen]
        assert list(bands.plans) == [i for i in range(4) if comm.rank in bands.ranks(i)]
        started = {i: plan.start_forward(fields[i][plan.box()].copy()) for i, plan in bands.plans.items()}
        for i, plan in bands.plans.items():
            assert plan.comm.size == len(bands.ranks(i)) and plan.comm.rank == plan.rank
            expected = np.fft.rfftn(fields[i])[plan.box("output")]
            np.testing.assert_allclose(started[i].wait(), expected, atol=1e-12)
            assert plan.max_abs(started[i].wait() - expected) < 1e-12
        bands.close()
        bands.close()
    one = weft.Ensemble([{"shape": (8, 8), "kind": "c2c"}, {"shape": 12, "modes": 6, "norm": "ortho"}], comm, kind="r2c", **quick)
    for plan in one.plans.values():
        assert plan.forward(plan.empty_input()).dtype == complex
    refused(lambda: weft.Ensemble([], comm), "an ensemble of 0 instances")
    refused(lambda: weft.Ensemble([4], comm, "most"), "there is no policy 'most'", "subsets")
    refused(lambda: weft.Ensemble([{"shape": 4, "threads": 2}], comm), "an instance has threads of its own")
    refused(lambda: weft.Ensemble([4], comm, [[comm.size]]), f"rank {comm.size}")
    refused(lambda: one.ranks(2), "2")


def test_pieces_are_where_a_function_says():
    last = comm.size - 1
    plan = weft.Plan((8, 8, 8), comm=comm, pieces=4, placement=lambda grid, piece: last - int(np.ravel_multi_index(piece, grid)) % comm.size, **quick)
    u = plan.empty_input()
    u[...] = 0 if not u.size else 1
    assert abs(plan.max_abs(plan.forward(u)) - 512) < 1e-9
    only = weft.Plan((8, 8), comm=comm, placement=lambda grid, piece: last, pieces=1, **quick)
    assert only.box() == (np.s_[0:8, 0:8] if comm.rank == last else np.s_[0:0, 0:0])
    refused(lambda: weft.Plan((8, 8), comm=comm, placement=lambda grid, piece: comm.size, **quick), f"is placed on rank {comm.size}")
    refused(lambda: weft.Plan((8, 8), comm=comm, placement="here", **quick), "the placement is 'here'")
    refused(lambda: weft.Plan((8, 8), comm=comm, pieces=3, **quick), "no function")


def test_what_a_placement_raises_is_raised_there_and_an_error_elsewhere():
    def fail(grid, piece):
        if comm.rank == 0:
            raise KeyError("of the placement")
        return 0

    try:
        weft.Plan((8, 8), comm=comm, placement=fail, **quick)
        said = None
    except KeyError:
        said = "KeyError"
    except weft.Error as error:
        assert "of the placement" in str(error)
        said = "Error"
    assert said == ("KeyError" if comm.rank == 0 else "Error")


def test_cut_offs_keep_a_sphere_or_a_list_of_waves():
    field = np.random.default_rng(4).standard_normal((10, 12, 9)) + 0j
    far = np.fft.fftn(field)
    vectors = np.array([[1.0, 0.1, 0], [0, 0.8, 0], [0.2, 0, 1.1]])
    plan = weft.Plan(field.shape, comm=comm, cutoff=weft.Cutoff(3.2, vectors, along=1), input="slab", **quick)
    v = plan.forward(field[plan.box()].copy())
    waves = plan.waves()
    assert (np.linalg.norm(waves @ vectors, axis=1) <= 3.2 + 1e-12).all()
    np.testing.assert_allclose(v, far[tuple(waves.T)], atol=1e-11)
    numbers = [np.arange(-((n - 1) // 2), (n - 1) // 2 + 1) for n in field.shape]
    every = np.stack(np.meshgrid(*numbers, indexing="ij"), -1).reshape(-1, 3)
    assert comm.allreduce(len(waves)) == (np.linalg.norm(every @ vectors, axis=1) <= 3.2 + 1e-12).sum()
    mine = every[(every[:, 0] + every[:, 2]) % comm.size == comm.rank][::-1]
    own = weft.Plan(field.shape, comm=comm, cutoff=weft.Cutoff(waves=mine, along=1), input="slab", **quick)
    np.testing.assert_array_equal(own.waves(), mine)
    np.testing.assert_allclose(own.forward(field[own.box()].copy()), far[tuple(mine.T)], atol=1e-11)
    refused(lambda: weft.Plan((4, 4, 4), comm=comm, cutoff=weft.Cutoff(waves=[[9, 0, 0]])), "9")
    refused(lambda: weft.Plan((4, 4, 4), comm=comm, cutoff=weft.Cutoff()), "a cut-off has a radius, or a list of waves")
    refused(lambda: weft.Plan((4, 4, 4), comm=comm, cutoff=weft.Cutoff(waves=np.ones((2, 2)))), "the waves have the shape (2, 2)")
    refused(lambda: weft.Plan((4, 4, 4), comm=comm, cutoff=weft.Cutoff(1, np.ones(3))), "the vectors have the shape (3,)")


def test_support_and_modes_leave_out_what_is_not_needed():
    whole = np.zeros((12, 10))
    whole[3:9, 0:5] = WHOLE[:6, :5, 0]
    plan = weft.Plan((12, 10), "r2c", comm=comm, support=np.s_[3:9, 0:5], modes=(8, 6), input="slab", **quick)
    v = plan.forward(whole[3:9, 0:5][plan.box()].copy())
    kx, ky = plan.wavenumbers()
    np.testing.assert_allclose(v, np.fft.rfftn(whole)[kx, ky], atol=1e-12)
    first = weft.Plan((12, 10), comm=comm, support=(6, 5), input="slab", **quick)
    assert first.extents() == (6, 5)


def test_without_axes_a_field_is_only_moved():
    plan = weft.Plan(SHAPE, comm=comm, axes=(), input="slab", output="pencil", **quick)
    field = WHOLE + 1j
    np.testing.assert_array_equal(plan.forward(field[plan.box()].copy()), field[plan.box("output")])


def test_what_one_rank_does_wrong_all_ranks_raise():
    is_wrong = comm.rank == comm.size - 1
    at = comm.size - 1
    refused(lambda: weft.Plan((8, 8), "q2c" if is_wrong else "c2c", comm=comm), "there is no kind 'q2c'")
    refused(lambda: weft.Plan(None if is_wrong else (8, 8), comm=comm), "the shape is None")
    refused(lambda: weft.Plan((8, 8), comm=comm, thread=1 if is_wrong else None), "there is no setting 'thread'")
    refused(lambda: weft.Plan((8, 8), comm=comm, batch="many" if is_wrong else 1), "TypeError")
    refused(lambda: weft.Reshape((8, 8), "slab", "brick", comm, dtype="no type" if is_wrong else "f8"), "there is no type 'no type'")
    refused(lambda: weft.Ensemble([(8, 8)], comm, "most" if is_wrong else "all"), "there is no policy 'most'")
    u = weft.Plan((8, 8), comm=comm, **quick).empty_input()
    wrong = [
        ((u.astype(np.complex64), None, None), "elements of complex64"), ((np.zeros((1, 2, 3), complex), None, None), "has the shape (1, 2, 3)"),
        ((None, None, None), "the input is no array: None"), ((u, [1], None), "the output is no array: list"),
        ((u, None, "2"), "the scale is no real number: '2' of type str"), ((u, None, 1j), "the scale is no real number: 1j of type complex"),
        ((u, None, np.nan), "nan"),
    ]  # fmt: skip
    for (given, out, scale), words in wrong:
        plan = weft.Plan((8, 8), comm=comm, **quick)  # on other ranks, the run that fails has begun
        try:
            plan.forward(*((given, out, scale) if is_wrong else (u, None, None)))
            raise SystemExit(f"no error: {words}")
        except weft.Error as error:
            assert words in str(error), (words, str(error))
            assert is_wrong or f"rank {at}" in str(error), str(error)
    halo = weft.Halo((8, 8), weft.Distribution("slab", ghosts=1), comm, **quick)
    try:
        halo.exchange(3 if is_wrong else halo.empty_array())
        raise SystemExit("no error")
    except weft.Error as error:
        assert "the array is no array: int" in str(error) or "the input is no array: int" in str(error), str(error)


def test_parts_of_different_fields_are_refused_by_weft_fft():
    is_last = comm.rank == comm.size - 1
    weft.fft.fftn(np.ones((2, 4)), comm=comm)  # the plan is kept: no rank makes another one alone
    if comm.size > 1:
        refused(lambda: weft.fft.fftn(np.ones((2, 4), "f4" if is_last else "f8"), comm=comm), "complex64 of the shape (2, 4)", code="mismatch")
        refused(lambda: weft.fft.fftn(np.ones((2, 5 if is_last else 4)), comm=comm), "(2, 4), and rank", "(2, 5)", code="mismatch")


def test_communicators_that_are_none():
    inter = comm.Split(comm.rank % 2).Create_intercomm(0, comm, 1 - comm.rank % 2) if comm.size > 1 else None
    for wrong, words in ((MPI.COMM_NULL, "COMM_NULL"), (3, "no communicator: int"), (inter, "intercommunicator")):
        if wrong is None:
            continue
        for make in (
            lambda: weft.Plan((4, 4), comm=wrong), lambda: weft.Reshape(4, "slab", "brick", wrong), lambda: weft.Halo(4, "slab", wrong),
            lambda: weft.Ensemble([4], wrong), lambda: weft.fft.fft(np.ones(4), axis=0, comm=wrong),
        ):  # fmt: skip
            refused(make, words)
    for make in (lambda: weft.Reshape(4, "slab", "brick", None), lambda: weft.Halo(4, "slab", None), lambda: weft.Ensemble([4], None)):
        refused(make, "has no communicator")


def test_adjoints_hold_over_all_ranks():
    """<g, F u> = <F* g, u>, summed over the ranks, for random numbers everywhere."""
    random = np.random.default_rng(comm.rank)
    for kind, settings in (
        ("c2c", {"norm": "ortho"}), ("r2c", {}), ("r2c", {"axes": (2, 1), "norm": "forward", "batch": 2}), ("c2r", {"modes": (9, 6, 4)}),
        ("r2c", {"cutoff": 2.5}), ("r2c", {"bases": ("dct1", "fourier", "dst3"), "norm": "none"}),
    ):  # fmt: skip
        plan = weft.Plan(SHAPE, kind, comm=comm, **settings, **quick)
        for is_forward in (True, False):
            u, g = (random.standard_normal(side.shape) + (1j * random.standard_normal(side.shape) if side.dtype.kind == "c" else 0) for side in (
                plan._sides[is_forward], plan._sides[not is_forward],
            ))  # fmt: skip
            adjoint = adjoint_of(plan, is_forward)
            v = transformed(plan, is_forward, lambda: u, 1.0)
            back = transformed(plan, not is_forward, lambda: math.prod(adjoint.before, start=g), adjoint.scale)
            sums = comm.allreduce(np.array([np.vdot(g, v).real, np.vdot(math.prod(adjoint.after, start=back), u).real, np.vdot(g, g).real, np.vdot(v, v).real]))
            assert abs(sums[0] - sums[1]) <= 1e-12 * np.sqrt(sums[2] * sums[3]), (kind, settings, is_forward, sums)


def test_the_largest_value_is_that_of_all_ranks():
    plan = weft.Plan((8, 8), comm=comm, **quick)
    assert plan.max_abs(np.array([comm.rank, -3.5])) == max(3.5, comm.size - 1)
    assert plan.max_abs(np.zeros(0)) == 0
    assert np.isnan(plan.max_abs(np.array([np.nan if comm.rank == 0 else 1.0])))


def test_chebyshev_coefficients_have_derivatives():
    plan = weft.Plan((9, 8), "r2r", ("chebyshev", "dct2"), comm, output=weft.Distribution("brick", grid=(1, comm.size)), input="slab", **quick)
    x, z = plan.indices()
    points = np.cos(np.pi * x / 8)
    u = points**5 - 2 * points + 0 * z
    slope = plan.backward(weft.differentiate_chebyshev(plan.forward(u), 0))
    np.testing.assert_allclose(slope, 5 * points**4 - 2 + 0 * z, atol=1e-12)


if __name__ == "__main__":
    divisions.main(sys.argv[1:], sys.modules[__name__])
