# weft.torch: a plan's transforms as functions of PyTorch's, which gradients go back through.
"""Transforms of PyTorch's tensors, through which gradients flow.

::

    plan = weft.Plan((64, 64, 64), "r2c", comm=MPI.COMM_WORLD)
    u = torch.zeros(plan.empty_input().shape, dtype=torch.float64, requires_grad=True)
    v = weft.torch.forward(plan, u)
    (abs(v) ** 2).sum().backward()
    u.grad

The loss is that of all ranks: the sum of what each rank calls ``backward()`` on. ``u.grad`` is this rank's part of
its gradient, in PyTorch's convention for complex numbers (the derivative by the real part plus i times that by the
imaginary part). So ``backward()`` is collective, and runs the transforms of the graph in reverse order: every rank
needs a loss that depends on what its transforms made, if only by ``0 * v.sum()``.

Gradients of gradients, ``torch.func`` and forward-mode derivatives work, as all derivatives of a transform are transforms
of the same plan. ``torch.compile`` compiles what is between them. ``torch.vmap`` transforms one field after another; a
plan with ``batch=`` transforms several together. Tensors are in the memory of the processor.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._adjoint import Weights, adjoint_of, library, require_like, require_plan, transformed
from ._agreement import told
from ._errors import Error
from ._plan import Plan

torch = library("torch", "weft.torch")
if not hasattr(torch, "compiler"):
    raise ImportError(f"weft.torch needs PyTorch 2.1 or later, and this is {torch.__version__}")

__all__ = ["forward", "backward"]


def forward(plan: Plan, u: Any) -> Any:
    """Transform forward, as `Plan.forward`, so that gradients go back. Collective.

    If the tensor of one rank requires a gradient, the results of all ranks do, as the gradient of all goes back then.

    Parameters
    ----------
    plan : Plan
        Any plan, whose backward transform and weights make the gradient. One in place leaves `u` as it is.
    u : torch.Tensor
        This rank's part, of the shape and the type of ``plan.empty_input()``, with any strides. It may be changed
        afterwards, as its values are not needed for the gradient.

    Returns
    -------
    torch.Tensor
        As ``plan.empty_output()``, in new memory; ghost points are 0.

    Raises
    ------
    Error
        As `Plan.forward`; and if a tensor is on a device, or if gradients are recorded on some ranks while
        ``torch.no_grad()`` holds on others. The same on every rank.
    """
    return _run(plan, True, u, 1.0)


def backward(plan: Plan, v: Any) -> Any:
    """Transform backward, as `Plan.backward`: as `forward`, from what that makes to what it takes."""
    return _run(plan, False, v, 1.0)


_Function: Any = torch.autograd.Function


class _Transform(_Function):  # type: ignore[misc]
    """One direction of a plan. Its derivatives are transforms of the same plan."""

    @staticmethod
    def forward(values: Any, anchor: Any, plan: Plan, is_forward: bool, scale: float) -> Any:
        return torch.from_dlpack(transformed(plan, is_forward, lambda: _array_of(values), scale))

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        ctx.plan, ctx.is_forward, ctx.scale = inputs[2:]

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        adjoint = adjoint_of(ctx.plan, ctx.is_forward)
        run = _run(ctx.plan, not ctx.is_forward, _weighted(gradient, adjoint.before), ctx.scale * adjoint.scale)
        return _weighted(run, adjoint.after), None, None, None, None

    @staticmethod
    def jvp(ctx: Any, tangent: Any, *_: Any) -> Any:
        return _run(ctx.plan, ctx.is_forward, tangent, ctx.scale)

    @staticmethod
    def vmap(info: Any, in_dims: tuple[Any, ...], values: Any, anchor: Any, plan: Plan, is_forward: bool, scale: float) -> Any:
        return torch.stack([_run(plan, is_forward, each, scale) for each in values.movedim(in_dims[0], 0)]), 0


# torch.compile compiles what is before and after it.
@torch.compiler.disable  # type: ignore[untyped-decorator]
def _run(plan: Plan, is_forward: bool, values: Any, scale: float) -> Any:
    require_plan(plan, "weft.torch")
    ranks = told(plan.comm, lambda: _records(plan, is_forward, values))
    if not any(records for records, _ in ranks):
        return _Transform.apply(values, None, plan, is_forward, scale)
    if off := [rank for rank, (_, is_enabled) in enumerate(ranks) if not is_enabled]:
        raise Error(f"gradients are recorded, and switched off on rank {off[0]}", "use torch.no_grad() on all ranks, or on none", code="mismatch")
    # The gradient of all ranks goes back through the plan, so every rank records it.
    anchor = torch.zeros((), requires_grad=True)
    return _Transform.apply(values, anchor, plan, is_forward, scale)


# Whether this rank records a gradient, and whether it could.
def _records(plan: Plan, is_forward: bool, values: Any) -> tuple[bool, bool]:
    name = "input" if is_forward else "output"
    if not isinstance(values, torch.Tensor):
        raise Error(f"the {name} is no tensor of PyTorch's: {type(values).__name__}", "give torch.from_numpy of an array")
    require_like(plan._sides[is_forward], name, tuple(values.shape), str(values.dtype).removeprefix("torch."))
    if values.device.type != "cpu" or values.layout != torch.strided:
        raise Error(f"the {name} is on the device {values.device}, {values.layout}", "convert it with .cpu() and .to_dense()", code="unsupported")
    is_enabled = torch.is_grad_enabled()
    return bool(values.requires_grad and is_enabled), is_enabled


def _array_of(values: Any) -> NDArray[Any]:
    return np.from_dlpack(values.detach().resolve_conj().resolve_neg())


def _weighted(values: Any, weights: Weights) -> Any:
    for each in weights:
        values = values * torch.from_dlpack(each)
    return values
