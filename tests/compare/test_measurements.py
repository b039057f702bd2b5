# tests/compare/test_measurements: the tables that are made of kept measurements, and that the pages in docs/ have them.
import json

import measurements
import pytest
import scaling
from compare.ratios import ratios_to, summary

MACHINE = {"model": "AMD EPYC", "family": "25", "number": "17", "cores": 2, "level_2_bytes": 2**20, "level_3_bytes": 32 * 2**20}


def result(extents, milliseconds, **changes):
    """A result of one round in which the programs took these times; "weft 1x2" is the second weft."""
    rounds = {name: [t / 1000] for name, t in milliseconds.items()}
    times = {name: summary(seconds) for name, seconds in rounds.items()}
    others = [name for name in times if not name.startswith("weft")]
    ratios, within = ratios_to(times, rounds, "weft", others)
    second, second_within = ratios_to(times, rounds, "weft 1x2", others)
    wefts = {"weft 1x2": {"ranks": 1, "threads": 2, "ratios": second, "ratios_within_rounds": second_within}}
    return {"extents": extents, "batch": 1, "kind": "c2c", "precision": "double", "output": "same", "ranks": 2, "threads": 1,
            "weft_ranks": 2, "weft_threads": 1, "repeat": 5, "inner": 3, "times": times, "ratios": ratios,
            "ratios_within_rounds": within, "rounds": rounds, "other_wefts": wefts if "weft 1x2" in times else {},
            "copy_seconds": 0.001, "floor_seconds": 0.002, "versions": {"fftw-threads": "3.3.10", "fftw-mpi": "3.3.10"},
            "remarks": {}, "left_out": {}, "date": "2026-01-31", "weft": "1a2b3c4", "compiler": "GNU 12.2.0",
            "mpi": "Open MPI 4.1.4", "machine": MACHINE, **changes}


CUBE = result([256, 256, 256], {"weft": 4, "weft 1x2": 5, "fftw-threads": 8, "mkl-threads": 10, "fftw-mpi": 20,
                                "mkl-cluster": 16})
FIELDS = result([64, 64, 64], {"weft": 2, "fftw-threads": 4, "fftw-mpi": 8}, batch=32, kind="r2c",
                remarks={"fftw-mpi": "transforms the fields one after another"},
                left_out={"mkl-cluster": "fewer planes than ranks"})


def files_of(folder, *results, name="amd-epyc-family-25-model-17"):
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(results))
    return folder


def test_ratios_come_first_then_the_medians(tmp_path):
    text = measurements.tables(files_of(tmp_path, FIELDS, CUBE))
    assert text == """\
### AMD EPYC (family 25, model 17)

2 cores; 1 MiB of level-2 cache; 32 MiB of level-3 cache; GNU 12.2.0; Open MPI 4.1.4; FFTW 3.3.10. \
Measured on 2026-01-31 with weft at 1a2b3c4, in 5 rounds of 3 transforms.

Natural order in and out; MPI libraries with 2 ranks of 1 thread, threaded ones with 2 threads:

| | weft / best threaded FFT, 2x1 | weft / best threaded FFT, 1x2 | weft / best MPI library, 2x1 | weft / best MPI library, 1x2 \
| times the two-pass floor, 2x1 | times the two-pass floor, 1x2 |
| --- | --- | --- | --- | --- | --- | --- |
| c2c 256x256x256 | 0.50 (0.50 to 0.50) | 0.62 (0.62 to 0.62) | 0.25 (0.25 to 0.25) | 0.31 (0.31 to 0.31) | 2.00 | 2.50 |
| r2c 32 fields of 64x64x64 | 0.50 (0.50 to 0.50) | | 0.25 (0.25 to 0.25) | | 1.00 | |

| median in ms | weft 2x1 | weft 1x2 | fftw-threads | mkl-threads | fftw-mpi | mkl-cluster | copy |
| --- | --- | --- | --- | --- | --- | --- | --- |
| c2c 256x256x256 | 4 | 5 | 8 | 10 | 20 | 16 | 1 |
| r2c 32 fields of 64x64x64 | 2 | | 4 | | 8 | | 1 |

- fftw-mpi transforms the fields one after another (r2c 32 fields of 64x64x64).
- mkl-cluster took no part in r2c 32 fields of 64x64x64: fewer planes than ranks."""


def test_a_peer_that_leaves_its_spectrum_transposed_has_columns_of_its_own(tmp_path):
    times = {"weft": 1, "mpi4py-fft": 2, "fftw-mpi": 4}
    text = measurements.tables(files_of(tmp_path, result([8, 8], times)))
    assert "| | weft / best MPI library, 2x1 | weft / mpi4py-fft*, 2x1 |" in text
    assert "| 0.25 (0.25 to 0.25) | 0.50 (0.50 to 0.50) |" in text
    assert "- \\* Natural order would take another exchange." in text
    assert "threaded FFT, 2x1" not in text  # no threaded library took part


def test_where_any_order_will_do_all_mpi_libraries_are_compared(tmp_path):
    text = measurements.tables(files_of(tmp_path, result([8, 8], {"weft": 1, "mpi4py-fft": 2, "fftw-mpi": 4}, output="free")))
    assert "| 0.50 (0.50 to 0.50) |" in text
    assert "mpi4py-fft*" not in text
    assert "another exchange" not in text


def test_natural_order_and_other_numbers_of_ranks_have_tables_of_their_own(tmp_path):
    times = {"weft": 1, "fftw-mpi": 2}
    text = measurements.tables(files_of(tmp_path, result([8, 8], times, output="free"), result([8, 8], times),
                                        result([8, 8], times, ranks=4, weft_ranks=4)))
    heads = [line.split("; ") for line in text.splitlines() if line.endswith("threads:")]
    assert heads == [
        ["Natural order in and out", "MPI libraries with 2 ranks of 1 thread, threaded ones with 2 threads:"],
        ["Natural order in and out", "MPI libraries with 4 ranks of 1 thread, threaded ones with 4 threads:"],
        ["The spectrum in the cheapest distribution", "MPI libraries with 2 ranks of 1 thread, threaded ones with 2 threads:"]]


def test_every_processor_has_its_tables(tmp_path):
    files_of(tmp_path, CUBE)
    files_of(tmp_path, result([8, 8], {"weft": 1}, machine={**MACHINE, "model": "Intel(R) Xeon(R)"}), name="xeon")
    text = measurements.tables(tmp_path)
    assert [line for line in text.splitlines() if line.startswith("###")] == [
        "### AMD EPYC (family 25, model 17)", "### Intel Xeon (family 25, model 17)"]


def test_a_case_without_a_copy_or_other_peers_has_a_row_nevertheless(tmp_path):
    text = measurements.tables(files_of(tmp_path, result([8, 8], {"weft": 1}, copy_seconds=None, floor_seconds=None)))
    assert "| median in ms | weft 2x1 |\n| --- | --- |\n| c2c 8x8 | 1 |" in text


def test_without_files_the_page_says_how_to_measure(tmp_path):
    assert measurements.tables(tmp_path) == measurements.NOTHING


def test_the_overview_has_a_row_for_each_case_and_two_ratios_for_each_processor(tmp_path):
    files_of(tmp_path, FIELDS, CUBE)
    files_of(tmp_path, result([256, 256, 256], {"weft": 6, "weft 1x2": 5, "fftw-threads": 10},
                              machine={**MACHINE, "model": "Intel(R) Xeon(R)"}), name="xeon")
    assert measurements.overview(tmp_path) == """\
Natural order in and out; MPI libraries with 2 ranks of 1 thread, threaded ones with 2 threads:

| | AMD EPYC (family 25, model 17) | Intel Xeon (family 25, model 17) |
| --- | --- | --- |
| c2c 256x256x256 | 0.50, 0.25 | 0.50 |
| r2c 32 fields of 64x64x64 | 0.50, 0.25 | |"""


def test_the_overview_compares_with_those_that_return_the_order_that_was_asked_for(tmp_path):
    files_of(tmp_path, result([8, 8], {"weft": 1, "mpi4py-fft": 2, "fftw-mpi": 4}))
    assert "| c2c 8x8 | 0.25 |" in measurements.overview(tmp_path)


@pytest.fixture
def docs(tmp_path):
    (tmp_path / "measurements").mkdir()
    for page in ("measurements/README.md", "performance.md"):
        (tmp_path / page).write_text(f"# Before\n\n{measurements.BEGIN}\nold\n{measurements.END}\n\n## After\n")
    return tmp_path


def run(docs, *more):
    return measurements.main(["--docs", str(docs), *more])


@pytest.mark.parametrize("page, first", [("measurements/README.md", "### AMD EPYC"), ("performance.md", "Natural order")])
def test_only_the_text_between_the_marks_changes(docs, page, first):
    files_of(docs / "measurements", CUBE)
    assert run(docs) == 0
    text = (docs / page).read_text()
    assert text.startswith(f"# Before\n\n{measurements.BEGIN}\n\n{first}")
    assert text.endswith(f"\n\n{measurements.END}\n\n## After\n") and "\nold\n" not in text
    assert run(docs) == 0 and (docs / page).read_text() == text


@pytest.mark.parametrize("page", ["measurements/README.md", "performance.md"])
def test_a_page_that_does_not_follow_from_the_measurements_fails_the_check(docs, page, capsys):
    files_of(docs / "measurements", CUBE)
    run(docs)
    assert run(docs, "--check") == 0
    (docs / page).write_text(f"{measurements.BEGIN}\nold\n{measurements.END}\n")
    assert run(docs, "--check") == 1
    assert f"{page} does not follow" in capsys.readouterr().err and "old" in (docs / page).read_text()
    run(docs)
    files_of(docs / "measurements", CUBE, FIELDS)
    assert run(docs, "--check") == 1


MARKS = measurements.BEGIN + measurements.END


@pytest.mark.parametrize("page", ["measurements/README.md", "performance.md"])
@pytest.mark.parametrize("text", ["", measurements.BEGIN, measurements.END + measurements.BEGIN, 2 * MARKS])
def test_a_page_without_its_marks_is_refused(docs, page, text, capsys):
    (docs / page).write_text(text)
    assert run(docs) == 2
    assert "each of them once and in this order" in capsys.readouterr().err
    assert (docs / page).read_text() == text


def test_the_pages_of_the_documentation_have_these_tables():
    assert measurements.main(["--check"]) == 0


def test_the_page_and_pictures_of_scaling_follow_from_their_files(capsys):
    assert scaling.main(["--check"]) == 0, capsys.readouterr().err
