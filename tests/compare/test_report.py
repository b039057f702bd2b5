# tests/compare/test_report: ratios, flops, and the table for the terminal.
import pytest
from compare.cases import Case
from compare.ratios import ratios_to, summary
from compare.report import table
from compare.words import memory


def test_a_summary_is_least_middle_and_greatest():
    assert summary([0.3, 0.1, 0.2]) == {"min": 0.1, "median": 0.2, "max": 0.3}


def test_a_ratio_below_one_means_that_weft_is_faster():
    rounds = {"weft": [1.0, 1.0, 4.0], "fftw-mpi": [2.0, 4.0, 2.0]}
    times = {name: summary(seconds) for name, seconds in rounds.items()}
    ratios, within = ratios_to(times, rounds, "weft", ["fftw-mpi"])
    assert ratios == {"fftw-mpi": 0.5}
    assert within == {"fftw-mpi": {"min": 0.25, "max": 2.0}}


def test_without_weft_there_are_no_ratios():
    assert ratios_to({"fftw-mpi": summary([1.0])}, {"fftw-mpi": [1.0]}, "weft", ["fftw-mpi"]) == ({}, {})


def test_flops_of_r2c_are_half_of_c2c():
    assert Case((4, 2)).flops == 120  # 5 * 8 * 3
    assert Case((4, 2), "r2c").flops == 60


def test_transposed_output_is_marked_in_the_table():
    result = dict(extents=[8, 8, 8], batch=1, kind="c2c", precision="double", output="same", ranks=2, threads=1, repeat=1,
                  times={"mpi4py-fft": summary([0.001])}, ratios={}, ratios_within_rounds={}, other_wefts={},
                  floor_seconds=None, copy_seconds=None, ways={"mpi4py-fft": "2 x 1 thread"},
                  remarks={"mpi4py-fft": "leaves its spectrum transposed"}, left_out={}, deviations={},
                  checked_against="a direct sum")
    text = table(result)
    assert "mpi4py-fft *" in text
    assert "* mpi4py-fft leaves its spectrum transposed" in text
