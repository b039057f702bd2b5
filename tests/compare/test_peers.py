# tests/compare/test_peers: every peer that is built, on small batches and on 1 to 4 axes: spectra, and reasons to take no part.
# Environment: WEFT_BIN is the program beside which the peers are, build/bin/weft without it.
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from compare import ROOT, agreement
from compare.cases import Case
from compare.competitors import COMPETITORS, Contestant
from compare.errors import LeftOut
from compare.launches import Runs, find_launcher, last_json_line

PROGRAMS = Path(os.environ.get("WEFT_BIN", ROOT / "build" / "bin" / "weft")).parent


def has_program(competitor):
    if competitor.program.endswith(".py"):
        return subprocess.run([sys.executable, "-c", "import mpi4py_fft"], capture_output=True).returncode == 0
    return (PROGRAMS / competitor.program).exists()


def built(name):
    """The competitor of this name. Skips the test without its program."""
    competitor = next(c for c in COMPETITORS if c.name == name)
    if not has_program(competitor):
        pytest.skip(f"{competitor.program} is not there; ./dev compare builds and installs it")
    return competitor


@pytest.fixture(params=[c.name for c in COMPETITORS])
def competitor(request):
    return built(request.param)


@pytest.fixture
def answer(tmp_path):
    """Runs a program on a case, and returns what it answers."""
    launcher = find_launcher(None, PROGRAMS, bind=False)
    launcher.environment["OMP_WAIT_POLICY"] = "passive"

    def run(competitor, case, output="same", way=(), precision="double", ranks=2):
        asked = SimpleNamespace(precision=precision, inner=1, warmup=0, wisdom=tmp_path, limit=300, programs=PROGRAMS,
                                python=sys.executable)
        shape = (ranks, 1) if competitor.ranked else (1, ranks)
        return Runs(asked, case, launcher).start(Contestant(competitor, output, *shape), way)

    return run


def require_right(check, case, precision="double"):
    """The check values are those of a direct sum, of every field."""
    agreement.require_places(check, agreement.places(case))
    allowed = agreement.allowed_deviation(case.points, precision)
    assert agreement.disagreement("it", check, agreement.direct_sum(case), case.points, allowed) is None


# Extents that two ranks do not share evenly, rows of odd length, and four axes.
@pytest.mark.parametrize("case", [Case((5, 6, 7), "c2c", 3), Case((5, 6, 7), "r2c", 3), Case((6, 3, 4, 5), "c2c", 2),
                                  Case((9, 8), "c2c", 2)], ids=str)
def test_every_field_of_a_batch_has_its_spectrum(answer, competitor, case):
    for way in competitor.ways:
        require_right(answer(competitor, case, way=way)["check"], case)


@pytest.mark.parametrize("name", [c.name for c in COMPETITORS if "free" in c.outputs])
def test_a_spectrum_of_four_axes_that_stays_where_it_is_has_the_same_values(answer, name):
    case = Case((6, 5, 4, 7), "r2c", 2)
    require_right(answer(built(name), case, output="free")["check"], case)


def test_single_precision_has_batches_and_a_program_says_its_version(answer, competitor):
    case = Case((5, 6, 7), "r2c", 2)
    line = answer(competitor, case, precision="single")
    require_right(line["check"], case, "single")
    assert line["version"][0].isdigit()


@pytest.mark.parametrize("kind", ["c2c", "r2c"])
def test_one_axis_is_transformed_or_refused_in_one_sentence(answer, competitor, kind):
    case = Case((36,), kind, 2)
    refusal = {("fftw-mpi", "r2c"): "FFTW's MPI library has no r2c of one axis",
               ("mkl-cluster", "r2c"): "MKL's cluster FFT has no r2c of one axis",
               ("mpi4py-fft", "c2c"): "distributes fields of 2 and more axes, not of one",
               ("mpi4py-fft", "r2c"): "distributes fields of 2 and more axes, not of one"}.get((competitor.name, kind))
    if refusal:
        with pytest.raises(LeftOut, match=f"^{refusal}; try [^\n]*$"):
            answer(competitor, case)
    else:
        require_right(answer(competitor, case)["check"], case)


@pytest.mark.parametrize("name, refusal", [("fftw-mpi", "FFTW does not document the order"),
                                           ("mkl-cluster", "MKL's cluster FFT leaves no spectrum of one axis transposed")])
def test_a_line_whose_order_is_unknown_is_refused(answer, name, refusal):
    competitor = built(name)
    with pytest.raises(LeftOut, match=f"^{refusal}"):
        answer(competitor, Case((36,)), output="free")


def test_the_copy_is_one_of_all_fields():
    program = PROGRAMS / "copy_bandwidth"
    if not program.exists():
        pytest.skip("copy_bandwidth is not built")

    def copied(*options):
        said = subprocess.run([program, "--size", "16x16", *options], capture_output=True, text=True)
        return last_json_line(said.stdout)["bytes"]

    assert copied() == 16 * 16 * 16
    assert copied("--batch", "3") == 3 * 16 * 16 * 16
    assert copied("--batch", "3", "--kind", "r2c") == 3 * 16 * 16 * 8
