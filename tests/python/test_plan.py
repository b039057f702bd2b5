# tests/python/test_plan: weft.Plan on one process, compared with numpy.fft and scipy.fft.
import asyncio
import pickle
import threading

import numpy as np
import pytest
import scipy.fft
import weft

RANDOM = np.random.default_rng(3)


def field(shape, dtype=np.complex128):
    values = RANDOM.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * RANDOM.standard_normal(shape)
    return values.astype(dtype)


def plan_of(shape, kind="c2c", **more):
    return weft.Plan(shape, kind, effort="estimate", **more)


def refused(call, *words):
    with pytest.raises(weft.Error) as caught:
        call()
    for word in words:
        assert word in str(caught.value), str(caught.value)
    return caught.value


@pytest.mark.parametrize("kind", ["c2c", "r2c"])
@pytest.mark.parametrize("dtype", [np.complex128, np.complex64])
@pytest.mark.parametrize("norm", ["backward", "ortho", "forward"])
def test_forward_is_that_of_scipy_and_backward_returns(kind, dtype, norm):
    plan = plan_of((12, 10, 8), kind, dtype=dtype, norm=norm)
    u = field((12, 10, 8), plan.dtype())
    expected = (scipy.fft.fftn if kind == "c2c" else scipy.fft.rfftn)(u, norm=norm)
    tolerance = 1e-12 if dtype == np.complex128 else 1e-4
    v = plan.forward(u)
    assert v.dtype == dtype
    np.testing.assert_allclose(v, expected, atol=tolerance * np.abs(expected).max())
    np.testing.assert_allclose(plan.backward(v), u, atol=tolerance)


def test_c2r_is_irfftn():
    plan = plan_of((6, 8), "c2r")
    v = scipy.fft.rfftn(field((6, 8), np.float64))
    np.testing.assert_allclose(plan.forward(v), scipy.fft.irfftn(v), atol=1e-14)


def test_bases_are_transforms_along_their_axes():
    plan = plan_of((6, 5, 8), "r2c", bases=("dct2", "dst1", "fourier"))
    u = field((6, 5, 8), np.float64)
    expected = scipy.fft.rfft(scipy.fft.dst(scipy.fft.dct(u, axis=0), 1, axis=1))
    np.testing.assert_allclose(plan.forward(u), expected, atol=1e-12)
    np.testing.assert_allclose(plan_of(9, "r2r", bases="dct1").forward(u.ravel()[:9]), scipy.fft.dct(u.ravel()[:9], 1))


def test_only_the_axes_that_are_named_are_transformed():
    u = field((4, 6, 5))
    np.testing.assert_allclose(plan_of((4, 6, 5), axes=(2, 0)).forward(u), scipy.fft.fftn(u, axes=(2, 0)), atol=1e-12)
    np.testing.assert_allclose(plan_of((4, 6, 5), axes=-2).forward(u), scipy.fft.fft(u, axis=1), atol=1e-12)


def test_a_batch_is_the_first_axis():
    plan = plan_of((6, 4), "r2c", batch=3)
    u = plan.empty_input()
    assert u.shape == (3, 6, 4)
    u[...] = field(u.shape, np.float64)
    np.testing.assert_allclose(plan.forward(u), scipy.fft.rfftn(u, axes=(1, 2)), atol=1e-12)


def test_the_order_f_takes_arrays_of_fortran():
    plan = plan_of((4, 6), order="F")
    u = np.asfortranarray(field((4, 6)))
    v = plan.forward(u)
    assert v.flags.f_contiguous
    np.testing.assert_allclose(v, scipy.fft.fftn(u), atol=1e-12)
    refused(lambda: plan.forward(np.ascontiguousarray(u)), "the input has the right shape, but its axes are (96, 16) bytes apart", "(16, 64)")


def test_a_scale_multiplies_the_results():
    plan = plan_of((4, 4))
    u = field((4, 4))
    np.testing.assert_allclose(plan.forward(u, scale=0.5), 0.5 * scipy.fft.fftn(u), atol=1e-12)
    np.testing.assert_allclose(plan.backward(u, scale=3.0), 3 * scipy.fft.ifftn(u), atol=1e-12)


@pytest.mark.parametrize("kind", ["c2c", "r2c"])
def test_a_plan_in_place_works_in_the_memory_of_its_input(kind):
    plan = plan_of((4, 6), kind, in_place=True)
    u = plan.empty_input()
    u[...] = before = field((4, 6), plan.dtype())
    v = plan.output_in(u)
    assert np.shares_memory(u, v)
    assert plan.forward(u, v) is v
    np.testing.assert_allclose(v, (scipy.fft.fftn if kind == "c2c" else scipy.fft.rfftn)(before), atol=1e-12)
    plan.backward(v, u)
    np.testing.assert_allclose(u, before, atol=1e-13)
    if kind == "r2c":
        tight = np.lib.stride_tricks.as_strided(np.zeros(3 * 8 + 6), (4, 6), (64, 8))
        refused(lambda: plan.output_in(tight), "the output takes 256 bytes, and the memory of the input has 240")


def test_modes_pads_and_cut_offs_are_settings():
    plan = plan_of((12, 12), "r2c", modes=(8, 8))
    u = field((12, 12), np.float64)
    full = scipy.fft.rfftn(u)
    np.testing.assert_allclose(plan.forward(u), full[np.r_[0:4, 8:12]][:, :5], atol=1e-12)
    assert list(plan.wavenumbers(0).ravel()) == [0, 1, 2, 3, -4, -3, -2, -1]
    sphere = plan_of((8, 8, 8), cutoff=2)
    u = field((8, 8, 8))
    v = sphere.forward(u)
    kx, ky, kz = sphere.waves().T
    assert len(v) == 33
    np.testing.assert_allclose(v, scipy.fft.fftn(u)[kx, ky, kz], atol=1e-12)
    refused(lambda: sphere.box("output"), "waves of a cut-off", "waves()")


def test_indices_and_wavenumbers_differentiate():
    n = 16
    with plan_of((n, n, n), "r2c") as plan:
        x, y, z = plan.indices()
        assert (x.shape, y.shape, z.shape) == ((n, 1, 1), (1, n, 1), (1, 1, n))
        u = np.sin(2 * np.pi * x / n) * np.cos(4 * np.pi * z / n) + 0 * y
        kx, ky, kz = plan.wavenumbers()
        assert kz.shape == (1, 1, n // 2 + 1) and ky.min() == -n // 2
        slope = plan.backward(1j * kx * plan.forward(u))
    np.testing.assert_allclose(slope, np.cos(2 * np.pi * x / n) * np.cos(4 * np.pi * z / n) + 0 * y, atol=1e-13)


def test_what_a_plan_says_of_itself():
    plan = plan_of((6, 4), "r2c", threads=1)
    assert (plan.shape, plan.comm, plan.rank, plan.threads) == ((6, 4), None, 0, 1)
    assert (plan.extents("input"), plan.extents("output")) == ((6, 4), (6, 3))
    assert plan.box() == (slice(0, 6), slice(0, 4)) and plan.boxes("output") == [(slice(0, 6), slice(0, 3))]
    assert repr(plan) == "<weft.Plan r2c of 6x4>"
    assert plan.strategy in plan.describe() and len(plan.describe().splitlines()) <= 6
    assert "\n  start " in plan.describe("all") and plan.describe("summary") == plan.describe()
    refused(lambda: plan.describe("more"), "there is no detail 'more'")
    plan.forward(np.zeros((6, 4)))
    report = plan.report()
    assert report["forward"]["runs"] == 1 and report["strategy"] == plan.strategy and report["machine"]["ranks"] == 1
    assert plan.memory()["planned"]["input"] == 6 * 4 * 8
    again = plan_of((6, 4), "r2c", strategy=plan.strategy)
    assert again.strategy == plan.strategy


def test_views_outlive_their_plan():
    plan = plan_of((32, 32), "r2c", in_place=True)
    u = plan.empty_input()
    u[...] = 7
    part = u[3:5]
    del u
    plan.close()
    del plan
    assert (part == 7).all()


def test_arrays_that_do_not_fit_are_refused():
    plan = plan_of((4, 6))
    good = field((4, 6))
    refused(lambda: plan.forward(good.real.copy()), "elements of float64, and the plan has complex128", "astype")
    refused(lambda: plan.forward(good.astype(">c16")), "elements of >c16")
    refused(lambda: plan.forward(np.zeros((4, 6), "O")), "elements of object")
    refused(lambda: plan.forward(good[:3]), "has the shape (3, 6), and this rank's input of the plan has (4, 6)", "empty_input")
    refused(lambda: plan.forward(good.T), "has the shape (6, 4)")
    refused(lambda: plan.forward(np.asfortranarray(good)), "right shape, but its axes are (16, 64) bytes apart", "ascontiguousarray")
    refused(lambda: plan.forward(good[::-1]), "(-96, 16) bytes apart")
    refused(lambda: plan.forward(None), "the input is no array: None")
    refused(lambda: plan.forward(good, [1, 2]), "the output is no array: list")
    refused(lambda: plan.forward(good, good), "not in place")
    frozen = np.zeros((4, 6), complex)
    frozen.flags.writeable = False
    refused(lambda: plan.forward(good, frozen), "the output is to be written, but is read-only")
    assert plan.forward(frozen).shape == (4, 6)
    beside = np.zeros(24 * 16 + 1, np.uint8)[1:].view(complex).reshape(4, 6)
    refused(lambda: plan.forward(beside), "the input begins", "aligned")


def test_arrays_of_other_libraries():
    class Interface:
        def __init__(self, array):
            self.__array_interface__ = array.__array_interface__
            self.keep = array

    class Exchange:
        def __init__(self, array, device=None):
            self.array, self.device = array, device

        def __dlpack__(self, **how):
            return self.array.__dlpack__(**how)

        def __dlpack_device__(self):
            return self.device or self.array.__dlpack_device__()

    plan = plan_of((4, 6))
    u = field((4, 6))
    expected = scipy.fft.fftn(u)
    np.testing.assert_allclose(plan.forward(Interface(u)), expected, atol=1e-12)
    np.testing.assert_allclose(plan.forward(Exchange(u)), expected, atol=1e-12)
    out = np.empty((4, 6), complex)
    assert np.shares_memory(plan.forward(u, Interface(out)), out)
    np.testing.assert_allclose(out, expected, atol=1e-12)
    error = refused(lambda: plan.forward(Exchange(u, (2, 0))), "the input is in the memory of a device")
    assert error.code == "unsupported"


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: weft.Plan((4, 0)), ["4x0"]),
        (lambda: weft.Plan(()), ["the shape has no axes"]),
        (lambda: weft.Plan(None), ["the shape is None"]),
        (lambda: weft.Plan((4, 4.5)), ["the shape is (4, 4.5)"]),
        (lambda: weft.Plan((4,) * 9), ["9"]),
        (lambda: weft.Plan((4, 4), "q2c"), ["there is no kind 'q2c'", "c2c, r2c, c2r, r2r"]),
        (lambda: weft.Plan((4, 4), "r2r"), ["r2r needs bases"]),
        (lambda: weft.Plan((4, 4), "r2r", bases="fourier,dct2"), ["r2r has no Fourier axes"]),
        (lambda: weft.Plan((4, 4), bases=("dct2",)*3), ["3 bases for 2 transformed axes"]),
        (lambda: weft.Plan((4, 4), dtype=np.int32), ["there are no transforms of int32", "float32"]),
        (lambda: weft.Plan((4, 4), dtype="no type"), ["there are no transforms of 'no type'"]),
        (lambda: weft.Plan((4, 4), dtype=np.float64), ["c2c does not take float64"]),
        (lambda: weft.Plan((4, 4), axes=(0, 2)), ["axis 2 is out of range"]),
        (lambda: weft.Plan((4, 4), norm="euclid"), ["euclid"]),
        (lambda: weft.Plan((4, 4), order="K"), ["the order is 'K'"]),
        (lambda: weft.Plan((4, 4), thread=2), ["there is no setting 'thread'", "threads"]),
        (lambda: weft.Plan((4, 4), threads=-1), ["threads is -1", "0 to 4096"]),
        (lambda: weft.Plan((4, 4), comm=5), ["comm is no communicator: int", "mpi4py"]),
        (lambda: weft.Plan((4, 4), input=[(slice(0, 3), slice(0, 4))]), ["do not cover the grid", "[3,4)x[0,4)"]),
        (lambda: weft.Plan((4, 4), input=(slice(None), slice(0, 4))), ["a box needs the end of each slice"]),
        (lambda: weft.Plan((4, 4), input=[7]), ["this is no box: 7"]),
    ],
)  # fmt: skip
def test_wrong_plans_are_refused(make, words):
    error = refused(make, *words)
    assert isinstance(error, ValueError) and error.message and error.code in ("invalid", "unsupported")


def test_a_plan_that_was_closed_refuses_everything():
    plan = plan_of((4, 4))
    u = field((4, 4))
    ticket = plan.start_forward(u)
    plan.close()
    plan.close()
    np.testing.assert_allclose(ticket.wait(), scipy.fft.fftn(u), atol=1e-12)
    for call in (lambda: plan.forward(u), lambda: plan.start_backward(u), plan.describe, lambda: plan.threads):
        refused(call, "the plan has been closed")


def test_plans_and_tickets_are_not_pickled():
    plan = plan_of((4, 4))
    refused(lambda: pickle.dumps(plan), "a plan cannot be pickled")
    refused(lambda: pickle.dumps(plan.start_forward(field((4, 4)))), "a ticket cannot be pickled")
    error = pickle.loads(pickle.dumps(weft.Error("what", "hint", "context", "system")))
    assert (error.message, error.hint, error.context, error.code) == ("what", "hint", "context", "system")
    assert str(error) == "what\n  while: context\n  try:   hint"


def test_tickets_wait_are_awaited_and_call_back():
    plan = plan_of((16, 16), in_flight=2)
    u = field((16, 16))
    expected = scipy.fft.fftn(u)
    called = []
    ticket = plan.start_forward(u).then(lambda: called.append(1))
    np.testing.assert_allclose(ticket.wait(), expected, atol=1e-11)
    assert called == [1] and ticket.test()

    async def both():
        return await asyncio.gather(wait_for(plan.start_forward(u)), wait_for(plan.start_backward(u)))

    async def wait_for(started):
        return await started

    there, back = asyncio.run(both())
    np.testing.assert_allclose(there, expected, atol=1e-11)
    np.testing.assert_allclose(back, scipy.fft.ifftn(u), atol=1e-11)


def test_what_a_callback_raises_the_wait_raises():
    plan = plan_of((8, 8))

    def fail():
        raise KeyError("of the callback")

    ticket = plan.start_forward(field((8, 8))).then(fail)
    with pytest.raises(KeyError, match="of the callback"):
        ticket.wait()
    np.testing.assert_allclose(plan.forward(np.ones((8, 8), complex))[0, 0], 64)


def test_threads_share_a_plan():
    plan = plan_of((24, 24), threads=1)
    inputs = [field((24, 24)) for _ in range(4)]
    wrong = []

    def work(u):
        expected = scipy.fft.fftn(u)
        for _ in range(200):
            if not np.allclose(plan.forward(u), expected):
                wrong.append(u)

    threads = [threading.Thread(target=work, args=(u,)) for u in inputs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_other_threads_of_python_run_meanwhile():
    plan = plan_of((192, 192, 192), threads=1)
    u = plan.empty_input()
    u[...] = 1
    count, done = [0], threading.Event()

    def tick():
        while not done.wait(0.001):
            count[0] += 1

    thread = threading.Thread(target=tick)
    thread.start()
    out = plan.empty_output()
    before = count[0]
    for _ in range(5):
        plan.forward(u, out)
    ticks = count[0] - before
    done.set()
    thread.join()
    assert ticks >= 5


def test_a_forked_child_is_refused_and_its_parent_goes_on(run):
    said = run(
        "import os, numpy as np, weft\n"
        "plan = weft.Plan((64, 64), threads=2)\n"
        "u = np.ones((64, 64), complex)\n"
        "plan.forward(u)\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    try:\n"
        "        plan.forward(u)\n"
        "    except weft.Error as error:\n"
        "        os._exit(7 if 'forked child' in str(error) else 1)\n"
        "    os._exit(2)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), plan.forward(u)[0, 0].real)"
    )
    assert said.split() == ["7", "4096.0"]


def test_an_interpreter_that_ends_with_plans_and_tickets_ends_well(run):
    run(
        "import numpy as np, weft\n"
        "plan = weft.Plan((64, 64))\n"
        "ticket = plan.start_forward(np.ones((64, 64), complex)).then(lambda: plan)"
    )


def test_names_of_settings_and_lengths():
    names = weft.settings()
    assert {"effort", "threads", "tune_seconds"} <= set(names) and all(names.values())
    assert [weft.next_fast_length(n) for n in (7, 11, 13, 97)] == [7, 12, 14, 98]
    assert weft.next_fast_length(98, "dst1") == 99
    refused(lambda: weft.next_fast_length(0), "0")
    refused(lambda: weft.next_fast_length(8, "dct9"), "dct9")
    assert weft.progress() is False
