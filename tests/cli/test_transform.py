# tests/cli/test_transform: `weft transform` against numpy.fft, on 1 to 12 ranks.
import itertools
import json
import random
import re

import numpy as np
import pytest

from reference import COMPLEX, TOLERANCE, input_for, makes_real, random_array, relative_error, transformed

SHAPES = [(7, 5, 3), (1, 1, 64), (96, 1, 24), (128, 96, 24), (17, 19, 23), (30, 20, 12, 5), (1009,), (2, 2, 2)]
RANKS = [1, 2, 3, 4, 6, 7, 12]
CHOICES = {
    "kind": [("c2c", False), ("c2c", True), ("r2c", False), ("r2c", True), ("c2r", False), ("c2r", True)],
    "norm": ["backward", "ortho", "forward", "none"],
    "exchange": [None, "p2p", "alltoallv", "alltoall", "alltoallw"],
    "precision": ["double", "single"],
    "order": ["C", "F"],
    "endian": ["<", ">"],
    "axes": ["all", "turned", "negative", "some"],
}


def pairs(case):
    return set(itertools.combinations(sorted((name, case[name]) for name in CHOICES), 2))


def all_pairs():
    return set().union(*(
        {((a, x), (b, y)) for x in CHOICES[a] for y in CHOICES[b]}
        for a, b in itertools.combinations(sorted(CHOICES), 2)))


def covering_cases():
    """A choice for every shape on five of the numbers of ranks, such that every two choices meet in some case."""
    generator, missing, cases = random.Random(1), all_pairs(), []
    for number, ranks in itertools.product(range(len(SHAPES)), RANKS):
        shape = SHAPES[number]
        if (number + RANKS.index(ranks)) % 7 in (1, 4):
            continue
        tries = [{name: generator.choice(values) for name, values in CHOICES.items()} for _ in range(200)]
        best = max(tries, key=lambda case: len(pairs(case) & missing))
        missing -= pairs(best)
        cases.append((shape, ranks, best))
    return cases


def axes_called(name, count):
    """Axes, and how they are written on the command line."""
    if name == "all":
        return list(range(count)), None
    if name == "turned":
        axes = list(range(count))[::-1]
        return axes, ",".join(map(str, axes))
    if name == "negative":
        return list(range(count)), ",".join(str(a - count) for a in range(count))
    axes = list(range(0, count, 2))
    return axes, ",".join(map(str, axes))


def save(path, x, order="C", endian="<"):
    x = x.astype(x.dtype.newbyteorder(endian))
    np.save(path, np.asfortranarray(x) if order == "F" else np.ascontiguousarray(x))


def is_fortran(path):
    with open(path, "rb") as file:
        np.lib.format.read_magic(file)
        return np.lib.format.read_array_header_1_0(file)[1]


def check(weft, x, kind, inverse=False, norm="backward", axes=None, axes_text=None, ranks=0, order="C", endian="<",
          options=(), last_size=None):
    save(weft.folder / "x.npy", x, order, endian)
    arguments = ["--kind", kind, "--norm", norm, *options]
    arguments += ["--inverse"] if inverse else []
    arguments += [f"--axes={axes_text}"] if axes_text else []
    arguments += ["--last-size", last_size] if last_size is not None else []
    ended = weft("transform", "x.npy", "y.npy", *arguments, ranks=ranks)
    y = np.load(weft.folder / "y.npy")
    expected = transformed(x, kind, inverse, norm, axes, last_size)
    precision = "single" if x.dtype.itemsize // (2 if x.dtype.kind == "c" else 1) == 4 else "double"
    wanted_dtype = {"c": COMPLEX[precision], "f": COMPLEX[precision].replace("c16", "f8").replace("c8", "f4")}
    assert y.dtype == np.dtype("<" + wanted_dtype["f" if makes_real(kind, inverse) else "c"])
    assert is_fortran(weft.folder / "y.npy") == is_fortran(weft.folder / "x.npy")
    assert relative_error(y, expected) < TOLERANCE[precision], ended.command
    assert sorted(p.name for p in weft.folder.iterdir()) == ["x.npy", "y.npy"]
    return ended


def test_every_two_choices_meet():
    met = set().union(*(pairs(case) for _, _, case in covering_cases()))
    assert all_pairs() - met == set()


def case_name(case):
    shape, ranks, c = case
    kind, inverse = c["kind"]
    words = ["x".join(map(str, shape)), f"np{ranks}", kind + ("-inverse" if inverse else ""), c["norm"],
             c["exchange"] or "free", c["precision"], c["order"], {"<": "little", ">": "big"}[c["endian"]], c["axes"]]
    return "-".join(words)


@pytest.mark.parametrize("case", covering_cases(), ids=case_name)
def test_equals_numpy(weft, case):
    shape, ranks, c = case
    kind, inverse = c["kind"]
    axes, axes_text = axes_called(c["axes"], len(shape))
    x = input_for(shape, kind, inverse, axes, c["precision"])
    options = ["--verify"] + (["--exchange", c["exchange"]] if c["exchange"] else [])
    last_size = shape[axes[-1]] if makes_real(kind, inverse) and (shape[axes[-1]] % 2 or shape[axes[-1]] == 0) else None
    ended = check(weft, x, kind, inverse, c["norm"], axes, axes_text, ranks, c["order"], c["endian"], options, last_size)
    assert "verified: error " in ended.out


@pytest.mark.parametrize("count", range(1, 9))
def test_takes_one_to_eight_axes(weft, count):
    shape = [3, 2, 4, 2, 3, 2, 1, 2][:count]
    generator = random.Random(count)
    axes = generator.sample(range(count), generator.randint(1, count))
    x = random_array(shape, "f8", count)
    check(weft, x, "r2c", axes=axes, axes_text=",".join(map(str, axes)), ranks=3, order="CF"[count % 2],
          options=["--verify"])


@pytest.mark.parametrize("dtype, kind", [("f4", "r2c"), ("f8", "r2c"), ("c8", "c2c"), ("c16", "c2c")])
def test_the_kind_follows_from_the_type(weft, dtype, kind):
    x = random_array((6, 5), dtype)
    save(weft.folder / "x.npy", x)
    weft("transform", "x.npy", "y.npy")
    assert relative_error(np.load(weft.folder / "y.npy"), transformed(x, kind)) < 1e-5


@pytest.mark.parametrize("shape, options", [
    ((64,), []), ((64,), ["--decomposition", "slab"]), ((12, 10, 8), ["--decomposition", "slab"]),
    ((12, 10, 8), ["--decomposition", "pencil"]), ((12, 10, 8), ["--decomposition", "brick"]),
    ((12, 10, 8), ["--grid", "2x3"]), ((12, 10, 8), ["--grid", "3x2"]), ((12, 10, 8), ["--effort", "measure"]),
    ((12, 10, 8), ["--reproducible"]),
    ((12, 10, 8), ["--engine", "fftw", "--node-size", "2"]),
    ((12, 10, 8), ["--use-ranks", "4"]), ((64,), ["--use-ranks", "3", "--node-size", "2,4"]),
    ((12, 10, 8), ["--strategy", "fftw | from 4x2x1 on 5,1,1,0,5,2,2,5 | fft 2 | p2p to 1x1x3 on 4,5,1 in 2 | fft 1,0"]),
    ((12, 10, 8), ["--strategy", "fftw | from 6x1x1 | fft 2,1 | p2p to 1x6x1 | fft 0"]),
], ids=str)
def test_what_the_planner_is_told_does_not_change_the_result(weft, shape, options):
    ended = check(weft, random_array(shape, "c16"), "c2c", ranks=6, options=options)
    if options[:1] == ["--strategy"]:
        assert f"strategy: {options[1]}" in ended.out


def test_every_exchange_gives_the_same_bits(weft):
    rows = json.loads(weft("exchanges", "--json").out)
    names = [row["name"] for row in rows if row["applies"]]
    assert {"p2p", "alltoallv", "alltoall", "alltoallw"} <= set(names)
    for shape, dtype, ranks in [((17, 19, 23), "f8", 6), ((30, 20, 12, 5), "c8", 4), ((1024,), "c16", 3)]:
        save(weft.folder / "x.npy", random_array(shape, dtype))
        chosen = weft("transform", "x.npy", "y.npy", "--exchange", "p2p", "--effort", "estimate", ranks=ranks).out
        strategy = re.search("strategy: (.+)", chosen).group(1)
        assert " p2p to " in strategy
        files = {}
        for name in names:
            weft("transform", "x.npy", f"{name}.npy", "--strategy", strategy.replace(" p2p to ", f" {name} to "),
                 ranks=ranks)
            files[name] = (weft.folder / f"{name}.npy").read_bytes()
        assert {name for name, data in files.items() if data != files["alltoallw"]} == set(), shape


def test_a_round_trip_gives_back_the_array(weft):
    x = random_array((9, 8, 7), "f8")
    save(weft.folder / "x.npy", x)
    weft("transform", "x.npy", "y.npy", "--axes", "1,0", ranks=2)
    weft("transform", "y.npy", "z.npy", "--kind", "c2r", "--axes", "1,0", "--last-size", "9", ranks=3)
    assert relative_error(np.load(weft.folder / "z.npy"), x) < 1e-14


@pytest.mark.parametrize("ranks", [0, 4])
def test_the_output_may_be_the_input(weft, ranks):
    x = random_array((8, 9, 10), "f8")
    save(weft.folder / "x.npy", x)
    weft("transform", "x.npy", "x.npy", ranks=ranks)
    assert relative_error(np.load(weft.folder / "x.npy"), transformed(x, "r2c")) < 1e-13
    assert [p.name for p in weft.folder.iterdir()] == ["x.npy"]


def test_the_output_replaces_a_longer_file(weft):
    save(weft.folder / "x.npy", random_array((8, 8), "f4"))
    (weft.folder / "y.npy").write_bytes(b"x" * 10000)
    weft("transform", "x.npy", "y.npy", ranks=2)
    assert np.load(weft.folder / "y.npy").shape == (8, 5)


def test_ranks_without_points_take_part(weft):
    check(weft, random_array((2, 1, 1), "c16"), "c2c", ranks=7)


@pytest.mark.parametrize("points, last_size", [((4, 1), 1), ((4, 2), 2), ((4, 2), 3), ((4, 4), 6), ((4, 4), 7)])
def test_c2r_of_every_last_size(weft, points, last_size):
    check(weft, random_array(points, "c16"), "c2r", last_size=last_size, options=["--verify"])


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_every_version_of_the_header_is_read(weft, version):
    x = random_array((5, 6), "c16")
    with open(weft.folder / "x.npy", "wb") as file:
        np.lib.format.write_array(file, x, version=version)
    weft("transform", "x.npy", "y.npy", ranks=2)
    assert relative_error(np.load(weft.folder / "y.npy"), transformed(x, "c2c")) < 1e-13


@pytest.mark.parametrize("header", [
    "{'shape': (5, 6), 'fortran_order': False, 'descr': '<f8'}\n",
    '{"descr": "<f8", "fortran_order": False, "shape": (5L, 6L), }    \n',
    "{ 'descr' : '=f8' , 'fortran_order' : False , 'shape' : ( 5 , 6 , ) }",
])
def test_a_header_written_by_another_program_is_read(weft, header):
    x = random_array((5, 6), "f8")
    text = header.encode()
    (weft.folder / "x.npy").write_bytes(b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + x.tobytes())
    weft("transform", "x.npy", "y.npy", ranks=2)
    assert relative_error(np.load(weft.folder / "y.npy"), transformed(x, "r2c")) < 1e-13


def test_zeros_stay_zeros_and_verify(weft):
    save(weft.folder / "x.npy", np.zeros((4, 6)))
    weft("transform", "x.npy", "y.npy", "--verify")
    assert not np.load(weft.folder / "y.npy").any()


def test_no_number_is_never_verified(weft):
    x = np.ones((4, 6))
    x[1, 2] = np.nan
    save(weft.folder / "x.npy", x)
    assert "the result is wrong" in weft.fails("transform", "x.npy", "y.npy", "--verify", ranks=2, status=1)


def kept(n, m):
    """The indices, among n coefficients, of those that a grid of m points has."""
    return np.r_[0:(m + 1) // 2, n - m // 2:n]


@pytest.mark.parametrize("kind, order", [("c2c", "C"), ("r2c", "F")])
@pytest.mark.parametrize("modes, axes", [((5, 8, 6), None), ((4, 9, 7), None), ((1, 3, 10), None), ((8, 5, 10), (1,))])
def test_modes_and_points_are_numpys_by_hand(weft, kind, modes, axes, order):
    shape = (8, 9, 10)
    axes = (0, 1, 2) if axes is None else axes
    x = random_array(shape, "c16" if kind == "c2c" else "f8")
    save(weft.folder / "x.npy", x, order)
    words = ["--axes", ",".join(map(str, axes)), "--verify", "--kind"]
    sizes = "x".join(map(str, modes))
    weft("transform", "x.npy", "y.npy", *words, kind, "--modes", sizes, ranks=3)
    whole = transformed(x, kind, axes=list(axes))
    indices = [kept(n, m) for n, m in zip(shape, modes)]
    if kind == "r2c":
        indices[axes[-1]] = np.arange(modes[axes[-1]] // 2 + 1)
    low = whole[np.ix_(*indices)]
    y = np.load(weft.folder / "y.npy")
    assert y.shape == low.shape and relative_error(y, low) < 1e-13

    # Back, the coefficients that were left out are zero.
    inverse = ["c2c", "--inverse"] if kind == "c2c" else ["c2r"]
    weft("transform", "y.npy", "z.npy", *words, *inverse, "--points", "8x9x10", ranks=2)
    padded = np.zeros_like(whole)
    padded[np.ix_(*indices)] = low
    z = np.load(weft.folder / "z.npy")
    expected = np.fft.ifftn(padded, axes=axes) if kind == "c2c" else np.fft.irfftn(padded, [shape[a] for a in axes], axes)
    assert z.shape == shape and relative_error(z, expected) < 1e-13
