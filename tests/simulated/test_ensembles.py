# tests/simulated/test_ensembles: many instances at once, on all hosts or on subsets, and the automatic choice between these.
import functools
import os

import pytest

EXTENTS, BYTES = "100x100x100", 100**3 * 16


def seconds_per_byte(hosts):
    """With which two passes over a host's part take as long as sending what goes to the others, at 1 GB/s."""
    return (1 - 1 / hosts) / 1e9 / 2


@pytest.fixture(scope="module")
def ensembles(simulate_all):
    """ensembles(hosts, policy, instances, effort): what ensembles.cpp tells of each number of instances, whose two passes take as
    long as their exchange."""

    def of(hosts, policy, instances, effort="estimate", **network):
        return simulate_all(EXTENTS, hosts, "--instances", ",".join(map(str, instances)), "--policy", policy, "--effort", effort,
                            started="ensembles", pass_seconds_per_byte=seconds_per_byte(hosts), **network)

    return of


def seconds(entry):
    return entry["seconds"]


@pytest.fixture(scope="module")
def fixed(ensembles):
    """The same without trials, of each of the policies; what is asked for again is not simulated again."""
    return functools.cache(lambda hosts, instances: [ensembles(hosts, policy, instances)
                                                     for policy in ("all", "subsets", "mixed")])


# Of 3 instances on 4 hosts two have half of them each, and the third has all; 5 on 8 likewise, of a quarter each.
@pytest.mark.parametrize("effort, hosts, instances, policies", [
    ("estimate", 4, (3, 8), ["mixed", "subsets"]), ("estimate", 8, (3, 5), ["all", "mixed"]),
    ("measure", 4, (3, 8), ["mixed", "subsets"]), ("measure", 8, (3, 5), ["all", "mixed"])])
def test_the_automatic_choice_is_within_a_tenth_of_the_best_one(ensembles, fixed, effort, hosts, instances, policies):
    automatic, others = ensembles(hosts, "automatic", instances, effort), fixed(hosts, instances)
    assert [entry["policy"] for entry in automatic] == policies
    for own, *each in zip(automatic, *others, strict=True):
        assert max(entry["max_error"] for entry in (own, *each)) < 1e-12
        assert [entry["policy"] for entry in each] == ["all", "subsets", "mixed"]
        assert [entry["subsets"] for entry in each[:2]] == [1, min(own["instances"], hosts)]
        print(f"{own['instances']} instances on {hosts} hosts: {own['policy']}", *map(seconds, each))
        assert seconds(own) <= 1.1 * min(map(seconds, each))


# Nominal links are faster than these. Simulated in half a minute: only with WEFT_TEST_LONG=1, as `./dev check` has it.
@pytest.mark.skipif(os.environ.get("WEFT_TEST_LONG") != "1", reason="takes long; set WEFT_TEST_LONG=1")
def test_the_automatic_choice_knows_slow_links_only_where_it_may_measure(ensembles):
    def chosen_by(effort):
        (entry,) = ensembles(8, "automatic", [3], effort, bandwidth="50MBps")
        print(entry["policy"], seconds(entry))
        return entry

    by_nominal, by_speeds = chosen_by("estimate"), chosen_by("measure")
    assert (by_nominal["policy"], by_speeds["policy"]) == ("all", "subsets")
    assert seconds(by_speeds) < 0.8 * seconds(by_nominal)


def test_instances_of_their_own_subsets_take_what_their_passes_take(ensembles):
    (entry,) = ensembles(4, "subsets", [8])
    # Two instances a host, each there and back in two passes; the reduction is all that crosses the network.
    passes = 2 * 2 * 2 * BYTES * seconds_per_byte(4)
    assert seconds(entry) == pytest.approx(passes, rel=1e-3)
    # One after the other: the first has ended when the second begins its way back.
    assert passes / 2 < entry["average_seconds"] < passes


def test_instances_on_all_hosts_hide_each_others_messages(ensembles):
    one, four = ensembles(4, "all", [1, 4])
    passes = 2 * 2 * BYTES / 4 * seconds_per_byte(4)
    assert seconds(one) > 1.4 * passes
    assert 4 * passes < seconds(four) < 1.15 * 4 * passes
