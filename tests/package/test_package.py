# tests/package/test_package: users' programs against weft - installed or as a part of their own build, static or shared.
# Keeps: what is installed names no folder of the machine it was built on, and is what a user may include, no more.
# Environment: WEFT_BUILD, the build that is installed; WEFT_MPIEXEC, the launcher and its flags.
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HELLO = ROOT / "examples/hello.cpp"  # checks its own answer
HELLO_IN_C = ROOT / "examples/c/hello.c"
BUILD = Path(os.environ["WEFT_BUILD"])
WORK = BUILD / "package"

CACHE = dict(re.findall(r"^(\w+):\w+=(.*)$", (BUILD / "CMakeCache.txt").read_text(), re.MULTILINE))
CXX, CC = CACHE["CMAKE_CXX_COMPILER"], CACHE["CMAKE_C_COMPILER"]
STRICT_C = ["-std=c11", "-Wall", "-Wextra", "-pedantic", "-Werror"]
IS_SHARED = CACHE["BUILD_SHARED_LIBS"] == "ON"
MKL = Path(CACHE.get("MKL_DIR", "NOTFOUND")).parents  # <folder>/lib/cmake/mkl
HAS_MKL = len(MKL) > 2
SYSTEM_FOLDER = re.compile(r"(?<![\w}.>)*-])/(?:usr|opt|home|root|work|tmp|var|lib\w*|etc|srv|mnt)\b")


def run(*command, **environment):
    """What the command says; a failure shows all of it."""
    line = [str(part) for part in command]
    done = subprocess.run(line, env={**os.environ, **environment}, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, f"{' '.join(line)}\nended with {done.returncode}:\n{done.stdout}"
    return done.stdout


def finding_mkl():
    """For the linker and the loader: a shared weft does not say in which folder oneMKL was."""
    folders = [str(MKL[1])] if HAS_MKL else []
    return {"LD_LIBRARY_PATH": ":".join([*folders, os.environ.get("LD_LIBRARY_PATH", "")])}


def launched(ranks):
    """The beginning of a command line that runs a program on so many ranks."""
    launcher = os.environ["WEFT_MPIEXEC"].split()
    return [*launcher, *(["-n", str(ranks)] if launcher else [])]


def run_on_two_ranks(program):
    said = run(*launched(2), program, **finding_mkl())
    assert "error" in said
    return said


def configured(source, folder, *definitions, program=HELLO):
    """A user's project in an own folder, with the compilers of the build under test."""
    same = ["CMAKE_C_COMPILER", "CMAKE_CXX_COMPILER", "CMAKE_CXX_COMPILER_LAUNCHER", "CMAKE_CXX_FLAGS", "MPI_C_COMPILER", "MPIEXEC_EXECUTABLE"]
    run("cmake", "-S", Path(__file__).parent / source, "-B", folder, "-G", CACHE["CMAKE_GENERATOR"], f"-DPROGRAM={program}",
        *(f"-D{name}={CACHE[name]}" for name in same if CACHE.get(name)), *definitions)
    return folder


def installed(build, name):
    prefix = WORK / name
    shutil.rmtree(prefix, ignore_errors=True)
    run("cmake", "--install", build, "--prefix", prefix)
    return prefix


@pytest.fixture(scope="module")
def prefix():
    """Where the build under test is installed."""
    return installed(BUILD, "prefix")


# Compiling all of weft once more: only with WEFT_TEST_LONG=1, as `./dev check` has it. Without, a few floors show that weft compiles
# as a part of another build.
IS_LONG = os.environ.get("WEFT_TEST_LONG") == "1"
compiles_all = pytest.mark.skipif(not IS_LONG, reason="compiles all of weft; set WEFT_TEST_LONG=1")


def configured_with_weft(how, folder):
    """A user's project that builds weft itself: the library alone, as a shared one, without what only the program needs.

    Several files are compiled at once, and not for the debugger, to take less time."""
    without = (f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in ("CLI11", "GTest", "MKL"))
    return configured("source", folder, f"-DWEFT={ROOT}", f"-DHOW={how}", "-DBUILD_SHARED_LIBS=ON",
                      f"-DWEFT_MPI={CACHE['WEFT_MPI']}", "-DWEFT_INSTALL=ON", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0",
                      "-DWEFT_LANES=OFF", *without)


@pytest.fixture(scope="module")
def build_from_source():
    folder = configured_with_weft("add_subdirectory", WORK / "source")
    run("cmake", "--build", folder, "--parallel", "2", *([] if IS_LONG else ["--target", "weft_comm", "weft_fft"]))
    return folder


@pytest.fixture(scope="module")
def shared_prefix(build_from_source):
    return installed(build_from_source, "shared_prefix")


def check_find_package(prefix, is_shared):
    folder = WORK / f"find_package_{prefix.name}"
    shutil.rmtree(folder, ignore_errors=True)
    # A user of the shared library needs no more than MPI.
    needs = ["-DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON", "-DCMAKE_DISABLE_FIND_PACKAGE_OpenMP=ON"] if is_shared else []
    if HAS_MKL and not is_shared:
        needs.append(f"-DMKL_DIR={CACHE['MKL_DIR']}")
    configured("installed", folder, f"-DCMAKE_PREFIX_PATH={prefix}", *needs)
    run("cmake", "--build", folder, **finding_mkl())
    for program in ("consumer", "reordering"):
        run_on_two_ranks(folder / program)
    in_c = WORK / f"find_package_c_{prefix.name}"
    shutil.rmtree(in_c, ignore_errors=True)
    no_cpp = ["-DCMAKE_CXX_COMPILER=no-such-compiler"] if is_shared else []
    configured("installed_c", in_c, f"-DCMAKE_PREFIX_PATH={prefix}", *needs, *no_cpp, program=HELLO_IN_C)
    run("cmake", "--build", in_c, **finding_mkl())
    run_on_two_ranks(in_c / "consumer")


@pytest.mark.skipif(IS_SHARED or not HAS_MKL, reason="needs a static weft with oneMKL")
def test_find_package_says_how_to_find_onemkl(prefix):
    with pytest.raises(AssertionError, match=r"(?s)built with oneMKL.*-DMKL_DIR=.*MKLROOT.*-DWEFT_MKL=off"):
        configured("installed", WORK / "without_mkl", f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_DISABLE_FIND_PACKAGE_MKL=ON")


@pytest.mark.skipif(not HAS_MKL or CACHE.get("CMAKE_INSTALL_RPATH", "") != "", reason="needs oneMKL, whose folder is not told")
def test_installing_says_how_programs_find_onemkl():
    said = run("cmake", "--install", BUILD, "--prefix", WORK / "said")
    assert f"look for oneMKL in LD_LIBRARY_PATH, as -DCMAKE_INSTALL_RPATH={MKL[1]} was not given" in said


def check_pkg_config(prefix):
    description, = prefix.rglob("weft.pc")
    folders = [str(description.parent)] + ([str(MKL[1] / "pkgconfig")] if HAS_MKL else [])
    flags = {kind: run("pkg-config", f"--{kind}", "weft", PKG_CONFIG_PATH=":".join(folders)).split() for kind in ("cflags", "libs")}
    program = WORK / f"by_pkg_config_{prefix.name}"
    rest = [*flags["libs"], "-lm", f"-Wl,-rpath,{description.parents[1]}"]
    run(CXX, "-std=c++20", *flags["cflags"], HELLO, "-o", program, *rest, **finding_mkl())
    run_on_two_ranks(program)
    run(CC, *STRICT_C, *flags["cflags"], HELLO_IN_C, "-o", program, *rest, **finding_mkl())
    run_on_two_ranks(program)


def test_find_package(prefix):
    check_find_package(prefix, IS_SHARED)


def test_another_mpi_than_wefts_is_refused(prefix):
    other = shutil.which("mpicc.mpich" if "openmpi" in CACHE["MPI_C_COMPILER"] else "mpicc.openmpi")
    if other is None:
        pytest.skip("one MPI only")
    folder = WORK / "another_mpi"
    shutil.rmtree(folder, ignore_errors=True)
    done = subprocess.run(["cmake", "-S", Path(__file__).parent / "installed", "-B", folder, f"-DCMAKE_PREFIX_PATH={prefix}",
                           f"-DMPI_C_COMPILER={other}", f"-DPROGRAM={HELLO}"], text=True, capture_output=True)
    assert done.returncode != 0 and "weft was built with" in done.stderr and "is another MPI's" in done.stderr


def test_pkg_config(prefix):
    check_pkg_config(prefix)


def test_from_source_floors_compile(build_from_source):
    assert {path.name for path in build_from_source.rglob("libweft_*.a")} >= {"libweft_base.a", "libweft_comm.a", "libweft_fft.a"}


def test_from_source_what_is_missing_is_named():
    without = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in ("fmt", "nlohmann_json")]
    with pytest.raises(AssertionError, match=r"(?s)weft is compiled with fmt \(Debian:\s+libfmt-dev\)\s+and\s+nlohmann-json.*apt-get install libfmt-dev"):
        configured("source", WORK / "missing", f"-DWEFT={ROOT}", "-DHOW=add_subdirectory", *without)


def test_from_source_files_are_compiled_together(build_from_source):
    assert list(build_from_source.rglob("Unity/unity_*.cxx"))
    assert CACHE["WEFT_UNITY"] == "ON"


@compiles_all
def test_from_source_by_add_subdirectory(build_from_source):
    assert list(build_from_source.rglob("libweft.so")), "the library is not a shared one"
    run_on_two_ranks(build_from_source / "consumer")


@compiles_all
def test_from_source_shared_find_package(shared_prefix):
    check_find_package(shared_prefix, True)


@compiles_all
def test_from_source_shared_pkg_config(shared_prefix):
    check_pkg_config(shared_prefix)


def check_shared_library(prefix):
    libraries = [path for path in prefix.rglob("libweft.so*") if not path.is_symlink()]
    assert libraries and "RUNPATH" not in run("readelf", "-d", *libraries)
    shown = run("nm", "-D", "--defined-only", *libraries)
    assert "weft" in shown and "fftw_execute" not in shown and "weft_own_fftw" not in shown


@pytest.mark.skipif(not IS_SHARED, reason="this build's library is a static one")
def test_the_shared_library_keeps_fftw_to_itself_and_names_no_folder(prefix):
    check_shared_library(prefix)


@compiles_all
def test_from_source_the_shared_library_does_so_too(shared_prefix):
    check_shared_library(shared_prefix)
    assert machine_folders(shared_prefix) == []


def test_lanes_share_no_function_with_files_for_every_processor():
    """The linker would keep one of several, maybe the one with instructions that another processor lacks."""
    objects = list((BUILD / "src").rglob("lanes_*.o"))
    assert objects
    for file in objects:
        weak = [line for line in run("nm", "-C", file).splitlines() if " W " in line]
        assert [line for line in weak if "weft::lanes_" not in line] == [], file


def test_from_source_fetch_content_gives_the_project_its_target():
    configured_with_weft("FetchContent", WORK / "fetched")  # fails without weft::weft


@compiles_all
def test_from_source_by_fetch_content(shared_prefix):  # the last to touch that build
    folder = configured("source", WORK / "source", "-DHOW=FetchContent")
    run("cmake", "--build", folder, "--parallel", "2")
    run_on_two_ranks(folder / "consumer")


def machine_folders(prefix):
    """What the installed files say of folders: of the tree and the build in any file, of the system in those that are text."""
    own = [str(ROOT), str(BUILD), *([str(MKL[2])] if HAS_MKL else [])]
    found = []
    for path in (path for path in prefix.rglob("*") if path.is_file()):
        content = path.read_bytes()
        is_text = b"\0" not in content
        if is_text or CACHE["CMAKE_BUILD_TYPE"] == "Release":  # in others the debugger is told where sources are
            found += [f"{path.name}: {folder}" for folder in own if folder.encode() in content]
        if is_text:
            found += [f"{path.name}: {line.strip()}" for line in content.decode().splitlines() if SYSTEM_FOLDER.search(line)]
    return found


def test_what_is_installed_names_no_folder_of_this_machine(prefix):
    assert machine_folders(prefix) == []


@pytest.mark.parametrize("line, found", [
    ("set(MPI_C_COMPILER /usr/bin/mpicc)", True), ("prefix=/opt/weft", True), ('LINK "m;/lib/libm.so"', True),
    ('"${_IMPORT_PREFIX}/lib/libweft.a"', False), ("prefix=${pcfiledir}/../..", False), ("https://x.org/usr/", False),
    ("../../../lib/x", False),
])
def test_a_system_folder_is_told_from_a_relative_one(line, found):
    assert bool(SYSTEM_FOLDER.search(line)) == found


def test_what_is_installed_is_the_public_headers_the_libraries_and_the_licence(prefix):
    def files(folder):
        return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}

    # An interface of another library has a library of its own, and headers in a folder of their own.
    faces = {path.stem.removeprefix("weft-") for path in prefix.rglob("weft-*.pc")}
    of_faces = {f"weft-{face}/{name}" for face in faces for name in files(ROOT / f"src/weft/compat/{face}/include")}
    assert files(prefix / "include") == files(ROOT / "include") | of_faces
    archives = {path.name for path in prefix.rglob("lib*") if path.suffix == ".a"}
    of_faces = {f"libweft_{face.replace('-', '_')}.a" for face in faces}
    assert archives == (set() if IS_SHARED else {"libweft.a", "libweft_machines.a"} | of_faces)
    assert [path.read_text() for path in prefix.rglob("LICENSE")] == [(ROOT / "LICENSE").read_text()]


def compile_flags():
    include = subprocess.run([CACHE["MPI_C_COMPILER"], "-show"], text=True, capture_output=True, check=True).stdout.split()
    return ["-std=c++20", "-DOMPI_SKIP_MPICXX=1", "-DMPICH_SKIP_MPICXX=1", *(flag for flag in include if flag.startswith("-I"))]


def headers_of(prefix, *includes):
    """The headers that a file brings which includes these, as the compiler names them."""
    source = WORK / "includes.cpp"
    source.write_text("".join(f"#include <{name}>\n" for name in includes))
    rule = run(CXX, *compile_flags(), f"-I{prefix}/include", "-M", source)
    return {Path(os.path.normpath(name)) for name in rule.replace("\\\n", " ").split()[2:]}


def test_weft_hpp_brings_mpi_the_standard_library_and_itself_only(prefix):
    every = headers_of(prefix, "weft/weft.hpp")
    own = {path for path in every if path.is_relative_to(prefix / "include/weft")}
    assert len(own) > 10
    text = "".join(path.read_text() for path in own)
    named = set(re.findall(r"^#include <([^>]+)>", text, re.MULTILINE))
    assert "mpi.h" in named and all(re.fullmatch(r"\w+|mpi\.h", name) for name in named)
    assert every - own == headers_of(prefix, *named)


def test_every_public_header_can_be_included_alone(prefix):
    for header in sorted((prefix / "include/weft").glob("*.hpp")):
        source = WORK / "alone.cpp"
        source.write_text(f"#include <weft/{header.name}>\n#include <weft/{header.name}>\nint main() {{}}\n")
        run(CXX, *compile_flags(), f"-I{prefix}/include", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", source)


@pytest.mark.parametrize("compiler", ["gcc", "clang-14", "clang-16"])
@pytest.mark.parametrize("example", sorted((ROOT / "examples/c").glob("*.c")), ids=lambda path: path.stem)
def test_programs_in_c_compile_without_a_warning(prefix, compiler, example):
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler}")
    flags = [flag for flag in compile_flags() if flag != "-std=c++20"]
    run(compiler, *STRICT_C, *flags, f"-I{prefix}/include", "-fsyntax-only", example)


@pytest.mark.parametrize("compiler", ["gcc", "clang-14", "clang-16"])
@pytest.mark.parametrize("header", sorted(path.name for path in (ROOT / "include/weft").glob("*.h")))
def test_headers_of_c_can_be_included_alone(prefix, compiler, header):
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler}")
    source = WORK / "alone.c"
    source.write_text(f"#include <weft/{header}>\n#include <weft/{header}>\nint main(void) {{ return 0; }}\n")
    flags = [flag for flag in compile_flags() if flag != "-std=c++20"]
    run(compiler, *STRICT_C, *flags, f"-I{prefix}/include", "-fsyntax-only", source)


@pytest.mark.parametrize("name, symbols", [("libweft", "c_symbols.txt"), ("libweft_machines", "c_symbols_of_machines.txt")])
def test_the_library_exports_the_functions_of_c_that_are_listed(prefix, name, symbols):
    libraries = prefix.rglob(f"{name}.*")
    library, = [path for path in libraries if path.suffix == ".a" or (path.name.count(".") > 2 and not path.is_symlink())]
    shown = run("nm", "--defined-only", *(["-D"] if IS_SHARED else []), library)
    found = {name for name in re.findall(r" T (weft_\w+)$", shown, re.MULTILINE) if not name.startswith("weft_own_fftw")}
    listed = (ROOT / "tests/package" / symbols).read_text().splitlines()
    assert sorted(found) == [line for line in listed if line and not line.startswith("#")]


@pytest.mark.parametrize("compiler", ["clang++-14", "clang++-16"])
def test_a_users_program_compiles_with_clang(prefix, compiler):
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler}")
    run(compiler, *compile_flags(), f"-I{prefix}/include", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-c", HELLO,
        "-o", WORK / "hello.o")
