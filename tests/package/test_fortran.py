# tests/package/test_fortran: programs in Fortran against what is installed: the examples, and those in the folder fortran/.
# Environment: as of test_package.
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from test_package import CACHE, CC, CXX, HAS_MKL, IS_SHARED, ROOT, WORK, finding_mkl, launched, prefix, run  # noqa: F401: a fixture

FORTRAN = shutil.which("gfortran")
pytestmark = pytest.mark.skipif(FORTRAN is None, reason="no gfortran")
STRICT = ["-std=f2018", "-Wall", "-Wextra", "-pedantic", "-Werror"]
WRAPPER = Path(CACHE["MPI_C_COMPILER"])
MPIFORT = WRAPPER.parent / WRAPPER.name.replace("mpicc", "mpifort")
# Interfaces of other libraries that are installed as source.
COMPAT = [name for name in ("decomp2d",) if CACHE.get("WEFT_COMPAT") == "all" or name in CACHE.get("WEFT_COMPAT", "").split(";")]
EXAMPLES = sorted((ROOT / "fortran/examples").glob("*.f90"))
# With a second MPI, programs run on one number of ranks, as tests of whole plans do.
RANKS = [1, 2, 3, 4, 6, 7] if CACHE.get("WEFT_TESTS_WITHOUT_MPI") != "OFF" else [2]


@pytest.fixture(scope="module")
def programs(prefix):  # noqa: F811
    """A project with the module, its examples and tests, which are built from the installed source with warnings as errors."""
    folder = WORK / "fortran"
    shutil.rmtree(folder, ignore_errors=True)
    mkl = [f"-DMKL_DIR={CACHE['MKL_DIR']}"] if HAS_MKL and not IS_SHARED else []
    run("cmake", "-S", Path(__file__).parent / "fortran", "-B", folder, "-G", CACHE["CMAKE_GENERATOR"], f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DEXAMPLES={prefix}/share/weft/fortran/examples", f"-DCOMPAT={';'.join(COMPAT)}",
        f"-DCMAKE_C_COMPILER={CC}", f"-DCMAKE_CXX_COMPILER={CXX}",
        f"-DCMAKE_Fortran_COMPILER={FORTRAN}", f"-DCMAKE_Fortran_FLAGS={' '.join(STRICT)}", f"-DMPI_C_COMPILER={WRAPPER}", *mkl)
    run("cmake", "--build", folder, "--parallel", "2", **finding_mkl())
    return folder


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
@pytest.mark.parametrize("ranks", [1, 3] if 1 in RANKS else RANKS)
def test_examples_check_their_answers(programs, example, ranks):
    said = run(*launched(ranks), programs / example.stem, **finding_mkl())
    assert re.search(r"error +[0-9.]+E-[0-9]+", said), said


@pytest.mark.parametrize("program, ranks", [
    (program, ranks) for program in ["values", "arrays", "moves", "names", "errors"] for ranks in RANKS
    if program in ("values", "arrays") or ranks in (1, 2, 7)])
def test_programs_find_all_as_expected(programs, program, ranks):
    said = run(*launched(ranks), programs / program, **finding_mkl())
    assert said.count("all is as expected") == ranks


def test_an_error_on_one_rank_ends_the_program_with_its_text(programs):
    line = [str(part) for part in (*launched(3), programs / "stops")]
    done = subprocess.run(line, env={**os.environ, **finding_mkl()}, text=True, capture_output=True, timeout=60)
    said = done.stdout + done.stderr
    assert done.returncode != 0 and "ERROR STOP weft: there is no side 7" in said and "names for 0 to 1" in said, said
    assert "this is not reached" not in said


@pytest.mark.parametrize("name", COMPAT)
def test_interfaces_of_other_libraries_are_built_with_the_program(programs, name):
    line = [str(part) for part in (*launched(2), programs / f"refused_by_{name}", "grid")]
    done = subprocess.run(line, env={**os.environ, **finding_mkl()}, text=True, capture_output=True, timeout=60)
    assert done.returncode != 0 and "a process grid of 3x5 has not 2 ranks" in done.stdout + done.stderr, done.stdout + done.stderr


@pytest.mark.parametrize("statement, message", [
    ("call plan%forward(whole, waves)", "no matching specific binding for the call to the generic 'forward'"),
    ("call plan%forward(waves, single)", "no matching specific binding for the call to the generic 'forward'"),
    ("call plan%make(weft_input, five)", "no matching specific binding for the call to the generic 'make'"),
    ("call plan%create(problem)", "no matching specific binding for the call to the generic 'create'"),
    ("call plan%wavenumbers(1, field)", "no matching specific binding for the call to the generic 'wavenumbers'"),
    ("plan%at => null()", "private component"),
])
def test_what_cannot_be_is_refused_by_the_compiler(programs, statement, message):
    source = WORK / "refused.f90"
    source.write_text(f"""program refused
  use weft
  implicit none
  type(weft_plan) :: plan
  type(weft_problem) :: problem
  integer :: whole(4)
  real(real64), allocatable :: field(:), five(:, :, :, :, :)
  complex(real64) :: waves(4)
  complex(real32) :: single(4)
  {statement}
end program refused
""")
    done = subprocess.run([MPIFORT, "-fsyntax-only", f"-I{programs}/weft_fortran/modules", source], text=True, capture_output=True)
    assert done.returncode != 0 and message in re.sub("[‘’]", "'", done.stderr).lower(), done.stderr


@pytest.mark.skipif(not IS_SHARED, reason="fpm links a shared library")
def test_fpm_builds_a_program_with_the_installed_library(prefix):  # noqa: F811
    fpm = Path(sys.executable).parent / "fpm"
    if not fpm.exists():
        pytest.skip("no fpm")
    folder = WORK / "fpm"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "app").mkdir(parents=True)
    shutil.copy(ROOT / "fortran/examples/hello.f90", folder / "app/main.f90")
    (folder / "fpm.toml").write_text(f"""name = "hello"
[dependencies]
mpi = "*"
weft = {{ path = "{os.path.relpath(prefix, folder)}/share/weft/fortran" }}
[fortran]
implicit-typing = true
implicit-external = true
source-form = "free"
""")
    description, = prefix.rglob("weft.pc")
    libraries = run("pkg-config", "--libs", "weft", PKG_CONFIG_PATH=str(description.parent)).strip()
    wrappers = {"MPIFC": MPIFORT, "MPICC": WRAPPER, "MPICXX": WRAPPER.parent / WRAPPER.name.replace("mpicc", "mpicxx")}
    run(fpm, "build", "--directory", folder, "--compiler", FORTRAN, "--flag", "-std=f2018 -Wall -Werror",
        "--link-flag", f"{libraries} -Wl,-rpath,{description.parents[1]}", **{name: str(of) for name, of in wrappers.items()}, **finding_mkl())
    program, = folder.glob("build/*/app/hello")
    assert "error" in run(*launched(2), program, **finding_mkl())
