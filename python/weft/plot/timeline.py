# weft.plot.timeline: one run of a trace as rows of ranks over time.
# Keeps: at most MOST_ROWS rows and MOST_SPANS rectangles; what is merged for this is said.
"""The timeline of a run."""

from __future__ import annotations

import json
from dataclasses import dataclass
from html import escape

import numpy as np

from . import svg
from .colours import CALL as CALL_COLOUR
from .colours import WAIT as WAIT_COLOUR
from .colours import series
from .labels import thinned, width_of
from .scales import Scale, with_unit
from .trace_file import CALL, COMPUTE, WAIT, Message, Run

MOST_ROWS, MOST_BINNED, MOST_SPANS, MOST_MESSAGES, MOST_FAINT = 64, 32, 12000, 2000, 60
BINS = 200  # of rows that several ranks share
UNITS = 10000  # of the time axis, in the pictures' own coordinates
LEAST = UNITS / 2500  # spans of one kind that are nearer to each other are drawn as one


@dataclass
class Rows:
    """Which ranks are in which row: `size` consecutive ones each."""

    count: int
    size: int
    ranks: int

    def name(self, row: int, is_short: bool = False) -> str:
        first, last = row * self.size, min((row + 1) * self.size, self.ranks) - 1
        ranks = str(first) if first == last else f"{first}–{last}"
        return ranks if is_short else f"rank {ranks}" if first == last else f"ranks {ranks}"


def rows_of(ranks: int, most: int = MOST_ROWS) -> Rows:
    size = -(-ranks // most)
    return Rows(-(-ranks // size), size, ranks)


def colours_of(run: Run) -> dict[int, str]:
    """A colour for each stage that ranks compute, in the order in which the stages begin."""
    order: dict[int, float] = {}
    spans = run.spans
    for name in np.unique(spans.name[spans.kind == COMPUTE]):
        order[int(name)] = float(spans.start[(spans.name == name) & (spans.kind == COMPUTE)].min())
    return {name: series(i) for i, name in enumerate(sorted(order, key=lambda each: order[each]))}


@dataclass
class Merged:
    """Spans that are drawn: row, start and width in units of the axis, kind, name, and how many they were."""

    row: list[int]
    start: list[float]
    width: list[float]
    kind: list[int]
    name: list[int]
    count: list[int]


def merged(run: Run) -> Merged:
    """The spans of a run, those of one rank, kind and name that (nearly) touch as one."""
    spans, scale = run.spans, UNITS / run.seconds
    found = Merged([], [], [], [], [], [])
    for i in np.lexsort((spans.start, spans.kind, spans.rank)):
        start, end = spans.start[i] * scale, (spans.start[i] + spans.seconds[i]) * scale
        row, kind, name = int(spans.rank[i]), int(spans.kind[i]), int(spans.name[i])
        if found.row and (found.row[-1], found.kind[-1], found.name[-1]) == (row, kind, name):
            if start - (found.start[-1] + found.width[-1]) < LEAST:
                found.width[-1] = max(found.width[-1], end - found.start[-1])
                found.count[-1] += 1
                continue
        found.row.append(row)
        found.start.append(start)
        found.width.append(end - start)
        found.kind.append(kind)
        found.name.append(name)
        found.count.append(1)
    return found


def covered(start: np.ndarray, seconds: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """How many seconds of spans are between one edge and the next. Shape: one less than edges."""

    def before(points: np.ndarray) -> np.ndarray:  # the sum of max(0, edge - point)
        ordered = np.sort(points)
        number = np.searchsorted(ordered, edges)
        sums: np.ndarray = number * edges - np.concatenate([[0.0], np.cumsum(ordered)])[number]
        return sums

    return np.diff(before(start) - before(start + seconds))


def _box(x: float, y: float, width: float, height: float) -> str:
    n = svg.number
    return f"M{n(x)} {n(y)}h{n(width)}v{n(height)}h{n(-width)}z"


def exact_lanes(run: Run, shown: Merged, height: float) -> str:
    """A path for each colour: items, waits, and below them marks for calls that send."""
    paths: dict[str, list[str]] = {WAIT_COLOUR: [], **{colour: [] for colour in colours_of(run).values()}, CALL_COLOUR: []}
    colours = colours_of(run)
    for row, start, width, kind, name in zip(shown.row, shown.start, shown.width, shown.kind, shown.name):
        colour = colours[name] if kind == COMPUTE else WAIT_COLOUR if kind == WAIT else CALL_COLOUR
        top, tall = row * height + 1, height - 2
        if kind == CALL:
            top, tall, width = top + 0.7 * tall, 0.3 * tall, max(width, LEAST)
        paths[colour].append(_box(start, top, max(width, 1), tall))
    return "".join(svg.element("path", d="".join(boxes), fill=colour) for colour, boxes in paths.items() if boxes)


def binned_lanes(run: Run, rows: Rows, height: float) -> str:
    """For rows of several ranks: which part of them does what, in each of BINS parts of the run; stages from the bottom."""
    spans, colours = run.spans, colours_of(run)
    edges = np.linspace(0, run.seconds, BINS + 1)
    kinds = [(colour, (spans.kind == COMPUTE) & (spans.name == name)) for name, colour in colours.items()]
    kinds += [(CALL_COLOUR, spans.kind == CALL), (WAIT_COLOUR, spans.kind == WAIT)]
    members = np.minimum((np.arange(rows.count) + 1) * rows.size, rows.ranks) - np.arange(rows.count) * rows.size
    base = np.zeros((rows.count, BINS))
    found = []
    for colour, chosen in kinds:
        path = []
        some = np.flatnonzero(chosen)
        some = some[np.argsort(spans.rank[some], kind="stable")]
        limits = np.searchsorted(spans.rank[some], np.arange(rows.count + 1) * rows.size)
        for row in range(rows.count):
            mine = some[limits[row] : limits[row + 1]]
            share = covered(spans.start[mine], spans.seconds[mine], edges) / (members[row] * run.seconds / BINS)
            top = np.minimum(base[row] + share, 1)
            bottom = (row + 1) * height - 1
            for b in np.flatnonzero(top - base[row] > 0.01):
                tall = (top[b] - base[row, b]) * (height - 2)
                path.append(_box(b * UNITS / BINS, bottom - base[row, b] * (height - 2) - tall, UNITS / BINS, tall))
            base[row] = top
        found.append(svg.element("path", d="".join(path), fill=colour) if path else "")
    return "".join(found)


def message_lines(run: Run, rows: Rows, height: float, messages: list[Message]) -> str:
    scale, n = UNITS / run.seconds, svg.number
    return "".join(
        f"M{n(m.start * scale)} {n((m.sender // rows.size + 0.5) * height)}L{n(m.end * scale)} {n((m.receiver // rows.size + 0.5) * height)}"
        for m in messages
    )


def drawn(run: Run, number: int, rows: Rows, height: float, width: float) -> str:
    """The frame of the timeline of run `number`, around the lanes that `definitions` has."""
    is_short = width < 500
    names = [rows.name(row, is_short) for row in range(rows.count)]
    left = 10 + max(width_of(each, 12) for each in [*names, "rank" if is_short else ""])
    top, tall = 34, rows.count * height
    label_gap = 13
    parts = []
    shown = thinned([(row + 0.5) * height for row in range(rows.count)], [label_gap] * rows.count, 0)
    for row, (name, is_shown) in enumerate(zip(names, shown)):
        if is_shown:
            parts.append(svg.text(left - 8, top + (row + 0.5) * height + 4, name, "tick", "end"))
    if is_short:
        parts.append(svg.text(left - 8, top - 8, "rank", "tick", "end"))
    scale = Scale(0, run.seconds, left, width - 4)
    last = min(run.backward_start, run.seconds)
    directions = [("forward", 0.0, last)] + ([("backward", last, run.seconds)] if last < run.seconds else [])
    for name, begin, end in directions:
        if scale(end) - scale(begin) > width_of(name) + 6:
            parts.append(svg.text(max(scale(begin), left), top - 8, name, "tick direction", None, data_time=f"{begin:.9g}"))
    parts.append(svg.element("svg", svg.element("use", href=f"#lanes-{number}"), svg.element("use", href=f"#messages-{number}"),
                             svg.element("path", class_="mine"), class_="lanes", x=left, y=top, width=width - 4 - left, height=tall,
                             viewBox=f"0 0 {UNITS} {svg.number(tall)}", preserveAspectRatio="none"))  # fmt: skip
    ticks = scale.ticks(max(2, int((width - left) / 90)))
    axis = svg.line(left, top + tall + 2, width - 4, top + tall + 2, "axis")
    for value in ticks:
        x = scale(value)
        axis += svg.line(x, top + tall + 2, x, top + tall + 7, "axis")
        words = with_unit(value, "s") if value else "0"
        if x + width_of(words, 12) / 2 < width:
            axis += svg.text(x, top + tall + 20, words, "tick", "middle")
    parts.append(svg.element("g", axis, class_="ticks"))
    label = (f"Timeline of {run.title}: {rows.count} rows of ranks over {with_unit(run.seconds, 's')}; "
             "coloured by what each rank computes, grey where it waits")  # fmt: skip
    return svg.element("svg", *parts, viewBox=f"0 0 {svg.number(width)} {svg.number(top + tall + 28)}", class_="timeline", role="img",
                       aria_label=label, data_run=number)  # fmt: skip


def definitions(run: Run, number: int, rows: Rows, height: float, shown: Merged | None, messages: list[Message]) -> str:
    """The lanes, which the pictures of both widths use."""
    lanes = exact_lanes(run, shown, height) if shown else binned_lanes(run, rows, height)
    faint = message_lines(run, rows, height, messages) if len(messages) <= MOST_FAINT else ""
    border = ""
    if run.backward_start < run.seconds:
        x = run.backward_start * UNITS / run.seconds
        border = svg.line(x, 0, x, rows.count * height, "border")
    return svg.element("svg", svg.element("g", lanes, border, id=f"lanes-{number}"),
                       svg.element("g", svg.element("path", d=faint, class_="faint") if faint else "", id=f"messages-{number}"),
                       class_="definitions", width=0, height=0, aria_hidden="true")  # fmt: skip


def data(run: Run, number: int, rows: Rows, height: float, shown: Merged | None, messages: list[Message]) -> str:
    """What the script shows where the pointer is, as JSON."""
    spans: list[list[object]] = []
    if shown:
        spans = [[r, round(s, 1), round(w, 1), n, c] for r, s, w, n, c in zip(shown.row, shown.start, shown.width, shown.name, shown.count)]
    scale = UNITS / run.seconds
    stages = sorted({m.stage for m in messages})
    number_of = {stage: i for i, stage in enumerate(stages)}
    told = {"seconds": run.seconds, "units": UNITS, "height": height, "rows": rows.count, "size": rows.size, "ranks": rows.ranks,
            "names": run.names, "spans": spans, "stages": stages,
            "messages": [[m.sender, m.receiver, round(m.start * scale, 1), round(m.end * scale, 1), m.bytes, number_of[m.stage]] for m in messages]}  # fmt: skip
    text = json.dumps(told, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    return f'<script type="application/json" id="data-{number}">{text}</script>'


def readout(number: int) -> str:
    """The line that tells what is at the pointer, and buttons; hidden without scripts."""
    words = escape("Point at a row for its messages; drag over a time to enlarge it.")
    return (f'<p class="readout soft" id="readout-{number}" aria-live="polite" hidden><button type="button" data-zoom="0.5">+</button> '
            f'<button type="button" data-zoom="2">−</button> <button type="button" data-zoom="all">whole run</button> <span>{words}</span></p>')  # fmt: skip
