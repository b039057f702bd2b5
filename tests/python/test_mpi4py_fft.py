# tests/python/test_mpi4py_fft: programs for mpi4py-fft run on weft, on 1 to 7 ranks, under its name and without a change.
from pathlib import Path

import pytest

pytest.importorskip("mpi4py")

FOLDER = Path(__file__).parent
PROGRAMS, OURS = FOLDER / "mpi4py_fft_on_ranks.py", FOLDER / "mpi4py_fft_of_weft.py"


def checks_in(*files):
    return sum(file.read_text().count("\ndef test_") for file in files)


def test_programs_and_what_only_weft_has_on_many_ranks(run):
    start = f"import sys\nsys.path.insert(0, {str(FOLDER)!r})\nimport mpi4py_fft_of_weft as ours\nours.programs.divisions.main(['7', '6,1'], ours.programs)\nours.programs.divisions.main(['4,3'], ours.programs, ours)\n"
    said = run(start, ranks=7, seconds=600, threads=1)
    assert len(said.splitlines()) == 5 * checks_in(PROGRAMS) + 2 * checks_in(OURS)


def test_a_program_runs_without_a_change(run):
    start = "import runpy, sys\nsys.argv[0:1] = ['weft', sys.argv.pop()]\nrunpy.run_module('weft.compat.mpi4py_fft', run_name='__main__', alter_sys=True)\n"
    said = run(start, str(PROGRAMS), ranks=2, seconds=300, threads=1)
    assert len(said.splitlines()) == checks_in(PROGRAMS)


def test_a_folder_in_the_path_of_python_does_the_same(run):
    folder = run("import runpy, sys\nsys.argv = ['weft', '--path']\nrunpy.run_module('weft.compat.mpi4py_fft', run_name='__main__')\n").strip()
    said = run(f"import sys\nsys.path.insert(0, {folder!r})\nimport mpi4py_fft.fftw.xfftn as x\nfrom mpi4py_fft import PFFT\nprint(PFFT.__module__, x.dctn.__module__)")
    assert said.split() == ["weft.compat.mpi4py_fft.mpifft", "weft.compat.mpi4py_fft.fftw.xfftn"]


def test_another_package_of_the_name_is_not_mixed_with_it(run):
    said = run("import sys, types\nfrom importlib.machinery import ModuleSpec\nother = types.ModuleType('mpi4py_fft')\nother.PFFT, other.__spec__ = object, ModuleSpec('mpi4py_fft', None)\n"
               "sys.modules['mpi4py_fft'] = other\ntry:\n    import weft.compat.mpi4py_fft.install\nexcept ImportError as error:\n    print(error)")  # fmt: skip
    assert "has been imported already" in said
