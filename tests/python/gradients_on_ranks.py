# tests/python/gradients_on_ranks: gradients through weft.torch or weft.jax on several numbers of ranks, in one launch.
# Keeps: references are those of one process: the library's own transforms of the whole field, or weft's where it has none.
# Usage: mpiexec -n 4 python -m mpi4py gradients_on_ranks.py torch 4 3,1 2,2 - the ranks are divided so, one division after another.
import importlib
import sys

import numpy as np
import weft
from mpi4py import MPI

comm = MPI.COMM_WORLD
library = sys.argv[1]
quick = {"effort": "estimate", "threads": 1}
ours = importlib.import_module(f"weft.{library}")

if library == "torch":
    import torch

    fft, to_numpy = torch.fft, lambda tensor: tensor.detach().numpy()

    def array(values):
        return torch.from_numpy(np.array(values))

    def gradient(loss, u):
        given = array(u).requires_grad_()
        loss(given).backward()
        return given.grad.numpy()
else:
    import jax

    jax.config.update("jax_enable_x64", True)
    fft, array, to_numpy = jax.numpy.fft, jax.numpy.asarray, np.asarray

    def gradient(loss, u):
        return np.asarray(jax.jit(jax.grad(loss))(array(u)))


def numbers(shape, dtype):
    random = np.random.default_rng(len(shape))
    values = random.standard_normal(shape)
    return (values + 1j * random.standard_normal(shape) if np.dtype(dtype).kind == "c" else values).astype(dtype)


def loss_of(run, weights):
    """A loss whose derivatives differ at each wave, and of which the part of a rank is a function of its part."""

    def loss(u):
        v = run(u)
        return (v.real**3 * array(weights.real) + (v.imag**2 * array(weights.imag) if weights.dtype.kind == "c" else 0)).sum()

    return loss


# Kind and settings; and the library's own forward transform, if it has one.
CASES = [
    ("r2c", {}, lambda u: fft.rfftn(u)),
    ("r2c", {"norm": "forward", "input": "pencil", "output": "slab"}, lambda u: fft.rfftn(u, norm="forward")),
    ("c2c", {"norm": "ortho", "order": "F"}, lambda u: fft.fftn(u, norm="ortho")),
    ("c2r", {"output": "brick"}, None), ("c2r", {"axes": (1, 2)}, None),
    ("r2c", {"batch": 2, "in_place": True}, None),
    ("r2c", {"dtype": np.float32}, lambda u: fft.rfftn(u)),
    ("r2c", {"modes": (4, 5, 4), "bases": ("fourier", "dct1", "fourier")}, None),
    ("r2r", {"bases": ("dct2", "dst3", "chebyshev")}, None),
]  # fmt: skip


def check(shape, kind, settings, own):
    plan, alone = weft.Plan(shape, kind, comm=comm, **settings, **quick), weft.Plan(shape, kind, **settings, **quick)
    parts = {name: (slice(None),) * (alone._sides[0].fields > 1) + plan.box(name) for name in ("input", "output")}
    tolerance = 1e-3 if plan.dtype().itemsize == 4 else 1e-10
    for name, to, run in (("input", "output", ours.forward), ("output", "input", ours.backward)):
        u, weights = numbers(alone._side(name).shape, plan.dtype(name)), numbers(alone._side(to).shape, plan.dtype(to))
        here = gradient(loss_of(lambda u: run(plan, u), weights[parts[to]]), u[parts[name]])
        whole = gradient(loss_of(lambda u: run(alone, u), weights), u)
        assert here.shape == plan._side(name).shape
        np.testing.assert_allclose(here, whole[parts[name]], rtol=0, atol=tolerance * np.abs(whole).max())
        if own is not None and name == "input":
            np.testing.assert_allclose(whole, gradient(loss_of(own, weights), u), rtol=0, atol=tolerance * np.abs(whole).max())
    plan.close()


def test_gradients_are_those_of_one_process():
    for number, case in enumerate(CASES):
        check(((6, 5, 7), (5, 7, 8))[number % 2], *case)


def test_a_rank_without_points_takes_part():
    check((3, 8), "r2c", {"input": "slab", "output": "slab"}, lambda u: fft.rfftn(u))


def test_ghost_points_are_zero_and_have_no_gradient():
    plan = weft.Plan((12, 6), "r2c", comm=comm, input=weft.Distribution("slab", ghosts=1), **quick)
    u = numbers(plan._side("input").shape, float)
    back = to_numpy(ours.backward(plan, ours.forward(plan, array(u))))
    np.testing.assert_allclose(plan.inner(np.array(back)), plan.inner(u), atol=1e-12)
    slope = gradient(lambda u: abs(ours.forward(plan, u) ** 2).sum(), u)
    for values in (np.array(back), np.array(slope)):
        plan.inner(values)[...] = 0
        assert (values == 0).all()


def refused(call, word):
    """All ranks get an error with this word."""
    try:
        call()
        text = "no error"
    except Exception as error:
        text = str(error)
    assert word in text, text
    comm.Barrier()


def test_what_is_wrong_on_one_rank_is_an_error_on_all():
    is_wrong = comm.rank == comm.size - 1

    def plan_and_input():
        plan = weft.Plan((8, 6), "r2c", comm=comm, **quick)
        return plan, np.zeros(plan.empty_input().shape)

    for wrong, word in ((np.int64, "int64"), ((1, 2, 3), "(1, 2, 3)"), ("text", "text" if library == "jax" else "str")):
        plan, u = plan_and_input()
        given = wrong if wrong == "text" else array(np.zeros(wrong) if isinstance(wrong, tuple) else u.astype(wrong))
        refused(lambda: ours.forward(plan, given if is_wrong else array(u)), word)
    if library == "jax":
        plan, u = plan_and_input()
        refused(lambda: jax.jit(lambda u: ours.forward(plan, u))(array(u.astype(np.float32) if is_wrong else u)), "float32")
    plan, u = plan_and_input()
    plan.close()
    refused(lambda: ours.forward(plan, array(u)), "the plan has been closed")


def test_a_gradient_of_one_rank_goes_through_all():
    if library != "torch":
        return  # in JAX, every rank differentiates the same program
    plan = weft.Plan((8, 6), "r2c", comm=comm, **quick)
    last = comm.rank == comm.size - 1
    u = torch.ones(plan.empty_input().shape, dtype=torch.float64, requires_grad=last)
    v = ours.forward(plan, u)
    assert v.requires_grad
    (abs(v) ** 2).sum().backward()
    # The sum of |v|^2 over the half of waves that are stored: 48 is the only wave, so 2 * 48 is its slope.
    assert (u.grad is not None) == last and (not last or np.allclose(u.grad, 2 * 48))
    if comm.size > 1:
        with torch.set_grad_enabled(last):
            refused(lambda: ours.forward(plan, u), "gradients are recorded, and switched off on rank 0")
    with torch.no_grad():
        assert not ours.forward(plan, u).requires_grad


def main(divisions):
    global comm
    world = MPI.COMM_WORLD
    for sizes in divisions:
        ends = np.cumsum([int(size) for size in sizes.split(",")])
        assert ends[-1] == world.size
        comm = world.Split(int(np.searchsorted(ends, world.rank, side="right")))
        for name, test in list(globals().items()):
            if name.startswith("test_"):
                test()
                comm.Barrier()
                if comm.rank == 0:
                    print(f"{comm.size} ranks: {name}", flush=True)
        world.Barrier()


if __name__ == "__main__":
    main(sys.argv[2:])
