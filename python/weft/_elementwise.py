# weft._elementwise: NumPy's functions of elements and its operators, of distributed arrays.
# Keeps: no messages; whether arrays are distributed alike, each rank knows alone, and all find the same.
"""Functions of the elements of distributed arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ._errors import Error
from ._layout import Layout
from ._located import Located
from ._request import elements_of



class Elementwise(Located, np.lib.mixins.NDArrayOperatorsMixin):
    """What works on each element alone."""

    __slots__ = ()

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, out: Any = None, where: Any = True, **more: Any) -> Any:
        """NumPy's universal functions. Not collective.

        Arrays that take part are distributed alike, and those of a batch of the same fields; one
        without a batch is taken with each of the fields. Numbers and arrays of NumPy's, which broadcast
        to this rank's part, may be among them. Ghost points of results are zero, or stay.

        Raises
        ------
        Error
            For arrays that are distributed in different ways, on all ranks that are given them.
        """
        outs = out or ()
        if method != "__call__" or ufunc.signature is not None or not all(map(_is_operand, inputs)):
            return NotImplemented
        if not all(each is None or isinstance(each, Located) for each in outs):
            raise Error(f"the result of numpy.{ufunc.__name__} is distributed, and is to be written to an array of NumPy's", "write to its inner part")
        operands = [*inputs] if where is True else [*inputs, where]
        if not _is_operand(where):
            return NotImplemented
        layout = _layout_of([each for each in operands if isinstance(each, Located)])
        if not all(each is None or each._layout.is_like(layout) for each in outs):
            raise Error(f"the result of numpy.{ufunc.__name__} is distributed otherwise than the array it is to be written to", "redistribute it")
        results = list(outs) or [None] * ufunc.nout
        types = _types_of(ufunc, inputs, results, more)
        if any(each is None for each in results):
            results = [self._with(layout, layout.unset(of) if where is True else layout.empty(of)) if given is None else given for given, of in zip(results, types)]
        targets = [given.parts() for given in results]
        sources = [_parts_of(each, layout) for each in operands]
        for number in range(len(layout.side.boxes)):
            views = [parts if isinstance(parts, _NUMBERS) else parts[number] for parts in sources]
            if where is not True:
                more["where"] = views.pop()
            ufunc(*views, out=tuple(each[number] for each in targets), **more)
        return results[0] if ufunc.nout == 1 else tuple(results)

    def __array_function__(self, function: Any, types: Any, inputs: tuple[Any, ...], more: dict[str, Any]) -> Any:
        """NumPy's other functions: those that ask the array itself, as numpy.sum, or an error."""
        if function in (np.array_equal, np.array_equiv):  # which take the error for a difference
            raise Error(f"numpy.{function.__name__} compares whole arrays, and this one is distributed", "compare them as (u == v).all(), which is collective")
        return function._implementation(*inputs, **more)

    def _each(self, values: NDArray[Any]) -> Any:
        made = self._with(self._layout, self._layout.unset(values.dtype))
        made._local[...] = values
        return made

    def __copy__(self) -> Any:
        return self.copy()

    def __deepcopy__(self, seen: Any) -> Any:
        return self.copy()

    def copy(self) -> Any:
        """A copy, with its ghost points. Not collective."""
        return self._each(self._local)

    def astype(self, dtype: DTypeLike) -> Any:
        """A copy in another type, with its ghost points. Not collective."""
        return self._each(self._local.astype(elements_of(dtype)))

    @property
    def real(self) -> Any:
        """A copy of the real parts. Not collective."""
        return self._each(self._local.real)

    @property
    def imag(self) -> Any:
        """A copy of the imaginary parts. Not collective."""
        return self._each(self._local.imag)

    def conj(self) -> Any:
        """The complex conjugates, in a new array. Not collective."""
        return self._each(self._local.conj())

    def __bool__(self) -> bool:
        raise Error("the truth of a distributed array is wanted", "take u.any() or u.all(), which are collective")


_NUMBERS = (int, float, complex, np.generic)


def _is_operand(given: Any) -> bool:
    return isinstance(given, (Located, np.ndarray, *_NUMBERS))


def _layout_of(arrays: list[Located]) -> Layout:
    """The layout of the result. Error if the arrays do not lie alike."""
    layout: Layout | None = arrays[0]._layout
    for other in arrays[1:]:
        layout = layout and layout.with_fields_of(other._layout)
        if layout is None:
            of = " and ".join(str(each.shape) for each in (arrays[0], other))
            raise Error(f"arrays of {of} are not distributed alike", "redistribute one of them, or make both of the same plan")
    return layout  # type: ignore[return-value]


def _parts_of(given: Any, layout: Layout) -> Any:
    """The view of an operand for each box; a number as it is."""
    if isinstance(given, _NUMBERS):
        return given
    if isinstance(given, Located):
        is_one_of_many = given.batch == 1 and layout.side.fields > 1 and layout.side.is_interleaved
        return [part[..., None] if is_one_of_many else part for part in given.parts()]
    side = layout.side
    if not side.boxes:  # which other ranks have, whose part it fits
        return []
    if given.ndim and len(side.boxes) > 1:
        raise Error(f"this rank has {len(side.boxes)} boxes, and an array of NumPy's is given", "work on u.parts()")
    needed = tuple(part.stop - part.start for part in side.with_fields(side.box(), slice(0, side.fields)))
    try:
        fits = np.broadcast_shapes(given.shape, needed) == needed
    except ValueError:
        fits = False
    if not fits:
        raise Error(f"an array of the shape {given.shape} does not broadcast to this rank's part, of {needed}", "give values for u.indices()")
    return [given] * len(side.boxes)


def _types_of(ufunc: np.ufunc, inputs: tuple[Any, ...], outs: list[Any], more: dict[str, Any]) -> list[np.dtype[Any]]:
    """The types of the results: those of no elements, by which ranks without points find, too, what NumPy does not cast."""
    nothing = [each if isinstance(each, _NUMBERS) or not np.ndim(each) else np.empty(0, each.dtype) for each in map(_plain, inputs)]
    made = ufunc(*nothing, out=tuple(None if each is None else np.empty(0, each.dtype) for each in outs), **more)
    return [each.dtype for each in (made if isinstance(made, tuple) else (made,))]


def _plain(given: Any) -> Any:
    return given._local if isinstance(given, Located) else given
