# weft.plot.trace_file: what `weft bench --trace FILE` has written, as arrays.
# Keeps: events without a finite time are counted, not drawn.
"""Reads traces (docs/pictures.md says what is in them)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from .._errors import Error
from .reading import is_number, is_whole, read_json
from .scales import counted

COMPUTE, WAIT, CALL = 0, 1, 2
MOST_RANKS = 1 << 20
_HINT = "give a file that `weft bench ... --trace FILE` has written"


@dataclass
class Spans:
    """What ranks did, and when, in seconds from the start of the run. All arrays have one entry a span."""

    rank: np.ndarray
    start: np.ndarray
    seconds: np.ndarray
    kind: np.ndarray  # COMPUTE, WAIT or CALL
    name: np.ndarray  # index in Run.names
    what: list[dict[str, Any]]  # the arguments of each span


def _spans(table: np.ndarray, what: list[dict[str, Any]]) -> Spans:
    """Spans of a table whose columns are rank, start, seconds, kind and name."""
    rank, kind, name = (table[:, column].astype(int) for column in (0, 3, 4))
    return Spans(rank, table[:, 1], table[:, 2], kind, name, what)


@dataclass
class Message:
    """A message from when it was handed to MPI until the receiver saw it, in seconds from the start of the run."""

    sender: int
    receiver: int
    start: float
    end: float
    bytes: int
    stage: str


@dataclass
class Run:
    """One measurement: the last run forward, and after it the last run backward."""

    title: str
    about: str
    ranks: int
    seconds: float
    names: list[str] = field(default_factory=list)
    spans: Spans = field(default_factory=lambda: _spans(np.zeros((0, 5)), []))
    messages: list[Message] = field(default_factory=list)
    backward_start: float = math.inf
    left_out: int = 0


def _fill(run: Run, events: list[dict[str, Any]], begin_us: float) -> None:
    numbers: dict[str, int] = {}
    rows: list[tuple[int, float, float, int, int]] = []
    what: list[dict[str, Any]] = []
    opened: dict[str, dict[str, Any]] = {}
    for event in events:
        categories = str(event.get("cat", "")).split(",")
        phase, at = event.get("ph"), event.get("ts")
        if phase not in ("X", "b", "e") or "device" in categories:
            continue
        if not is_number(at) or (phase == "X" and not is_number(event.get("dur"))):
            run.left_out += 1
            continue
        start = (float(at) - begin_us) / 1e6  # type: ignore[arg-type]
        arguments = event.get("args") if isinstance(event.get("args"), dict) else {}
        if phase == "X":
            rank = event.get("tid", -1)
            if not is_whole(rank) or rank >= run.ranks:
                run.left_out += 1
                continue
            kind = WAIT if "wait" in categories else CALL if "call" in categories else COMPUTE
            name = numbers.setdefault(str(event.get("name", "")), len(numbers))
            rows.append((rank, start, max(0.0, float(event["dur"]) / 1e6), kind, name))
            what.append(arguments or {})
            if "backward" in categories:
                run.backward_start = min(run.backward_start, start)
        elif phase == "b":
            opened[str(event.get("id"))] = event
        elif (begun := opened.pop(str(event.get("id")), None)) is not None:
            told = begun["args"] if isinstance(begun.get("args"), dict) else {}
            sender, receiver = told.get("from", -1), told.get("to", -1)
            if not all(is_whole(each) and each < run.ranks for each in (sender, receiver)):
                run.left_out += 1
                continue
            run.messages.append(Message(sender, receiver, (float(begun["ts"]) - begin_us) / 1e6, start,
                                        int(told["bytes"]) if is_whole(told.get("bytes")) else 0, str(told.get("stage", ""))))  # fmt: skip
    table = np.array(rows, float).reshape(-1, 5)
    run.names = list(numbers)
    run.spans = _spans(table, what)
    if len(table):
        run.seconds = max(run.seconds, float((table[:, 1] + table[:, 2]).max()))


def read_trace(path: str | Path) -> tuple[list[Run], str]:
    """The runs of a trace, and the processor that it was measured on.

    Raises
    ------
    Error
        For a file that is no trace of weft, or has no events.
    """
    value = read_json(path)
    other = value.get("otherData") if isinstance(value, dict) else None
    if not isinstance(other, dict) or not isinstance(other.get("runs"), list) or not isinstance(value.get("traceEvents"), list):
        raise Error(f"'{path}' is no trace of weft", _HINT)
    runs = []
    for number, told in enumerate(other["runs"]):
        try:
            first, nodes, ranks = (int(told[name]) for name in ("first_pid", "nodes", "ranks"))
            begin, end = float(told["begin_us"]), float(told["end_us"])
        except (KeyError, OverflowError, TypeError, ValueError) as error:
            raise Error(f"'{path}' does not say where run {number} of its trace is: {error}", _HINT) from error
        if not (1 <= ranks <= MOST_RANKS and is_whole(nodes, 1) and is_number(begin) and is_number(end)):
            raise Error(f"'{path}' says that run {number} of its trace has {ranks} ranks on {nodes} nodes from {begin} to {end} µs", _HINT)
        about = f"{counted(ranks, 'rank')} on {counted(nodes, 'node')}, {counted(told.get('threads', 1), 'thread')} each"
        run = Run(str(told.get("title", "")), f"{about}; strategy: {told.get('strategy', 'not known')}", ranks, (end - begin) / 1e6)
        mine = [event for event in value["traceEvents"] if isinstance(event, dict) and isinstance(event.get("pid"), int)
                and first <= event["pid"] < first + nodes]  # fmt: skip
        _fill(run, mine, begin)
        runs.append(run)
    if not any(run.spans.start.size for run in runs):
        raise Error(f"'{path}' is a trace without events", _HINT)
    return runs, str(other.get("processor", ""))
