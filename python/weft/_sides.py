# weft._sides: where this rank's part of a field lies in the grid, and in an array of NumPy's.
# Keeps: what the compiled module says of a side is read here alone.
"""The two sides of a plan, in NumPy's terms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._errors import Error

if TYPE_CHECKING:
    from ._core_types import SideDict


class SideOf:
    """A side of a plan on this rank; `dtype` is that of elements that are only moved."""

    def __init__(self, side: SideDict, dtype: np.dtype[Any] | None = None) -> None:
        self.dtype: np.dtype[Any] = np.dtype(side["dtype"]) if dtype is None else dtype
        self.extents = side["extents"]
        self.elements = side["elements"]
        self.boxes = [tuple(map(slice, lo, hi)) for lo, hi in side["boxes"]]
        self.is_box = side["is_box"]
        self.shape: tuple[int, ...] = side["shape"] if self.is_box else (self.elements,)
        self.fields, self.is_interleaved, self.has_waves = max(side["fields"], 1), side["is_interleaved"], "waves" in side
        self._of = side
        self.before = tuple(side["before"]) or (0,) * len(self.extents)
        self.after = tuple(side["after"]) or (0,) * len(self.extents)
        self.is_packed = self.elements == int(np.prod(self.shape)) and (not side["is_box"] or side["steps"] == _packed(self.shape))

    def shaped(self, memory: NDArray[Any]) -> NDArray[Any]:
        """The array in `memory`, bytes of which there are enough."""
        return np.ndarray(self.shape, self.dtype, memory, 0, self.strides)

    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes between neighbours along each axis."""
        return tuple(self._in_bytes(self._of["steps"] if self._of["is_box"] and self.boxes else _packed(self.shape)))

    def _in_bytes(self, steps: tuple[int, ...]) -> list[int]:
        return [step * self.dtype.itemsize for step in steps]

    def box(self) -> tuple[slice, ...]:
        """The only box, empty if there is none."""
        if "waves" in self._of:
            raise Error("this side has waves of a cut-off, and no box", "ask waves()")
        if len(self.boxes) > 1:
            raise Error(f"this rank has {len(self.boxes)} boxes", "ask boxes() and parts()")
        return self.boxes[0] if self.boxes else tuple(slice(0, 0) for _ in self.extents)

    def waves(self) -> NDArray[np.int64]:
        """The waves of a cut-off."""
        if "waves" not in self._of:
            raise Error("this side has boxes, and no waves of a cut-off", "ask boxes() and wavenumbers()")
        return np.frombuffer(self._of["waves"], np.int32).reshape(-1, 3).astype(np.int64)

    def of(self, dtype: np.dtype[Any]) -> SideOf:
        """The same side of elements of another type."""
        return self if dtype == self.dtype else SideOf(self._of, dtype)

    def of_fields(self, count: int) -> SideOf:
        """The same points and ghost points of so many fields, one after another, with the last axis contiguous."""
        box = tuple(part.stop - part.start + b + a for part, b, a in zip(self.box(), self.before, self.after)) if self.boxes else (0,) * len(self.extents)
        shape = (count, *box) if count > 1 else box
        steps = _packed(shape)
        points = int(np.prod(box))
        return SideOf({
            **self._of, "fields": count, "is_interleaved": False, "is_box": True, "shape": shape, "steps": steps, "elements": count * points,
            "field_stride": points, "starts": [], "box_steps": [steps[-len(box):]] * len(self.boxes),
        }, self.dtype)  # fmt: skip

    def places(self) -> bytes:
        """What says where the points of this rank are, ghost points included."""
        boxes = [[(part.start, part.stop) for part in box] for box in self.boxes]
        return repr((tuple(self.extents), boxes, self.before, self.after)).encode() + self._of.get("waves", b"")

    def with_fields(self, of_box: tuple[Any, ...], of_fields: Any) -> tuple[Any, ...]:
        """`of_box` with one more entry, for the axis of the fields of a batch, if there are several."""
        if self._of["fields"] <= 1:
            return of_box
        return (*of_box, of_fields) if self._of["is_interleaved"] else (of_fields, *of_box)

    def parts(self, array: NDArray[Any], with_ghosts: bool = False) -> list[NDArray[Any]]:
        """Views of `array`, one for each box."""
        if array.dtype != self.dtype or array.shape not in (self.shape, (self.elements,)):
            raise Error(
                f"the array has the shape {array.shape} and the type {array.dtype}, and this side {self.shape} and {self.dtype}",
                "take it from the empty_... function of this side",
            )
        if array.shape == self.shape and self._of["is_box"]:
            inner = [slice(b, b + part.stop - part.start) for box in self.boxes for b, part in zip(self.before, box)]
            whole = tuple(slice(None) for _ in self.extents)
            return [array[self.with_fields(whole if with_ghosts else tuple(inner), slice(None))] for _ in self.boxes]
        return [self._part(array, number, with_ghosts) for number in range(len(self.boxes))]

    def _part(self, line: NDArray[Any], number: int, with_ghosts: bool) -> NDArray[Any]:
        steps, start = self._of["box_steps"][number], self._of["starts"][number]
        extents = [part.stop - part.start for part in self.boxes[number]]
        if with_ghosts:
            start -= sum(b * step for b, step in zip(self.before, steps))
            extents = [b + n + a for b, n, a in zip(self.before, extents, self.after)]
        strides = self._in_bytes(self.with_fields(steps, self._of["field_stride"]))
        return np.lib.stride_tricks.as_strided(line[start:], self.with_fields(tuple(extents), self._of["fields"]), strides)


def _packed(shape: tuple[int, ...]) -> tuple[int, ...]:
    steps = [1]
    for points in shape[:0:-1]:
        steps.append(steps[-1] * points)
    return tuple(steps[::-1])


def open_mesh(lists: list[NDArray[np.int64]]) -> tuple[NDArray[np.int64], ...]:
    """Arrays that broadcast, one for each axis."""
    count = len(lists)
    return tuple(values.reshape([-1 if axis == own else 1 for axis in range(count)]) for own, values in enumerate(lists))
