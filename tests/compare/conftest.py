# tests/compare/conftest: where the modules under test are.
import importlib.util
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

# The script has the name of the package with its parts, so it gets another one here.
spec = importlib.util.spec_from_file_location("compare_command", ROOT / "tools" / "compare.py")
command = importlib.util.module_from_spec(spec)
sys.modules["compare_command"] = command
spec.loader.exec_module(command)
