# tests/compare/test_command_line: what is compared, with which options.
import compare_command as command
import pytest
from compare.cases import CASES, Case
from compare.competitors import contestants_for


def test_weft_must_have_the_cores_of_its_peers(capsys):
    with pytest.raises(SystemExit) as stop:
        command.parse(["--ranks", "4", "--weft-ranks", "2", "--weft-threads", "1"])
    assert stop.value.code == 2
    assert "weft would use 2 x 1 = 2 cores, its peers 4 x 1 = 4" in capsys.readouterr().err


def test_wefts_threads_follow_from_its_ranks():
    asked = command.parse(["--ranks", "4", "--threads", "2", "--weft-ranks", "1"])
    assert asked.wefts == [(1, 8)]


def test_the_defaults_are_those_of_the_contract():
    asked = command.parse([])
    assert asked.cases == [Case((256, 256, 256), "c2c", 1)]
    assert (asked.precision, asked.ranks, asked.repeat, asked.inner, asked.output) == ("double", 2, 9, None, "both")
    assert asked.wefts == [(2, 1)]


def test_a_peer_without_mpi_gets_all_cores_as_threads():
    asked = command.parse(["--ranks", "3", "--threads", "2", "--output", "same"])
    assert {c.name: (c.ranks, c.threads) for c in contestants_for(asked)} == {
        "weft": (3, 2), "fftw-threads": (1, 6), "mkl-threads": (1, 6), "fftw-mpi": (3, 2), "mkl-cluster": (3, 2),
        "mpi4py-fft": (3, 2)}


def test_weft_takes_part_once_for_each_shape():
    asked = command.parse(["--ranks", "4", "--also-weft", "1x4", "2x2", "4x1", "--peers", "--output", "same"])
    assert {c.name: (c.ranks, c.threads) for c in contestants_for(asked)} == {
        "weft": (4, 1), "weft 1x4": (1, 4), "weft 2x2": (2, 2)}


def test_every_shape_of_weft_must_have_the_cores_of_its_peers(capsys):
    with pytest.raises(SystemExit):
        command.parse(["--also-weft", "2x2"])
    assert "weft would use 2 x 2 = 4 cores, its peers 2 x 1 = 2" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["2", "0x2", "2x1x1", "axb"])
def test_a_shape_of_weft_is_ranks_x_threads(text, capsys):
    with pytest.raises(SystemExit):
        command.parse(["--also-weft", text])
    assert "is not ranks x threads, as in 1x2" in capsys.readouterr().err


def test_fields_of_every_size_are_transformed_together():
    asked = command.parse(["--size", "8x8", "4x4x4x4", "--batch", "3", "--kind", "r2c"])
    assert asked.cases == [Case((8, 8), "r2c", 3), Case((4, 4, 4, 4), "r2c", 3)]


def test_the_suite_is_the_standing_list_with_weft_in_both_shapes():
    asked = command.parse(["--suite"])
    assert asked.cases == list(CASES)
    assert asked.wefts == [(2, 1), (1, 2)]
    assert (asked.repeat, asked.output) == (5, "same")


def test_what_is_given_counts_in_the_suite():
    asked = command.parse(["--suite", "--repeat", "2", "--output", "both", "--ranks", "1"])
    assert (asked.repeat, asked.output, asked.wefts) == (2, "both", [(1, 1)])


@pytest.mark.parametrize("pattern, sizes", [("r2c", ["256x256x256", "251x257x263", "64x64x64"]), ("fields", ["64x64x64"] * 2),
                                            ("^c2c 64x64x64$", ["64x64x64"]), ("8192|64x64x64x64", ["64x64x64x64", "8192x8192"])])
def test_only_chooses_cases_of_the_suite(pattern, sizes):
    assert [case.size for case in command.parse(["--suite", "--only", pattern]).cases] == sizes


@pytest.mark.parametrize("arguments, complaint", [
    (["--only", "r2c"], "--only chooses among the cases of --suite"),
    (["--suite", "--only", "7x7"], "no case of the suite contains '7x7'; the cases are c2c 64x64x64;"),
    (["--suite", "--only", "("], "is not a regular expression"),
    (["--suite", "--kind", "r2c", "--batch", "2"], "leave out --batch and --kind"),
])
def test_a_wrong_choice_of_cases_is_told(arguments, complaint, capsys):
    with pytest.raises(SystemExit):
        command.parse(arguments)
    assert complaint in capsys.readouterr().err


def test_the_standing_list_can_be_told_apart():
    assert len({str(case) for case in CASES}) == len(CASES) == 14
    assert str(Case((64, 64, 64), "r2c", 32)) == "r2c 32 fields of 64x64x64"


def test_the_help_names_every_case(capsys):
    with pytest.raises(SystemExit) as stop:
        command.parse(["--help"])
    assert stop.value.code == 0
    said = " ".join(capsys.readouterr().out.split())
    assert all(str(case) in said for case in CASES)
