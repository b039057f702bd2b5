# tests/cli/test_errors: wrong input and wrong usage - the text of the error, printed once, exit status 2, no files left behind.
# Every case runs without a launcher and on several ranks; a hang fails the test.
import os
import shlex
import sys

import numpy as np
import pytest

from conftest import PROGRAM
from reference import random_array


def header(text, version=1):
    return b"\x93NUMPY" + bytes([version, 0]) + len(text).to_bytes(2, "little") + text


def npy(descr, shape, data, fortran=False, version=1):
    return header(f"{{'descr': {descr!r}, 'fortran_order': {fortran}, 'shape': {shape}, }}\n".encode(), version) + data


def write_inputs(folder):
    np.save(folder / "real.npy", random_array((7, 5, 3), "f8"))
    np.save(folder / "complex.npy", random_array((7, 5, 3), "c16"))
    np.save(folder / "one.npy", random_array((4, 1), "c16"))
    np.save(folder / "int.npy", np.zeros((7, 5), "i4"))
    np.save(folder / "half.npy", np.zeros((7, 5), "f2"))
    np.save(folder / "bool.npy", np.zeros((7, 5), "?"))
    np.save(folder / "quad.npy", np.zeros((7, 5), "g"))
    np.save(folder / "long.complex.npy", np.zeros((7, 5), "G"))
    np.save(folder / "object.npy", np.array([[None]]), allow_pickle=True)
    np.save(folder / "struct.npy", np.zeros(3, [("a", "f8"), ("b", "i4")]))
    np.save(folder / "scalar.npy", np.float64(3))
    np.save(folder / "nine.npy", np.zeros((1,) * 9))
    np.save(folder / "empty.npy", np.zeros((7, 0, 3)))
    whole = (folder / "real.npy").read_bytes()
    (folder / "short.npy").write_bytes(whole[:-100])
    (folder / "long.npy").write_bytes(whole + b"12345")
    (folder / "stub.npy").write_bytes(whole[:40])
    (folder / "text.npy").write_bytes(b"no array at all")
    (folder / "nothing.npy").write_bytes(b"")
    (folder / "future.npy").write_bytes(npy("<f8", (2, 2), bytes(32), version=9))
    (folder / "huge.npy").write_bytes(npy("<f8", (2**40, 2**40), b""))
    (folder / "beyond.npy").write_bytes(npy("<f8", (2**70, 2), b""))
    (folder / "negative.npy").write_bytes(npy("<f8", (-2, -2), bytes(32)))
    (folder / "broken.npy").write_bytes(npy("<f8", "(2; 2)", bytes(32)))
    (folder / "open.npy").write_bytes(header(b"{'fortran_order': False, 'descr': '<f8, 'shape': (2, 2)}"))
    (folder / "quote.npy").write_bytes(header(b"{'fortran_order': False, 'descr': '<f8"))
    (folder / "escape.npy").write_bytes(header(b"{'descr': '<\x1b[31m\x07', 'fortran_order': False, 'shape': (2, 2)}"))
    (folder / "key.npy").write_bytes(header(b"{'\x1b[2J': '<f8'}\n"))
    (folder / "long_text.npy").write_bytes(header(b"{" + 20000 * b"x"))
    (folder / "folder").mkdir()
    os.symlink("/dev/null", folder / "device")


ACCEPTED = "weft transforms float32, float64, complex64 and complex128"
FILES = [
    ("missing.npy", ["cannot open 'missing.npy': No such file or directory"]),
    ("folder", ["cannot open 'folder'", "not a regular file"]),
    ("text.npy", ["'text.npy' is not an .npy file: its 15 bytes do not start with \\x93NUMPY"]),
    ("nothing.npy", ["'nothing.npy' is not an .npy file: its 0 bytes"]),
    ("future.npy", ["is an .npy file of version 9", "versions 1.0, 2.0 and 3.0"]),
    ("int.npy", ["'int.npy' has dtype int32 ('<i4')", ACCEPTED]),
    ("half.npy", ["has dtype float16 ('<f2')", ACCEPTED]),
    ("bool.npy", ["has dtype bool ('|b1')", ACCEPTED]),
    ("quad.npy", ["has dtype float128 ('<f16')", ACCEPTED + ": x.astype('float64')"]),
    ("long.complex.npy", ["has dtype complex256 ('<c32')", ACCEPTED + ": x.astype('complex128')"]),
    ("object.npy", ["has dtype object ('|O')", ACCEPTED]),
    ("struct.npy", ["has the structured dtype [('a', '<f8'), ('b', '<i4')]", ACCEPTED]),
    ("scalar.npy", ["'scalar.npy' has no axes"]),
    ("nine.npy", ["'nine.npy' has 9 axes", "1 to 8 axes"]),
    ("empty.npy", ["'empty.npy' has 0 points along axis 1 of 7x0x3"]),
    ("negative.npy", ["has -2 points along axis 0 of -2x-2"]),
    ("short.npy", ["'short.npy' is truncated: it has 868 bytes, but its header and 7x5x3 float64 need 128 + 840 bytes"]),
    ("stub.npy", ["'stub.npy' is truncated: it has 40 bytes, but its header alone has 128"]),
    ("long.npy", ["'long.npy' is too large: it has 973 bytes, but its header and 7x5x3 float64 need 128 + 840 bytes"]),
    ("huge.npy", ["'huge.npy' has the shape 1099511627776x1099511627776, which is more than"]),
    ("beyond.npy", ["'beyond.npy' has a number that exceeds 64 bits"]),
    ("broken.npy", ["'broken.npy' has an invalid header: expected"]),
    ("open.npy", ["'open.npy' has an invalid header: expected ',' at byte 41 of {'fortran"]),
    ("quote.npy", ["'quote.npy' has an invalid header: the quote at byte 34 is not closed in {'fortran"]),
    ("escape.npy", ["has dtype '<\\u001b[31m\\u0007'", ACCEPTED]),
    ("key.npy", ["has an unknown key '\\u001b[2J' in its header {'\\u001b[2J': '<f8'}"]),
    ("long_text.npy", ["expected ''' at byte 1 of {xxx", "xxx ..."]),
]
TRANSFORMS = [
    ("real.npy y.npy --kind dct7", ["there is no kind 'dct7'", "one of: c2c, r2c or c2r; dct1 to dct4"]),
    ("real.npy y.npy --kind sf", ["the kind sf has 2 bases for 3 transformed axes"]),
    ("real.npy y.npy --kind dct2,sine,fourier", ["there is no basis 'sine'", "fourier, dct1, dct2"]),
    ("real.npy y.npy --kind sff --inverse", ["has dtype float64, but the inverse of r2c takes complex64 or complex128",
                                             "x.astype('complex128'), or use --kind r2c:sff without --inverse"]),
    ("real.npy y.npy --kind c2c:sff", ["has dtype float64, but c2c takes complex64 or complex128", "--kind r2c:sff without --inverse"]),
    ("complex.npy y.npy --kind r2c:dct2,fourier,fourier", ["has dtype complex128, but r2c takes float32 or float64",
                                                           "use --kind c2c:dct2,fourier,fourier for complex values"]),
    ("complex.npy y.npy --kind r2c", ["but r2c takes float32 or float64", "use --kind c2c for complex values"]),
    ("real.npy y.npy --kind c2c:", ["there is no kind 'c2c:'", "or a kind and bases, as in c2c:sff"]),
    ("real.npy y.npy --kind q2q:sff", ["there is no kind 'q2q:sff'"]),
    ("real.npy y.npy --kind r2c:sf", ["the kind r2c:sf has 2 bases for 3 transformed axes"]),
    ("real.npy y.npy --kind dct2 --last-size 3", ["--last-size is for c2r, but this is dct2"]),
    ("real.npy y.npy --norm half", ["there is no norm 'half'", "one of: backward, ortho, forward, none"]),
    ("real.npy y.npy --exchange pigeon", ["there is no exchange 'pigeon'", "p2p, alltoallv, alltoall, alltoallw"]),
    ("real.npy y.npy --engine steam", ["there is no engine 'steam'", "fftw"]),
    ("real.npy y.npy --effort much", ["there is no effort 'much'", "one of: estimate, measure"]),
    ("real.npy y.npy --decomposition star", ["there is no distribution 'star'", "slab, pencil, brick"]),
    ("real.npy y.npy --decomposition same", ["--decomposition cannot be 'same'", "slab, pencil, brick"]),
    ("real.npy y.npy --kind c2c", ["'real.npy' has dtype float64, but c2c takes complex64 or complex128"]),
    ("real.npy y.npy --kind c2r", ["'real.npy' has dtype float64, but c2r takes complex64 or complex128"]),
    ("real.npy y.npy --inverse", ["has dtype float64, but the inverse of r2c takes complex64 or complex128"]),
    ("complex.npy y.npy --kind r2c", ["'complex.npy' has dtype complex128, but r2c takes float32 or float64"]),
    ("real.npy y.npy --axes 3", ["axis 3 is out of range for 7x5x3 with 3 axes", "axes are 0 to 2, or -3 to -1"]),
    ("real.npy y.npy --axes=-4", ["axis -4 is out of range for 7x5x3"]),
    ("real.npy y.npy --axes 0,1,-3", ["axis -3 is named twice in --axes 0,1,-3"]),
    ("real.npy y.npy --axes 0,one", ["--axes is '0,one', not integers joined by commas"]),
    ("real.npy y.npy --axes 0,", ["--axes is '0,', not integers"]),
    ("one.npy y.npy --kind c2r", ["c2r of 4x1 has no default size along axis 1", "--last-size 1"]),
    ("complex.npy y.npy --kind c2r --last-size 9", ["c2r to 9 points takes 5 along axis 2, but 7x5x3 has 3",
                                                    "give --last-size 4 or 5"]),
    ("complex.npy y.npy --kind c2r --last-size 0", ["c2r to 0 points", "give --last-size 4 or 5"]),
    ("complex.npy y.npy --last-size 5", ["--last-size is for c2r, but this is c2c"]),
    ("complex.npy y.npy --last-size many", ["many"]),
    ("real.npy y.npy --modes 3x3", ["--modes has 2 numbers, but the file has 3 axes"]),
    ("real.npy y.npy --modes 99x1x1", ["axis 0 of", "cannot keep 99 modes"]),
    ("real.npy y.npy --points 9x9x9", ["--points is for transforms back to real space", "--inverse"]),
    ("complex.npy y.npy --kind c2r --modes 3x3x3", ["--modes leaves out coefficients", "--points"]),
    ("complex.npy y.npy --kind c2r --points 9x9x9 --last-size 9", ["--points and --last-size both", "omit --last-size"]),
    ("complex.npy y.npy --kind c2r --points 7x5x3", ["axis 2, which have 2 coefficients, but the file has 3", "give at least 4"]),
    ("real.npy y.npy --grid 5x7", ["the grid 5x7 has 35 parts for", "give numbers whose product is"]),
    ("real.npy y.npy --grid 9223372036854775807x9223372036854775807",
     ["x9223372036854775807 has more than 9223372036854775807 parts for", "give numbers whose product is"]),
    ("real.npy y.npy --grid 4294967296x4294967296", ["has more than 9223372036854775807 parts for"]),
    ("real.npy y.npy --grid 5by7", ["--grid is '5by7', not integers joined by 'x'"]),
    ("real.npy y.npy --grid=-1x-1", ["--grid is '-1x-1'", "at least 1"]),
    ("real.npy y.npy --node-size=-2", ["--node-size is '-2'"]),
    ("real.npy y.npy --strategy nonsense", ["is not a part of a strategy"]),
    ("real.npy y.npy --strategy 'fftw | from 1x1x1 | fft 9'", ["weft: "]),
    ("real.npy y.npy --strategy 'fftw | from 2x1x1 on 0,x | fft 2'", ["the ranks of '2x1x1' in a strategy is '0,x'", "0,2,4-7"]),
    ("real.npy y.npy --strategy 'fftw | from 3x1x1 on 0,0 | fft 2'", ["3x1x1 has more pieces than the 2 ranks listed for them"]),
    ("real.npy y.npy --strategy 'fftw | from 1x1x1 on 99 | fft 2'", ["a piece of 1x1x1 is on rank 99, but there"]),
    ("real.npy y.npy --use-ranks=-2", ["-2 ranks were asked to compute, but there"]),
    ("real.npy nowhere/y.npy", ["cannot write 'nowhere/y.npy': No such file or directory"]),
    ("real.npy folder", ["cannot write 'folder': it is a folder"]),
    ("real.npy device", ["cannot write 'device': it is not a regular file"]),
    ("real.npy", ["OUTPUT is required", "weft transform --help"]),
    ("real.npy y.npy z.npy", ["z.npy", "weft transform --help"]),
    ("real.npy y.npy --colour red", ["--colour", "weft transform --help"]),
    ("real.npy y.npy --kind", ["--kind", "weft transform --help"]),
]
COMMANDS = [
    ("", ["no command was given", "transform, bench, tune, plan, place, doctor, exchanges, engines"]),
    ("fly", ["there is no command 'fly'", "transform, bench, tune, plan, place, doctor, exchanges, engines"]),
    ("--colour", ["--colour", "weft --help"]),
    ("exchanges extra", ["extra", "weft exchanges --help"]),
    ("bench", ["EXTENTS is required", "weft bench --help"]),
    ("bench 8x8xx8", ["EXTENTS is '8x8xx8', not integers joined by 'x'"]),
    ("bench 8x0x8", ["axis 1 of 8x0x8 has 0 points"]),
    ("bench 8x-4x8", ["axis 1 of 8x-4x8 has -4 points"]),
    ("bench 2x2x2x2x2x2x2x2x2", ["the field has 9 axes"]),
    ("bench 2147483648x2147483648x2147483648", ["too many for 64-bit byte counts"]),
    ("bench 8x8x8 --batch 0", ["the batch is 0"]),
    ("bench 8x8x8 --pad 0.5", ["--pad is '0.5'", "from 1 to 1000, for example 3/2"]),
    ("bench 8x8x8 --pad 3/", ["--pad is '3/'"]),
    ("bench 8x8x8 --cutoff wide", ["--cutoff is 'wide'", "as 32 for an axis of 128 points"]),
    ("bench 8x8x8 --cutoff 2 --pad 2", ["--cutoff and --pad both say which waves are kept"]),
    ("bench 4096 --strategy 'fftw | split 0 as 64x64 | from 1x1 | fft 0 | fft 1'",
     ["the grid 1x1 counts axis 0 as two, since it is split", "begin with 'from input', and end with an exchange 'to output'"]),
    ("bench 4096 --strategy 'fftw | split 0 as 4294967296x4294967296 | from input | fft 0 | fft 1'",
     ["axis 0 cannot be split as 4294967296x4294967296"]),
    ("bench 8x8x8 --cutoff 1e300", ["the cut-off of radius 1e+300 reaches far beyond any wave of a grid along axis 0",
                                    "a grid of 8 points has the numbers -3 to 3", "without vectors, the radius is counted in waves"]),
    ("bench 8x8x8 --cutoff 5", ["the cut-off has the wave (0,-5,0)", "take at least 11 points along axis 1"]),
    ("bench 8x8 --cutoff 2", ["a cut-off needs a grid of 3 axes, but 8x8 has 2"]),
    ("bench 8x8x8 --pad 2 --modes 4x4x4", ["--pad and --modes both say how many modes"]),
    ("bench 4611686018427387904 --pad 999", ["times 999 is too large a grid"]),
    ("bench 8x8x8 --modes 8x9x8", ["axis 1 of 8x8x8 cannot keep 9 modes", "a larger grid"]),
    ("bench 8x8x8 --modes 8x8", ["there are 2 numbers of modes for 8x8x8"]),
    ("bench 8x8x8 --support 8x8x12", ["the support [0,8)x[0,8)x[0,12) is not a part of 8x8x8"]),
    ("bench 8x8x8 --workload halo --ghosts 9", ["axis 0 has 8 points, and 9 ghost points beside each box"]),
    ("bench 8x8x8 --workload halo --ghosts=-1", ["--ghosts is -1"]),
    ("bench 8x8x8 --workload halo --output slab", ["--workload halo does not support --output", "give --input"]),
    ("bench 8x8x8 --workload reshape --batch 2", ["--workload reshape does not support --batch"]),
    ("bench 8x8x8 --workload reshape --output same", ["the distribution to move to is 'same'"]),
    ("bench 8x8x8 --repeat 0", ["--repeat is 0", "at least 1"]),
    ("bench 8x8x8 --warmup=-1", ["--warmup is -1"]),
    ("bench 8x8x8 --threads=-1", ["--threads is -1", "give an integer from 0 to 4096"]),
    ("plan 8x8x8 --ranks 8 --threads 2147483647", ["--threads is 2147483647", "from 0 to 4096"]),
    ("bench 8x8x8 --in-flight none", ["--in-flight is 'none'", "give an integer from 1 to 1024"]),
    ("bench 8x8x8 --chunks -1", ["--chunks is -1", "from 0 to 128"]),
    ("bench 8x8x8 --precision quad", ["there is no precision 'quad'", "single, double"]),
    ("bench 8x8x8 --kind dct0", ["there is no kind 'dct0'", "sff or chff"]),
    ("bench 8x1x8 --kind dct1", ["axis 1 has 1 point, too few for dct1", "it needs at least 2"]),
    ("bench 8x8 --kind sff", ["the kind sff has 3 bases for 2 transformed axes"]),
    ("bench 8x8x8 --input same", ["--input cannot be 'same'", "slab, pencil, brick"]),
    ("bench 8x8x8 --output boxes", ["--output cannot be 'boxes'", "free, same, slab, pencil, brick"]),
    ("bench 8x8x8 --output round", ["there is no distribution 'round'"]),
    ("bench 8x8x8 --exchange pigeon", ["there is no exchange 'pigeon'", "p2p, alltoallv, alltoall, alltoallw"]),
    ("bench 8x8x8 --engine steam", ["there is no engine 'steam'", "fftw"]),
    ("bench 8x8x8 --grid 5x7", ["the grid 5x7 has 35 parts for"]),
    ("bench 8x8 --workload rest", ["there is no workload 'rest'", "one of: transforms, reshape, halo"]),
    ("bench 8x8x8 --use-ranks 40", ["40 ranks were asked to compute, but there", "or 0 for all"]),
    ("bench 8x8x8 --use-ranks 1 --strategy 'fftw | from 1x1x1 | fft 2,1,0'", ["a number of ranks and a strategy both say"]),
    ("bench 8x8x8 --json nowhere/t.json", ["cannot write 'nowhere/t.json': No such file or directory"]),
    ("bench 8x8x8 --trace folder", ["cannot write 'folder': it is a folder"]),
]


@pytest.fixture
def inputs(weft):
    write_inputs(weft.folder)
    return weft


def check(weft, arguments, texts, ranks):
    said = weft.fails(*arguments, ranks=ranks)
    assert [text for text in texts if text not in said] == [], said


def runs(names, cases):
    """Every case without a launcher and, as all ranks say the same in the same way, every third on three ranks."""
    all_runs = [(*case, 0) for case in cases] + [(*case, 3) for case in cases[::3]]
    return pytest.mark.parametrize(f"{names}, ranks", all_runs, ids=[f"{run[0] or 'nothing'}-{run[-1]}" for run in all_runs])


@runs("name, texts", FILES)
def test_a_file_that_cannot_be_transformed(inputs, name, texts, ranks):
    check(inputs, ["transform", name, "y.npy"], texts, ranks)


@runs("line, texts", TRANSFORMS)
def test_an_invalid_transform(inputs, line, texts, ranks):
    check(inputs, ["transform", *shlex.split(line)], texts, ranks)


@runs("line, texts", COMMANDS)
def test_an_invalid_command(inputs, line, texts, ranks):
    check(inputs, shlex.split(line), texts, ranks)


def test_a_failed_transform_leaves_an_older_output_alone(inputs):
    (inputs.folder / "y.npy").write_bytes(b"older")
    inputs.fails("transform", "short.npy", "y.npy", ranks=2)
    inputs.fails("transform", "real.npy", "y.npy", "--grid", "5x7", ranks=2)
    assert (inputs.folder / "y.npy").read_bytes() == b"older"


def test_a_file_that_grows_beyond_its_limit_leaves_nothing(weft):
    # A limit on the size of files stands for a full disk: both are detected when the file is allocated.
    np.save(weft.folder / "x.npy", np.zeros((5000, 1000)))
    limited = f"trap '' XFSZ; ulimit -f {32 * 2048}; exec {shlex.quote(PROGRAM)} transform x.npy y.npy"
    ended = weft.start(["sh", "-c", limited])
    assert ended.status == 1, ended.out + ended.err
    assert "weft: cannot write 'y.npy': File too large (40080128 bytes)" in ended.err
    assert [p.name for p in weft.folder.iterdir()] == ["x.npy"]


def test_a_folder_that_must_not_be_written(weft):
    np.save(weft.folder / "x.npy", np.zeros((5, 5)))
    closed = weft.folder / "closed"
    closed.mkdir(mode=0o555)
    if os.geteuid() == 0:
        # root may write everywhere, except in a folder that cannot hold files.
        assert "cannot write '/proc/self/y.npy'" in weft.fails("transform", "x.npy", "/proc/self/y.npy", ranks=2)
    else:
        assert "closed/y.npy': Permission denied" in weft.fails("transform", "x.npy", "closed/y.npy", ranks=2)
    assert list(closed.iterdir()) == []


@pytest.mark.parametrize("size, text", [("two", "WEFT_NODE_SIZE is 'two'"), ("0", "WEFT_NODE_SIZE is '0'")])
def test_an_invalid_node_size_in_the_environment(weft, size, text, monkeypatch):
    monkeypatch.setitem(sys.modules["conftest"].ENVIRONMENT, "WEFT_NODE_SIZE", size)
    assert text in weft.fails("bench", "8x8x8", ranks=2)
