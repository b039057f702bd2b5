# weft.plot.traces: the page of a trace: timelines of ranks, what each rank did, and what was waited for.
"""Traces as timelines."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from . import svg, timeline
from .colours import CALL as CALL_COLOUR
from .colours import OTHER, WAIT as WAIT_COLOUR
from .labels import width_of
from .page import Page, both_widths, legend, note, table
from .scales import bytes_text, with_unit
from .timeline_script import SCRIPT, STYLE
from .trace_file import CALL, COMPUTE, WAIT, Run, read_trace

MOST_RUNS = 8
_MOST_TO_MERGE = 300_000


def shares(run: Run) -> np.ndarray:
    """Seconds that each rank computed, sent, waited and did something else. Shape: (ranks, 4).

    Calls that send are made between the tiles of an item, too, and then count as sending, not as
    computing.
    """
    spans = run.spans
    total = np.zeros((run.ranks, 4))
    for column, kind in enumerate((COMPUTE, CALL, WAIT)):
        mine = spans.kind == kind
        total[:, column] = np.bincount(spans.rank[mine], spans.seconds[mine], run.ranks)
    items, calls = np.flatnonzero(spans.kind == COMPUTE), np.flatnonzero(spans.kind == CALL)
    if len(items):
        apart = 2 * (run.seconds + 1)  # ranks follow one another on one axis, so that one search finds the item of each call
        items = items[np.argsort(spans.rank[items] * apart + spans.start[items])]
        at = np.searchsorted((spans.rank * apart + spans.start)[items], (spans.rank * apart + spans.start)[calls], side="right") - 1
        before = items[np.maximum(at, 0)]
        inside = (at >= 0) & (spans.rank[before] == spans.rank[calls]) & (spans.start[calls] < spans.start[before] + spans.seconds[before])
        total[:, 0] -= np.bincount(spans.rank[calls[inside]], spans.seconds[calls[inside]], run.ranks)
    total[:, 3] = np.maximum(0, run.seconds - total.sum(axis=1))
    return total


WHAT = ("computing", "sending", "waiting", "other")
WHAT_COLOURS = ("#0072b2", CALL_COLOUR, WAIT_COLOUR, OTHER)


def _bars(run: Run, parts: np.ndarray, rows: timeline.Rows, width: float) -> str:
    names = [rows.name(row) for row in range(rows.count)]
    tall = 22 if rows.count <= 16 else 14
    left = 10 + max(width_of(name, 12) for name in names)
    right = width - 4
    drawn = []
    for row, name in enumerate(names):
        mean = parts[row * rows.size : (row + 1) * rows.size].mean(axis=0) / run.seconds
        x, y = left, row * tall
        drawn.append(svg.text(left - 8, y + tall / 2 + 4, name, "tick", "end"))
        for part, what, colour in zip(mean, WHAT, WHAT_COLOURS):
            wide = part * (right - left)
            drawn.append(svg.rect(x, y + 1, wide, tall - 2, fill=colour, title=f"{name}: {what} {100 * part:.1f} %"))
            words = f"{100 * part:.0f} %"
            if what != "other" and tall > 14 and wide > width_of(words, 12) + 6:
                drawn.append(svg.text(x + wide / 2, y + tall / 2 + 4, words, "light" if what != "waiting" else None, "middle", font_size=12))
            x += wide
        drawn.append(svg.rect(left, y + 1, right - left, tall - 2, fill="none", stroke="#c5ccd3"))
    label = f"Shares of {with_unit(run.seconds, 's')} that each rank computed, sent and waited"
    return svg.picture(width, rows.count * tall + 2, label, *drawn)


def _other_rank(what: dict[str, object]) -> str:
    rank = what.get("rank")
    return f" of rank {rank}" if isinstance(rank, int) else ""


def _waits(run: Run, total: float) -> str:
    """Waits by stage and kind, with the longest of each."""
    spans = run.spans
    groups: dict[tuple[str, str], list[int]] = {}
    for i in np.flatnonzero(spans.kind == WAIT):
        what = spans.what[i]
        groups.setdefault((str(what.get("stage", "the run")), str(what.get("for", run.names[spans.name[i]].removeprefix("wait ")))), []).append(int(i))
    rows = []
    for (stage, kind), members in sorted(groups.items(), key=lambda each: -spans.seconds[each[1]].sum()):
        longest = max(members, key=lambda i: spans.seconds[i])
        what = spans.what[longest]
        size = f", {bytes_text(what['bytes'])}" if isinstance(what.get("bytes"), (int, float)) else ""
        signal = f", “{what['signal']}”" if isinstance(what.get("signal"), str) else ""
        seconds = float(spans.seconds[members].sum())
        rows.append([stage, kind, with_unit(seconds, "s"), f"{100 * seconds / total:.1f} %", str(len(members)),
                     f"rank {spans.rank[longest]} for {with_unit(float(spans.seconds[longest]), 's')}{_other_rank(what)}{signal}{size}"])  # fmt: skip
    return table(["stage", "waiting for", "of all ranks", "of their time", "waits", "the longest: who waits, of whom"], rows[:20], (0, 1, 5))


def _messages(run: Run) -> str:
    rows = []
    for stage in sorted({m.stage for m in run.messages}):
        mine = [m for m in run.messages if m.stage == stage]
        sizes, times = [m.bytes for m in mine], [m.end - m.start for m in mine]
        slowest = max(mine, key=lambda m: m.end - m.start)
        rows.append([stage, str(len(mine)), bytes_text(sum(sizes)), bytes_text(max(sizes)), with_unit(float(np.median(times)), "s"),
                     f"{with_unit(slowest.end - slowest.start, 's')}, rank {slowest.sender} to {slowest.receiver}"])  # fmt: skip
    return table(["stage", "messages", "bytes", "the largest", "median time under way", "longest under way"], rows, (0, 5))


def _add_run(page: Page, run: Run, number: int) -> None:
    rows = timeline.rows_of(run.ranks)
    shown = timeline.merged(run) if rows.size == 1 and run.spans.start.size <= _MOST_TO_MERGE else None
    if shown is not None and len(shown.row) > timeline.MOST_SPANS:
        shown = None
    if shown is None:
        rows = timeline.rows_of(run.ranks, timeline.MOST_BINNED)
    height = 26.0 if rows.count <= 16 else 22.0 if shown is None else 12.0
    messages = sorted(run.messages, key=lambda m: m.start - m.end)[: timeline.MOST_MESSAGES]
    said = [run.about + "."]
    if shown is None:
        what = f"A row is {rows.size} ranks, of which it shows" if rows.size > 1 else "A row shows"
        said.append(f"{what} the shares of time in {timeline.BINS} parts of the run, as {run.spans.start.size} events of {run.ranks} ranks are too many to draw.")
    elif len(shown.row) < run.spans.start.size:
        said.append(f"Neighbours of one kind less than {with_unit(run.seconds / 2500, 's')} apart are drawn as one: {len(shown.row)} of {run.spans.start.size}.")
    if len(messages) < len(run.messages):
        said.append(f"Lines are drawn of the {len(messages)} messages that were under way longest, of {len(run.messages)}.")
    if run.left_out:
        said.append(f"{run.left_out} events without a finite time or a rank are left out.")
    colours = timeline.colours_of(run)
    entries = [(colour, run.names[name]) for name, colour in colours.items()]
    entries += [(WAIT_COLOUR, "waits")] if (run.spans.kind == WAIT).any() else []
    entries += [(CALL_COLOUR, "calls that send or signal")] if (run.spans.kind == CALL).any() else []
    page.add(run.title, note(" ".join(said)), legend(entries), timeline.definitions(run, number, rows, height, shown, messages),
             both_widths(lambda width: timeline.drawn(run, number, rows, height, width)), timeline.readout(number),
             timeline.data(run, number, rows, height, shown, messages))  # fmt: skip
    parts = shares(run)
    mean = parts.mean(axis=0) / run.seconds
    said_of_shares = ("On average over all ranks: " + ", ".join(f"{100 * part:.1f} % {what}" for part, what in zip(mean, WHAT)) +
                      ". Sending is the time in calls that start messages and raise signals; other is what is between them, also while the system gave the core to another process.")  # fmt: skip
    few = timeline.rows_of(run.ranks, 32)
    page.add("What each rank did", note(said_of_shares), legend(list(zip(WHAT_COLOURS, WHAT))), both_widths(lambda width: _bars(run, parts, few, width)))
    if (run.spans.kind == WAIT).any():
        page.add("What was waited for", _waits(run, run.seconds * run.ranks))
    if run.messages:
        page.add("Messages", _messages(run))


def trace(path: str | Path) -> Page:
    """The timelines of a trace of `weft bench --trace FILE`: who computes what, who waits for whom, and the messages.

    The role of Projections (Kalé et al., 2006) and Jumpshot (Zaki et al., 1999).

    Raises
    ------
    Error
        For a file that is no trace of weft, is cut short or has no events.
    """
    runs, processor = read_trace(path)
    drawn = [run for run in runs if run.spans.start.size][:MOST_RUNS]
    page = Page(f"Trace of {drawn[0].title}" if len(runs) == 1 else f"Trace of {len(runs)} measurements",
                f"The last run forward, and after it the last one backward. Measured on {processor or 'a processor that is not known'}.",
                style=STYLE, scripts=[SCRIPT])  # fmt: skip
    for number, run in enumerate(drawn):
        _add_run(page, run, number)
    if len(drawn) < len(runs):
        page.add("", note(f"The first {len(drawn)} of {len(runs)} measurements are drawn."))
    return page
