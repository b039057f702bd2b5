# tests/python/test_fields: the checks of fields_on_ranks.py, spectral_on_ranks.py and files_on_ranks.py on several numbers of ranks, in
# one launch.
from pathlib import Path

import pytest

pytest.importorskip("mpi4py")

FOLDER = Path(__file__).parent
CHECKS = [FOLDER / name for name in ("fields_on_ranks.py", "spectral_on_ranks.py", "files_on_ranks.py")]


def test_all_checks_hold_on_one_to_seven_ranks(run):
    start = (
        f"import sys\nsys.path.insert(0, {str(FOLDER)!r})\nimport divisions, fields_on_ranks as fields, spectral_on_ranks as spectral\n"
        "import files_on_ranks as files\ndivisions.main(['7', '4,3', '2,1,1,1,1,1'], fields, spectral, files)\n"
    )
    said = run(start, ranks=7, seconds=600, threads=1)
    assert len(said.splitlines()) == 9 * sum(file.read_text().count("\ndef test_") for file in CHECKS)
