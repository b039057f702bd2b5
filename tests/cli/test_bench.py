# tests/cli/test_bench: `weft bench` - the keys and plausible values of its JSON, and every option.
import json
import math

import pytest

KEYS = ["weft", "extents", "modes", "cutoff", "support", "kind", "precision", "ranks", "nodes", "threads", "processor", "engine", "exchange", "strategy", "in_place",
        "batch", "chunks", "progress", "in_flight", "work_seconds", "repeat", "plan_seconds", "forward_seconds",
        "backward_seconds", "gflops", "overlap", "max_error",
        "workspace_bytes_per_rank", "stages"]
LIMIT = {"double": 1e-14, "single": 1e-5}


def bench(weft, *arguments, ranks=2):
    """Trials of 0.3 s for each configuration are made where `arguments` ask for them."""
    effort = () if "--effort" in arguments else ("--effort", "estimate")
    ended = weft("bench", *arguments, *effort, "--json", "t.json", ranks=ranks)
    return json.loads((weft.folder / "t.json").read_text()), ended


def check(entry, ranks, extents, repeat=2):
    assert list(entry) == KEYS
    assert entry["weft"] == "0.1.0" and entry["threads"] >= 1
    assert entry["ranks"] == ranks and entry["extents"] == extents and entry["repeat"] == repeat
    for way in ("forward_seconds", "backward_seconds"):
        assert list(entry[way]) == ["min", "median", "max"]
        assert 0 < entry[way]["min"] <= entry[way]["median"] <= entry[way]["max"] < 60
    points = math.prod(extents)
    flops = (5 if entry["kind"] == "c2c" else 2.5) * points * math.log2(points) * entry["batch"] * entry["in_flight"]
    assert entry["gflops"] == pytest.approx(flops / entry["forward_seconds"]["median"] / 1e9)
    assert 0 < entry["max_error"] < LIMIT[entry["precision"]]
    assert 0 <= entry["overlap"] <= 1 and 1 <= entry["chunks"] <= 128
    assert " in " in entry["strategy"] or entry["chunks"] == 1
    assert entry["plan_seconds"] > 0 and entry["workspace_bytes_per_rank"] >= 0
    engine, *parts = entry["strategy"].split(" | ")
    assert engine == entry["engine"]
    assert len(entry["stages"]) == sum(part.startswith(("fft ", "copy")) or " to " in part for part in parts)
    for stage in entry["stages"]:
        assert list(stage) == ["name", "seconds", "bytes", "messages", "message_bytes", "segments", "passes", "axes"]
        assert 0 <= stage["seconds"] <= entry["forward_seconds"]["max"] * 1.01
        assert stage["message_bytes"] <= stage["bytes"]


@pytest.mark.parametrize("ranks", [0, 4])
def test_every_exchange_of_two_sizes(weft, ranks):
    entries, ended = bench(weft, "16x12x10", "32x8", "--exchange", "all", "--repeat", "2", ranks=ranks)
    names = [row["name"] for row in json.loads(weft("exchanges", "--json").out)]
    assert [(e["extents"], e["exchange"]) for e in entries] == [
        (extents, name) for extents in ([16, 12, 10], [32, 8]) for name in names]
    for entry in entries:
        check(entry, max(ranks, 1), entry["extents"])
        assert entry["nodes"] == 1
        assert all(stage["messages"] == 0 for stage in entry["stages"])
        if ranks > 1:
            assert f" | {entry['exchange']} to " in entry["strategy"]
    lines = ended.out.splitlines()
    assert lines[0].split()[:4] == ["problem", "engine", "exchange", "ranks"]
    assert [line.split()[4] for line in lines[1 : 1 + 2 * len(names)]] == names * 2
    assert "fastest for 16x12x10 c2c double" in ended.out and f"  strategy: {entries[0]['engine']} | " in ended.out


@pytest.mark.parametrize("options, expected", [
    (["--kind", "r2c"], {"kind": "r2c"}),
    (["--kind", "c2r"], {"kind": "c2r"}),
    (["--kind", "dct2"], {"kind": "dct2"}),
    (["--kind", "chff", "--output", "same"], {"kind": "r2c of chebyshev,fourier,fourier"}),
    (["--kind", "r2c", "--in-place"], {"kind": "r2c", "in_place": True}),
    (["--in-place", "--batch", "3"], {"in_place": True, "batch": 3}),
    (["--kind", "c2r", "--batch", "2", "--output", "same"], {"kind": "c2r", "batch": 2}),
    (["--precision", "single", "--output", "same", "--input", "slab"], {"precision": "single"}),
    (["--input", "pencil", "--output", "brick"], {}),
    (["--input", "pencil", "--grid", "3x2", "--warmup", "0"], {}),
    (["--input", "brick", "--output", "slab", "--kind", "r2c", "--precision", "single"], {"precision": "single", "kind": "r2c"}),
    (["--decomposition", "pencil", "--engine", "fftw", "--exchange", "alltoallv"], {"engine": "fftw", "exchange": "alltoallv"}),
    (["--decomposition", "slab", "--effort", "measure", "--threads", "2", "--chunks", "1"], {"threads": 2}),
    (["--engine", "all"], {}),
    (["--chunks", "2", "--in-flight", "2", "--progress", "inline"], {"chunks": 2, "in_flight": 2, "progress": "inline"}),
    (["--kind", "r2c", "--in-place", "--in-flight", "3"], {"in_flight": 3, "progress": "tiles", "work_seconds": 0}),
    (["--use-ranks", "3"], {"ranks": 6}),
    (["--use-ranks", "4", "--input", "slab", "--output", "same", "--node-size", "4,2"], {"ranks": 6, "nodes": 2}),
    (["--progress=thread", "--chunks", "3"], {"progress": "thread", "chunks": 3}),
], ids=" ".join)
def test_every_option(weft, options, expected):
    entries, _ = bench(weft, "18x12x8", "--repeat", "2", *options, ranks=6)
    for entry in entries:
        check(entry, 6, [18, 12, 8])
        assert {key: entry[key] for key in expected} == expected


MOVEMENT_KEYS = [*KEYS[:KEYS.index("forward_seconds")], "workload", "ghosts", "seconds", "bytes", "max_error",
                 "workspace_bytes_per_rank"]


@pytest.mark.parametrize("options, ghosts", [
    (["--workload", "reshape", "--exchange", "all", "--input", "slab", "--output", "pencil", "--grid", "1x3"], 0),
    (["--workload", "reshape", "--input", "pencil", "--output", "brick", "--kind", "r2c", "--precision", "single"], 0),
    (["--workload", "halo", "--ghosts", "2", "--exchange", "all", "--input", "pencil"], 2),
    (["--workload", "halo", "--node-size", "2,1", "--precision", "single"], 1),
])
def test_points_move_without_a_transform(weft, options, ghosts):
    entries, ended = bench(weft, "12x9x10", "--repeat", "2", *options, ranks=3)
    for entry in entries:
        assert list(entry) == MOVEMENT_KEYS
        assert entry["workload"] == options[1] and entry["ghosts"] == ghosts and entry["max_error"] == 0
        assert 0 < entry["seconds"]["min"] <= entry["seconds"]["median"] <= entry["seconds"]["max"]
        sends = entry["exchange"] not in ("shared", "node", "none")
        assert entry["strategy"] in ended.out and (entry["bytes"] > 0 if sends else entry["bytes"] >= 0)


@pytest.mark.parametrize("kind", ["c2c", "r2c", "c2r"])
def test_a_cutoff_keeps_the_waves_of_a_sphere(weft, kind):
    weft("bench", "16x18x20", "--cutoff", "5.5", "--kind", kind, "--batch", "2", "--effort", "estimate", "--repeat", "1", "--json", "b.json", ranks=3)
    for entry in json.loads((weft.folder / "b.json").read_text()):
        assert entry["cutoff"] == 5.5 and entry["modes"] is None and entry["max_error"] < 1e-13


@pytest.mark.parametrize("size, options, extents, modes, corner", [
    ("12x9x8", ["--pad", "3/2"], [18, 14, 12], [12, 9, 8], [18, 14, 12]),
    ("12x9x8", ["--pad", "1.25", "--kind", "r2c", "--in-place"], [15, 12, 10], [12, 9, 8], [15, 12, 10]),
    ("18x12x8", ["--modes", "9x12x7", "--kind", "c2r"], [18, 12, 8], [9, 12, 7], [18, 12, 8]),
    ("18x12x8", ["--support", "9x6x4", "--modes", "12x11x5", "--kind", "sfc"], [18, 12, 8], [12, 11, 5], [9, 6, 4]),
])
def test_what_is_not_kept_is_left_out(weft, size, options, extents, modes, corner):
    (entry,), ended = bench(weft, size, "--repeat", "2", *options, ranks=3)
    check(entry, 3, extents)
    assert entry["modes"] == modes and entry["support"] == [[0, 0, 0], corner]
    assert "x".join(map(str, extents)) + (" with modes " if modes != extents else " ") in ended.out


def test_few_ranks_compute_and_the_others_send_nothing(weft):
    (entry,), _ = bench(weft, "8x8x8", "--exchange", "p2p", "--use-ranks", "2", "--node-size", "1,3", "--repeat", "2", ranks=4)
    check(entry, 4, [8, 8, 8])
    assert " | from 2x1x1 on 1,2 | " in entry["strategy"] and entry["strategy"].count(" on ") == 2
    assert all(stage["messages"] == 0 for stage in entry["stages"])


def test_a_strategy_says_which_rank_holds_which_piece(weft):
    strategy = "fftw | from 4x1x1 on 0,1,1,0 | fft 2,1 | p2p to 1x4x1 on 0,0,1,1 | fft 0"
    (entry,), _ = bench(weft, "16x16x16", "--node-size", "1", "--repeat", "2", "--strategy", strategy, ranks=2)
    check(entry, 2, [16, 16, 16])
    assert entry["strategy"] == strategy
    # Each rank sends half of each of its two slabs of 4x16x16 points to the other, all in one message.
    assert [(s["messages"], s["message_bytes"]) for s in entry["stages"]] == [(0, 0), (1, 2 * 4 * 8 * 16 * 16), (0, 0)]


def test_pretended_nodes_send_messages(weft):
    strategy = "fftw | from 4x1x1 | fft 1 | p2p to 1x4x1 | fft 2,0"
    (entry,), _ = bench(weft, "16x16x16", "--node-size", "2", "--repeat", "2", "--strategy", strategy, ranks=4)
    check(entry, 4, [16, 16, 16])
    assert entry["nodes"] == 2 and entry["strategy"] == strategy and entry["exchange"] == "p2p"
    # Each rank keeps a quarter of its 1024 points and sends a quarter to each of the other ranks, two of which are on another node.
    assert [(s["bytes"], s["messages"], s["message_bytes"]) for s in entry["stages"]] == [
        (0, 0, 0), (3 * 256 * 16, 2, 2 * 256 * 16), (0, 0, 0)]


def test_between_pretended_nodes_all_ranks_send_segments_of_one_message(weft):
    strategy = "fftw | from 4x1x1 | fft 2,1 | node to 1x4x1 | fft 0"
    (entry,), _ = bench(weft, "64x64x64", "--node-size", "2", "--repeat", "2", "--strategy", strategy, ranks=4)
    check(entry, 4, [64, 64, 64])
    assert entry["nodes"] == 2 and entry["strategy"] == strategy and entry["exchange"] == "node"
    # Each node sends the other a quarter of the 4 MiB, one half of it from each rank.
    assert [(s["messages"], s["message_bytes"], s["segments"]) for s in entry["stages"]] == [
        (0, 0, 0), (1, 64**3 * 16 // 4 // 2, 2), (0, 0, 0)]


@pytest.mark.parametrize("progress", ["inline", "tiles", "thread"])
def test_the_application_works_while_transforms_are_under_way(weft, progress):
    (entry,), ended = bench(weft, "16x16x16", "--work", "0.02", "--progress", progress, "--repeat", "2")
    check(entry, 2, [16, 16, 16])
    assert entry["work_seconds"] == 0.02 and entry["progress"] == progress
    assert entry["forward_seconds"]["min"] >= 0.02
    assert "each forward run includes 20.000 ms of the application's work" in ended.out


def test_nothing_overlaps_where_nothing_is_exchanged(weft):
    (entry,), ended = bench(weft, "8x8", "--repeat", "1", ranks=0)
    assert entry["overlap"] == 0 and entry["chunks"] == 1 and "overlapped" not in ended.out


@pytest.mark.parametrize("options, complaint", [
    (["--progress", "sometimes"], "weft: there is no progress 'sometimes'"),
    (["--chunks", "-1"], "weft: --chunks is -1"),
    (["--chunks", "1000"], "weft: --chunks is 1000"),
    (["--in-flight", "0"], "weft: --in-flight is 0"),
    (["--work", "-1"], "weft: --work is -1"),
    (["--work", "nan"], "weft: --work is nan"),
    (["--json", "one.json", "--trace", "one.json"], "weft: --json and --trace are both one.json"),
], ids=lambda value: " ".join(value) if isinstance(value, list) else "")
def test_invalid_run_options_are_refused(weft, options, complaint):
    assert weft.fails("bench", "8x8", *options, ranks=2).splitlines()[0] == complaint


def test_without_verifying_there_is_no_error(weft):
    (entry,), _ = bench(weft, "8x8", "--no-verify", "--repeat", "1")
    assert entry["max_error"] is None and entry["repeat"] == 1


def test_a_strategy_that_was_printed_can_be_asked_for(weft):
    (entry,), _ = bench(weft, "12x10x8", "--kind", "r2c", "--output", "same", "--repeat", "1", ranks=3)
    (again,), _ = bench(weft, "12x10x8", "--kind", "r2c", "--output", "same", "--repeat", "1", "--strategy",
                        entry["strategy"], ranks=3)
    assert again["strategy"] == entry["strategy"]


def test_strategies_run_in_turn(weft):
    given = ["weft | from 1x1x2 | fft 0 | shared to 2x1x1 | fft 2,1", "fftw | from 2x1x1 | fft 1 | shared to 1x2x1 | fft 2,0"]
    words = [word for text in ["automatic", *given] for word in ("--strategy", text)]
    (own,), _ = bench(weft, "16x12x10", "--repeat", "1", "--effort", "estimate")
    entries, ended = bench(weft, "16x12x10", "--in-turn", "--repeat", "3", "--effort", "estimate", *words)
    assert [entry["strategy"] for entry in entries] == [own["strategy"], *given]
    for entry in entries:
        check(entry, 2, [16, 12, 10], repeat=3)
    assert "medians of 3 runs, one of each row in turn" in ended.out
    assert all(sum(text in line for line in ended.out.splitlines()) >= 1 for text in given) and "of the fastest" in ended.out


def test_what_runs_in_turn_are_the_configurations_of_all_problems(weft):
    entries, ended = bench(weft, "12x10x8", "9x8x7", "--engine", "all", "--in-turn", "--repeat", "2", "--warmup", "0", "--in-flight", "2")
    engines = [entry["engine"] for entry in entries[:len(entries) // 2]]
    assert len(engines) > 1 and [(entry["engine"], entry["extents"]) for entry in entries] == \
        [(engine, extents) for extents in ([12, 10, 8], [9, 8, 7]) for engine in engines]
    assert all(entry["max_error"] < 1e-14 and entry["in_flight"] == 2 for entry in entries)
    assert "of the fastest" not in ended.out  # the rows tell which engine is which


def test_a_strategy_that_is_given_runs_once_whatever_engines_are_asked_for(weft):
    given = "weft | from 2x1x1 | fft 2,1 | p2p to 1x2x1 | fft 0"
    entries, _ = bench(weft, "9x8x7", "--engine", "all", "--effort", "estimate", "--repeat", "1", "--strategy", given, "--strategy", "automatic")
    assert len(entries) > 2 and [entry["strategy"] for entry in entries].count(given) == 1
    assert len({entry["engine"] for entry in entries[1:]}) == len(entries) - 1
    for empty_at in (0, 1):  # the planner's own
        words = [given, given]
        words[empty_at] = ""
        entries, _ = bench(weft, "9x8x7", "--effort", "estimate", "--repeat", "1", *(word for text in words for word in ("--strategy", text)))
        assert len(entries) == 2 and entries[1 - empty_at]["strategy"] == given


@pytest.mark.parametrize("workload", ["halo", "reshape"])
def test_only_transforms_run_in_turn(weft, workload):
    assert f"--workload {workload} does not support --in-turn" in weft.fails("bench", "8x8x8", "--workload", workload, "--in-turn")


@pytest.mark.parametrize("chunks", [1, 4])
def test_the_trace_shows_that_what_other_nodes_wait_for_is_computed_first(weft, chunks):
    # Every line of the first pass goes to one rank; 2 of 4 are on the same node.
    pieces = "" if chunks == 1 else f" in {chunks}"
    strategy = f"fftw | from 4x1x1 | fft 2 | p2p to 1x4x1{pieces} | fft 0 | p2p to 4x1x1{pieces} | fft 1"
    bench(weft, "16x16x12", "--strategy", strategy, "--node-size", "2", "--repeat", "1", "--trace", "trace.json", ranks=4)
    events = json.loads((weft.folder / "trace.json").read_text())["traceEvents"]
    for rank in range(4):
        mine = [event for event in events if event["ph"] == "X" and event["cat"] == "forward" and event["tid"] == rank]
        first = [event for event in mine if event["name"].startswith("pass 0")]
        ends = [event["ts"] + event["dur"] for event in first if event["args"]["feeds"] == "other nodes"]
        begins = [event["ts"] for event in first if event["args"]["feeds"] == "this node"]
        assert ends and begins and max(ends) <= min(begins) + 0.002, first
        assert {event["args"]["feeds"] for event in mine if event["name"].startswith("pass 2")} == {"nobody"}


def trace_of(weft, *arguments, ranks):
    """The events of a trace by phase, and the stages of the measurements."""
    entries, _ = bench(weft, *arguments, "--repeat", "2", "--trace", "trace.json", ranks=ranks)
    told = json.loads((weft.folder / "trace.json").read_text())
    assert [run["ranks"] for run in told["otherData"]["runs"]] == [ranks] * len(entries) and told["otherData"]["processor"]
    by_phase = {}
    for event in told["traceEvents"]:
        by_phase.setdefault(event["ph"], []).append(event)
    return entries, by_phase, told["otherData"]["runs"]


def test_the_trace_holds_every_stage_of_every_rank_both_ways(weft):
    entries, events, runs = trace_of(weft, "16x12x10", "12x12x12", "--node-size", "2", ranks=3)
    spans = events["X"]
    assert {event["tid"] for event in spans} == {0, 1, 2}
    assert {event["cat"] for event in spans} <= {way + more for way in ("forward", "backward") for more in ("", ",wait", ",call")}
    assert all(event["ts"] >= 0 and event["dur"] >= 0 for event in spans)
    assert {event.get("args", {}).get("feeds") for event in spans} <= {None, "other nodes", "this node", "nobody"}
    nodes = [event["args"]["name"] for event in events["M"] if event["name"] == "process_name"]
    assert len(nodes) == 4 and nodes[0].startswith("16x12x10 c2c double") and nodes[0].endswith("node 0")
    for entry, run in zip(entries, runs):
        mine = [event for event in spans if run["first_pid"] <= event["pid"] < run["first_pid"] + 2]
        assert all(run["begin_us"] <= event["ts"] and event["ts"] + event["dur"] <= run["end_us"] + 0.01 for event in mine)
        for stage in entry["stages"]:
            of_stage = [event for event in mine if stage["name"] in (event["name"], event.get("args", {}).get("stage")) and event["cat"].startswith("forward")]
            assert {event["tid"] for event in of_stage} == {0, 1, 2}, stage
    for rank in range(3):  # what a rank computes and waits for follows one another
        mine = sorted((event["ts"], event["ts"] + event["dur"]) for event in spans if event["tid"] == rank and "call" not in event["cat"])
        assert all(end <= start + 0.002 for (_, end), (start, _) in zip(mine, mine[1:]))


@pytest.mark.parametrize("exchange", ["p2p", "alltoallv", "shared"])
def test_the_trace_connects_who_sends_with_who_waits(weft, exchange):
    strategy = f"fftw | from 4x1x1 | fft 2,1 | {exchange} to 1x4x1 | fft 0"
    entries, events, _ = trace_of(weft, "16x12x8", "--strategy", strategy, ranks=4)
    messages, ended = events.get("b", []), {event["id"]: event for event in events.get("e", [])}
    stage = entries[0]["stages"][1]
    calls = [event for event in events["X"] if event["cat"] == "forward,call"]
    if exchange == "p2p":
        # Each rank has 3 lines of 12 x 8 of each other's 4 planes of 12 lines: 4 x 3 x 8 complex doubles. It sends itself nothing.
        forward = [event for event in messages if event["cat"].startswith("forward")]
        sent = sorted((event["args"]["from"], event["args"]["to"], event["args"]["bytes"]) for event in forward)
        assert sent == [(a, b, 4 * 3 * 8 * 16) for a in range(4) for b in range(4) if a != b]
        assert {event["args"]["stage"] for event in forward} == {stage["name"]} and sum(each[2] for each in sent[:3]) == stage["bytes"]
        assert all(ended[event["id"]]["ts"] >= event["ts"] for event in messages) and len(ended) == len(messages) == 24
        assert len([event for event in calls if event["name"].startswith("send to rank")]) == 12
        assert len([event for event in calls if event["name"].startswith("post a receive from rank")]) == 12
    elif exchange == "alltoallv":
        assert not messages and sum(event["args"]["bytes"] for event in calls) == 4 * stage["bytes"]
    else:
        assert not messages and all(event["args"]["signal"] for event in calls) and calls
    # Arrows begin and end where somebody sends and somebody else waits or receives.
    begun, arrived = ({event["id"]: event for event in events.get(phase, [])} for phase in "sf")
    assert begun.keys() == arrived.keys() and len(begun) >= len(messages)
    assert all(begun[each]["tid"] != arrived[each]["tid"] and begun[each]["ts"] <= arrived[each]["ts"] for each in begun)
    for wait in (event for event in events["X"] if "wait" in event["cat"]):
        told = wait["args"]
        assert wait["name"].startswith("wait ") and told.get("for") in (None, "message", "end of a send", "collective", "signal")
        assert told.get("rank", 0) in range(4) and (told.get("for") != "message" or told["bytes"] == 4 * 3 * 8 * 16)
