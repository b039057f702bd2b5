# tests/python/files_on_ranks: weft.write and weft.read on any number of ranks, against NumPy, h5py and zarr-python.
# Usage: that of fields_on_ranks.py, which runs these checks as well.
import contextlib
import json
import os
import shutil
import tempfile

import h5py
import numpy as np
import weft
import zarr
from fields_on_ranks import distributions, refused
from mpi4py import MPI

comm = MPI.COMM_WORLD
SHAPE = (5, 7, 6)  # slabs of 5 rows leave ranks without points, and 7 is divided by no smaller number
TYPES = ("f4", "f8", "c8", "c16")


def whole(dtype, shape=SHAPE):
    values = np.random.default_rng(3).standard_normal((2, *shape))
    return (values[0] + 1j * values[1] if np.dtype(dtype).kind == "c" else values[0]).astype(dtype)


@contextlib.contextmanager
def folder():
    """A folder of these ranks."""
    path = comm.bcast(tempfile.mkdtemp(prefix="weft-files-") if comm.rank == 0 else None)
    yield path
    comm.Barrier()
    if comm.rank == 0:
        shutil.rmtree(path)


def on_first_rank(call):
    """What `call` returns on rank 0, on all; what it raises there, all raise."""
    try:
        mine = (call() if comm.rank == 0 else None, None)
    except Exception as error:
        mine = (None, repr(error))
    value, failure = comm.bcast(mine)
    assert failure is None, failure
    return value


def by_others(path):
    """What other libraries find in a file of weft's."""
    if path.endswith(".npy"):
        return np.load(path)
    if ".h5" in path:
        with h5py.File(path.split(":")[0]) as file:
            return file[path.split(":")[1]][...]
    return zarr.open_array(path.replace(":", ""), mode="r")[...]


def distributed(array, where):
    """The distribution of fields_on_ranks numbers its boxes by another communicator."""
    return weft.DistArray.from_array(array, where, comm)


def gathered(v):
    """The whole array; every point is of one rank."""
    values = np.zeros(v.shape, v.dtype)
    for box, part in zip(v.boxes, v.parts()):
        values[box] = part
    return comm.allreduce(values)


def test_others_read_what_weft_writes_and_weft_reads_it():
    import fields_on_ranks

    fields_on_ranks.comm = comm
    with folder() as here:
        for number, (where, dtype) in enumerate(zip(distributions(), (*TYPES, "f8"))):
            expected = whole(dtype)
            u = distributed(expected, where)
            for name in ("u.npy", "u.h5:/a/b", "u.zarr:/a/b"):
                path = f"{here}/{number}{name}"
                weft.write(path, u)
                found = on_first_rank(lambda: by_others(path))
                assert found.dtype == expected.dtype and (found == expected).all(), path
                v = weft.read(path, where, comm)
                assert v.dtype == expected.dtype and all((part == expected[box]).all() for box, part in zip(v.boxes, v.parts())), path
            if number == 0:
                weft.write(f"{here}/{number}u.zarr", u, dataset="c")
                assert sorted(os.listdir(f"{here}/{number}u.zarr")) == ["a", "c", "zarr.json"]
                comm.Barrier()


def test_fortran_order_chunks_and_prime_sizes():
    expected = whole("c16", (13, 11))
    with folder() as here:
        u = distributed(expected, weft.Distribution("brick", order="F"))
        weft.write(f"{here}/u.npy", u, order="F")
        assert on_first_rank(lambda: np.load(f"{here}/u.npy").flags.f_contiguous)
        for chunks in ((4, 5), 3, (13, 20)):
            if chunks == 3:
                refused(lambda: weft.write(f"{here}/u.zarr", u, chunks=3), "the chunks are 3")
                continue
            weft.write(f"{here}/u.zarr", u, chunks=chunks)
            assert (on_first_rank(lambda: by_others(f"{here}/u.zarr")) == expected).all()
            assert on_first_rank(lambda: zarr.open_array(f"{here}/u.zarr", mode="r").chunks) == chunks
        for path in (f"{here}/u.npy", f"{here}/u.zarr"):
            assert (gathered(weft.read(path, "pencil", comm)) == expected).all()


def test_slices_are_parts_of_the_whole():
    with folder() as here:
        expected = whole("f4")
        on_first_rank(lambda: np.save(f"{here}/u.npy", expected))
        u = weft.read(f"{here}/u.npy", None, comm)
        paths = [f"{here}/{name}" for name in ("u.npy", "u.h5", "u.zarr")]
        for path in paths[1:]:
            weft.write(path, u, chunks=(2, 3, 4) if path.endswith("zarr") else None)
        all_slices = np.s_[1:4], np.s_[..., 2:5], np.s_[4:5, 0:1, 5], np.s_[:, 3], np.s_[-1, 2:, -1]
        for path, some in zip(paths, (all_slices, all_slices[3:], all_slices[3:])):
            for slices in some:
                v = weft.read(path, None, comm, slices=slices)
                assert v.shape == expected[slices].shape and (gathered(v) == expected[slices]).all(), (path, slices)
        out = weft.DistArray((5, 6), weft.Distribution("brick", ghosts=1), comm, "f4")
        assert weft.read(paths[1], out=out, slices=np.s_[:, 0]) is out and (gathered(out) == expected[:, 0]).all()
        refused(lambda: weft.read(paths[0], out=out), "(5, 6)", "(5, 7, 6)")
        refused(lambda: weft.read(paths[0], None, comm, slices=np.s_[::2]), "the slice of axis 0", "without a step")
        refused(lambda: weft.read(paths[0], None, comm, slices=(0, 0, 0)), "leave no axis")
        refused(lambda: weft.read(paths[0], None, comm, slices=True), "the slice of axis 0 is True")
        fields = weft.read(paths[0], weft.Distribution("slab", interleaved=True), comm, batch=6)
        assert fields.batch == 6 and (gathered(fields) == expected).all()
        refused(lambda: weft.read(paths[0], None, comm, slices=9), "the slice of axis 0 is 9, of 5 points")


def test_files_of_others_in_chunks_and_compressed():
    with folder() as here:
        expected = whole("c8")

        def make():
            with h5py.File(f"{here}/h.h5", "w") as file:
                file.create_dataset("deep/zipped", data=expected, chunks=(2, 3, 4), compression="gzip", shuffle=True)
                file.create_dataset("big", data=expected.real.astype(">f8"))
                file.create_dataset("compact", data=expected.real, dtype="f4", track_times=False)
                file.create_dataset("late", shape=SHAPE, dtype="f4", fillvalue=2.5)
                file["text"] = "no array"
            for name, options in {
                "plain": {"compressors": None}, "zstd": {}, "gzip": {"compressors": zarr.codecs.GzipCodec()},
                "big": {"compressors": None, "serializer": zarr.codecs.BytesCodec(endian="big")},
                "v2": {"compressors": None, "chunk_key_encoding": {"name": "v2", "separator": "/"}},
            }.items():  # fmt: skip
                array = zarr.create_array(f"{here}/{name}.zarr", shape=SHAPE, dtype="c8", chunks=(3, 2, 4), fill_value=3 - 1j, **options)
                array[:, 2:] = expected[:, 2:]  # the other chunks are not there

        on_first_rank(make)
        assert (gathered(weft.read(f"{here}/h.h5:/deep/zipped", "pencil", comm)) == expected).all()
        assert (gathered(weft.read(f"{here}/h.h5", "pencil", comm, dataset="big")) == expected.real).all()
        assert (gathered(weft.read(f"{here}/h.h5:compact", None, comm)) == expected.real).all()
        assert (gathered(weft.read(f"{here}/h.h5:late", None, comm)) == 2.5).all()
        expected[:, :2] = 3 - 1j
        for name in ("plain", "zstd", "gzip", "big", "v2"):
            assert (gathered(weft.read(f"{here}/{name}.zarr", "brick", comm)) == expected).all(), name
        refused(lambda: weft.read(f"{here}/h.h5", None, comm), "has 5 datasets: /big, /compact, /deep/zipped", code="io")
        refused(lambda: weft.read(f"{here}/h.h5", None, comm, dataset="/none"), "h.h5:/none' is not there", "/deep/zipped", code="io")
        refused(lambda: weft.read(f"{here}/h.h5:/text", None, comm), "has texts", "complex128", code="io")
        refused(lambda: weft.read(f"{here}/h.h5:/deep", None, comm), "is no dataset", code="io")


def test_what_else_is_in_a_file_stays():
    def make():
        for name, of in (("attribute", {}), ("block", {"userblock_size": 512}), ("group", {}), ("link", {})):
            with h5py.File(f"{here}/{name}.h5", "w", **of) as file:
                file["a/data"] = np.zeros(3)
                if name == "attribute":
                    file["a"].attrs["time"] = 3.5
                elif name == "group":
                    file.create_group("empty")
                elif name == "link":
                    file["later"] = h5py.SoftLink("/nowhere")
        with open(f"{here}/block.h5", "r+b") as file:
            file.write(b"of others")
        with open(f"{here}/block.xdmf", "w") as file:
            file.write("of others")

    def check():
        for name in ("attribute", "block", "group", "link"):
            with h5py.File(f"{here}/{name}.h5") as file:
                assert (file["a/data"][...] == expected).all(), name
                assert name != "attribute" or file["a"].attrs["time"] == 3.5
                assert name != "group" or "empty" in file
                assert name != "link" or file.get("later", getlink=True).path == "/nowhere"
        for name in ("block.h5", "block.xdmf"):
            with open(f"{here}/{name}", "rb") as file:
                assert file.read(9) == b"of others"

    expected = whole("f4")
    u = distributed(expected, None)
    with folder() as here:
        on_first_rank(make)
        for name in ("attribute", "block", "group", "link"):
            weft.write(f"{here}/{name}.h5:/a/data", u)
        on_first_rank(check)
        assert (gathered(weft.read(f"{here}/block.h5", "pencil", comm)) == expected).all()


def test_datasets_of_other_files_and_compounds_of_hdf5():
    def make():
        with h5py.File(f"{here}/there.h5", "w") as file:
            file["pad"], file["u"] = np.arange(1000.0), expected
        with h5py.File(f"{here}/here.h5", "w") as file:
            file["pad"], file["u"] = np.arange(2000.0), h5py.ExternalLink("there.h5", "/u")
            file["turned"] = np.zeros(4, {"names": ["r", "i"], "formats": ["f8", "f8"], "offsets": [8, 0]})
            file["fluid"] = np.zeros(4, [("rho", "f8"), ("u", "f8")])

    expected = whole("f8")
    with folder() as here:
        on_first_rank(make)
        assert (gathered(weft.read(f"{here}/here.h5:/u", "pencil", comm)) == expected).all()
        for name in ("turned", "fluid"):
            refused(lambda: weft.read(f"{here}/here.h5", None, comm, dataset=name), "no complex numbers r and i", code="io")


def test_what_cannot_be_written_or_read_is_told_on_all_ranks():
    u = distributed(whole("f8"), None)
    with folder() as here:
        refused(lambda: weft.write(f"{here}/u.npy", weft.DistArray(SHAPE, None, comm, int)), "no arrays of dtype('int64')")
        refused(lambda: weft.write(f"{here}/u{comm.rank % 2}.npy", u) if comm.size > 1 else weft.write(f"{here}/no/u.npy", u),
                code="mismatch" if comm.size > 1 else "io")  # fmt: skip
        refused(lambda: weft.write(f"{here}/u.npy", u, dataset="a"), ".npy file, which has no array called 'a'")
        refused(lambda: weft.write(f"{here}/no/u.zarr", u), "cannot write", "No such file", code="io")
        refused(lambda: weft.write(f"{here}/u.npy", u, shape=SHAPE if comm.rank == comm.size - 1 else None), "a DistArray has its distribution")
        refused(lambda: weft.write(f"{here}/u\0.npy", u), "without zero bytes")
        refused(lambda: weft.read(f"{here}/u.zarr", None, comm), "is no zarr array", code="io")
        on_first_rank(lambda: os.mkdir(f"{here}/other.zarr") or open(f"{here}/other.zarr/letter", "w").close())
        refused(lambda: weft.write(f"{here}/other.zarr", u), "is a folder without arrays of zarr 3", code="io")
        weft.write(f"{here}/g.zarr:/a", u)
        refused(lambda: weft.write(f"{here}/g.zarr", u), "is a zarr group", "x.zarr:/u", code="io")
        refused(lambda: weft.write(f"{here}/g.zarr:/a/b", u), "is a zarr array", code="io")
        on_first_rank(lambda: os.truncate(f"{here}/g.zarr/a/c.0.0.0", 5))
        refused(lambda: weft.read(f"{here}/g.zarr:/a", None, comm), "has 5 bytes", code="io")

        def make_chunk_of_terabytes():
            zarr.create_array(f"{here}/huge.zarr", shape=(4,), dtype="f8", chunks=(4,))[...] = 1
            with open(f"{here}/huge.zarr/zarr.json", "r+") as file:
                text = json.dumps(json.load(file)).replace('"chunk_shape": [4]', '"chunk_shape": [1099511627776]')
                file.seek(0)
                file.write(text)
                file.truncate()

        on_first_rank(lambda: os.chmod(f"{here}/g.zarr/a", 0o555))
        refused(lambda: weft.write(f"{here}/g.zarr:/a", u), "it is read-only", code="io")

        def make_plain_chunk_and_unknown_member():
            zarr.create_array(f"{here}/gzip.zarr", shape=(4,), dtype="f8", compressors=zarr.codecs.GzipCodec())[...] = 1
            with open(f"{here}/gzip.zarr/c/0", "wb") as file:
                file.write(bytes(32))
            zarr.create_array(f"{here}/odd.zarr", shape=(4,), dtype="f8")
            with open(f"{here}/odd.zarr/zarr.json") as file:
                text = file.read()
            with open(f"{here}/odd.zarr/zarr.json", "w") as file:
                file.write(text.replace("{", '{"turned": {"must_understand": true},', 1))

        on_first_rank(make_plain_chunk_and_unknown_member)
        refused(lambda: weft.read(f"{here}/gzip.zarr", None, comm), "it is no gzip", code="io")
        refused(lambda: weft.read(f"{here}/odd.zarr", None, comm), 'the unknown member "turned"', code="io")
        on_first_rank(make_chunk_of_terabytes)
        refused(lambda: weft.read(f"{here}/huge.zarr", None, comm), "cannot be 8796093022208 compressed ones", code="io")
        on_first_rank(lambda: zarr.create_array(f"{here}/z.zarr", shape=(4,), dtype="f8", shards=(4,), chunks=(2,)))
        refused(lambda: weft.read(f"{here}/z.zarr", None, comm), "the codec 'sharding_indexed'", code="io")
        on_first_rank(lambda: zarr.create_array(f"{here}/i.zarr", shape=(4,), dtype="i8"))
        refused(lambda: weft.read(f"{here}/i.zarr", None, comm), 'the data type "int64"', code="io")
        weft.write(f"{here}/cut.h5", u)
        on_first_rank(lambda: os.truncate(f"{here}/cut.h5", os.path.getsize(f"{here}/cut.h5") - 8))
        refused(lambda: weft.read(f"{here}/cut.h5", None, comm), "cannot open", "truncated", code="io")
        assert on_first_rank(lambda: [name for name in os.listdir(here) if name.startswith(".")]) == []
