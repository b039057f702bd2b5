# tests/python/conftest: the package as this build has it, or with WEFT_TEST_INSTALLED as it is installed, and its programs under the MPI
# launcher.
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("WEFT_BIN", ROOT / "build/release/bin/weft")).parents[1]
PACKAGE = BUILD / "python"
WITH_LATE_DEVICE = BUILD / "tests/python"  # the same package, and a device that is not there
CORES = sorted(PACKAGE.glob("weft/_core_*.so"))

if "WEFT_TEST_INSTALLED" in os.environ:
    pass
elif CORES:
    # mpi4py takes the MPI of this build; several may be installed.
    os.environ["MPI4PY_MPIABI"] = "mpich" if "_core_mpich" in CORES[0].name else "openmpi"
    linked = subprocess.run(["ldd", CORES[0]], capture_output=True, text=True, check=True).stdout
    if debians := re.search(r"libmpich\.so\.12 => (\S+)", linked):
        # mpi4py looks for the name that MPICH's own builds have.
        names = PACKAGE / "names"
        names.mkdir(exist_ok=True)
        if not (names / "libmpi.so.12").exists():
            (names / "libmpi.so.12").symlink_to(debians[1])
        os.environ["LD_LIBRARY_PATH"] = f"{names}:{os.environ.get('LD_LIBRARY_PATH', '')}"
    os.environ["PYTHONPATH"] = f"{PACKAGE}:{Path(__file__).parent}"  # programs of these tests find what they share
    sys.path.insert(0, str(PACKAGE))
else:
    collect_ignore_glob = ["test_*.py"]


def pytest_report_header():
    if not CORES:
        return f"NOT TESTED: {BUILD} has no module for Python, because nanobind could not be installed"


@pytest.fixture
def run():
    """Runs a program of Python's with this package; returns what it printed."""

    def start(program, *arguments, ranks=0, seconds=100, expected=0, threads=2, package=None):
        launch = [*shlex.split(os.environ.get("WEFT_MPIEXEC", "mpiexec")), "-n", str(ranks)] if ranks else []
        abort = ["-m", "mpi4py"] if ranks else []  # an exception on one rank ends all
        done = subprocess.run(
            [*launch, sys.executable, *abort, "-c", program, *arguments], capture_output=True, text=True, timeout=seconds, cwd=ROOT,
            env={**os.environ, "OMP_NUM_THREADS": str(threads), **({"PYTHONPATH": str(package)} if package else {})},
        )  # fmt: skip
        assert done.returncode == expected, f"{done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    return start
