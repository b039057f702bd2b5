# tests/compare: the pure parts of tools/compare.py, and its course with stand-ins for the programs.
import importlib.util
import json
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("compare", ROOT / "tools" / "compare.py")
compare = importlib.util.module_from_spec(spec)
sys.modules["compare"] = compare  # dataclasses look their module up
spec.loader.exec_module(compare)
peer = compare.peer


# ------------------------------------------------------------------------------------------------------ the field


def test_the_field_is_splitmix64_as_published():
    # The first outputs of SplitMix64 seeded with 0 are e220a8397b1dcdaf, 6e789e6aa1b965f4, 06c45d188009454f.
    published = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    assert list(peer.uniform(np.arange(3, dtype=np.uint64))) == [(z >> 11) * 2.0**-53 - 0.5 for z in published]


def test_a_box_of_the_field_is_cut_from_the_whole():
    box = (slice(1, 3), slice(0, 4), slice(2, 5))
    assert np.array_equal(peer.field([3, 4, 5], "c2c", box), peer.field([3, 4, 5], "c2c")[box])


def test_r2c_transforms_the_real_part_of_the_c2c_field():
    assert np.array_equal(peer.field([6, 5], "r2c"), peer.field([6, 5], "c2c").real)


@pytest.mark.parametrize("text", ["", "8x", "0x4", "8x8x8x8", "-1", "8.5", "a"])
def test_a_size_that_is_none_is_told_how_to_write_one(text):
    with pytest.raises(ValueError, match="as in 256x256x256"):
        peer.parse_extents(text)


def test_check_frequencies_differ_on_every_axis():
    assert peer.check_frequencies([256, 256, 256], "c2c") == [[0, 0, 0], [1, 2, 3], [128, 85, 64], [255, 255, 255]]


def test_check_frequencies_of_r2c_stay_in_the_half_spectrum():
    assert peer.check_frequencies([8, 6, 5], "r2c") == [[0, 0, 0], [1, 2, 2], [4, 2, 1], [7, 5, 2]]


@pytest.mark.parametrize("extents", [[1], [30], [9, 7], [1, 1, 1], [12, 10, 14], [130, 128, 65]])
@pytest.mark.parametrize("kind", ["c2c", "r2c"])
def test_the_direct_sum_is_numpys_spectrum(extents, kind):
    spectrum = (np.fft.fftn if kind == "c2c" else np.fft.rfftn)(peer.field(extents, kind))
    for *k, re, im in compare.direct_sum(extents, kind, peer.check_frequencies(extents, kind)):
        assert abs(complex(re, im) - spectrum[tuple(k)]) < 1e-12 * np.sqrt(np.prod(extents))


# --------------------------------------------------------------------------------------------------- the statistics


def test_a_summary_is_least_middle_and_greatest():
    assert compare.summary([0.3, 0.1, 0.2]) == {"min": 0.1, "median": 0.2, "max": 0.3}


def test_a_ratio_below_one_means_that_weft_is_faster():
    rounds = {"weft": [1.0, 1.0, 4.0], "fftw-mpi": [2.0, 4.0, 2.0]}
    times = {name: compare.summary(seconds) for name, seconds in rounds.items()}
    ratios, within = compare.ratios_to(times, rounds)
    assert ratios == {"fftw-mpi": 0.5}
    assert within == {"fftw-mpi": {"min": 0.25, "max": 2.0}}


def test_without_weft_there_are_no_ratios():
    assert compare.ratios_to({"fftw-mpi": compare.summary([1.0])}, {"fftw-mpi": [1.0]}) == ({}, {})


def test_flops_of_r2c_are_half_of_c2c():
    assert compare.flops([4, 2], "c2c") == 120  # 5 * 8 * 3
    assert compare.flops([4, 2], "r2c") == 60


# ---------------------------------------------------------------------------------------------------- the agreement

EXTENTS = [6, 5, 8]
POINTS = 240
RIGHT = compare.direct_sum(EXTENTS, "c2c", peer.check_frequencies(EXTENTS, "c2c"))


def changed(number, factor):
    check = [list(line) for line in RIGHT]
    *k, re, im = check[number]
    z = factor * complex(re, im)
    check[number] = [*k, z.real, z.imag]
    return check


@pytest.mark.parametrize("precision, rounding", [("double", 1e-14), ("single", 1e-6)])
def test_rounding_is_agreement(precision, rounding):
    allowed = compare.allowed_deviation(POINTS, precision)
    assert compare.disagreement("x", changed(1, 1 + rounding), RIGHT, POINTS, allowed) is None


@pytest.mark.parametrize("factor", [-1, 1.001, 0, float("nan"), float("inf")])
@pytest.mark.parametrize("number", range(4))
def test_one_wrong_value_is_caught(number, factor):
    allowed = compare.allowed_deviation(POINTS, "single")
    complaint = compare.disagreement("fftw-mpi", changed(number, factor), RIGHT, POINTS, allowed)
    assert complaint.startswith(f"fftw-mpi has a wrong spectrum: at frequency {tuple(RIGHT[number][:3])} it found")


def test_the_wrong_sign_of_the_exponent_is_caught():
    backward = np.fft.ifftn(peer.field(EXTENTS, "c2c")) * POINTS
    check = [[*k, backward[tuple(k)].real, backward[tuple(k)].imag] for *k, _, _ in RIGHT]
    assert compare.disagreement("x", check, RIGHT, POINTS, compare.allowed_deviation(POINTS, "single"))


def test_exchanged_axes_are_caught():
    n = [6, 6, 6]
    frequencies = peer.check_frequencies(n, "c2c")
    right = compare.direct_sum(n, "c2c", frequencies)
    spectrum = np.fft.fftn(peer.field(n, "c2c")).transpose(1, 0, 2)
    check = [[*k, spectrum[tuple(k)].real, spectrum[tuple(k)].imag] for k in frequencies]
    assert compare.disagreement("x", check, right, 216, compare.allowed_deviation(216, "single"))


def test_other_frequencies_than_asked_for_are_refused():
    with pytest.raises(compare.LeftOut, match="check frequencies"):
        compare.deviation(RIGHT[:3], RIGHT, POINTS)


def test_the_majority_of_programs_is_believed_not_the_majority_of_their_ways():
    wrong = changed(2, -1)
    checks = {("weft", "weft", way): wrong for way in "abcd"}
    checks |= {("fftw-mpi", "fftw-mpi", ()): RIGHT, ("mkl-threads", "mkl-threads", ()): changed(1, 1 + 1e-15)}
    assert compare.most_agreed(checks, POINTS, compare.allowed_deviation(POINTS, "double"))[2] == RIGHT[2]


def test_alone_against_one_peer_weft_is_not_believed():
    checks = {("weft", "weft", ()): changed(2, -1), ("fftw-mpi", "fftw-mpi", ()): RIGHT}
    assert compare.most_agreed(checks, POINTS, compare.allowed_deviation(POINTS, "double")) == RIGHT


# ------------------------------------------------------------------------------------------------- the command line


def test_weft_must_have_the_cores_of_its_peers(capsys):
    with pytest.raises(SystemExit) as stop:
        compare.parse(["--ranks", "4", "--weft-ranks", "2", "--weft-threads", "1"])
    assert stop.value.code == 2
    assert "weft would use 2 x 1 = 2 cores, its peers 4 x 1 = 4" in capsys.readouterr().err


def test_wefts_threads_follow_from_its_ranks():
    asked = compare.parse(["--ranks", "4", "--threads", "2", "--weft-ranks", "1"])
    assert (asked.weft_ranks, asked.weft_threads) == (1, 8)


def test_the_defaults_are_those_of_the_contract():
    asked = compare.parse([])
    assert (asked.size, asked.kind, asked.precision, asked.ranks, asked.repeat, asked.inner) == (
        [[256, 256, 256]], "c2c", "double", 2, 9, 3)


def test_a_peer_without_mpi_gets_all_cores_as_threads():
    asked = compare.parse(["--ranks", "3", "--threads", "2", "--output", "same"])
    assert {c.competitor.name: (c.ranks, c.threads) for c in compare.contestants_for(asked)} == {
        "weft": (3, 2), "fftw-threads": (1, 6), "mkl-threads": (1, 6), "fftw-mpi": (3, 2), "mkl-cluster": (3, 2),
        "mpi4py-fft": (3, 2)}


def test_a_launcher_that_ends_badly_is_quoted_by_the_programs_own_line():
    err = "-----\nPrimary job terminated normally, but\nfftw-mpi: compared on 2 and 3 axes, not on 1\n-----\n"
    assert compare.reason("fftw-mpi", 2, err) == "compared on 2 and 3 axes, not on 1"


# --------------------------------------------------------------------------------------- the course, with stand-ins

STAND_IN = """#!/usr/bin/env python3
import json, sys
seconds, factor, ranks, check = {seconds}, {factor}, {ranks}, {check}
if "--in-place" in sys.argv:
    seconds *= 2
print("a library's greeting")
print(json.dumps(dict(peer="x", ranks=ranks, threads=1, plan_seconds=0, times=[seconds] * 3, output="natural",
                      check=[[*c[:-2], factor * c[-2], factor * c[-1]] for c in check])))
"""
COPY = "#!/bin/sh\necho '{\"copy_seconds\": 0.001}'\n"
REFUSES = "#!/bin/sh\necho 'mkl-cluster: fewer planes than ranks' >&2\nexit 2\n"
LAUNCHER = "#!/bin/sh\nwhile [ \"${1#-}\" != \"$1\" ]; do [ \"$1\" = --version ] && exit; shift 2; done\nexec \"$@\"\n"


@pytest.fixture
def stand_ins(tmp_path):
    """Programs that answer at once: weft in 2 ms, FFTW's threads in 4 ms, FFTW's MPI in 8 ms, MKL's cluster never."""
    def put(name, text):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)

    def program(name, seconds, factor=1, ranks=2):
        put(name, STAND_IN.format(seconds=seconds, factor=factor, ranks=ranks, check=repr(RIGHT)))

    put("mpiexec", LAUNCHER)
    put("copy_bandwidth", COPY)
    put("peer_mkl_cluster", REFUSES)
    program("peer_weft", 0.002)
    program("peer_fftw_threads", 0.004, ranks=1)
    program("peer_fftw_mpi", 0.008)

    def run(*more):
        status = compare.main(["--size", "6x5x8", "--repeat", "2", "--programs", str(tmp_path), "--launcher",
                               str(tmp_path / "mpiexec"), "--wisdom", str(tmp_path / "wisdom"), "--json",
                               str(tmp_path / "out.json"), "--peers", "fftw-threads", "mkl-threads", "fftw-mpi",
                               "mkl-cluster", *more])
        return status, json.loads((tmp_path / "out.json").read_text())

    run.program = program
    return run


def test_the_json_has_the_shape_of_the_contract(stand_ins):
    status, results = stand_ins()
    assert status == 0
    assert [result["output"] for result in results] == ["same", "free"]
    same = results[0]
    assert {key: same[key] for key in ("extents", "kind", "precision", "ranks")} == {
        "extents": [6, 5, 8], "kind": "c2c", "precision": "double", "ranks": 2}
    assert same["times"]["weft"] == {"min": 0.002, "median": 0.002, "max": 0.002}
    assert same["ratios"] == {"fftw-threads": 0.5, "fftw-mpi": 0.25}
    assert (same["copy_seconds"], same["floor_seconds"]) == (0.001, 0.002)
    assert set(results[1]["times"]) == {"weft", "fftw-mpi"}


def test_a_peer_that_is_missing_or_refuses_is_left_out_with_its_reason(stand_ins, capsys):
    _, results = stand_ins("--output", "same")
    assert results[0]["left_out"]["mkl-cluster"] == "fewer planes than ranks"
    assert "is not built" in results[0]["left_out"]["mkl-threads"]
    assert "left out: mkl-cluster: fewer planes than ranks" in capsys.readouterr().out


def test_the_table_tells_ratio_and_floor_fastest_first(stand_ins, capsys):
    stand_ins("--output", "same")
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [line[0] for line in lines[2:5]] == ["weft", "fftw-threads", "fftw-mpi"]
    assert lines[3][1:8] == ["4", "4", "4", "0.00", "2.00", "0.500", "0.50-0.50"]


def test_a_wrong_spectrum_gets_no_ratio_and_fails_the_run(stand_ins, capsys):
    stand_ins.program("peer_fftw_mpi", 0.001, factor=-1)
    status, results = stand_ins("--output", "same")
    assert status == 1
    assert set(results[0]["ratios"]) == {"fftw-threads"}
    assert results[0]["left_out"]["fftw-mpi"].startswith("a wrong spectrum: at frequency")
    assert "weft compare: fftw-mpi has a wrong spectrum" in capsys.readouterr().err


def test_a_wrong_weft_fails_the_run(stand_ins):
    stand_ins.program("peer_weft", 0.001, factor=1.0001)
    status, results = stand_ins("--output", "same", "--direct", "0")
    assert status == 1
    assert results[0]["ratios"] == {}
    assert results[0]["left_out"]["weft"].startswith("a wrong spectrum: at frequency")


def test_a_weft_that_breaks_fails_the_run_but_not_the_peers(stand_ins, tmp_path):
    (tmp_path / "peer_weft").write_text("#!/bin/sh\nkill -SEGV $$\n")
    status, results = stand_ins("--output", "same")
    assert status == 1
    assert "weft" in results[0]["left_out"]
    assert set(results[0]["times"]) == {"fftw-threads", "fftw-mpi"}


def test_a_peer_of_another_mpi_is_noticed(stand_ins):
    stand_ins.program("peer_fftw_mpi", 0.001, ranks=1)
    _, results = stand_ins("--output", "same")
    assert results[0]["left_out"]["fftw-mpi"].startswith("it ran with 1 rank instead of 2")


def test_transposed_output_is_marked_in_the_table():
    result = dict(extents=[8, 8, 8], kind="c2c", precision="double", output="same", ranks=2, threads=1, repeat=1,
                  times={"mpi4py-fft": compare.summary([0.001])}, ratios={}, ratios_within_rounds={},
                  floor_seconds=None, copy_seconds=None, ways={"mpi4py-fft": "2 x 1 thread"},
                  remarks={"mpi4py-fft": "leaves its spectrum transposed"}, left_out={}, deviations={},
                  checked_against="a direct sum")
    text = compare.table(result)
    assert "mpi4py-fft *" in text
    assert "* mpi4py-fft leaves its spectrum transposed" in text
