# weft.plot.reading: reads files of JSON and of fields, and says what is wrong with them.
"""Input and output of pictures."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any, Iterator

import numpy as np

from .._errors import Error


LARGEST = 1e18


def read_json(path: str | Path) -> Any:
    """The value in a file of JSON. Raises Error if it cannot be read, or is no JSON or only a part of it."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise Error(f"cannot read '{path}': {error.strerror or error}", code="io") from error
    except UnicodeDecodeError as error:
        raise Error(f"'{path}' is no JSON: byte {error.start} is no UTF-8", "give a file that weft has written") from error
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        what = "ends too early" if error.pos >= len(text.rstrip()) else f"is no JSON at line {error.lineno}, column {error.colno}"
        raise Error(f"'{path}' {what}: {error.msg}", "write it again: weft replaces a file only when it is complete") from error
    except RecursionError as error:
        raise Error(f"'{path}' is nested too deeply", "give a file that weft has written") from error


def objects_in(path: str | Path) -> list[dict[str, Any]]:
    """The objects of a JSON array, or the one object of the file. Raises Error if there are none."""
    value = read_json(path)
    found = value if isinstance(value, list) else [value]
    if not found or not all(isinstance(each, dict) for each in found):
        raise Error(f"'{path}' has no results: it is {'an empty array' if not found else 'no array of objects'}",
                    "give a file that `weft bench --json FILE` or `./dev compare --json FILE` has written")  # fmt: skip
    return found


def seconds_of(value: object) -> float | None:
    """A positive finite number, or the median of an object of times; None for anything else."""
    return positive(value.get("median") if isinstance(value, dict) else value)


def is_number(value: object) -> bool:
    """Whether it is a finite number that has a place on an axis: what is measured has no thirty digits."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < LARGEST  # False for NaN


def positive(value: object) -> float | None:
    """A positive number that has a place on an axis; None for anything else."""
    return float(value) if is_number(value) and value > 1 / LARGEST else None  # type: ignore[arg-type, operator]


def is_whole(value: object, least: int = 0) -> bool:
    """Whether it is a whole number, and at least so large."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value < LARGEST


def write_text(path: str | Path, text: str) -> None:
    """Writes a file that appears under its name when it is complete."""
    target = Path(path)
    if target.is_dir():
        raise Error(f"cannot write '{path}': it is a folder", code="io")
    beside = target.with_name(f".{target.name}.part")
    try:
        beside.write_text(text, encoding="utf-8")
        beside.replace(target)
    except OSError as error:
        raise Error(f"cannot write '{path}': {error.strerror or error}", code="io") from error


def _arrays_in(group: Any, prefix: str = "") -> Iterator[str]:
    """The names of all arrays of a group of h5py's, or of zarr's, which has members in the place of items."""
    for name, item in group.members() if hasattr(group, "members") else group.items():
        if hasattr(item, "shape"):
            yield prefix + name
        elif hasattr(item, "members") or hasattr(item, "items"):
            yield from _arrays_in(item, f"{prefix}{name}/")


def _chosen(path: str | Path, group: Any, dataset: str) -> Any:
    names = sorted(_arrays_in(group))
    if not dataset and len(names) == 1:
        dataset = names[0]
    if not names:
        raise Error(f"'{path}' has no arrays", "give a file with an array of numbers")
    if dataset not in names:
        raise Error(f"'{path}' has no array '{dataset}'" if dataset else f"'{path}' has {len(names)} arrays, and none was chosen",
                    f"--dataset, one of: {', '.join(names[:20])}")  # fmt: skip
    return group[dataset]


def open_field(path: str | Path, dataset: str = "") -> Any:
    """The array of a .npy file (mapped, not read), or of a .h5 file or .zarr folder, where h5py or zarr is installed.

    Raises
    ------
    Error
        For what cannot be read, has no numbers or no values, and without h5py or zarr.
    """
    ending = Path(path).suffix.lower()
    try:
        if ending in (".h5", ".hdf5"):
            h5py = importlib.import_module("h5py")
            field = _chosen(path, h5py.File(path, "r"), dataset)
        elif ending == ".zarr":
            zarr = importlib.import_module("zarr")
            opened = zarr.open(str(path), mode="r")
            field = opened if hasattr(opened, "shape") else _chosen(path, opened, dataset)
        else:
            field = np.load(path, mmap_mode="r", allow_pickle=False)
    except ImportError as error:
        raise Error(f"cannot read '{path}': {error}", f"pip install {error.name}", code="unsupported") from error
    except (OSError, ValueError, EOFError, KeyError) as error:
        if isinstance(error, Error):
            raise
        raise Error(f"cannot read '{path}': {error}", "give a .npy, .h5 or .zarr file with an array of numbers", code="io") from error
    if not hasattr(field, "shape") or np.dtype(field.dtype).kind not in "biufc":
        raise Error(f"'{path}' has no array of numbers", "give one with real or complex values")
    if 0 in field.shape or len(field.shape) == 0:
        raise Error(f"the array in '{path}' has the shape {tuple(field.shape)}", "give one with at least one axis and one value")
    return field
