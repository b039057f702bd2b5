# tests/python/test_libraries: weft with PyTorch, JAX, dask and xarray, where they are installed: ./dev check libraries does that.
from pathlib import Path

import numpy as np
import pytest
import weft

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples/python/libraries"
PAGE = (ROOT / "docs/python-libraries.md").read_text()
ON_RANKS = Path(__file__).with_name("gradients_on_ranks.py")
MISSING = "is not installed: ./dev check libraries installs it"


def library(name):
    return pytest.importorskip(name, reason=f"{name} {MISSING}")


def plan_of(shape, kind, **settings):
    return weft.Plan(shape, kind, effort="estimate", threads=1, **settings)


def numbers(side):
    random = np.random.default_rng(5)
    values = random.standard_normal(side.shape)
    return values + 1j * random.standard_normal(side.shape) if side.dtype.kind == "c" else values


@pytest.mark.parametrize(("example", "needs"), [("gradients_torch", ["torch"]), ("gradients_jax", ["jax"]), ("lazy_dask", ["dask.array", "zarr"]), ("labels_xarray", ["xarray"])])
def test_examples_find_the_known_answers(run, example, needs):
    text = (EXAMPLES / f"{example}.py").read_text()
    assert text in PAGE and len(list(EXAMPLES.glob("*.py"))) == 4
    for name in ("mpi4py", *needs):
        library(name)
    for ranks in (1, 3):
        run(text, ranks=ranks, threads=1, seconds=600)


@pytest.mark.parametrize("name", ["torch", "jax"])
def test_gradients_on_one_to_four_ranks(run, name):
    library("mpi4py"), library(name)
    start = f"import sys\nsys.path.insert(0, {str(ON_RANKS.parent)!r})\nimport gradients_on_ranks as gradients\ngradients.main(sys.argv[2:])"
    said = run(start, name, "4", "3,1", "2,2", ranks=4, seconds=600, threads=1)
    assert said.count("ranks: test_") == 5 * ON_RANKS.read_text().count("\ndef test_")


def test_weft_needs_no_library_that_is_not_used(run):
    run("import sys, weft; assert not {'torch', 'jax', 'dask', 'xarray'} & set(sys.modules)")
    run(
        "import sys; sys.modules['torch'] = sys.modules['jax'] = None; import weft\n"
        "for name in ('torch', 'jax'):\n"
        "    try: getattr(weft, name); raise SystemExit('no error')\n"
        "    except ImportError as error: assert f'weft.{name} needs {name}' in str(error) and f'pip install {name}' in str(error), error"
    )


def test_gradients_of_torch_are_those_of_differences():
    torch = library("torch")
    from torch.autograd import gradcheck, gradgradcheck

    import weft.torch

    for kind in ("c2c", "r2c", "c2r"):
        for shape in ((5,), (6,), (3, 4), (4, 3)):
            plan = plan_of(shape, kind, norm="ortho")
            for run in (weft.torch.forward, weft.torch.backward):
                u = torch.from_numpy(numbers(plan._sides[run is weft.torch.forward])).requires_grad_()
                assert gradcheck(lambda u: run(plan, u), u, check_forward_ad=True)
                assert gradgradcheck(lambda u: (abs(run(plan, u)) ** 3).sum(), u)


def test_gradients_and_hessians_of_torch_are_those_of_its_own_transforms():
    torch = library("torch")
    import weft.torch

    plan = plan_of((6, 5), "r2c")
    u, v = torch.from_numpy(numbers(plan._sides[True])), torch.from_numpy(numbers(plan._sides[False]))
    for x, ours, theirs in (
        (u, lambda u: abs(weft.torch.forward(plan, u)).pow(3).sum(), lambda u: abs(torch.fft.rfftn(u)).pow(3).sum()),
        (v, lambda v: weft.torch.backward(plan, v).pow(3).sum(), lambda v: torch.fft.irfftn(v, s=(6, 5)).pow(3).sum()),
    ):
        assert torch.allclose(torch.func.grad(ours)(x), torch.func.grad(theirs)(x))
        assert torch.allclose(torch.func.vmap(ours)(torch.stack([x, 2 * x])), torch.func.vmap(theirs)(torch.stack([x, 2 * x])))
    assert torch.allclose(torch.func.hessian(lambda u: abs(weft.torch.forward(plan, u)).pow(4).sum())(u), torch.func.hessian(lambda u: abs(torch.fft.rfftn(u)).pow(4).sum())(u))


def test_what_is_between_transforms_is_compiled_by_torch():
    torch = library("torch")
    import weft.torch

    plan, u = plan_of((6, 5), "r2c"), torch.randn(6, 5, dtype=float, requires_grad=True)

    def loss(u):
        return (abs(weft.torch.forward(plan, u * 2)) ** 2).sum()

    compiled = torch.compile(loss, backend="eager")
    assert torch.allclose(compiled(u), loss(u))
    assert torch.allclose(*(torch.autograd.grad(each(u), u)[0] for each in (compiled, loss)))


def test_tensors_of_torch_lie_anyhow():
    torch = library("torch")
    import weft.torch

    plan, complex_plan = plan_of((6, 5), "r2c"), plan_of((6, 5), "c2c")
    z = torch.from_numpy(numbers(complex_plan._sides[True])).conj()
    assert z.is_conj() and z.imag.is_neg()
    for u in (torch.randn(5, 6, dtype=float).T, torch.ones((), dtype=float).expand(6, 5), torch.randn(12, 10, dtype=float)[::2, 1::2], z.imag):
        assert torch.allclose(weft.torch.forward(plan, u), torch.fft.rfftn(u))
    assert torch.allclose(weft.torch.forward(complex_plan, z), torch.fft.fftn(z))
    for in_place in (plan_of((6, 5), "r2c", in_place=True), plan):
        u = torch.randn(6, 5, dtype=float, requires_grad=True)
        x = u * 1
        before, v = x.detach().clone(), weft.torch.forward(in_place, x)
        assert torch.equal(x, before) and torch.allclose(v, torch.fft.rfftn(before))
        x.zero_()  # its values are not needed any more
        v.abs().pow(2).sum().backward()
        assert torch.allclose(u.grad, torch.func.grad(lambda u: torch.fft.rfftn(u).abs().pow(2).sum())(before))


def test_what_is_done_wrongly_in_torch_is_an_error():
    torch = library("torch")
    import weft.torch

    plan, u = plan_of((6, 5), "r2c"), torch.zeros(6, 5, dtype=float, requires_grad=True)
    for wrong, words in (
        (u.long(), "elements of int64"), (u.float(), "elements of float32"), (u.bfloat16(), "bfloat16"), (u.T, r"the shape \(5, 6\)"),
        (u.detach().to_sparse(), "sparse"), (u.detach().to("meta"), "the device meta"), (u.detach().numpy(), "no tensor of PyTorch's: ndarray"),
    ):  # fmt: skip
        with pytest.raises(weft.Error, match=words):
            weft.torch.forward(plan, wrong)
    with pytest.raises(weft.Error, match="with a weft.Plan, and not with int"):
        weft.torch.forward(3, u)
    with pytest.raises(RuntimeError, match="real scalar outputs"):
        weft.torch.forward(plan, u).sum().backward()
    v = weft.torch.forward(plan, u)
    plan.close()
    with pytest.raises(weft.Error, match="the plan has been closed"):
        v.abs().sum().backward()


def test_gradients_of_jax_are_those_of_differences():
    jax = library("jax")
    from jax.test_util import check_grads

    import weft.jax

    jax.config.update("jax_enable_x64", True)
    for kind, shape in (("c2c", (5,)), ("r2c", (3, 4)), ("r2c", (4, 3)), ("c2r", (3, 4)), ("c2r", (5,))):
        plan = plan_of(shape, kind, norm="ortho")
        for run in (weft.jax.forward, weft.jax.backward):
            check_grads(lambda u: run(plan, u), (jax.numpy.asarray(numbers(plan._sides[run is weft.jax.forward])),), order=2, modes=("fwd", "rev"))


def test_transformations_of_jax_are_those_of_its_own_transforms():
    jax = library("jax")
    import weft.jax

    jax.config.update("jax_enable_x64", True)
    jnp, plan = jax.numpy, plan_of((6, 5), "r2c")
    u, v = jnp.asarray(numbers(plan._sides[True])), jnp.asarray(numbers(plan._sides[False]))
    losses = {
        "forward": (u, lambda u: (abs(weft.jax.forward(plan, u)) ** 4).sum(), lambda u: (abs(jnp.fft.rfftn(u)) ** 4).sum()),
        "backward": (v, lambda v: (weft.jax.backward(plan, v) ** 3).sum(), lambda v: (jnp.fft.irfftn(v, s=(6, 5)) ** 3).sum()),
    }
    ways = (
        lambda f, x: f(x), lambda f, x: jax.jit(f)(x), lambda f, x: jax.grad(f)(x), lambda f, x: jax.jit(jax.value_and_grad(f))(x)[1],
        lambda f, x: jax.jvp(f, (x,), (x + 1,))[1], lambda f, x: jax.linearize(f, x)[1](x + 1), lambda f, x: jax.vmap(f)(jnp.stack([x, 2 * x])),
        lambda f, x: jax.jit(jax.vmap(jax.grad(f), in_axes=1))(jnp.stack([x, 2 * x], 1)),
        lambda f, x: jax.grad(lambda x: jax.lax.scan(lambda c, _: (c * (1 + 1e-5 * f(c)), None), x, None, length=3)[0].real.sum())(x),
        lambda f, x: jax.jit(lambda x: jax.lax.cond(x[0, 0].real < 9, f, lambda x: 0.0, x))(x),
    )  # fmt: skip
    for x, ours, theirs in losses.values():
        for number, way in enumerate(ways):
            np.testing.assert_allclose(way(ours, x), way(theirs, x), rtol=1e-10, atol=1e-9, err_msg=str(number))
    np.testing.assert_allclose(jax.hessian(losses["forward"][1])(u), jax.hessian(losses["forward"][2])(u), rtol=1e-9, atol=1e-9)


def test_what_is_done_wrongly_in_jax_is_an_error():
    jax = library("jax")
    import weft.jax

    jax.config.update("jax_enable_x64", True)
    jnp, plan = jax.numpy, plan_of((6, 5), "r2c")
    u = jnp.zeros((6, 5))
    for wrong, words in ((u.astype(int), "elements of int64"), (u.T, r"the shape \(5, 6\)"), ("text", "array")):
        for forward in (weft.jax.forward, jax.jit(weft.jax.forward, static_argnums=0)):
            with pytest.raises((weft.Error, TypeError), match=words):
                forward(plan, wrong)
    with pytest.raises(weft.Error, match="with a weft.Plan, and not with NoneType"):
        weft.jax.forward(None, u)
    with pytest.raises(TypeError, match="real-valued outputs"):
        jax.grad(lambda u: weft.jax.forward(plan, u).sum())(u)
    jax.config.update("jax_enable_x64", False)
    with pytest.raises(weft.Error, match="which JAX has switched off"):
        weft.jax.forward(plan, u)
    jax.config.update("jax_enable_x64", True)
    compiled = jax.jit(lambda u: weft.jax.forward(plan, u))
    assert (compiled(u) == 0).all()
    plan.close()
    with pytest.raises(weft.Error, match="the plan has been closed"):
        weft.jax.forward(plan, u)
    with pytest.raises(RuntimeError, match="the plan has been closed"):
        compiled(u).block_until_ready()


def test_blocks_of_dask_are_transformed_by_threads_of_one_process():
    da = library("dask.array")
    whole = np.random.default_rng(3).standard_normal((12, 16, 10))
    fields = da.from_array(whole, chunks=(2, 16, 10))
    spectra = fields.map_blocks(weft.fft.rfftn, axes=(1, 2), workers=1, dtype=complex, chunks=(2, 16, 6))
    np.testing.assert_allclose(spectra.compute(scheduler="threads", num_workers=4), np.fft.rfftn(whole, axes=(1, 2)), atol=1e-12)
