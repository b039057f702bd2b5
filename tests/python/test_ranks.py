# tests/python/test_ranks: weft.Plan and weft.fft on the ranks of communicators of mpi4py's.
import pytest

pytest.importorskip("mpi4py")

PLAN = """
import numpy as np, weft
from mpi4py import MPI
plan = weft.Plan((12, 10, 8), kind="r2c", comm=MPI.COMM_WORLD, effort="estimate")
u = plan.empty_input()
x, y, z = plan.indices()
u[...] = np.sin(2 * np.pi * x / 12) + 0 * y * z
w = plan.backward(plan.forward(u))
assert plan.max_abs(w - u) < 1e-14
"""

# A line that a rank says is one write, as the launcher mixes what ranks write.
WHOLE = """
import os, numpy as np, scipy.fft, weft
from mpi4py import MPI
comm = MPI.COMM_WORLD
def say(line):
    os.write(1, (line + "\\n").encode())
whole = np.random.default_rng(1).standard_normal((13, 6, 8))
"""


@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_eight_lines_run_on_ranks(run, ranks):
    assert len(PLAN.strip().splitlines()) == 8
    run(PLAN, ranks=ranks)


def test_every_rank_has_its_box_of_the_spectrum(run):
    run(
        WHOLE
        + """
for kind, far in (("r2c", scipy.fft.rfftn(whole)), ("c2c", scipy.fft.fftn(whole))):
    for output in ("free", "same", "slab"):
        with weft.Plan(whole.shape, kind, comm=comm, effort="estimate", output=output) as plan:
            u = whole[plan.box()].astype(plan.dtype())  # an array that weft did not make
            v = plan.forward(u)
            np.testing.assert_allclose(v, far[plan.box("output")], atol=1e-12)
            out = np.empty_like(u)
            assert plan.backward(v, out, scale=2.0) is out
            np.testing.assert_allclose(out, 2 * u, atol=1e-13)
            kx, ky, kz = plan.wavenumbers()
            assert plan.boxes("output") == [plan.box("output")] and kx.size == v.shape[0]
            assert plan.rank == comm.rank and plan.comm is comm
""",
        ranks=3,
    )


def test_boxes_of_the_application(run):
    run(
        WHOLE
        + """
# rank 0 has two boxes, and the last one none
lists = [[(slice(0, 4), slice(0, 6), slice(0, 8)), ((8, 0, 0), (13, 6, 8))], [np.s_[4:8, 0:6, 0:8]], []]
plan = weft.Plan(whole.shape, comm=comm, input=lists[comm.rank], effort="estimate")
assert plan.boxes() == [tuple(b) if isinstance(b[0], slice) else tuple(map(slice, *b)) for b in lists[comm.rank]]
u = plan.empty_input()
assert u.shape == ((432,), (4, 6, 8), (0, 0, 0))[comm.rank]
for box, part in zip(plan.boxes(), plan.parts(u)):
    part[...] = whole[box]
v = plan.forward(u)
np.testing.assert_allclose(v, scipy.fft.fftn(whole)[plan.box("output")], atol=1e-12)
if comm.rank == 0:
    try:
        plan.box()
        raise SystemExit("no error")
    except weft.Error as error:
        assert "this rank has 2 boxes" in str(error)
""",
        ranks=3,
    )


def test_fft_with_a_communicator_divides_axis_0(run):
    run(
        WHOLE
        + """
rows = [slice(0, 6), slice(6, 6), slice(6, 13)][comm.rank]
mine = whole[rows]
def part(field):
    return field[slice(*weft.Plan(field.shape, comm=comm, input="slab", effort="estimate").box()[0].indices(99)[:2])]
for ours, theirs in (
    (weft.fft.fftn(mine, comm=comm), scipy.fft.fftn(whole)), (weft.fft.rfftn(mine, comm=comm, norm="ortho"), scipy.fft.rfftn(whole, norm="ortho")),
    (weft.fft.fft(mine, axis=0, comm=comm), scipy.fft.fft(whole, axis=0)), (weft.fft.dctn(mine, comm=comm), scipy.fft.dctn(whole)),
    (weft.fft.ifft(mine, comm=comm), scipy.fft.ifft(whole)),
):
    np.testing.assert_allclose(ours, part(theirs), atol=1e-12)
v = part(scipy.fft.rfftn(whole))
np.testing.assert_allclose(weft.fft.irfftn(v, comm=comm), part(whole), atol=1e-14)
half = comm.Split(comm.rank == 0)
np.testing.assert_allclose(weft.fft.fftn(whole if half.size == 1 else mine, comm=half).sum(), weft.fft.fftn(whole if half.size == 1 else mine, comm=half).sum())
half.Free()
""",
        ranks=3,
    )


def test_ranks_that_disagree_get_the_same_error(run):
    said = run(
        WHOLE
        + """
try:
    weft.Plan((8, 8 + comm.rank), comm=comm)
except weft.Error as error:
    assert error.code == "mismatch", error
    texts = comm.allgather(str(error))
    assert texts[0] == texts[1]
plan = weft.Plan((8, 8), comm=comm, effort="estimate")
u = plan.empty_input()
v = plan.empty_output()
try:
    (plan.forward if comm.rank else plan.backward)(*((u, v) if comm.rank else (v, u)))
except weft.Error as error:
    say(error.code)
""",
        ranks=2,
    )
    assert said.split() == ["mismatch", "mismatch"]


def test_communicators_that_are_none_are_refused(run):
    said = run(
        WHOLE
        + """
for wrong in (MPI.COMM_NULL, MPI.GROUP_EMPTY, 3, "world"):
    try:
        weft.Plan((4, 4), comm=wrong)
    except weft.Error as error:
        say(error.message)
""",
        ranks=1,
    )
    assert said.splitlines() == [
        "comm is MPI.COMM_NULL", "comm is no communicator: Group", "comm is no communicator: int", "comm is no communicator: str",
    ]  # fmt: skip


def test_after_finalize_plans_are_refused_and_arrays_stay(run):
    said = run(
        WHOLE
        + """
plan = weft.Plan((8, 8), comm=comm, effort="estimate")
u = plan.empty_input()
u[...] = comm.rank
ticket = plan.start_forward(u)
reshape = weft.Reshape((8, 8), "slab", weft.Distribution("brick", order="F"), comm, effort="estimate")
halo = weft.Halo((8, 8), weft.Distribution("slab", ghosts=1), comm, effort="estimate")
bands = weft.Ensemble([(8, 8)], comm, effort="estimate")
v, w = reshape.empty_input(), halo.empty_array()
MPI.Finalize()
for call in (
    lambda: plan.forward(u), lambda: weft.Plan((8, 8), comm=comm), lambda: reshape.forward(v), lambda: halo.exchange(w),
    lambda: bands.plans[0].forward(bands.plans[0].empty_input()), lambda: weft.Halo((8, 8), "slab", comm), lambda: plan.forward(None),
):
    try:
        call()
    except weft.Error as error:
        say("refused")
for thing in (plan, reshape, halo, bands):
    thing.close()
del plan, ticket, reshape, halo, bands
assert u.size == 0 or u.max() == u.min()
assert weft.fft.fft(np.ones(4))[0] == 4
""",
        ranks=2,
    )
    assert said.split() == ["refused"] * 14


def test_ctrl_c_interrupts_a_wait_for_a_rank_that_does_not_come(run):
    said = run(
        WHOLE
        + """
import os, signal, threading, time
plan = weft.Plan((8, 8), comm=comm, effort="estimate")
u = plan.empty_input()
if comm.rank == 0:
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        plan.forward(u)
    except KeyboardInterrupt:
        say("interrupted")
    comm.Barrier()
else:
    comm.Barrier()
    plan.forward(u)
np.testing.assert_allclose(plan.forward(u), 0)  # the plan goes on
""",
        ranks=2,
    )
    assert said.split() == ["interrupted"]


def test_transforms_overlap_and_callbacks_start_others(run):
    run(
        WHOLE
        + """
plan = weft.Plan((12, 6, 8), comm=comm, effort="estimate", in_flight=2)
u, w = plan.empty_input(), plan.empty_input()
u[...] = 1
v = plan.empty_output()
second = []
ticket = plan.start_forward(u, v).then(lambda: second.append(plan.start_backward(v, w)))
while not ticket.test():
    weft.progress()
second[0].wait()
np.testing.assert_allclose(w, u, atol=1e-14)
""",
        ranks=2,
    )


def test_a_view_outlives_the_plan_and_is_shared_by_the_node(run):
    run(
        WHOLE
        + """
plan = weft.Plan((64, 64), comm=comm, effort="estimate")
u = plan.empty_input()
u[...] = comm.rank
part = u[1:]
plan.close()
del plan, u
comm.Barrier()
assert (part == comm.rank).all()
""",
        ranks=2,
    )
