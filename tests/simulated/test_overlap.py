# tests/simulated/test_overlap: with chunks, transfers overlap with passes.
# Writes chunks-EXTENTS.json and .svg, the sweeps over the number of chunks, into the folder WEFT_RESULTS if that is set.
import functools
import json
import os
import re
from math import prod
from pathlib import Path

import pytest

from conftest import ROOT, run

# Simulations of minutes: only with WEFT_TEST_LONG=1, as `./dev check` has it.
takes_minutes = pytest.mark.skipif(os.environ.get("WEFT_TEST_LONG") != "1", reason="takes minutes; set WEFT_TEST_LONG=1")

CHUNKED = [  # form, extents, hosts, and what of the blocking time chunks may take at most
    pytest.param("slab", "192x192x192", 8, 0.70, marks=takes_minutes),
    ("slab", "128x128x128", 8, 0.75),
    ("pencil", "128x128x128", 16, 0.75),
    pytest.param("pencil", "192x192x192", 64, 0.72, marks=takes_minutes),
]


def in_chunks(strategy, chunks):
    """The same strategy, each of its exchanges in so many chunks."""
    whole = re.sub(r" in \d+", "", strategy)
    return re.sub(r"(p2p to [\dx]+)", rf"\1 in {chunks}", whole) if chunks > 1 else whole


def seconds(entry, direction="forward"):
    return entry[f"{direction}_seconds"]["median"]


class Balanced:
    """A transform whose passes together take as long as its exchanges, in one piece, with passes that take no time."""

    def __init__(self, simulate, extents, hosts, form, *options):
        self.simulate, self.extents, self.hosts = simulate, extents, hosts
        self.options = ("--decomposition", form, *options)
        self.own = simulate(extents, hosts, *self.options, "--no-verify")["strategy"]
        wire = simulate(extents, hosts, *self.options, "--no-verify", "--strategy", in_chunks(self.own, 1))
        self.wire_seconds = seconds(wire)
        passes = sum(stage["name"].startswith("pass ") for stage in wire["stages"])
        bytes_of_host = prod(map(int, extents.split("x"))) * 16 / hosts
        self.seconds_per_byte = self.wire_seconds / passes / bytes_of_host

    @functools.cache
    def run(self, strategy, *options):
        return self.simulate(self.extents, self.hosts, *self.options, *options, "--strategy", strategy,
                             pass_seconds_per_byte=self.seconds_per_byte)


@pytest.fixture(scope="module")
def balanced(simulate):
    """balanced(extents, hosts, form, options of weft bench ...): Balanced; what is asked for again is not simulated again, as it
    would be equal to the last bit (test_simulation)."""
    return functools.cache(functools.partial(Balanced, simulate))


@pytest.mark.parametrize("form, extents, hosts, most", CHUNKED)
def test_a_transform_in_chunks_takes_little_longer_than_the_wire(balanced, form, extents, hosts, most):
    transform = balanced(extents, hosts, form, "--no-verify")
    assert re.search(r" in \d+", transform.own), "weft's own choice is chunks"
    blocking = transform.run(in_chunks(transform.own, 1))
    assert seconds(blocking) == pytest.approx(2 * transform.wire_seconds, rel=0.02)
    chunked = transform.run(transform.own)
    for direction in ("forward", "backward"):
        ratio = seconds(chunked, direction) / seconds(blocking, direction)
        print(f"{form} {direction}: {ratio:.3f} of the blocking time, {transform.own}")
        assert ratio <= most, direction


@pytest.mark.parametrize("form, extents, hosts", [pytest.param("slab", "192x192x192", 8, marks=takes_minutes),
                                                  ("slab", "128x128x128", 8), ("pencil", "128x128x128", 16),
                                                  pytest.param("pencil", "128x128x128", 64, marks=takes_minutes)])
def test_four_transforms_in_flight_have_1_6_times_the_throughput_of_four_in_a_row(balanced, form, extents, hosts):
    transform = balanced(extents, hosts, form, "--no-verify")
    blocking = transform.run(in_chunks(transform.own, 1))
    in_flight = transform.run(transform.own, "--in-flight", 4)
    for direction in ("forward", "backward"):
        gain = 4 * seconds(blocking, direction) / seconds(in_flight, direction)
        print(f"{form} {extents} {direction}: {gain:.3f} times the throughput, {transform.own}")
        assert gain >= 1.6, direction


# In natural order one of the ways begins with a pass of which every tile goes to one rank alone. On 3 hosts the message that is
# computed first leaves after a third of this pass, if what stays comes last: two thirds of a third of computing hide, 2/9 of 2.
def test_what_other_nodes_wait_for_is_computed_first(balanced):
    transform = balanced("96x96x96", 3, "slab", "--output", "same", "--no-verify")
    whole = in_chunks(transform.own, 1)
    first, as_it_lies = transform.run(whole), transform.run(whole, "--no-priorities")
    gain = seconds(as_it_lies, "backward") / seconds(first, "backward")
    print(f"in one piece {gain:.3f} times as fast, {whole}")
    assert gain == pytest.approx(9 / 8, rel=0.02)
    assert seconds(as_it_lies) == pytest.approx(seconds(first), rel=1e-3), "here every tile feeds all"


def test_chunks_hide_less_where_tiles_are_computed_as_they_lie(balanced):
    transform = balanced("96x96x96", 2, "slab", "--output", "same", "--no-verify")
    first, as_it_lies = transform.run(transform.own), transform.run(transform.own, "--no-priorities")
    gain = seconds(as_it_lies) / seconds(first)
    print(f"in chunks {gain:.3f} times as fast, {transform.own}")
    assert gain >= 1.2


@pytest.mark.parametrize("form, hosts", [("slab", 8), ("pencil", 16)])
@pytest.mark.parametrize("chunks", [1, 4, 15])
def test_results_are_right_in_any_number_of_chunks(balanced, form, hosts, chunks):
    transform = balanced("48x40x36", hosts, form)
    assert transform.run(in_chunks(transform.own, chunks))["max_error"] < 1e-14


@pytest.mark.parametrize("extents", ["96x96x96", "128x128x128", pytest.param("192x192x192", marks=takes_minutes)])
def test_the_number_of_chunks_is_within_a_tenth_of_the_best(balanced, program, tmp_path, extents):
    transform = balanced(extents, 8, "slab", "--no-verify")
    results = Path(os.environ.get("WEFT_RESULTS", tmp_path))
    file = results / f"chunks-{extents}.json"
    run([ROOT / "bench" / "chunks", "--within", 1.1, "--json", file, "--svg", file.with_suffix(".svg"), "--",
         ROOT / "bench" / "simulate", "--hosts", 8, "--program", program, "--pass-seconds-per-byte",
         transform.seconds_per_byte, "--", extents, *transform.options, "--warmup", 0, "--repeat", 1], 900)
    found = json.loads(file.read_text())
    assert [one["chunks"] for one in found["tried"]] == [1, 2, 4, 8, 16, 32, 64]
    assert found["own"]["strategy"] == transform.own
    assert min(one["forward_seconds"] for one in found["tried"]) < 0.85 * found["blocking"]["forward_seconds"]
