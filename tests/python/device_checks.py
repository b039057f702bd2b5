# tests/python/device_checks: what holds of plans on the late device, on any number of ranks; one launch runs all checks.
# Usage: mpiexec -n 3 python -m mpi4py device_checks.py, or python device_checks.py alone, for plans of one process.
import sys

import numpy as np
import weft
from weft._adjoint import adjoint_of, transformed

comm = None
if "alone" not in sys.argv:
    from mpi4py import MPI

    comm = MPI.COMM_WORLD

SHAPE = (6, 10, 8)
WHOLE = np.random.default_rng(1).standard_normal(SHAPE)
device = {"engine": "late", "effort": "estimate"}


class Foreign:
    """An array of another library's: no more than the interface, of another array's memory, with what is said otherwise."""

    def __init__(self, array, **other):
        self.array, self.other = array, other

    @property
    def __cuda_array_interface__(self):
        if "raises" in self.other:
            raise RuntimeError(self.other["raises"])
        return {**self.array.__cuda_array_interface__, **self.other}


def refused(call, *words, code="invalid"):
    """All ranks get an error with these words in it."""
    try:
        call()
        text = "no error"
    except weft.Error as error:
        text = str(error)
        assert error.code == code, text
    assert all(word in text for word in words), text


def expected(plan):
    return np.fft.rfftn(WHOLE)[plan.box("output")]


def plan_of(**more):
    return weft.Plan(SHAPE, "r2c", comm=comm, **{**device, **more})


def test_arrays_of_every_kind_of_memory():
    with plan_of() as plan:
        for memory in (None, "host", "registered", "managed", "device"):
            u, v = plan.empty_input(memory), plan.empty_output(memory)
            assert isinstance(u, weft.DeviceArray if memory == "device" else np.ndarray)
            if memory == "device":
                u.set(WHOLE[plan.box()])
                assert plan.forward(u, v) is v
                np.testing.assert_allclose(v.get(), expected(plan), atol=1e-11)
                np.testing.assert_allclose(plan.backward(v).get(), WHOLE[plan.box()], atol=1e-12)
            else:
                u[...] = WHOLE[plan.box()]
                np.testing.assert_allclose(plan.forward(u, v), expected(plan), atol=1e-11)
        refused(lambda: plan.empty_input("shared"), "kind of memory 'shared'")


def test_arrays_of_other_libraries():
    with plan_of() as plan:
        u, v = plan.empty_input("device"), plan.empty_output("device")
        u.set(WHOLE[plan.box()])
        assert set(u.__cuda_array_interface__) == {"shape", "typestr", "data", "strides", "version", "stream"}
        result = Foreign(v)
        assert plan.forward(Foreign(u, strides=None), result) is result
        np.testing.assert_allclose(v.get(), expected(plan), atol=1e-11)
        made = plan.start_backward(result).wait()
        assert isinstance(made, weft.DeviceArray)
        np.testing.assert_allclose(made.get(), WHOLE[plan.box()], atol=1e-12)
        # Arrays of the processor and of the device, beside each other.
        np.testing.assert_allclose(plan.forward(Foreign(u), plan.empty_output()), expected(plan), atol=1e-11)


def test_arrays_that_do_not_fit_are_refused_on_all_ranks():
    with plan_of() as plan:
        u, v = plan.empty_input("device"), plan.empty_output("device")
        u.set(WHOLE[plan.box()])
        refused(lambda: plan.forward(Foreign(u, typestr="<f4"), v), "the input has elements of")
        refused(lambda: plan.forward(Foreign(u, typestr=">f8"), v), "the input has elements of")
        refused(lambda: plan.forward(u, Foreign(v, shape=(1, 2, 3, 4, 5), strides=None)), "the output has the shape (1, 2, 3, 4, 5)")
        data = v.__cuda_array_interface__["data"][0]
        refused(lambda: plan.forward(u, Foreign(v, data=(data, True))), "the output is to be written, but is read-only")
        for wrong in ({"data": 5}, {"strides": (8,)}, {"mask": u}, {"shape": "x"}, {"raises": "needs grad"}):
            refused(lambda: plan.forward(Foreign(u, **wrong), v), "the input has a __cuda_array_interface__ that cannot be read")
        if u._memory.bytes and comm is None:
            swapped = Foreign(u, strides=(8, 48, 480))
            refused(lambda: plan.forward(swapped, v), "the right shape, but its axes are (8, 48, 480) bytes apart")
        plan.forward(Foreign(u, data=(u.__cuda_array_interface__["data"][0], True)), v)
        np.testing.assert_allclose(v.get(), expected(plan), atol=1e-11)


def test_what_one_rank_gives_wrongly_all_ranks_raise():
    with plan_of() as plan:
        u = plan.empty_input("device")
        is_last = comm is None or comm.rank == comm.size - 1
        refused(lambda: plan.forward(Foreign(u, typestr="<f4") if is_last else u), "the input has elements of")


def test_plans_in_place():
    with plan_of(in_place=True) as plan:
        u = plan.empty_input("device")
        v = plan.output_in(u)
        assert u.__cuda_array_interface__["data"] == v.__cuda_array_interface__["data"]
        u.set(WHOLE[plan.box()])
        plan.forward(u, v)
        np.testing.assert_allclose(v.get(), expected(plan), atol=1e-11)
    with plan_of() as plan:
        refused(lambda: plan.output_in(plan.empty_input("device")), "the plan is not in place")


def test_arrays_outlive_their_plan():
    plan = plan_of()
    u = plan.empty_input("device")
    u.set(WHOLE[plan.box()])
    ticket = plan.start_forward(Foreign(u))
    if comm is None:
        plan.close()
    v, box, of = ticket.wait(), plan.box() if comm else np.s_[:, :, :], expected(plan) if comm else np.fft.rfftn(WHOLE)
    plan.close()
    del plan
    np.testing.assert_allclose(v.get(), of, atol=1e-11)
    np.testing.assert_allclose(u.get(), WHOLE[box], atol=0)


def test_adjoints():
    with plan_of(input="slab") as plan:
        u, g = WHOLE[plan.box()], (1 + 1j) * expected(plan)
        adjoint = adjoint_of(plan, True)
        back = transformed(plan, False, lambda: g * adjoint.before[0], adjoint.scale)
        # <F* (1 + 1j) F u, u> is the sum of |F u|^2 over the waves that are stored.
        v = np.fft.rfftn(WHOLE)
        mine = (back * u).sum()
        assert abs((comm.allreduce(mine) if comm else mine) / (abs(v) ** 2).sum() - 1) < 1e-12


def test_reports_name_the_device_and_count_copies():
    with plan_of(device=0) as plan:
        plan.forward(plan.empty_input())
        assert plan.report()["device"].startswith("device 0: ") and plan.engine == "late"
        assert plan.report()["forward"]["copied_bytes"] >= plan.empty_input().nbytes
        if comm is None:
            plan.forward(plan.empty_input("device"))
            assert plan.report()["forward"]["copied_bytes"] == 0
    with plan_of(engine="weft") as plan:
        assert plan.report()["device"] == ""
        refused(lambda: plan.empty_input("device"), "device memory is wanted of a plan whose processors compute")
        u = plan.empty_input()
        refused(lambda: plan.forward(Foreign(u)), "the input is in the memory of a device: Foreign", "engine='cuda'", code="unsupported")
        refused(lambda: plan.forward(u, Foreign(u)), "the output is in the memory of a device: Foreign", code="unsupported")


def test_streams_are_handles_or_objects_that_have_one():
    class Cupys:
        ptr = 0

    class Torchs:
        cuda_stream = None

    for wrong in (0, -1, "s", True, Cupys(), Torchs()):
        refused(lambda: plan_of(stream=wrong), "the stream is")


def test_reshapes_and_halos():
    if comm is None:
        return
    how = {**device, "dtype": np.float64}
    with weft.Reshape(SHAPE, "slab", "pencil", comm, **how) as reshape:
        u = reshape.empty_input("device")
        u.set(WHOLE[reshape.box()])
        np.testing.assert_array_equal(reshape.forward(Foreign(u)).get(), WHOLE[reshape.box("output")])
        refused(lambda: reshape.forward(Foreign(u, typestr="<f4")), "the input has elements of float32")
        refused(lambda: reshape.forward(Foreign(u, raises="needs grad")), "cannot be read")


def main():
    for name, check in list(globals().items()):
        if name.startswith("test_"):
            check()
            if comm is not None:
                comm.Barrier()


if __name__ == "__main__":
    main()
    print("all is as expected")
