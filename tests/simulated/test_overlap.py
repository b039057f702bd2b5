# tests/simulated/test_overlap: chunks hide the network behind the passes, and the passes behind the network.
# Writes chunks.json, the sweep over the number of chunks, into the folder WEFT_RESULTS if that is set.
import json
import os
import re
from math import prod
from pathlib import Path

import pytest

FORMS = {  # extents, hosts, and what of the blocking time chunks may take at most
    "slab": ("192x192x192", 8, 0.75),
    "pencil": ("192x192x192", 64, 0.72),
}


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

    def run(self, strategy, *options):
        return self.simulate(self.extents, self.hosts, *self.options, *options, "--strategy", strategy,
                             pass_seconds_per_byte=self.seconds_per_byte)


@pytest.mark.parametrize("form", FORMS)
def test_a_transform_in_chunks_takes_little_longer_than_the_wire(simulate, form):
    extents, hosts, most = FORMS[form]
    transform = Balanced(simulate, extents, hosts, form)
    assert re.search(r" in \d+", transform.own), "weft's own choice is chunks"
    blocking = transform.run(in_chunks(transform.own, 1), "--no-verify")
    assert seconds(blocking) == pytest.approx(2 * transform.wire_seconds, rel=0.02)
    chunked = transform.run(transform.own, "--no-verify")
    for direction in ("forward", "backward"):
        ratio = seconds(chunked, direction) / seconds(blocking, direction)
        print(f"{form} {direction}: {ratio:.3f} of the blocking time, {transform.own}")
        assert ratio <= most, direction


@pytest.mark.parametrize("form, hosts", [("slab", 8), ("pencil", 16)])
@pytest.mark.parametrize("chunks", [1, 4, 15])
def test_results_are_right_in_any_number_of_chunks(simulate, form, hosts, chunks):
    transform = Balanced(simulate, "48x40x36", hosts, form)
    assert transform.run(in_chunks(transform.own, chunks))["max_error"] < 1e-14


def test_the_number_of_chunks_is_within_a_tenth_of_the_best(simulate):
    transform = Balanced(simulate, "96x96x96", 8, "slab", "--no-verify")
    times = {chunks: seconds(transform.run(in_chunks(transform.own, chunks))) for chunks in (1, 2, 4, 8, 16, 32, 64)}
    own = seconds(transform.run(transform.own))
    if "WEFT_RESULTS" in os.environ:
        told = {"extents": transform.extents, "hosts": transform.hosts, "strategy": transform.own,
                "wire_seconds": transform.wire_seconds, "seconds_per_byte": transform.seconds_per_byte,
                "own_seconds": own, "seconds_by_chunks": times}
        Path(os.environ["WEFT_RESULTS"], "chunks.json").write_text(json.dumps(told, indent=1) + "\n")
    assert own <= 1.1 * min(times.values()), f"own {own}, {times}"
    assert min(times.values()) < 0.85 * times[1]
