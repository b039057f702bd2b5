# tests/plots/conftest: the package as the tree has it; pictures need no compiled module.
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
