# tests/python/test_misuse: what is done wrongly is an error, and never ends the process.
import copy
import fractions
import gc
import multiprocessing
import pickle
import threading

import numpy as np
import pytest
import weft


def plan_of(shape, kind="c2c", **more):
    return weft.Plan(shape, kind, effort="estimate", **more)


def refused(call, *words):
    with pytest.raises(weft.Error) as caught:
        call()
    for word in words:
        assert word in str(caught.value), str(caught.value)
    return caught.value


def test_scales_are_real_numbers():
    plan, u = plan_of((4, 6)), np.ones((4, 6), complex)
    for scale in (2, 2.0, np.float32(2), np.int64(2), fractions.Fraction(2), np.array(2.0)):
        assert plan.forward(u, scale=scale)[0, 0] == 48
    for scale in ("2", 1j, np.complex64(1), [2], np.ones(2), {}, object()):
        refused(lambda: plan.forward(u, scale=scale), "the scale is no real number", type(scale).__name__)
        refused(lambda: plan.start_backward(u, scale=scale), "the scale is no real number")
    for scale in (float("nan"), float("inf"), 10**400):
        refused(lambda: plan.forward(u, scale=scale), "the scale")


def test_arrays_that_are_none_or_lie_otherwise():
    plan, good = plan_of((4, 6)), np.ones((4, 6), complex)

    class Device:
        __cuda_array_interface__ = {"shape": (4, 6), "typestr": "<c16", "data": (16, False), "version": 3}

    assert refused(lambda: plan.forward(Device()), "the input is in the memory of a device: Device").code == "unsupported"
    refused(lambda: plan.forward(good, Device()), "the output is in the memory of a device")
    refused(lambda: plan.forward(good.astype(">c16")), "elements of >c16")
    refused(lambda: plan.forward(good.real), "elements of float64")
    refused(lambda: plan.forward(good.astype(object)), "the input")
    refused(lambda: plan.forward(np.complex128(1)), "the input")
    refused(lambda: plan.forward(np.array(1j)), "has the shape ()")
    refused(lambda: plan.forward(np.broadcast_to(np.complex128(1), (4, 6))), "axes are (0, 0) bytes apart")
    for reversed_ in (good[::-1], good[:, ::-1], good[::-1, ::-1]):
        refused(lambda: plan.forward(reversed_), "bytes apart")
        refused(lambda: plan.forward(good, reversed_), "bytes apart")
    refused(lambda: plan.forward(bytearray(384)), "the input is no array: bytearray")
    refused(lambda: plan.forward(memoryview(good)), "the input is no array: memoryview")
    for broken in ({"shape": (4, 6)}, {"shape": (4, 6), "typestr": "<c16", "data": None, "version": 3}, 5):
        wrong = type("Wrong", (), {"__array_interface__": broken})()
        with pytest.raises((weft.Error, ValueError, TypeError)):
            plan.forward(wrong)
    assert plan.forward(good.view(np.matrix)).shape == (4, 6)
    assert plan.forward(good)[0, 0] == 24


def test_calls_that_have_no_meaning():
    plan = plan_of((4, 6))
    u = plan.empty_input()
    refused(lambda: plan.box("middle"), "there is no side 'middle'")
    refused(lambda: plan.wavenumbers(2), "axis 2")
    refused(lambda: plan.parts(np.ones(3)), "the array has the shape (3,)")
    refused(lambda: plan.output_in(u), "the plan is not in place")
    refused(lambda: plan.waves(), "no waves of a cut-off")
    refused(lambda: weft.differentiate_chebyshev(u, 2), "there is no axis 2 in an array of 2")
    for wrong in (
        weft.Distribution("circle"), weft.Distribution("brick", grid=(9,)), weft.Distribution(order="K"), weft.Distribution(order=(0, 0)),
        weft.Distribution(ghosts=-1), weft.Distribution(ghosts=(1,)), weft.Distribution(like=u), weft.Distribution(boxes=np.s_[0:4, 0:6], like=[]),
        weft.Distribution(boxes=np.s_[0:4, 0:6], like=u[::2]), weft.Distribution(boxes=np.s_[0:4, 0:6], like=u[::-1]),
    ):  # fmt: skip
        refused(lambda: plan_of((4, 6), input=wrong))
    refused(lambda: plan_of((4, 6), threads=object()), "threads is <object")
    refused(lambda: plan_of((4, 6), placement=3), "the placement is 3")


def test_what_cannot_be_copied_is_not():
    plan = plan_of((4, 4))
    ticket = plan.start_forward(np.ones((4, 4), complex))
    for thing, name in ((plan, "plan"), (ticket, "ticket")):
        for attempt in (copy.copy, copy.deepcopy, pickle.dumps):
            refused(lambda: attempt(thing), f"a {name} cannot be pickled")
    ticket.wait()


def test_objects_that_were_not_made_are_refused():
    for kind in (weft.Plan, weft.Reshape, weft.Halo, weft.Ensemble, weft.Ticket):
        with pytest.raises(AttributeError):
            getattr(object.__new__(kind), "close", None) is not None and object.__new__(kind).close() or object.__new__(kind).wait()
    core = type(plan_of(4)._core)
    with pytest.raises(TypeError):
        core()


def test_a_plan_may_end_while_its_tickets_and_views_live_on():
    plan = plan_of((32, 32), in_flight=2)
    u = np.ones((32, 32), complex)
    tickets = [plan.start_forward(u), plan.start_forward(2 * u)]
    view = plan.empty_input()[3:5]
    plan.close()
    del plan
    gc.collect()
    view[...] = 1
    assert [ticket.wait()[0, 0] for ticket in tickets] == [1024, 2048]
    assert view.sum() == 64


@pytest.mark.parametrize("raised", [KeyError, KeyboardInterrupt, SystemExit, weft.Error])
def test_callbacks_may_raise_anything(raised):
    plan = plan_of((8, 8))

    def fail():
        raise raised("of the callback")

    with pytest.raises(raised, match="of the callback"):
        plan.start_forward(np.ones((8, 8), complex)).then(fail).wait()
    plan.start_forward(np.ones((8, 8), complex)).then(fail)  # dropped: what it raises is lost
    with pytest.raises(TypeError):
        plan.start_forward(np.ones((8, 8), complex)).then(3).wait()
    assert plan.forward(np.ones((8, 8), complex))[0, 0] == 64


def test_callbacks_may_use_and_end_their_plan():
    plan, called = plan_of((8, 8), in_flight=2), []
    u = np.ones((8, 8), complex)
    ticket = plan.start_forward(u)
    ticket.then(lambda: called.append(plan.forward(u)[0, 0])).then(plan.close)
    assert ticket.wait()[0, 0] == 64 and called == [64]
    refused(lambda: plan.forward(u), "the plan has been closed")


def test_threads_may_make_run_and_close_plans_at_once():
    shared, wrong = plan_of((16, 16), in_flight=3), []
    u = np.ones((16, 16), complex)

    def work(number):
        try:
            for _ in range(30):
                assert shared.start_forward(u).wait()[0, 0] == 256
                with plan_of((8, 4 + number), threads=1) as own:
                    assert own.forward(np.ones((8, 4 + number), complex))[0, 0] == 8 * (4 + number)
                assert weft.fft.fft(np.ones(5 + number))[0] == 5 + number
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong

    def race():
        try:
            while True:
                shared.forward(u)
        except weft.Error as error:
            wrong.append(str(error))

    racing = threading.Thread(target=race)
    racing.start()
    shared.close()
    racing.join()
    assert len(wrong) == 1 and "the plan has been closed" in wrong[0]


def _transform(n):
    return complex(weft.fft.fft(np.ones(n))[0])


def test_processes_of_multiprocessing_transform_for_themselves():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(_transform, [4, 5]) == [4, 5]


def test_a_forked_worker_raises_an_error(run):
    said = run(
        "import multiprocessing, numpy as np, weft\n"
        "def work(n):\n"
        "    try:\n"
        "        return abs(weft.fft.fft(np.ones(n))[0])\n"
        "    except weft.Error as error:\n"
        "        return 'forked child' in str(error)\n"
        "weft.fft.fft(np.ones(4))\n"
        "with multiprocessing.get_context('fork').Pool(1) as pool:\n"
        "    print(pool.map(work, [4]))\n"
        "print(weft.fft.fft(np.ones(4))[0].real)"
    )
    assert said.split() in (["[True]", "4.0"], ["[4.0]", "4.0"])
