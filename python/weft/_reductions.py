# weft._reductions: sums, largest values and the like of all elements of a distributed array.
# Keeps: all ranks compute the result from the same numbers in the same order, so that it is the same to the last bit.
"""Reductions of distributed arrays to a number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from ._agreement import told_about
from ._errors import Error
from ._located import Located


class Reduced(Located):
    """What makes one number of all elements, without ghost points. All of it is collective."""

    __slots__ = ()

    def sum(self, axis: None = None, dtype: DTypeLike | None = None, out: None = None) -> Any:
        """The sum of all elements, in the type that NumPy's has. Collective.

        `axis` and `out` are there for ``numpy.sum(u)``: there are no sums along an axis.
        """
        return self._reduced("the sum", np.add, axis, out, dtype=dtype)

    def mean(self, axis: None = None, dtype: DTypeLike | None = None, out: None = None) -> Any:
        """The mean of all elements; see `sum`."""
        of = np.dtype(dtype) if dtype is not None else self.dtype.newbyteorder("=") if self.dtype.kind in "fc" else np.dtype(float)
        total = self._reduced("the mean", np.add, axis, out, dtype=np.float32 if of == np.float16 else of)
        return of.type(total / self.size)

    def min(self, axis: None = None, out: None = None) -> Any:
        """The smallest element; NaN if there is one. See `sum`."""
        return self._reduced("the minimum", np.minimum, axis, out)

    def max(self, axis: None = None, out: None = None) -> Any:
        """The largest element; NaN if there is one. See `sum`."""
        return self._reduced("the maximum", np.maximum, axis, out)

    def any(self, axis: None = None, out: None = None) -> Any:
        """Whether any element is true; see `sum`."""
        return self._reduced("whether there is any", np.logical_or, axis, out)

    def all(self, axis: None = None, out: None = None) -> Any:
        """Whether all elements are true; see `sum`."""
        return self._reduced("whether all are", np.logical_and, axis, out)

    def __contains__(self, value: object) -> bool:
        return bool((self == value).any())  # type: ignore[attr-defined]

    def vdot(self, other: Located) -> Any:
        """The sum of the conjugates of this array's elements times those of `other`, as ``numpy.vdot``. Collective.

        Raises
        ------
        Error
            If `other` is not distributed as this array; the same on every rank.
        """

        def products() -> list[Any]:
            if not isinstance(other, Located) or not self._layout.is_like(other._layout):
                raise Error("the other array is not distributed as this one", "redistribute one of them")
            return [np.vdot(mine, theirs) for mine, theirs in zip(self.parts(), other.parts())]

        return np.add.reduce(every := np.array(self._partial("the product", products)), dtype=every.dtype)

    def norm(self, ord: float = 2) -> Any:
        """The norm of all elements as one vector: of the order 1, 2 or infinity. Collective.

        Raises
        ------
        Error
            For another order.
        """

        def norms() -> list[Any]:
            if ord not in (1, 2, np.inf):
                raise Error(f"the order of a norm is {ord!r}", "one of: 1, 2, numpy.inf")
            return [np.linalg.norm(part.ravel(), ord) for part in self.parts()]

        return np.linalg.norm(np.array(self._partial(f"the norm of order {ord}", norms)), ord)

    def _reduced(self, what: str, ufunc: Any, axis: Any, out: Any, **of_type: Any) -> Any:
        def partial() -> list[Any]:
            if axis is not None or out is not None:
                raise Error(
                    f"{what} of a distributed array is that of all its elements",
                    "give no axis and no array for the result; reduce u.inner, and then over the ranks", code="unsupported",
                )  # fmt: skip
            return [ufunc.reduce(part, axis=None, **of_type) for part in self.parts()]

        return ufunc.reduce(np.array(self._partial(what, partial)), axis=None, **of_type)

    def _partial(self, what: str, compute: Callable[[], list[Any]]) -> list[Any]:
        """What each box of each rank has, the same list on every rank."""
        every = told_about(self.comm, lambda: (f"{what} of {self._described()}", compute()))
        return [value for values in every for value in values]
