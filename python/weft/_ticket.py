# weft._ticket: a transform under way, as Python's code waits for it.
"""Transforms that have been started."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from ._core_types import CoreTicket


class Ticket:
    """A transform that has been started, from `Plan.start_forward` or `start_backward`.

    Until it has ended, its input must not be changed and its output not be touched; the ticket
    keeps both alive. A ticket that is dropped waits. It can be awaited::

        v = await plan.start_forward(u)
    """

    __slots__ = ("_core", "_result")

    def __init__(self, core: CoreTicket, result: Any = None) -> None:
        self._core = core
        self._result = result

    def test(self) -> bool:
        """Take all transforms under way a step further.

        Returns
        -------
        bool
            Whether this one has ended.

        Raises
        ------
        Error
            What ended the transform.
        Exception
            The first exception that a callback of `then` raised.
        """
        return self._core.test()

    def wait(self) -> Any:
        """Wait for the end; the other ranks must take part.

        Returns
        -------
        numpy.ndarray
            The array with the result.

        Raises
        ------
        Error, Exception
            As `test`.
        """
        self._core.wait()
        if self._result is not None:
            return self._result
        return self._core.result()

    def then(self, callback: Callable[[], object]) -> Ticket:
        """Call `callback` once when the transform has ended, in a call of weft's that notices it.

        Parameters
        ----------
        callback : callable
            Takes nothing. What it raises, the next `test` or `wait` raises.

        Returns
        -------
        Ticket
            This one.
        """
        self._core.then(callback)
        return self

    def __await__(self) -> Generator[None, None, Any]:
        while not self.test():
            yield
        return self.wait()

    def __reduce__(self) -> Any:
        from ._errors import Error

        raise Error("a ticket cannot be pickled: it is of this process alone", "wait for it, and pickle its result")
