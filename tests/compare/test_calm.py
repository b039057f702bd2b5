# tests/compare/test_calm: launches beside a busy neighbour are noticed, and repeated.
import os
import subprocess

import pytest
from compare import calm
from test_peers import PROGRAMS

HANDOFF = PROGRAMS / "handoff"


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch):
    monkeypatch.setattr(calm, "PAUSE", 0)


def calm_that_measures(*looks, seconds=10):
    """Each look has the seconds of all cores, or what they are by; the last one goes on for ever."""
    left = list(looks)

    def measure(core):
        is_last_core = core == found.cores[-1]
        seconds = left.pop(0) if is_last_core and len(left) > 1 else left[0]
        return seconds if isinstance(seconds, dict) else {"arithmetic": seconds}

    found = calm.Calm(seconds, measure)
    return found


def test_it_waits_until_the_cores_are_as_fast_as_at_best():
    found = calm_that_measures(1.0, 1.7, 1.6, 1.1)
    found.look()
    assert set(found.wait().values()) == {1.1}
    assert set(found.best.values()) == {1.0}


def test_a_launch_is_repeated_when_it_was_disturbed():
    launches = iter("abcdefg")
    assert calm_that_measures(1.0, 1.7, 1.0, 1.0).undisturbed(lambda: next(launches)) == ("b", True)
    assert calm_that_measures(1.0, 1.0).undisturbed(lambda: next(launches)) == ("c", True)


def test_a_launch_is_repeated_when_it_turns_out_that_it_began_disturbed():
    launches = iter("abcdefg")
    assert calm_that_measures(1.7, 1.0, 1.0).undisturbed(lambda: next(launches)) == ("b", True)


def test_a_neighbour_that_takes_memory_only_is_noticed():
    launches = iter("abcdefg")
    quiet, busy = {"arithmetic": 1.0, "memory": 5.0}, {"arithmetic": 1.0, "memory": 8.5}
    assert calm_that_measures(quiet, busy, quiet, quiet).undisturbed(lambda: next(launches)) == ("b", True)


def test_it_gives_up_in_the_end_and_says_so():
    launches = iter("abcdefg")
    found = calm_that_measures(1.0, 1.7, seconds=0)
    found.look()
    assert found.undisturbed(lambda: next(launches)) == ("c", False)


def test_cores_that_no_longer_share_a_cache_are_noticed():
    launches, ways = iter("abcdefg"), [30e-9, 30e-9, 55e-9, 160e-9, 33e-9, 33e-9]
    found = calm.Calm(10, lambda core: {"arithmetic": 1.0}, lambda first, second: ways.pop(0))
    if len(found.cores) < 2:
        pytest.skip("there is one core only")
    assert found.undisturbed(lambda: next(launches)) == ("a", True)
    assert found.undisturbed(lambda: next(launches)) == ("c", True)
    assert not ways


@pytest.mark.parametrize(("there_are", "looked_at"), [(1, [0]), (8, list(range(8))), (9, [0, 2, 4, 6, 8]), (64, list(range(0, 64, 8)))])
def test_some_of_many_cores_are_looked_at(monkeypatch, there_are, looked_at):
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(there_are)))
    found = calm.Calm(10, lambda core: {"arithmetic": 1.0}, lambda first, second: 30e-9)
    assert (found.cores, found.pairs) == (looked_at, [[0, 1]] if there_are > 1 else [])


def test_the_way_between_real_cores_is_measured():
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2 or not HANDOFF.exists():
        pytest.skip("there is one core only, or handoff is not built")
    assert 1e-9 < calm.seconds_between(HANDOFF, *cores[:2]) < 1e-3


@pytest.mark.parametrize(("arguments", "message"), [
    ([], "two cores must be given"), (["0"], "two cores must be given"), (["0", "0"], "the cores must differ"),
    (["0", "x"], "'x' is no number of a core; usage: handoff CORE CORE"), (["0", "1x"], "'1x' is no number of a core"),
    (["0", "99999"], "'99999' is no number of a core"), (["-1", "0"], "'-1' is no number of a core"), (["0", "99999999999"], "is no number of a core")])
def test_the_program_refuses_what_are_no_two_cores(arguments, message):
    if not HANDOFF.exists():
        pytest.skip("handoff is not built")
    said = subprocess.run([HANDOFF, *arguments], capture_output=True, text=True)
    assert (said.returncode, message in said.stderr) == (2, True), said.stderr


def test_real_cores_are_measured():
    with calm.Calm(1) as found:
        assert all(0 < seconds < 60 for seconds in found.best.values())
        assert set(found.best) == {(what, core) for what in ("arithmetic", "memory") for core in found.cores}
