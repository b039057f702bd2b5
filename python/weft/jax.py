# weft.jax: a plan's transforms as functions of JAX's, for programs that it compiles and differentiates.
# Keeps: runs are ordered effects, so that every rank starts them in the order of its program.
"""Transforms of JAX's arrays, in functions that it compiles and differentiates.

::

    jax.config.update("jax_enable_x64", True)  # for plans of double precision
    plan = weft.Plan((64, 64, 64), "r2c", comm=MPI.COMM_WORLD)
    loss = lambda u: jnp.sum(jnp.abs(weft.jax.forward(plan, u)) ** 2)
    jax.jit(jax.grad(loss))(jnp.zeros(plan.empty_input().shape))

The loss is that of all ranks: the sum of what each rank's function returns. The gradient is this rank's part of its
gradient, in JAX's convention for complex numbers. All ranks run the same program, and so the same transforms in the
same order, also where their arrays are empty.

``jit``, ``grad``, ``vjp``, ``jvp``, ``linearize``, derivatives of derivatives, ``lax.scan`` and ``lax.cond`` work; JAX
refuses ``checkpoint``. ``vmap`` transforms one field after another; a plan with ``batch=`` transforms several together. A compiled function keeps its plans alive: close them. It calls MPI
from a thread of JAX's, which ``MPI_THREAD_MULTIPLE`` allows, as mpi4py asks for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._adjoint import Weights, adjoint_of, library, require_like, require_plan, transformed
from ._errors import Error
from ._plan import Plan

jax = library("jax", "weft.jax")
_experimental = library("jax.experimental", "weft.jax")
_core = library("jax.extend.core", "weft.jax")
_ad = library("jax.interpreters.ad", "weft.jax")
_batching = library("jax.interpreters.batching", "weft.jax")
_mlir = library("jax.interpreters.mlir", "weft.jax")

__all__ = ["forward", "backward"]


def forward(plan: Plan, u: Any) -> Any:
    """Transform forward, as `Plan.forward`, in any function that JAX compiles or differentiates. Collective.

    Parameters
    ----------
    plan : Plan
        Any plan, whose backward transform and weights make the gradient. It is no argument of compiled functions, but
        a constant.
    u : jax.Array
        This rank's part, of the shape and the type of ``plan.empty_input()``.

    Returns
    -------
    jax.Array
        As ``plan.empty_output()``; ghost points are 0.

    Raises
    ------
    Error
        As `Plan.forward`. Within compiled functions, what a run raises is in the text of
        JAX's own exception.
    """
    return _run(plan, True, u, 1.0)


def backward(plan: Plan, v: Any) -> Any:
    """Transform backward, as `Plan.backward`: as `forward`, from what that makes to what it takes."""
    return _run(plan, False, v, 1.0)


_transform = _core.Primitive("weft_transform")


def _run(plan: Plan, is_forward: bool, values: Any, scale: float) -> Any:
    require_plan(plan, "weft.jax")
    try:
        values = jax.numpy.asarray(values)
        _require(plan, is_forward, values)
    except Exception as error:  # the other ranks start the run
        jax.effects_barrier()
        why = error if isinstance(error, Error) else Error(f"{type(error).__name__}: {error}")
        plan._core.refuse(is_forward, why.message, why.hint, why.context, why.code)
        raise
    return _transform.bind(values, plan=plan, is_forward=is_forward, scale=scale)


def _require(plan: Plan, is_forward: bool, values: Any) -> None:
    of = plan._sides[is_forward]
    if of.dtype.char in "dD" and not jax.config.jax_enable_x64:
        raise Error("the plan is of double precision, which JAX has switched off", "jax.config.update('jax_enable_x64', True), or dtype=numpy.float32")
    require_like(of, "input" if is_forward else "output", values.shape, values.dtype)


# Called by JAX's compiled code, in the order of the program.
def _in_program(values: Any, *, plan: Plan, is_forward: bool, scale: float) -> Any:
    def call(array: Any) -> Any:
        return np.ascontiguousarray(transformed(plan, is_forward, lambda: np.asarray(array), scale))

    to = plan._sides[not is_forward]
    return _experimental.io_callback(call, jax.ShapeDtypeStruct(to.shape, to.dtype), values, ordered=True)


# Between compiled functions, whose runs have to end first.
@_transform.def_impl  # type: ignore[untyped-decorator]
def _at_once(values: Any, *, plan: Plan, is_forward: bool, scale: float) -> Any:
    jax.effects_barrier()
    return jax.numpy.asarray(transformed(plan, is_forward, lambda: np.asarray(values), scale))


@_transform.def_effectful_abstract_eval  # type: ignore[untyped-decorator]
def _types(values: Any, *, plan: Plan, is_forward: bool, scale: float) -> Any:
    to = plan._sides[not is_forward]
    return jax.core.ShapedArray(to.shape, to.dtype), _ordered


# JAX transposes without conjugates, so the adjoint is that of conjugates.
def _transposed(cotangent: Any, values: Any, *, plan: Plan, is_forward: bool, scale: float) -> Any:
    adjoint = adjoint_of(plan, is_forward)
    given = _weighted(jax.numpy.conj(cotangent), adjoint.before)
    return [jax.numpy.conj(_weighted(_run(plan, not is_forward, given, scale * adjoint.scale), adjoint.after))]


def _mapped(given: tuple[Any], axes: tuple[int], **of_run: Any) -> Any:
    return jax.lax.map(lambda values: _transform.bind(values, **of_run), jax.numpy.moveaxis(given[0], axes[0], 0)), 0


def _weighted(values: Any, weights: Weights) -> Any:
    for each in weights:
        values = values * each
    return values


# The effects of a callback in the order of the program, as JAX calls them.
_ordered = jax.make_jaxpr(lambda x: _experimental.io_callback(lambda y: y, x, x, ordered=True))(np.float32(0)).effects
_ad.deflinear2(_transform, _transposed)
_batching.primitive_batchers[_transform] = _mapped
_mlir.register_lowering(_transform, _mlir.lower_fun(_in_program, multiple_results=False))
