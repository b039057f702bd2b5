# tests/plots/made: small files as weft writes them, with values that tests know.
import json


def trace(ranks=3, nodes=1, items=4, stages=("pass 0: axes 1", "pass 1: axes 0"), message_bytes=4096, title="8x8x8 c2c double fftw p2p"):
    """Rank r computes `items` items of 10 µs of each stage, and waits 10 (r + 1) µs for rank r - 1 between them; forward only."""
    events = []

    def add(phase, name, category, rank, start, **more):
        events.append({"name": name, "cat": category, "ph": phase, "ts": float(start), "pid": rank * nodes // ranks, "tid": rank, **more})

    exchange = "exchange 0: p2p to 1x3"
    end = 0
    for rank in range(ranks):
        at = 0
        for i in range(items):
            add("X", stages[0], "forward", rank, at, dur=10, args={"feeds": "this node"})
            at += 10
        peer = (rank + 1) % ranks
        add("X", f"send to rank {peer}", "forward,call", rank, at, dur=2, args={"stage": exchange, "rank": peer, "bytes": message_bytes})
        add("b", f"messages of rank {rank}", "forward,message", rank, at, id=str(rank),
            args={"stage": exchange, "from": rank, "to": peer, "bytes": message_bytes})
        add("e", f"messages of rank {rank}", "forward,message", rank, at + 12 + 10 * (peer % 5 + 1), id=str(rank))
        at += 2
        wait = 10 * (rank % 5 + 1)
        add("X", f"wait for a message of rank {(rank - 1) % ranks}", "forward,wait", rank, at, dur=wait,
            args={"stage": exchange, "for": "message", "rank": (rank - 1) % ranks, "bytes": message_bytes})
        at += wait
        for i in range(items):
            add("X", stages[1], "forward", rank, at, dur=10, args={"feeds": "nobody"})
            at += 10
        end = max(end, at)
    run = {"title": title, "ranks": ranks, "nodes": nodes, "threads": 1, "strategy": "fftw | from 3x1 | fft 1 | p2p to 1x3 | fft 0",
           "first_pid": 0, "begin_us": 0.0, "end_us": float(end)}
    return {"traceEvents": events, "displayTimeUnit": "ms", "otherData": {"weft": "0.1.0", "processor": "a test's processor", "runs": [run]}}


def bench(extents=(64, 64, 64), ranks=2, threads=1, seconds=0.01, gflops=10.0, **more):
    """One result of `weft bench --json`."""
    return {"weft": "0.1.0", "extents": list(extents), "modes": list(extents), "cutoff": None, "kind": "c2c", "precision": "double",
            "ranks": ranks, "nodes": 1, "threads": threads, "processor": "a test's processor", "engine": "fftw", "exchange": "p2p",
            "strategy": "fftw | from 2x1x1 | fft 2,1 | p2p to 1x2x1 | fft 0", "in_place": False, "batch": 1, "repeat": 5,
            "forward_seconds": {"min": seconds / 2, "median": seconds, "max": 2 * seconds}, "gflops": gflops,
            "stages": [{"name": "pass 0: axes 2,1", "seconds": 0.4 * seconds, "axes": [2, 1], "passes": 1, "bytes": 0},
                       {"name": "exchange 0: p2p to 1x2x1", "seconds": 0.2 * seconds, "axes": [], "passes": 0, "bytes": 4096},
                       {"name": "pass 1: axes 0", "seconds": 0.4 * seconds, "axes": [0], "passes": 1, "bytes": 0}], **more}


def doctor(copy=20e9, cores=(1, 2, 4)):
    """What the roofline takes of `weft doctor --json`."""
    return {"weft": "0.1.0", "memory": {"speeds": [{"cores": n, "copy_bytes_per_second": copy * n} for n in cores]},
            "engines": [{"name": "fftw", "speeds": [{"points": 64, "seconds_per_point": 2e-9}]}]}


def write(path, value):
    path.write_text(json.dumps(value))
    return path
