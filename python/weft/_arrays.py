# weft._arrays: arrays of other libraries as NumPy's, without copying.
"""Takes arrays of other libraries as NumPy arrays, where their memory can be reached."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._errors import Error

# Devices of DLPack whose memory the processor reads: its own, and pinned memory of CUDA and ROCm.
_HOST_DEVICES = (1, 3, 11)


def as_array(given: Any, name: str) -> NDArray[Any]:
    """The array `given` as one of NumPy's, which shares its memory.

    Raises
    ------
    Error
        For what is no array, and for arrays in the memory of a device. `name` is in the message.
    """
    if isinstance(given, np.ndarray):
        return np.asarray(given)
    if hasattr(given, "__dlpack_device__"):
        if given.__dlpack_device__()[0] not in _HOST_DEVICES:
            _refuse_device(given, name)
        if not hasattr(given, "__array_interface__"):
            return np.from_dlpack(given)
    if hasattr(type(given), "__cuda_array_interface__"):
        _refuse_device(given, name)
    if hasattr(given, "__array_interface__"):
        return np.asarray(given)
    raise Error(
        f"the {name} is no array: {'None' if given is None else type(given).__name__}",
        "give a NumPy array, or another one with __array_interface__ or __dlpack__",
    )


def dtype_of(given: Any) -> np.dtype[Any]:
    """The type of the elements of an array of NumPy's, or of one in the memory of a device."""
    try:
        of: np.dtype[Any] = given.dtype if isinstance(given, np.ndarray) else np.dtype(given.__cuda_array_interface__["typestr"])
        return of
    except Exception as error:  # a property of another library may raise anything
        raise Error(f"an array has a __cuda_array_interface__ that cannot be read: {error}", "give an array of CuPy, PyTorch or Numba") from error


def _refuse_device(given: Any, name: str) -> None:
    raise Error(
        f"the {name} is in the memory of a device: {type(given).__name__}",
        "copy it into the memory of the processor first, or make a plan that computes on the device, with engine='cuda' or 'hip'",
        code="unsupported",
    )
