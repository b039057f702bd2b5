# weft._agreement: what all ranks of a communicator say, and what one of them finds wrong.
# Keeps: what one rank raises, all ranks raise, before any of them waits for another.
"""Agreement of the ranks of a communicator of mpi4py's."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

from ._errors import Error

_T = TypeVar("_T")


def size_of(comm: Any) -> int:
    """The ranks of a communicator; 1 without one.

    Raises
    ------
    Error
        If it has been freed.
    """
    if comm is None:
        return 1
    if comm == sys.modules["mpi4py.MPI"].COMM_NULL:
        raise Error("the communicator of the array has been freed", "keep it while arrays are used, or give weft a duplicate: comm.Dup()")
    return int(comm.Get_size())


def rank_of(comm: Any) -> int:
    """This process in a communicator; 0 without one."""
    return 0 if comm is None else int(comm.Get_rank())


def told(comm: Any, ask: Callable[[], _T]) -> list[_T]:
    """What `ask` returns on each rank. Collective.

    Raises
    ------
    Error
        What `ask` raises on a rank, the first of those that do: the same on every rank.
    """
    many = size_of(comm) > 1
    try:
        mine: tuple[Any, Any] = (None, ask())
    except Error as error:
        mine = (error.args, None)
    except Exception as error:
        if not many:
            raise
        mine = ((f"{type(error).__name__}: {error}", "give all ranks the same arguments", "", "invalid"), None)
    every = comm.allgather(mine) if many else [mine]
    for wrong, _ in every:
        if wrong is not None:
            raise Error(*wrong)
    return [value for _, value in every]


def agreed(comm: Any, what: str, ask: Callable[[], _T]) -> _T:
    """What `ask` returns, the same on every rank. Collective.

    Raises
    ------
    Error
        As `told`; and if ranks have different values of `what`.
    """
    every = told(comm, ask)
    require_same(what, every)
    return every[rank_of(comm)]


def require_same(what: str, values: list[Any]) -> None:
    """Error if the values of `what` of the ranks are not all the same."""
    for rank, value in enumerate(values):
        if value != values[0]:
            raise Error(f"{what} is {values[0]} on rank 0, and {value} on rank {rank}", "give all ranks the same", code="mismatch")
