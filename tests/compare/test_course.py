# tests/compare/test_course: the course of a comparison, with stand-ins for the programs.
import json
import re

import compare_command as command
import pytest
from compare import agreement, calm
from compare.cases import Case
from compare.launches import reason

RIGHT = agreement.direct_sum(Case((6, 5, 8)))


def test_a_launcher_that_ends_badly_is_quoted_by_the_programs_own_line():
    err = "-----\nPrimary job terminated normally, but\nfftw-mpi: compared on 2 and 3 axes, not on 1\n-----\n"
    assert reason("fftw-mpi", 2, err) == "compared on 2 and 3 axes, not on 1"


STAND_IN = """#!/usr/bin/env python3
import json, sys
seconds, factor, ranks, check = {seconds}, {factor}, {ranks}, {check}
inner = int(sys.argv[sys.argv.index("--inner") + 1])
if "--in-place" in sys.argv:
    seconds *= 2
print("a library's greeting")
print(json.dumps(dict(peer="x", version="1.2.3", ranks=ranks, threads=1, plan_seconds=0, times=[seconds] * inner, output="natural",
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

    def program(name, seconds, factor=1, ranks=2, check=RIGHT):
        put(name, STAND_IN.format(seconds=seconds, factor=factor, ranks=ranks, check=repr(check)))

    put("mpiexec", LAUNCHER)
    put("copy_bandwidth", COPY)
    put("peer_mkl_cluster", REFUSES)
    program("peer_weft", 0.002)
    program("peer_fftw_threads", 0.004, ranks=1)
    program("peer_fftw_mpi", 0.008)

    def run(*more):
        case = [] if "--suite" in more else ["--size", "6x5x8"]
        status = command.main([*case, "--repeat", "2", "--programs", str(tmp_path), "--launcher", str(tmp_path / "mpiexec"),
                               "--wisdom", str(tmp_path / "wisdom"), "--json",
                               str(tmp_path / "out.json"), "--peers", "fftw-threads", "mkl-threads", "fftw-mpi",
                               "mkl-cluster", *more])
        return status, json.loads((tmp_path / "out.json").read_text())

    def second_weft(seconds):
        """Lets weft with one rank take this long."""
        (tmp_path / "peer_weft").rename(tmp_path / "two_ranks")
        program("one_rank", seconds, ranks=1)
        put("peer_weft", f"#!/bin/sh\ncase \"$*\" in *'--threads 2'*) exec {tmp_path}/one_rank \"$@\";; esac\n"
                         f"exec {tmp_path}/two_ranks \"$@\"\n")

    run.program, run.second_weft = program, second_weft
    return run


def test_the_json_has_the_shape_of_the_contract(stand_ins):
    status, results = stand_ins()
    assert status == 0
    assert [result["output"] for result in results] == ["same", "free"]
    same = results[0]
    assert {key: same[key] for key in ("extents", "kind", "precision", "ranks")} == {
        "extents": [6, 5, 8], "kind": "c2c", "precision": "double", "ranks": 2}
    assert (same["batch"], same["weft_ranks"], same["weft_threads"], same["other_wefts"]) == (1, 2, 1, {})
    assert same["times"]["weft"] == {"min": 0.002, "median": 0.002, "max": 0.002}
    assert same["ratios"] == {"fftw-threads": 0.5, "fftw-mpi": 0.25}
    assert (same["copy_seconds"], same["floor_seconds"]) == (0.001, 0.002)
    assert set(results[1]["times"]) == {"weft", "fftw-mpi"}


def test_launches_beside_something_else_are_counted(stand_ins, monkeypatch, capsys):
    assert "disturbed_launches" not in stand_ins("--output", "same")[1][0]
    for is_undisturbed, told in (True, 0), (False, 6):  # two rounds of three programs
        monkeypatch.setattr(calm.Calm, "undisturbed", lambda self, launch, answer=is_undisturbed: (launch(), answer))
        assert stand_ins("--output", "same", "--calm", "1")[1][0]["disturbed_launches"] == told
        assert ("6 timed runs had slower cores" in capsys.readouterr().out) == (told == 6)


def test_a_launch_times_as_many_short_transforms_as_take_30_ms(stand_ins):
    assert stand_ins()[1][0]["inner"] == 15
    assert stand_ins("--inner", "4")[1][0]["inner"] == 4
    for seconds, inner in (0.5, 3), (1e-5, 100):
        stand_ins.program("peer_weft", seconds)
        stand_ins.program("peer_fftw_threads", seconds, ranks=1)
        stand_ins.program("peer_fftw_mpi", seconds)
        assert stand_ins()[1][0]["inner"] == inner


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
    (tmp_path / "peer_weft").write_text("#!/bin/sh\nulimit -c 0; kill -SEGV $$\n")
    status, results = stand_ins("--output", "same")
    assert status == 1
    assert "weft" in results[0]["left_out"]
    assert set(results[0]["times"]) == {"fftw-threads", "fftw-mpi"}


def test_a_peer_of_another_mpi_is_noticed(stand_ins):
    stand_ins.program("peer_fftw_mpi", 0.001, ranks=1)
    _, results = stand_ins("--output", "same")
    assert results[0]["left_out"]["fftw-mpi"].startswith("it ran with 1 rank instead of 2")


def test_weft_in_two_shapes_has_two_columns_of_ratios(stand_ins, capsys):
    stand_ins.second_weft(0.004)  # as long as FFTW's threads
    status, results = stand_ins("--output", "same", "--also-weft", "1x2")
    assert status == 0
    assert set(results[0]["ratios"]) == {"fftw-threads", "fftw-mpi"}
    other = results[0]["other_wefts"]["weft 1x2"]
    assert (other["ranks"], other["threads"]) == (1, 2)
    assert other["ratios"] == {"fftw-threads": 1.0, "fftw-mpi": 0.5}
    assert other["ratios_within_rounds"]["fftw-mpi"] == {"min": 0.5, "max": 0.5}
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    fftw_mpi = next(line for line in lines if line[0] == "fftw-mpi")
    assert fftw_mpi[6:10] == ["0.250", "0.25-0.25", "0.500", "0.50-0.50"]


def test_a_program_that_transforms_only_the_first_field_is_left_out(stand_ins):
    three = agreement.direct_sum(Case((6, 5, 8), "c2c", 3))
    stand_ins.program("peer_weft", 0.002, check=three)
    stand_ins.program("peer_fftw_threads", 0.004, ranks=1, check=three)
    status, results = stand_ins("--output", "same", "--batch", "3")
    assert status == 0
    assert results[0]["left_out"]["fftw-mpi"] == "it has check frequencies for 4 values, not for 12"
    assert results[0]["ratios"] == {"fftw-threads": 0.5}


def test_a_wrong_member_of_a_batch_gets_no_ratio(stand_ins, capsys):
    three = agreement.direct_sum(Case((6, 5, 8), "c2c", 3))
    for name, ranks in (("peer_weft", 2), ("peer_fftw_threads", 1)):
        stand_ins.program(name, 0.002, ranks=ranks, check=three)
    # Field 2 is a copy of field 1.
    stand_ins.program("peer_fftw_mpi", 0.002, check=three[:8] + [[2, *line[1:]] for line in three[4:8]])
    status, results = stand_ins("--output", "same", "--batch", "3")
    assert status == 1
    assert set(results[0]["ratios"]) == {"fftw-threads"}
    assert " of field 2 of 3 it found" in results[0]["left_out"]["fftw-mpi"]


def test_a_result_says_where_it_is_from(stand_ins):
    _, results = stand_ins("--output", "same")
    assert {"model", "family", "number", "cores", "level_2_bytes", "level_3_bytes"} == set(results[0]["machine"])
    assert results[0]["machine"]["cores"] >= 1
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", results[0]["date"])
    assert results[0]["versions"] == {"fftw-threads": "1.2.3", "fftw-mpi": "1.2.3"}
    assert {"weft", "compiler", "mpi"} <= set(results[0])


def test_a_kept_case_replaces_its_older_result_and_no_other(stand_ins, tmp_path):
    folder = tmp_path / "measurements"
    stand_ins("--keep", str(folder))
    stand_ins.program("peer_fftw_mpi", 0.004)
    stand_ins("--output", "same", "--keep", str(folder))
    [file] = folder.iterdir()
    kept = json.loads(file.read_text())
    assert [(result["output"], result["ratios"]["fftw-mpi"]) for result in kept] == [("same", 0.5), ("free", 0.25)]


def test_the_suite_keeps_every_case_with_both_shapes_of_weft(stand_ins, tmp_path, monkeypatch, capsys):
    # The stand-ins know one case; another precision makes a second one of it.
    monkeypatch.setattr(command, "CASES", (Case((6, 5, 8)), Case((7, 7, 7))))
    stand_ins.second_weft(0.004)
    for precision in ("double", "single"):
        status, _ = stand_ins("--suite", "--only", "6x5x8", "--precision", precision, "--keep", str(tmp_path / "measurements"))
        assert status == 0
    [file] = (tmp_path / "measurements").iterdir()
    kept = json.loads(file.read_text())
    assert [(result["precision"], result["output"], list(result["other_wefts"])) for result in kept] == [
        ("double", "same", ["weft 1x2"]), ("single", "same", ["weft 1x2"])]
    assert "c2c 6x5x8 single: planning" in capsys.readouterr().err


def test_a_comparison_without_weft_is_not_kept(stand_ins, tmp_path):
    (tmp_path / "peer_weft").write_text("#!/bin/sh\nexit 3\n")
    stand_ins("--output", "same", "--keep", str(tmp_path / "measurements"))
    assert list((tmp_path / "measurements").iterdir()) == []
