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


def told_about(comm: Any, ask: Callable[[], tuple[str, _T]]) -> list[_T]:
    """What each rank has to tell: the second of what `ask` returns there. The first says what it is about. Collective.

    Raises
    ------
    Error
        What `ask` raises on a rank, the first of those that do, and if it is about different things: the
        same on every rank.
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
    first = every[0][1][0]
    for rank, (_, (about, _)) in enumerate(every):
        if about != first:
            raise Error(f"rank 0 asks for {first}, and rank {rank} for {about}", "ask for the same on all ranks", code="mismatch")
    return [value for _, (_, value) in every]


def told(comm: Any, ask: Callable[[], _T]) -> list[_T]:
    """What `ask` returns on each rank. Collective, with the errors of `told_about`."""
    return told_about(comm, lambda: ("what ranks tell each other", ask()))


def agreed_about(comm: Any, ask: Callable[[], tuple[str, _T]]) -> _T:
    """The second of what `ask` returns on this rank, which is not sent. Collective, with the errors of `told_about`."""
    mine: list[_T] = []

    def about() -> tuple[str, None]:
        what, value = ask()
        mine.append(value)
        return what, None

    told_about(comm, about)
    return mine[0]


def agreed(comm: Any, what: str, ask: Callable[[], _T]) -> _T:
    """What `ask` returns, which is the same text on every rank. Collective, with the errors of `told_about`."""

    def about() -> tuple[str, _T]:
        value = ask()
        return f"{what} {value}", value

    return agreed_about(comm, about)
