# tests/cli/test_formats: `weft transform` from and to HDF5 and zarr, against h5py, zarr-python and numpy.fft.
import os
import shlex
import xml.etree.ElementTree as tree

import h5py
import numpy as np
import pytest
import zarr

from conftest import PROGRAM
from reference import TOLERANCE, random_array, relative_error, transformed


def dataset(path, name):
    with h5py.File(path) as file:
        return file[name][...]


@pytest.mark.parametrize("dtype, order, ranks", [("f8", "C", (2, 4, 7)), ("f4", "F", (3, 0, 1))])
def test_an_array_goes_from_file_to_file(weft, dtype, order, ranks):
    x = random_array((6, 7, 11), dtype)
    np.save(weft.folder / "x.npy", np.asfortranarray(x) if order == "F" else x)
    weft("transform", "x.npy", "y.h5:/deep/y", "--verify", ranks=ranks[0])
    y, tolerance = dataset(weft.folder / "y.h5", "deep/y"), TOLERANCE["double" if dtype == "f8" else "single"]
    assert y.dtype == f"c{2 * x.itemsize}" and relative_error(y, transformed(x, "r2c")) < tolerance
    weft("transform", "y.h5", "z.zarr:/back", "--kind", "c2r", "--last-size", 11, ranks=ranks[1])
    z = zarr.open_group(weft.folder / "z.zarr", mode="r")["back"]
    assert z.dtype == x.dtype and z.fill_value == 0 and relative_error(z[...], x) < tolerance
    told = weft("transform", "z.zarr:/back", "z.npy", ranks=ranks[2]).out
    assert relative_error(np.load(weft.folder / "z.npy"), y) < tolerance
    assert "input:    z.zarr:/back: 6x7x11 float" in told and ", in chunks of " in told
    assert sorted(os.listdir(weft.folder)) == ["x.npy", "y.h5", "y.xdmf", "z.npy", "z.zarr"]


def test_compressed_chunks_of_others_are_read(weft):
    x = random_array((9, 10), "c16")
    with h5py.File(weft.folder / "x.h5", "w") as file:
        file.create_dataset("x", data=x.astype(">c16"), chunks=(4, 3), compression="gzip")
    zarr.create_array(weft.folder / "x.zarr", data=x, chunks=(4, 3))
    for name in ("x.h5", "x.zarr"):
        weft("transform", name, "y.npy", ranks=3)
        assert relative_error(np.load(weft.folder / "y.npy"), transformed(x, "c2c")) < 1e-13


def test_hdf5_keeps_its_other_datasets(weft):
    x = random_array((4, 6), "f8")
    with h5py.File(weft.folder / "x.h5", "w") as file:
        file["x"], file["note"], file.attrs["by"] = x, "kept", "h5py"
    weft("transform", "x.h5:/x", "x.h5:/y", ranks=2)
    weft("transform", "x.h5:/x", "x.h5:/y", "--kind", "dct2")
    with h5py.File(weft.folder / "x.h5") as file:
        assert sorted(file) == ["note", "x", "y"] and file["note"].asstr()[()] == "kept" and file.attrs["by"] == "h5py"
        assert (file["x"][...] == x).all() and file["y"].dtype == "f8" and file["y"].shape == x.shape


def test_paraview_finds_the_numbers_that_xdmf_names(weft):
    """As its readers do: HDF5 by name, complex numbers as bytes of the file."""
    x = random_array((4, 5, 6), "f8")
    np.save(weft.folder / "x.npy", x)
    weft("transform", "x.npy", "x.h5:/a/<real>", "--kind", "dct2")
    weft("transform", "x.npy", "x.h5:/complex", ranks=2)
    root = tree.parse(weft.folder / "x.xdmf").getroot()
    assert root.tag == "Xdmf" and [child.tag for child in root] == ["Domain"]
    found = {}
    for grid in root[0]:
        assert grid.attrib["GridType"] == "Uniform" and [child.tag for child in grid] == ["Topology", "Geometry", "Attribute"]
        topology, geometry, attribute = grid
        assert topology.attrib["TopologyType"] == "3DCoRectMesh" and geometry.attrib["GeometryType"] == "ORIGIN_DXDYDZ"
        assert [item.text for item in geometry] == ["0 0 0", "1 1 1"] and attribute.attrib["Center"] == "Node"
        shape = tuple(map(int, topology.attrib["Dimensions"].split()))
        (item,) = attribute
        assert item.attrib["NumberType"] == "Float" and item.attrib["Precision"] == "8"
        wanted = {"Scalar": shape, "Vector": (*shape, 2)}[attribute.attrib["AttributeType"]]
        assert tuple(map(int, item.attrib["Dimensions"].split())) == wanted
        file, _, name = item.text.partition(":")
        if item.attrib["Format"] == "HDF":
            values = dataset(weft.folder / file, name)
        else:
            assert item.attrib["Format"] == "Binary" and item.attrib["Endian"] == "Little"
            with open(weft.folder / file, "rb") as data:
                data.seek(int(item.attrib["Seek"]))
                values = np.fromfile(data, "<f8", np.prod(wanted)).reshape(wanted)
        found[attribute.attrib["Name"]] = values
    assert sorted(found) == ["a/<real>", "complex"]
    assert (found["a/<real>"] == dataset(weft.folder / "x.h5", "a/<real>")).all()
    assert relative_error(found["complex"] @ [1, 1j], transformed(x, "r2c")) < 1e-13


def write_inputs(folder):
    np.save(folder / "real.npy", random_array((7, 5, 3), "f8"))
    with h5py.File(folder / "two.h5", "w") as file:
        file["a"], file["ints"] = np.ones((3, 4)), np.ones((3, 4), int)
    for name in ("cut", "empty"):
        with h5py.File(folder / f"{name}.h5", "w") as file:
            if name == "cut":
                file["a"] = np.ones((300, 4))
    os.truncate(folder / "cut.h5", 4000)
    (folder / "text.h5").write_text("no HDF5")
    zarr.create_array(folder / "two.zarr", shape=(4, 4), dtype="f8", zarr_format=2)
    zarr.create_array(folder / "turned.zarr", shape=(4, 4), dtype="f8", filters=[zarr.codecs.TransposeCodec(order=(1, 0))])
    zarr.create_group(folder / "group.zarr")
    zarr.create_array(folder / "damaged.zarr", data=np.ones((64, 64)))
    os.truncate(folder / "damaged.zarr/c/0/0", 20)
    (folder / "broken.zarr").mkdir()
    (folder / "broken.zarr/zarr.json").write_text("{")


def test_what_cannot_be_read_or_written_is_told(weft):
    write_inputs(weft.folder)
    for number, (line, texts) in enumerate([
        ("two.h5 y.npy", ["'two.h5' has 2 datasets: /a, /ints", "two.h5:/a"]),
        ("two.h5:/c y.npy", ["'two.h5:/c' is not there", "the datasets of two.h5: /a, /ints"]),
        ("two.h5:/ints y.npy", ["'two.h5:/ints' has integers", "float32, float64, complex64 and complex128"]),
        ("empty.h5 y.npy", ["'empty.h5' has 0 datasets: none"]),
        ("cut.h5 y.npy", ["cannot open 'cut.h5': truncated file: eof = 4000"]),
        ("text.h5 y.npy", ["cannot open 'text.h5': file signature not found"]),
        ("none.h5 y.npy", ["cannot open 'none.h5': No such file or directory"]),
        ("real.npy text.h5", ["cannot open 'text.h5': file signature not found"]),
        ("real.npy none/y.h5", ["cannot write 'none/y.h5': No such file or directory"]),
        ("none.zarr y.npy", ["'none.zarr' is no zarr array: it has no zarr.json"]),
        ("two.zarr y.npy", ["'two.zarr' is of zarr's format 2, not 3", "zarr_format=3"]),
        ("turned.zarr y.npy", ["the codec 'transpose'", "gzip or zstd"]),
        ("group.zarr y.npy", ['is a zarr "group", not an array', "x.zarr:/u"]),
        ("damaged.zarr y.npy", ["damaged.zarr/c/0/0': zstd"]),
        ("broken.zarr y.npy", ["weft: ", "broken.zarr/zarr.json"]),
        ("real.npy group.zarr", ["cannot write 'group.zarr'", "is a zarr group: name an array in it"]),
        ("real.npy real.npy/y.zarr", ["cannot write 'real.npy/y.zarr'"]),
    ]):  # fmt: skip
        said = weft.fails("transform", *line.split(), ranks=3 if number % 6 == 5 else 0)
        assert [text for text in texts if text not in said] == [], said


@pytest.mark.parametrize("name", ["y.h5", "y.zarr"])
def test_a_full_disk_leaves_the_older_array(weft, name):
    # A limit on the size of files stands for a full disk, as in test_errors.
    x = np.zeros((5000, 1000))
    np.save(weft.folder / "x.npy", x[:8])
    weft("transform", "x.npy", name)
    np.save(weft.folder / "x.npy", x)
    before = sorted(os.listdir(weft.folder))
    ended = weft.start(["sh", "-c", f"trap '' XFSZ; ulimit -f {16 * 2048}; exec {shlex.quote(PROGRAM)} transform x.npy {name}"])
    wanted = 40145536 if name == "y.h5" else 40080000  # with room for metadata
    assert ended.status == (1 if name == "y.h5" else 2) and f"weft: cannot write '{name}': File too large ({wanted} bytes)" in ended.err, ended.err
    assert sorted(os.listdir(weft.folder)) == before
    old = dataset(weft.folder / name, "data") if name == "y.h5" else zarr.open_array(weft.folder / name, mode="r")
    assert old.shape == (8, 501)
