# weft._ensemble: many transforms at once, on all ranks together or each on some of them.
"""Ensembles of transforms."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from ._cores import core_of
from ._errors import Error
from ._plan import Plan
from ._request import asked_on_all_ranks, plan_request

# What instances may have of their own; the rest says how to plan, and is the same for all.
_OF_PROBLEMS = {
    "shape", "kind", "bases", "dtype", "axes", "norm", "batch", "in_place", "input", "output", "order", "support", "cutoff", "modes", "pad",
}  # fmt: skip


class Ensemble:
    """Transforms that run at the same time, each by a plan of its own, on all ranks or on some of them.

    Making it is collective over `comm`, and so is the end of it, as with `Plan`; it ends when its
    plans have ended, too.

    Parameters
    ----------
    instances : sequence of shapes or of dict
        For each transform its shape, or the arguments of `Plan` that are its own.
    comm : mpi4py.MPI.Comm
        The ranks that share the fields.
    policy : {"automatic", "all", "subsets", "mixed"} or sequence of sequences of int, optional
        Which ranks transform which instance: ``all`` spreads every instance over all ranks,
        ``subsets`` shares the nodes out evenly, ``mixed`` shares out as many instances as do so
        evenly and spreads the others, and ``automatic``, the default, takes what is predicted to be
        fastest. Or a list of ranks for each instance.
    **common
        Arguments of `Plan` for all instances.

    Raises
    ------
    Error
        As with `Plan`; the same on every rank.

    Examples
    --------
    >>> bands = weft.Ensemble([(64, 64, 64)] * 8, MPI.COMM_WORLD)
    >>> u = {i: plan.empty_input() for i, plan in bands.plans.items()}
    >>> tickets = [plan.start_forward(u[i]) for i, plan in bands.plans.items()]
    >>> spectra = [ticket.wait() for ticket in tickets]
    """

    __slots__ = ("_core", "_comm", "_plans", "__weakref__")

    def __init__(
        self, instances: Sequence[Any], comm: Any, policy: str | Sequence[Sequence[int]] | None = None, **common: Any
    ) -> None:
        if comm is None:
            raise Error("an ensemble has no communicator", "give one of mpi4py's; mpi4py.MPI.COMM_SELF is this process alone")
        core, address = core_of(comm)

        def ask() -> tuple[list[dict[str, Any]], list[str], Any]:
            arguments = [_arguments_of(instance, common) for instance in instances]
            shared = policy if policy is None or isinstance(policy, str) else [[int(rank) for rank in ranks] for ranks in policy]
            return [plan_request(**each) for each in arguments], [each.get("kind", "c2c") for each in arguments], shared

        asked, kinds, ranks = asked_on_all_ranks(core, address, ask)
        self._core = core.make_ensemble(asked, ranks, address)
        self._comm = comm
        self._plans: dict[int, Plan] = {}
        for number, (request, kind) in enumerate(zip(asked, kinds)):
            if self._core.is_mine(number):
                plan = self._core.plan(number)
                of_plan = sys.modules["mpi4py.MPI"].Intracomm()
                plan.write_comm(sys.modules["mpi4py.MPI"]._addressof(of_plan))
                self._plans[number] = Plan._made(plan, of_plan, request, kind)

    @property
    def plans(self) -> dict[int, Plan]:
        """The plans of those instances in which this rank takes part, by number.

        Their communicators are weft's, and must not be freed.
        """
        return self._plans

    @property
    def comm(self) -> Any:
        """The communicator that it was made with."""
        return self._comm

    @property
    def policy(self) -> str:
        """How the ranks are shared out: what was asked for, or what automatic chose; or ``"chosen"``."""
        return self._core.policy()

    def ranks(self, instance: int) -> list[int]:
        """The ranks of an instance, ascending; the same on every rank.

        Raises
        ------
        Error
            If there is none of this number.
        """
        return self._core.ranks(instance)

    def __len__(self) -> int:
        """The number of instances, on all ranks together."""
        return self._core.size()

    def close(self) -> None:
        """Wait for what is under way, and free the plans: collective. Their arrays stay."""
        for plan in self._plans.values():
            plan.close()
        self._core.close()

    def __enter__(self) -> Ensemble:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise Error("an ensemble cannot be pickled: it belongs to the ranks that made it", "make it where it is used")


def _arguments_of(instance: Any, common: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(instance, dict):
        return {**common, "shape": instance}
    if others := sorted(set(instance) - _OF_PROBLEMS):
        raise Error(f"an instance has {', '.join(others)} of its own", f"give it to all; its own are {', '.join(sorted(_OF_PROBLEMS))}")
    if "shape" not in instance and "shape" not in common:
        raise Error("an instance has no shape", "give it one")
    return {**common, **instance}
