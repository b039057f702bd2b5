# weft.plot.rooflines: how near passes come to the speed of memory and of transforms in cache.
# Source of the picture: Williams, Waterman, Patterson, "Roofline", CACM 52(4), 2009.
"""Rooflines of the passes of a transform."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .._errors import Error
from . import svg
from .axes import drawn, frame, padded
from .bench_file import Result, machine_of, read_results
from .colours import series
from .marks import beside
from .page import Page, both_widths, legend, note, table
from .reading import is_whole, positive, read_json
from .scales import bytes_text, counted, plain, with_unit

MOST_SERIES = 6


@dataclass(frozen=True)
class Pass:
    """A pass of one measurement, of all ranks together."""

    series: int
    name: str
    seconds: float
    flops: float
    bytes: float

    @property
    def intensity(self) -> float:
        return self.flops / self.bytes

    @property
    def speed(self) -> float:
        return self.flops / self.seconds


def passes_of(result: Result, number: int) -> list[Pass]:
    """The passes of a result that transform something.

    An axis of n points costs 5 n log2 n operations a line of complex numbers, and half of it for
    real ones, however it is computed. A stage loads and stores each number once, also where several
    passes run as one sweep. Numbers of r2c count as real before and as half as many complex ones
    after, which are as many bytes.
    """
    told = result.told
    is_real = not str(told.get("kind", "c2c")).startswith("c2c")
    number_bytes = (4 if told.get("precision") == "single" else 8) * (1 if is_real else 2)
    listed: list[Any] = told["stages"] if isinstance(told.get("stages"), list) else []
    stages = [stage for stage in listed if isinstance(stage, dict) and isinstance(stage.get("axes"), list)]
    extents = told["extents"]
    times_of_axis = {axis: sum(stage["axes"].count(axis) for stage in stages) for axis in range(len(extents))}
    found = []
    for stage in stages:
        seconds = positive(stage.get("seconds"))
        axes = [axis for axis in stage["axes"] if is_whole(axis) and axis < len(extents)]
        if seconds is None or not axes:
            continue
        flops = sum((2.5 if is_real else 5) * result.points * math.log2(max(extents[axis], 1)) / times_of_axis[axis] for axis in axes)
        if flops > 0:
            found.append(Pass(number, str(stage.get("name", "")), seconds, flops, 2.0 * result.points * number_bytes))
    return found


@dataclass(frozen=True)
class Roof:
    """What a machine can do: bytes per second of memory, and operations per second in cache; 0 where it is not known."""

    bytes_per_second: float = 0
    copied_on: str = ""
    flops_per_second: float = 0
    computed_on: str = ""


def _nearest(entries: Any, name: str, wanted: float) -> dict[str, Any] | None:
    known = [each for each in entries if isinstance(each, dict) and is_whole(each.get(name), 1)] if isinstance(entries, list) else []
    return min(known, key=lambda each: abs(each[name] - wanted), default=None)


def roof_of_doctor(path: str | Path, result: Result) -> Roof:
    """The roof that `weft doctor --json` has measured, for as many cores as the result had on a node."""
    told = read_json(path)
    if not isinstance(told, dict) or not isinstance(told.get("memory"), dict):
        raise Error(f"'{path}' has no speed of memory", "give a file that `weft doctor --json FILE` has written")
    on_node = result.cores / result.nodes
    copy = _nearest(told["memory"].get("speeds"), "cores", on_node) or {}
    speed = positive(copy.get("copy_bytes_per_second"))
    if speed is None:
        raise Error(f"'{path}' has no speed of copies", "run `weft doctor --json FILE` on an idle machine")
    engines = told["engines"] if isinstance(told.get("engines"), list) else []
    used = [engine for engine in engines if isinstance(engine, dict) and engine.get("name") == result.told.get("engine")]
    line = _nearest(used[0].get("speeds") if used else None, "points", max(result.told["extents"]))
    seconds = positive((line or {}).get("seconds_per_point"))
    flops = 5 * math.log2(line["points"]) / seconds * result.cores if line and seconds and line["points"] > 1 else 0
    return Roof(speed * result.nodes, f"copies on {copy['cores']} core{'s' * (copy['cores'] != 1)} of a node", flops,
                f"lines of {line['points']} points in cache, {used[0]['name']}" if flops and line else "")  # fmt: skip


def _drawn(found: list[Pass], roof: Roof, width: float) -> str:
    height = 420 if width > 500 else 380
    intensities, speeds = [each.intensity for each in found], [each.speed / 1e9 for each in found]
    low, high = padded(min(intensities), max(intensities), True, 0.3)
    low, high = min(low, min(intensities) / 1.6), max(high, max(intensities) * 1.6)
    tops = [*speeds, *([roof.flops_per_second / 1e9] if roof.flops_per_second else [])]
    if roof.bytes_per_second:
        tops += [roof.bytes_per_second * each.intensity / 1e9 for each in found]
    bottom, top = padded(min(tops), max(tops), True, 0.15)
    at = frame((width, height), (low, high), (bottom / 1.2, top * 1.3), "xy", left=50)
    parts = [drawn(at, "operations per byte loaded or stored", "GFlop/s, all ranks together")]
    area = (at.left, at.top, at.right, at.bottom)
    roof_at: list[tuple[float, float]] = []
    anchors, anchor_words = [], []
    if roof.bytes_per_second:
        ends = [(each, min(roof.bytes_per_second * each / 1e9, roof.flops_per_second / 1e9 or math.inf)) for each in
                (low * (high / low) ** (step / 60) for step in range(61))]  # fmt: skip
        roof_at = [(at.x(x), at.y(y)) for x, y in ends if at.y.low <= y <= at.y.high]
        slope = [(at.x(x), at.y(y)) for x, y in ends if at.y.low <= y <= at.y.high and y < (roof.flops_per_second / 1e9 or math.inf)]
        parts.append(svg.polyline(roof_at, "roof"))
        anchors, anchor_words = slope[len(slope) // 2 :][:1], [f"copies: {plain(roof.bytes_per_second / 1e9)} GB/s"]
        if roof.flops_per_second:
            level = at.y(roof.flops_per_second / 1e9)
            parts.append(svg.line(at.left, level, at.right, level, "ideal") if len(slope) == len(ends) else "")
            parts.append(svg.text(at.right, at.y(roof.flops_per_second / 1e9) - 7, f"in cache: {plain(roof.flops_per_second / 1e9)} GFlop/s", "tick", "end"))
    places = [(at.x(each.intensity), at.y(each.speed / 1e9)) for each in found]
    names = [each.name.removeprefix("pass ").split(":")[0] for each in found]
    words = [*anchor_words[: len(anchors)], *(f"pass {name}" for name in names)]
    found_at = beside([*anchors, *places, *roof_at], words, area)
    parts += [svg.text(*place, each, "tick") for place, each in zip(found_at[: len(anchors)], words) if place]
    labels = found_at[len(anchors) :]
    for each, (x, y), name, label in zip(found, places, names, labels):
        told = f"{each.name}: {with_unit(each.speed, 'flop/s')}, {plain(each.intensity)} operations a byte, {with_unit(each.seconds, 's')}"
        parts.append(svg.circle(x, y, 5, "mark", told, fill=series(each.series)))
        if label:
            parts.append(svg.text(*label, f"pass {name}", "tick"))
    return svg.picture(width, height, f"Roofline of {len(found)} passes: GFlop/s over operations per byte", *parts)


def roofline(path: str | Path, doctor: str | Path | None = None, bandwidth: float | None = None) -> Page:
    """The passes of `weft bench --json` under the roof of memory and of transforms in cache.

    Parameters
    ----------
    doctor
        A file of `weft doctor --json`, with the speeds of copies and of transforms.
    bandwidth
        The speed of copies, in bytes per second that are loaded and stored on all nodes together.

    Raises
    ------
    Error
        For files that are no results, and results whose passes tell no axes.
    """
    results, wrong = read_results([path])
    usable = [each for each in results if each.told.get("cutoff") is None and each.told.get("modes", each.told["extents"]) == each.told["extents"]]
    shown = [(each, passes) for each in usable[:MOST_SERIES] if (passes := passes_of(each, usable.index(each)))]
    if not shown:
        raise Error(f"the results in '{path}' have no passes with axes", "run `weft bench ... --json FILE` again, with all points and modes")
    first = shown[0][0]
    if bandwidth is not None and positive(bandwidth) is None:
        raise Error(f"the bandwidth is {bandwidth}", "give bytes per second")
    roof = Roof(bandwidth, "as given") if bandwidth else roof_of_doctor(doctor, first) if doctor else Roof()
    found = [each for _, passes in shown for each in passes]
    page = Page(f"Roofline of {first.problem}" if len(shown) == 1 else f"Roofline of {len(shown)} transforms",
                f"{counted(first.ranks, 'rank')}, {counted(first.threads, 'thread')} each, {first.told.get('engine', '')}; {machine_of(results)}.",
                style=".roof { fill: none; stroke: #222; stroke-width: 1.8; }\n.mark { stroke: #fff; }\n")  # fmt: skip
    said = ["Each point is a pass of one forward transform, as fast as its slowest rank."]
    if roof.bytes_per_second:
        said.append(f"The line is what memory allows: {roof.copied_on}. A pass above it works in the caches.")
    else:
        said.append("No roof is drawn: give a file of `weft doctor --json` with --doctor, or --bandwidth.")
    if roof.computed_on:
        said.append(f"The level line is the speed of transforms of {roof.computed_on}.")
    if len(usable) < len(results):
        said.append(f"{len(results) - len(usable)} results that leave out modes are not drawn.")
    if len(usable) > MOST_SERIES:
        said.append(f"The first {MOST_SERIES} of {len(usable)} results are drawn.")
    said += [f"Left out: {each}." for each in wrong[:3]]
    entries = [(series(passes[0].series), f"{each.problem}, {each.way}") for each, passes in shown]
    page.add("", note(" ".join(said)), legend(entries) if len(entries) > 1 else "", both_widths(lambda width: _drawn(found, roof, width)))
    rows = []
    for each in found:
        of_roof = min(roof.bytes_per_second * each.intensity, roof.flops_per_second or math.inf) if roof.bytes_per_second else 0
        rows.append([usable[each.series].problem, each.name, with_unit(each.seconds, "s"), bytes_text(each.bytes), plain(each.speed / 1e9),
                     plain(each.bytes / each.seconds / 1e9), f"{100 * each.speed / of_roof:.0f} %" if of_roof else "—"])  # fmt: skip
    page.add("Passes", table(["problem", "pass", "time", "loaded and stored", "GFlop/s", "GB/s", "of the roof"], rows, (0, 1)))
    return page
