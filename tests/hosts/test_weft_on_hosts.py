# tests/hosts/test_weft_on_hosts: between hosts, weft sends only the necessary data, in the messages that it reports, and the
# results equal those of alltoallw bit for bit.
# Environment: WEFT_BIN is the program, of either MPI. Skipped where bench/hosts cannot work.
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))
import left_over  # noqa: E402

HOSTS = str(ROOT / "bench" / "hosts")
WEFT = os.path.abspath(os.environ["WEFT_BIN"])

N = 64
WARMUP, REPEAT = 1, 9
TRANSFORMS = 2 + 2 * (WARMUP + REPEAT)  # a round trip that is verified, then there and back each time
HEADERS, SEGMENT = 66, 1448  # bytes of a packet: Ethernet 14, IP 20, TCP 32 with time stamps; and what follows at most

# Ranks of each host; by the number of chunks, the segments of the message, or of each chunk's message, between two, and how many
# segments the busiest rank sends. Two ranks share three messages of 256 KiB evenly: one is cut, and smaller ones are not.
SETS = {"2 hosts of 1": ([1, 1], {1: (1, 1), 4: (1, 4)}), "2 hosts of 2": ([2, 2], {1: (2, 1), 4: (2, 4)}),
        "4 hosts of 2": ([2, 2, 2, 2], {1: (2, 2), 4: (1, 6)}), "1 and 3": ([1, 3], {1: (3, 3), 4: (3, 12)})}


class Hosts:
    """weft on hosts with so many ranks each."""

    def __init__(self, ranks, folder):
        self.ranks, self.folder = ranks, folder
        self.marked = left_over.Marked()

    def weft(self, *arguments):
        places = ["--hosts", len(self.ranks), "--ranks-per-host", ",".join(map(str, self.ranks))]
        links = self.folder / "links.json"
        command = [HOSTS, *places, "--rate", "500mbit", "--timeout", "300", "--json-counters", links, "--", WEFT, *arguments]
        ended = subprocess.run(list(map(str, command)), env=self.marked.environment, cwd=self.folder, text=True,
                               stdin=subprocess.DEVNULL, capture_output=True, timeout=320)
        if ended.returncode == 77:
            pytest.skip(ended.stderr.strip())
        assert ended.returncode == 0, f"{ended.args}: {ended.returncode}\n{ended.stdout}{ended.stderr}"
        assert self.marked.has_left() == []
        return json.loads(links.read_text())["hosts"]


def least_bytes(ranks, host):
    """Slabs before, other slabs after: what is on `host` and must leave it, of a field of complex doubles."""
    share = ranks[host] / sum(ranks)
    return N**3 * 16 * share * (1 - share)


BENCHED = [(name, order, chunks) for name in SETS for order, chunks in (("free", 1), ("same", 1), ("free", 4))]


@pytest.fixture(scope="module", params=BENCHED, ids=lambda param: f"{param[0]} {param[1]} in {param[2]}")
def benched(request, tmp_path_factory):
    """Ranks of each host, segments and messages, what `weft bench` tells, what the links tell."""
    name, order, chunks = request.param
    ranks, messages = SETS[name]
    hosts = Hosts(ranks, tmp_path_factory.mktemp("bench"))
    links = hosts.weft("bench", f"{N}x{N}x{N}", "--exchange", "node", "--decomposition", "slab", "--input", "slab",
                       "--output", order, "--warmup", WARMUP, "--repeat", REPEAT, "--effort", "estimate", "--threads", 1,
                       "--chunks", chunks, "--json", "t.json")
    (entry,) = json.loads((hosts.folder / "t.json").read_text())
    exchanges = [stage for stage in entry["stages"] if stage["name"].startswith("exchange ")]
    assert len(exchanges) == {"free": 1, "same": 2}[order], entry["strategy"]
    return ranks, messages[chunks], entry, exchanges, links


def test_nodes_are_the_hosts(benched):
    ranks, _, entry, _, _ = benched
    assert entry["nodes"] == len(ranks) and entry["ranks"] == sum(ranks)


def test_a_message_goes_from_each_host_to_each_in_segments_that_its_ranks_share(benched):
    _, messages, _, exchanges, _ = benched
    assert [(stage["segments"], stage["messages"]) for stage in exchanges] == [messages] * len(exchanges)


def test_what_is_sent_is_what_must_leave(benched):
    ranks, _, _, exchanges, _ = benched
    busiest = max(least_bytes(ranks, host) / mine for host, mine in enumerate(ranks))
    for stage in exchanges:
        assert stage["message_bytes"] == stage["bytes"] == busiest


def test_the_links_carry_it_and_little_else(benched):
    ranks, _, _, exchanges, links = benched
    assert [link["ranks"] for link in links] == ranks
    # TCP sends again what finds a queue full, or is answered late: of 17 MB a host between 4 hosts 2 to 160 kB, of 35 MB up
    # to 275, and beside other work more; weft cannot help it. Without that it is 35 to 80 kB more than what must leave.
    again = [SEGMENT * link["retransmitted_segments"] for link in links]
    for host, link in enumerate(links):
        expected = TRANSFORMS * len(exchanges) * least_bytes(ranks, host)
        for way, repeated in (("sent", again[host]), ("received", sum(again) - again[host])):
            carried = link[f"{way}_bytes"] - HEADERS * link[f"{way}_packets"]
            # The traffic of the launcher and of MPI is added.
            assert expected < carried < 1.01 * expected + 20_000 * sum(ranks) + repeated, way


STRATEGIES = {
    2: ["fftw | from 2x1x1 | fft 2,1 | {} to 1x2x1 | fft 0"],
    4: ["fftw | from 4x1x1 | fft 2,1 | {} to 1x4x1 | fft 0",
        "fftw | from 2x2x1 | fft 2 | {} to 2x1x2 | fft 1 | {} to 1x2x2 | fft 0"],
    8: ["fftw | from 4x2x1 | fft 2 | {} to 4x1x2 | fft 1 | {} to 1x4x2 | fft 0"],
}


@pytest.mark.parametrize("name, strategy", [(name, text) for name, (ranks, _) in SETS.items()
                                            for text in STRATEGIES[sum(ranks)]])
def test_results_are_those_of_alltoallw_bit_for_bit(name, strategy, tmp_path):
    hosts = Hosts(SETS[name][0], tmp_path)
    generator = np.random.default_rng(1)
    field = generator.uniform(-0.5, 0.5, (49, 38, 36)) + 1j * generator.uniform(-0.5, 0.5, (49, 38, 36))
    np.save(tmp_path / "field.npy", field)
    for exchange in ("node", "alltoallw"):
        hosts.weft("transform", "field.npy", f"{exchange}.npy", "--strategy", strategy.format(exchange, exchange), "--verify")
    assert (tmp_path / "node.npy").read_bytes() == (tmp_path / "alltoallw.npy").read_bytes()
    wanted = np.fft.fftn(field)
    assert np.abs(np.load(tmp_path / "node.npy") - wanted).max() < 1e-12 * np.abs(wanted).max()
