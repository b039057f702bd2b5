# tests/house/test_files: files are made in one place, which knows how to keep them private and leaves nothing half-written behind.
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MAKES = re.compile(r"\bO_CREAT\b|\bofstream\b|\bfopen\s*\(|\bmkstemp\b|MPI_MODE_CREATE")
# The lock of a file of wisdom is no file that holds anything.
MAKERS = {"src/weft/base/folder_replacement.cpp", "src/weft/base/replacement.cpp", "src/weft/choose/wisdom_file.cpp"}


def test_only_replacements_make_files():
    makers = {str(path.relative_to(ROOT)) for path in (ROOT / "src").rglob("*.[ch]pp") if MAKES.search(path.read_text())}
    assert makers <= MAKERS
    assert "src/weft/base/replacement.cpp" in makers
