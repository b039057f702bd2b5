# tests/compare/test_calm: launches beside a busy neighbour are noticed, and repeated.
import pytest
from compare import calm


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch):
    monkeypatch.setattr(calm, "PAUSE", 0)


def calm_that_measures(*looks, seconds=10):
    """Each look has the seconds of all cores; the last one goes on for ever."""
    left = list(looks)

    def measure(core):
        is_last_core = core == found.cores[-1]
        return left.pop(0) if is_last_core and len(left) > 1 else left[0]

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


def test_it_gives_up_in_the_end_and_says_so():
    launches = iter("abcdefg")
    found = calm_that_measures(1.0, 1.7, seconds=0)
    found.look()
    assert found.undisturbed(lambda: next(launches)) == ("c", False)


def test_real_cores_are_measured():
    with calm.Calm(1) as found:
        assert all(0 < seconds < 60 for seconds in found.best.values())
        assert len(found.best) == len(found.cores)
