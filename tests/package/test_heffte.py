# tests/package/test_heffte: a project for heFFTe finds the package Heffte where weft is installed; its programs in C++, C and Fortran.
# Environment: as of test_package.
import shutil
from pathlib import Path

import pytest
from test_package import BUILD, CACHE, CC, CXX, HAS_MKL, IS_SHARED, ROOT, WORK, compile_flags, finding_mkl, launched, prefix, run  # noqa: F401: a fixture

SOURCE = Path(__file__).parent / "heffte"
PROGRAMS = ROOT / "tests/compat/heffte"
pytestmark = pytest.mark.skipif(not list(BUILD.glob("src/weft/compat/heffte")), reason="weft's build has no heFFTe")


def configured(folder, prefix, source=SOURCE):  # noqa: F811
    shutil.rmtree(folder, ignore_errors=True)
    mkl = [f"-DMKL_DIR={CACHE['MKL_DIR']}"] if HAS_MKL and not IS_SHARED else []
    run("cmake", "-S", source, "-B", folder, "-G", CACHE["CMAKE_GENERATOR"], f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DPROGRAM_IN_C={PROGRAMS}/in_c.c", f"-DPROGRAM_IN_FORTRAN={PROGRAMS}/in_fortran.f90", f"-DCMAKE_C_COMPILER={CC}", f"-DCMAKE_CXX_COMPILER={CXX}",
        f"-DMPI_C_COMPILER={CACHE['MPI_C_COMPILER']}", *mkl)
    return folder


@pytest.fixture(scope="module")
def programs(prefix):  # noqa: F811
    if shutil.which("gfortran") is None:
        pytest.skip("no gfortran")
    folder = configured(WORK / "heffte", prefix)
    run("cmake", "--build", folder, "--parallel", "2", **finding_mkl())
    return folder


@pytest.mark.parametrize("program, said", [("poisson", "error"), ("in_c", "all is as expected"), ("in_fortran", "all is as expected")])
def test_programs_that_find_the_package_find_all_as_expected(programs, program, said):
    assert said in run(*launched(2), programs / program, **finding_mkl())


def test_components_of_devices_are_not_found(prefix):  # noqa: F811
    project = WORK / "heffte_cuda_source"
    project.mkdir(parents=True, exist_ok=True)
    (project / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.19)\nproject(p LANGUAGES CXX)\n"
                                            "find_package(Heffte 2.4 REQUIRED COMPONENTS FFTW CUDA)\n")
    with pytest.raises(AssertionError, match=r"without\s+the\s+component\s+CUDA"):
        configured(WORK / "heffte_cuda", prefix, project)


def test_headers_need_no_newer_cpp_than_heffte_does(prefix):  # noqa: F811
    flags = [flag for flag in compile_flags() if not flag.startswith("-std")]
    for standard in ("c++11", "c++17", "c++20"):
        run(CXX, f"-std={standard}", *flags, f"-I{prefix}/include/weft-heffte", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
            "-fsyntax-only", SOURCE / "poisson.cpp")


def test_pkg_config(prefix):  # noqa: F811
    description, = prefix.rglob("weft-heffte.pc")
    said = run("pkg-config", "--cflags", "--libs", "weft-heffte",
               PKG_CONFIG_PATH=":".join([str(description.parent), f"{CACHE.get('MKL_DIR', '')}/../../pkgconfig"]))
    assert "include/weft-heffte" in said and "-lweft_heffte" in said
