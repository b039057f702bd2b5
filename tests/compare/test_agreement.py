# tests/compare/test_agreement: which spectra are told from right ones, and who is believed.
import numpy as np
import pytest
from compare import agreement
from compare.cases import Case
from compare.errors import LeftOut

import peer

EXTENTS = (6, 5, 8)
POINTS = 240
RIGHT = agreement.direct_sum(Case(EXTENTS))
RIGHT_OF_THREE = agreement.direct_sum(Case(EXTENTS, "c2c", 3))


def changed(number, factor):
    check = [list(line) for line in RIGHT]
    *place, re, im = check[number]
    z = factor * complex(re, im)
    check[number] = [*place, z.real, z.imag]
    return check


@pytest.mark.parametrize("precision, rounding", [("double", 1e-14), ("single", 1e-6)])
def test_rounding_is_agreement(precision, rounding):
    allowed = agreement.allowed_deviation(POINTS, precision)
    assert agreement.disagreement("x", changed(1, 1 + rounding), RIGHT, POINTS, allowed) is None


@pytest.mark.parametrize("factor", [-1, 1.001, 0, float("nan"), float("inf")])
@pytest.mark.parametrize("number", range(4))
def test_one_wrong_value_is_caught(number, factor):
    allowed = agreement.allowed_deviation(POINTS, "single")
    complaint = agreement.disagreement("fftw-mpi", changed(number, factor), RIGHT, POINTS, allowed)
    assert complaint.startswith(f"fftw-mpi has a wrong spectrum: at frequency {tuple(RIGHT[number][1:4])} it found")


def test_the_wrong_sign_of_the_exponent_is_caught():
    backward = np.fft.ifftn(peer.field(EXTENTS, "c2c")) * POINTS
    check = [[0, *k, backward[tuple(k)].real, backward[tuple(k)].imag] for _, *k, _, _ in RIGHT]
    assert agreement.disagreement("x", check, RIGHT, POINTS, agreement.allowed_deviation(POINTS, "single"))


def test_exchanged_axes_are_caught():
    n = (6, 6, 6)
    frequencies = peer.check_frequencies(n, "c2c")
    right = agreement.direct_sum(Case(n))
    spectrum = np.fft.fftn(peer.field(n, "c2c")).transpose(1, 0, 2)
    check = [[0, *k, spectrum[tuple(k)].real, spectrum[tuple(k)].imag] for k in frequencies]
    assert agreement.disagreement("x", check, right, 216, agreement.allowed_deviation(216, "single"))


def test_other_frequencies_than_asked_for_are_refused():
    with pytest.raises(LeftOut, match="has check frequencies for 3 values, not for 4"):
        agreement.deviation(RIGHT[:3], RIGHT, POINTS)
    other = [[0, 5, 4, 6, *RIGHT[3][-2:]] if line is RIGHT[3] else line for line in RIGHT]
    with pytest.raises(LeftOut, match=r"is \[0, 5, 4, 6\], not \[0, 5, 4, 7\]"):
        agreement.deviation(other, RIGHT, POINTS)


def of_three(*members):
    """The check values of a program whose field number i is really number members[i]."""
    values = {tuple(line[:-2]): line[-2:] for line in RIGHT_OF_THREE}
    return [[member, *k, *values[members[member], *k]] for member, *k, _, _ in RIGHT_OF_THREE]


def complaint_on(check):
    return agreement.disagreement("x", check, RIGHT_OF_THREE, POINTS, agreement.allowed_deviation(POINTS, "single"))


def test_right_members_are_no_reason_to_complain():
    assert complaint_on(of_three(0, 1, 2)) is None


@pytest.mark.parametrize("members", [(0, 0, 0), (0, 2, 1), (0, 1, 1), (1, 1, 2)])
def test_a_wrong_member_of_a_batch_is_caught(members):
    first_wrong = [i for i in range(3) if members[i] != i]
    complaint = complaint_on(of_three(*members))
    assert any(f" of field {i} of 3 it found" in complaint for i in first_wrong)


def test_a_program_that_checks_only_the_first_member_is_refused():
    with pytest.raises(LeftOut, match="has check frequencies for 4 values, not for 12"):
        agreement.require_places(RIGHT, agreement.places(Case(EXTENTS, "c2c", 3)))


def test_the_majority_of_programs_is_believed_not_the_majority_of_their_ways():
    wrong = changed(2, -1)
    checks = {("weft", "weft", way): wrong for way in "abcd"}
    checks |= {("fftw-mpi", "fftw-mpi", ()): RIGHT, ("mkl-threads", "mkl-threads", ()): changed(1, 1 + 1e-15)}
    assert agreement.most_agreed(checks, POINTS, agreement.allowed_deviation(POINTS, "double"))[2] == RIGHT[2]


def test_alone_against_one_peer_weft_is_not_believed():
    checks = {("weft", "weft", ()): changed(2, -1), ("fftw-mpi", "fftw-mpi", ()): RIGHT}
    assert agreement.most_agreed(checks, POINTS, agreement.allowed_deviation(POINTS, "double")) == RIGHT
