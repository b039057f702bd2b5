# tests/python/test_array_files: what is left of files when a rank dies, and files of one process without MPI. What holds on any number of
# ranks is in files_on_ranks.py.
import shlex
import subprocess
import sys
from os import environ

import h5py
import numpy as np
import pytest
import zarr

pytest.importorskip("mpi4py")

DIES = """
import contextlib, os, signal, sys, time, numpy as np, weft, weft._files
from mpi4py import MPI
path, comm = sys.argv[1], MPI.COMM_WORLD
opened = weft._files._opened
@contextlib.contextmanager
def dies(*arguments):  # when rank 0 has begun to write the new file
    with opened(*arguments):
        pass
    while not any(name.startswith(".weft-") for name in os.listdir(os.path.dirname(path))):
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGKILL)
    yield
weft.write(path, weft.DistArray.from_array(np.ones((5, 7)), "slab", comm))
if comm.rank == 1:
    weft._files._opened = dies
weft.write(path, weft.DistArray.from_array(np.zeros((50, 70)), "slab", comm), chunks=(16, 16))  # so that nothing is agreed on before
"""


@pytest.mark.parametrize("name", ["u.h5", "u.zarr"])
def test_a_rank_that_dies_leaves_the_older_array(tmp_path, name):
    launch = [*shlex.split(environ.get("WEFT_MPIEXEC", "mpiexec")), "-n", "2", sys.executable, "-c", DIES, str(tmp_path / name)]
    ended = subprocess.run(launch, capture_output=True, text=True, timeout=100, check=False)
    assert ended.returncode != 0, ended.stderr
    if name == "u.h5":
        with h5py.File(tmp_path / name) as file:
            values = file["data"][...]
    else:
        values = zarr.open_array(tmp_path / name, mode="r")[...]
    assert values.shape == (5, 7) and (values == 1).all()


OVERTAKEN = """
import contextlib, os, sys, time, numpy as np, weft, weft._files
from mpi4py import MPI
folder, comm = sys.argv[1], MPI.COMM_WORLD
opened = weft._files._opened
def overtakes(other, path):  # when rank 0 has begun to write the new file
    @contextlib.contextmanager
    def late(*arguments):
        with opened(*arguments) as file:
            while not any(name.startswith(".weft-") for name in os.listdir(folder)):
                time.sleep(0.01)
            time.sleep(0.3)
            os.rename(other, path)
            yield file
    return late
u = weft.DistArray.from_array(np.ones((5, 7)), "slab", comm)
weft.write(f"{folder}/u.h5:/a", u)
for name in ("u.h5", "u.zarr"):
    other = f"{folder}/other{name[1:]}"
    weft.write(f"{other}:/b", u)
    if comm.rank == 1:
        weft._files._opened = overtakes(other, f"{folder}/{name}")
    try:
        weft.write(f"{folder}/{name}:/c", u, chunks=(5, 7))
        print("no error")
    except weft.Error as error:
        print(error.message)
    weft._files._opened = opened
"""


def test_what_another_program_writes_meanwhile_stays(tmp_path, run):
    said = run(OVERTAKEN, str(tmp_path), ranks=2)
    assert said.count("u.h5' changed while weft wrote 'c' to a copy of it") == 2 and "no error" not in said
    assert said.count("another program has made") == 2
    with h5py.File(tmp_path / "u.h5") as file:
        assert list(file) == ["b"]
    assert list(zarr.open_group(tmp_path / "u.zarr", mode="r")) == ["b"]
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


REPLACED = """
import os, sys, threading, numpy as np, weft
folder, ended = sys.argv[1], threading.Event()
os.link(f"{folder}/0.h5", f"{folder}/u.h5")
def replaces():
    number = 0
    while not ended.wait(1e-4):
        number = (number + 1) % 40
        os.link(f"{folder}/{number}.h5", f"{folder}/next")
        os.replace(f"{folder}/next", f"{folder}/u.h5")
other = threading.Thread(target=replaces)
other.start()
told = right = 0
while told + right < 500 or not (told and right):
    try:
        values = weft.read(f"{folder}/u.h5:/u").local
        assert (values == values[0]).all() and values[0] != 0
        right += 1
    except weft.Error as error:
        assert "changed after weft looked at it" in str(error) or "the file ends" in str(error), error
        told += 1
    except BaseException:
        ended.set()
        raise
ended.set()
other.join()
for name, points in (("u", 50), ("v", 20)):
    weft.write(f"{folder}/{name}.zarr", np.ones(points))
selected = weft._files._selected
def replaced(*arguments):  # when weft has made the array that it fills
    os.rename(f"{folder}/u.zarr", f"{folder}/w.zarr")
    os.rename(f"{folder}/v.zarr", f"{folder}/u.zarr")
    return selected(*arguments)
weft._files._selected = replaced
try:
    weft.read(f"{folder}/u.zarr")
    raise SystemExit("no error")
except weft.Error as error:
    assert "changed after weft looked at it" in str(error), error
"""


def test_a_file_that_is_replaced_while_it_is_read_is_told(tmp_path, run):
    for number in range(40):  # whose arrays lie at different places
        with h5py.File(tmp_path / f"{number}.h5", "w") as file:
            file["pad"] = np.zeros(100 * number + 1)
            file["u"] = np.full(50, number + 1.0)
    run(REPLACED, str(tmp_path))


def test_a_process_alone_needs_no_mpi(run, tmp_path):
    expected = np.random.default_rng(2).standard_normal((5, 6, 7))
    np.save(tmp_path / "x.npy", np.asfortranarray(expected))
    run(
        """
import sys, numpy as np, weft
here = sys.argv[1]
u = weft.read(f"{here}/x.npy", weft.Distribution("slab", ghosts=1))
for name in ("u.npy", "u.h5:/a/u", "u.zarr:/a/u"):
    weft.write(f"{here}/{name}", u)
    weft.write(f"{here}/{name}", np.asarray(weft.read(f"{here}/{name}").local)[:, 1:])  # a local array replaces it
weft.write(f"{here}/f.npy", weft.read(f"{here}/u.h5", slices=np.s_[2]), order="F")
assert "mpi4py" not in sys.modules
""",
        str(tmp_path),
    )
    np.testing.assert_array_equal(np.load(tmp_path / "u.npy"), expected[:, 1:])
    np.testing.assert_array_equal(np.load(tmp_path / "f.npy"), expected[2, 1:])
    np.testing.assert_array_equal(zarr.open_group(tmp_path / "u.zarr", mode="r")["a/u"][...], expected[:, 1:])
    with h5py.File(tmp_path / "u.h5") as file:
        np.testing.assert_array_equal(file["a/u"][...], expected[:, 1:])


def test_without_h5py_hdf5_is_read_by_another_library_or_refused(run, tmp_path):
    with h5py.File(tmp_path / "u.h5", "w") as file:
        file["u"] = np.arange(12.0).reshape(3, 4)
    said = run(
        """
import sys
sys.modules["h5py"] = None
import weft
try:
    print(weft.read(sys.argv[1]).local.sum())
except weft.Error as error:
    print(error)
""",
        str(tmp_path / "u.h5"),
    )
    assert said == "66.0\n" or ("HDF5's library is not installed here" in said and "pip install h5py" in said)
