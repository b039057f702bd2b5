# demo/check: compares weft's results with references.

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .error import DemoError

TOLERANCE = 1e-12  # relative to the largest value; double precision leaves about 1e-15


@dataclass(frozen=True)
class Check:
    what: str  # what was compared
    reference: str  # with what
    difference: float  # largest difference, relative to the largest value of the reference


def load_result(path: Path) -> np.ndarray:
    try:
        return np.load(path)
    except (OSError, ValueError) as error:
        raise DemoError(f"cannot read weft's result: {error}", doing=f"reading {path}",
                        hint="run ./dev test, which transforms many files and checks each") from None


def compare(what: str, result: np.ndarray, reference_name: str, reference: np.ndarray) -> Check:
    """Errors: DemoError if shapes differ, or if a value differs by more than TOLERANCE, relative to the largest value."""
    doing = f"comparing {what} with {reference_name}"
    hint = "run ./dev test; if it passes, please report this with the output of weft engines and weft exchanges"
    if result.shape != reference.shape:
        raise DemoError(f"{what} has shape {result.shape}, expected {reference.shape}", doing=doing, hint=hint)
    differences = np.abs(result - reference)
    difference = float(differences.max() / np.abs(reference).max())
    if not difference <= TOLERANCE:  # written so that NaN fails too
        where = tuple(int(i) for i in np.unravel_index(np.argmax(differences), differences.shape))
        raise DemoError(f"{what} is off by {difference:.1e} (relative), allowed are {TOLERANCE:.0e}; worst at {where}: "
                        f"{result[where]:.6g}, expected {reference[where]:.6g}", doing=doing, hint=hint)
    return Check(what, reference_name, difference)
