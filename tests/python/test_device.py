# tests/python/test_device: plans that compute on a device, which is the late device, and arrays in its memory.
from pathlib import Path

import pytest
from conftest import WITH_LATE_DEVICE

CHECKS = (Path(__file__).parent / "device_checks.py").read_text()

pytestmark = pytest.mark.skipif(not list(WITH_LATE_DEVICE.glob("weft/_core_*.so")), reason="no module with the late device")


def test_plans_of_one_process_take_arrays_in_the_memory_of_a_device(run):
    assert "all is as expected" in run(CHECKS, "alone", package=WITH_LATE_DEVICE)


@pytest.mark.parametrize("ranks", [1, 3])
def test_plans_on_ranks_take_arrays_in_the_memory_of_a_device(run, ranks):
    pytest.importorskip("mpi4py")
    assert run(CHECKS, ranks=ranks, package=WITH_LATE_DEVICE).count("all is as expected") == ranks
