# weft._device_arrays: arrays in memory of devices: weft's own, and how those of other libraries are known.
# Keeps: no library of devices is imported; all of them know arrays by __cuda_array_interface__.
"""Arrays in the memory of devices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._errors import Error

if TYPE_CHECKING:
    from ._core_types import CoreMemory
    from ._sides import SideOf


class DeviceArray:
    """An array in the memory of a device, from ``empty_input(memory="device")`` of a plan on it.

    ``cupy.asarray``, ``torch.as_tensor`` and ``numba.cuda.as_cuda_array`` take it without a copy, by
    its ``__cuda_array_interface__``. The memory lives as long as anybody holds it.
    """

    __slots__ = ("_side", "_memory", "__weakref__")

    def __init__(self, side: SideOf, memory: CoreMemory) -> None:
        self._side, self._memory = side, memory

    @property
    def shape(self) -> tuple[int, ...]:
        """Its elements along each axis."""
        return self._side.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of its elements."""
        return self._side.dtype

    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes between neighbours along each axis."""
        return self._side.strides

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """Where the array is, in the words that libraries for devices share; no stream works on it."""
        return {
            "shape": self.shape, "typestr": self.dtype.str, "data": (self._memory.address, False), "strides": self.strides,
            "version": 3, "stream": None,
        }  # fmt: skip

    def get(self) -> NDArray[Any]:
        """A copy in the memory of the processor."""
        here = np.empty(self._memory.bytes, np.uint8)
        self._memory.read(here.ctypes.data)
        return self._side.shaped(here)

    def set(self, values: ArrayLike) -> None:
        """Copy `values`, which broadcast, from the memory of the processor."""
        here = self.get()
        here[...] = values
        memory = here.base
        assert isinstance(memory, np.ndarray)
        self._memory.write(memory.ctypes.data)

    def _seen_as(self, side: SideOf) -> DeviceArray:
        needed = side.elements * side.dtype.itemsize
        if needed > self._memory.bytes:
            raise Error(f"the output takes {needed} bytes, and the memory of the input has {self._memory.bytes}")
        return DeviceArray(side, self._memory)

    def __repr__(self) -> str:
        return f"<weft.DeviceArray of {'x'.join(map(str, self.shape))} {self.dtype}>"


def handle_of_stream(stream: Any) -> int:
    """The handle of a stream: an integer, or a stream of CuPy, PyTorch or another library.

    Raises
    ------
    Error
        For what is no stream.
    """
    if hasattr(stream, "__cuda_stream__"):
        stream = stream.__cuda_stream__()[1]
    for name in ("cuda_stream", "ptr"):
        stream = getattr(stream, name, stream)
    if isinstance(stream, (int, np.integer)) and not isinstance(stream, bool) and stream > 0:
        return int(stream)
    raise Error(
        f"the stream is {stream!r}",
        "give a stream of CuPy or PyTorch, or its handle; 1 stands for the default stream, 2 for that of each thread",
    )
