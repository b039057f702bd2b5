# weft.compat.mpi4py_fft.io.generate_xdmf: XDMF files, which tell ParaView and VisIt what the scalar fields of a file of HDF5 are.
# Keeps: one file for the whole fields, and one for each slice of two axes.
"""Descriptions of files of HDF5 for programs that show them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as xml

import numpy as np

from ...._errors import Error
from .file_base import import_of


def generate_xdmf(h5filename: str, periodic: bool | Sequence[bool] = True, order: str = "paraview") -> None:
    """Write files of XDMF beside one of HDF5, for its scalar fields of 2 and 3 axes. On one rank.

    Parameters
    ----------
    h5filename : str
        The file of HDF5, which HDF5File has written.
    periodic : bool or sequence of bool, optional
        Along which axes the last point is followed by the first, where domains are a begin and a length.
    order : {"paraview", "visit"}, optional
        The program, as they read the points of axes in opposite orders.

    Raises
    ------
    ImportError
        Without h5py.
    """
    if order not in ("paraview", "visit"):
        raise Error(f"there is no order {order!r}", "one of: paraview, visit")
    with import_of("h5py", "h5py").File(h5filename, "r") as file:
        shown: dict[str, dict[int, list[tuple[str, Any]]]] = {}
        for name, group in file.items():
            if "rank" in group.attrs and group.attrs["rank"] == 0:
                for index, snapshots in _snapshots(group):
                    for step, stored in snapshots.items():
                        shown.setdefault(index, {}).setdefault(int(step), []).append((name, stored))
        for index, steps in shown.items():
            ending = f"_{index}" if index else ""
            root = _document(file, Path(h5filename).name, index, steps, periodic, order)
            xml.indent(root)
            Path(f"{h5filename.removesuffix('.h5')}{ending}.xdmf").write_text(
                '<?xml version="1.0" encoding="utf-8"?>\n' + xml.tostring(root, encoding="unicode") + "\n", encoding="utf-8"
            )


def _snapshots(group: Any) -> list[tuple[str, Any]]:
    count, found = len(group.attrs["shape"]), []
    if count in (2, 3) and f"{count}D" in group:
        whole = {step: stored for step, stored in group[f"{count}D"].items() if step.isdigit()}
        found += [("", whole)] if whole else []
    if count > 2 and "2D" in group:
        found += [(index, steps) for index, steps in group["2D"].items() if not index.isdigit()]
    return found


def _document(file: Any, h5name: str, index: str, steps: dict[int, list[tuple[str, Any]]], periodic: Any, order: str) -> xml.Element:
    root = xml.Element("Xdmf", {"xmlns:xi": "http://www.w3.org/2001/XInclude", "Version": "2.1"})
    series = xml.SubElement(xml.SubElement(root, "Domain"), "Grid", Name="Structured Grid", GridType="Collection", CollectionType="Temporal")
    times = xml.SubElement(series, "Time", TimeType="List")
    _item(times, f" {' '.join(map(str, sorted(steps)))} ", Format="XML", Dimensions=str(len(steps)))
    for step in sorted(steps):
        grid = xml.SubElement(series, "Grid", GridType="Uniform")
        group = file[steps[step][0][0]]
        shape = [int(n) for n in group.attrs["shape"]]
        at = [None if each == "slice" else int(each) for each in index.split("_")] if index else [None] * len(shape)
        shown = [n if place is None else 1 for n, place in zip(shape, at)]
        is_mesh = "mesh" in group
        (_mesh if is_mesh else _box)(grid, h5name, group, shape, at, periodic, order)
        dimensions = " ".join(map(str, shown if len(shown) == 3 else [1, *shown]))
        xml.SubElement(grid, "Topology", Dimensions=dimensions, Type="3DRectMesh" if is_mesh else "3DCoRectMesh")
        for name, stored in steps[step]:
            attribute = xml.SubElement(grid, "Attribute", Name=name, Center="Node")
            _item(attribute, f"{h5name}:{stored.name}", **_numbers(stored.dtype), Dimensions=dimensions)
    return root


def _item(parent: xml.Element, text: str, **attributes: str) -> None:
    xml.SubElement(parent, "DataItem", attributes).text = text


def _numbers(dtype: Any) -> dict[str, str]:
    kind = {"f": "Float", "i": "Int", "u": "UInt"}.get(dtype.kind)
    if kind is None:
        raise Error(f"XDMF has no numbers of the type {dtype}", "write real fields", code="unsupported")
    return {"Format": "HDF", "NumberType": kind, "Precision": str(dtype.itemsize)}


# A box: where it begins, and how far apart its points are.
def _box(grid: xml.Element, h5name: str, group: Any, shape: list[int], at: list[Any], periodic: Any, order: str) -> None:
    circular = list(periodic) if isinstance(periodic, Sequence) else [bool(periodic)] * len(shape)
    ends = [np.asarray(group[f"domain/x{axis}"]) for axis in range(len(shape))]
    steps = [float(end[1]) / (n if is_circular else max(n - 1, 1)) for end, n, is_circular in zip(ends, shape, circular)]
    begins = [float(end[0]) + step * (place or 0) for end, step, place in zip(ends, steps, at)]
    geometry = xml.SubElement(grid, "Geometry", Type="ORIGIN_DXDY" if len(shape) == 2 else "ORIGIN_DXDYDZ")
    for values in (begins, steps):
        _item(geometry, " ".join(map(repr, values)), Format="XML", NumberType="Float", Dimensions=str(len(values)))


# The points of each axis; that of an axis across a slice is one. ParaView and VisIt differ about fields of two axes.
def _mesh(grid: xml.Element, h5name: str, group: Any, shape: list[int], at: list[Any], periodic: Any, order: str) -> None:
    geometry = xml.SubElement(grid, "Geometry", Type="VXVYVZ")
    axes = list(range(len(shape)))
    for axis in axes if len(shape) == 2 and order == "paraview" else axes[::-1]:
        stored = group[f"mesh/x{axis}"]
        place = at[axis]
        if place is None:
            _item(geometry, f"{h5name}:{stored.name}", **_numbers(stored.dtype), Dimensions=str(stored.shape[0]))
        else:
            _item(geometry, repr(float(stored[place])), Format="XML", NumberType="Float", Precision="8", Dimensions="1")
    if len(shape) == 2:
        _item(geometry, "0", Format="XML", NumberType="Float", Precision="8", Dimensions="1")
