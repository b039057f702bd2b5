# tests/cli/test_files: what weft does to the files around it - links, modes, files left behind, ranks that see different files.
# A hang fails a test.
import os
import shlex
import stat

import numpy as np
import pytest

from conftest import ALONE, LAUNCHER, PROGRAM
from reference import random_array


@pytest.fixture
def folder(weft):
    np.save(weft.folder / "x.npy", random_array((6, 5, 4), "f8"))
    return weft.folder


def is_spectrum(path):
    return np.load(path).shape == (6, 5, 3)


def other_array(what, node):
    """What the second of two nodes has instead of the 6x5x4 array x.npy."""
    if what == "size":
        np.save(node / "x.npy", np.ones((3, 5, 4)))
    elif what == "order":
        np.save(node / "x.npy", np.ones((4, 5, 6)))  # as many bytes


@pytest.mark.parametrize("what, message", [
    ("missing", ["cannot open 'x.npy': No such file or directory", "reading the file on rank 1"]),
    ("size", ["ranks disagree on the input file: rank 1 has '3x5x4 float64', rank 0 has '6x5x4 float64'"]),
    ("order", ["ranks disagree on the input file: rank 1 has '4x5x6 float64', rank 0 has '6x5x4 float64'"]),
    ("output", ["y.npy': No such file or directory (on rank 1)", "the same file on every rank"]),
])
def test_ranks_that_see_different_files(weft, folder, what, message):
    # Two folders stand for the file systems of two nodes.
    nodes = [weft.folder / "node0", weft.folder / "node1"]
    for node in nodes:
        node.mkdir()
    os.link(folder / "x.npy", nodes[0] / "x.npy")
    other_array(what, nodes[1])
    source, target = ("x.npy", folder / "y.npy") if what != "output" else (folder / "x.npy", "y.npy")
    rank = [PROGRAM, "transform", str(source), str(target)]
    ended = weft.start([*LAUNCHER, "-n", "1", "-wdir", str(nodes[0]), *rank,
                        ":", "-n", "1", "-wdir", str(nodes[1]), *rank], timeout=60)
    assert ended.status == 2, ended.err
    assert [text for text in message if text not in "\n".join(ended.complaints)] == [], ended.err
    assert not (folder / "y.npy").exists() and [n for node in nodes for n in os.listdir(node) if "y.npy" in n] == []


def test_the_output_keeps_the_mode_of_the_file_that_it_replaces(weft, folder):
    (folder / "y.npy").write_bytes(b"older")
    os.chmod(folder / "y.npy", 0o604)
    weft("transform", "x.npy", "y.npy", ranks=2)
    assert is_spectrum(folder / "y.npy") and stat.S_IMODE(os.stat(folder / "y.npy").st_mode) == 0o604


def test_a_new_file_has_the_mode_that_the_user_gives_to_new_files(weft, folder):
    for mask in "022", "077":
        weft.start(["sh", "-c", f"umask {mask}; {shlex.quote(PROGRAM)} transform x.npy {mask}.npy"], **ALONE)
        assert stat.S_IMODE(os.stat(folder / f"{mask}.npy").st_mode) == 0o666 & ~int(mask, 8)


@pytest.mark.parametrize("exists", [True, False])
def test_the_output_follows_symbolic_links(weft, folder, exists):
    (folder / "far").mkdir()
    os.symlink("far/second.npy", folder / "y.npy")
    os.symlink("y.npy", folder / "far" / "second.npy")
    if exists:
        (folder / "far" / "y.npy").write_bytes(b"older")
    weft("transform", "x.npy", "y.npy", ranks=2)
    assert os.readlink(folder / "y.npy") == "far/second.npy" and is_spectrum(folder / "far" / "y.npy")
    assert sorted(os.listdir(folder / "far")) == ["second.npy", "y.npy"]


def test_a_circle_of_links_is_an_error(weft, folder):
    os.symlink("z.npy", folder / "y.npy")
    os.symlink("y.npy", folder / "z.npy")
    assert "Too many levels of symbolic links" in weft.fails("transform", "x.npy", "y.npy", ranks=2)


def test_a_read_only_file_is_not_replaced(weft, folder):
    (folder / "y.npy").write_bytes(b"older")
    os.chmod(folder / "y.npy", 0o444)
    assert "cannot write 'y.npy': it is read-only" in weft.fails("transform", "x.npy", "y.npy", ranks=2)
    assert (folder / "y.npy").read_bytes() == b"older"


def test_a_file_that_a_killed_run_has_left_does_not_stop_the_next(weft, folder):
    # Process ids are used again, in containers at once: the shell's id becomes that of weft.
    script = f': > ".weft-$$-0-y.npy"; : > ".weft-$$-1-y.npy"; exec {shlex.quote(PROGRAM)} transform x.npy y.npy'
    ended = weft.start(["sh", "-c", script])
    assert ended.status == 0, ended.err
    assert is_spectrum(folder / "y.npy") and len(os.listdir(folder)) == 4, "the files of others stay"


def test_output_that_cannot_be_printed_is_an_error(weft):
    for command in ["engines", "--help", "--version"]:
        ended = weft.start(["sh", "-c", f"exec {shlex.quote(PROGRAM)} {command} > /dev/full"])
        assert ended.status == 1, ended.command
        assert "weft: cannot write to standard output: No space left on device" in ended.err


@pytest.mark.parametrize("command, files", [
    ("transform x.npy y.npy --verify", ["y.npy"]),
    ("bench 8x8x8 --repeat 1 --json b.json --trace t.json", ["b.json", "t.json"]),
    ("plan 8x8x8 --ranks 4 --json p.json", ["p.json"]),
    ("place 4x4x4 --ranks 4 --machine blue-gene-l --json p.json --page p.html --write torus --file r.map", ["p.json", "p.html", "r.map"]),
    ("tune 8x8x8 --seconds 0.5 --json t.json", ["t.json", "wisdom.json"]),
    ("doctor --seconds 0.3 --json d.json --html d.html --machine-file m.json", ["d.json", "d.html", "m.json"]),
])
def test_files_are_written_though_nobody_reads_what_is_printed(weft, folder, command, files):
    """As in `weft ... | head`, which closes its end of the pipe while weft still prints."""
    weft.variables["WEFT_WISDOM"] = "wisdom.json"
    ended = weft.start(["sh", "-c", f"{{ {shlex.quote(PROGRAM)} {command}; echo status $? >&2; }} | :"], **ALONE)
    assert ended.err.splitlines()[-1] == "status 0", ended.err
    assert [name for name in files if not (folder / name).stat().st_size] == []
    assert not [name for name in os.listdir(folder) if name.startswith(".weft-")]


def test_the_output_is_written_though_nobody_reads_what_ranks_print(weft, folder):
    if LAUNCHER and "HYDRA" in weft.start([LAUNCHER[0], "--version"]).out:
        pytest.skip("MPICH's launcher ends the ranks when nobody reads what they print")
    weft.start(["sh", "-c", f"{shlex.join([*LAUNCHER, '-n', '2', PROGRAM])} transform x.npy y.npy | :"])
    assert is_spectrum(folder / "y.npy")
