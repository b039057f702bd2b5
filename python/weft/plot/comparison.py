# weft.plot.comparison: times of the same problems side by side: of libraries, of files, or of plans.
"""Comparisons of measurements and of predictions."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Sequence

from .._errors import Error
from . import svg
from .axes import padded
from .bench_file import problem_of
from .colours import series
from .labels import shortened, thinned, width_of
from .page import Page, both_widths, legend, note, table
from .reading import objects_in, seconds_of
from .scales import Scale, by, counted, with_unit

MOST_CASES, MOST_SERIES = 60, 8
_ROW, _STEP = 26, 2.2


@dataclass(frozen=True)
class Time:
    """A median in seconds, and the range of what was measured."""

    median: float
    least: float
    most: float


@dataclass
class Case:
    """One problem, with a time for each of the names that have one."""

    name: str
    times: dict[str, Time] = field(default_factory=dict)

    def best(self) -> float:
        return min(time.median for time in self.times.values())


def _time(value: Any) -> Time | None:
    median = seconds_of(value)
    if median is None:
        return None
    told = value if isinstance(value, dict) else {}
    return Time(median, seconds_of(told.get("min")) or median, seconds_of(told.get("max")) or median)


def _named_times(told: dict[str, Any], file: str, is_alone: bool) -> tuple[str, dict[str, Any]]:
    """A case's name, and what was measured of it by name."""
    if isinstance(told.get("times"), dict):  # of ./dev compare
        words = [by(told.get("extents", "?")), str(told.get("kind", "")), str(told.get("precision", "")),
                 f"{told['batch']} fields" if told.get("batch", 1) != 1 else "", f"output {told['output']}" if "output" in told else ""]  # fmt: skip
        prefix = "" if is_alone else f"{file}: "
        return " ".join(word for word in words if word), {prefix + str(name): times for name, times in told["times"].items()}
    if "predicted_seconds" in told:  # of weft plan
        case = f"{told.get('problem', '?')} on {told.get('ranks', '?')} ranks"
        plans = [told, *(each for each in told.get("others", []) if isinstance(each, dict))]
        if is_alone:
            return case, {str(plan.get("strategy", "?")): plan.get("predicted_seconds") for plan in plans[:MOST_SERIES]}
        return case, {f"{file}, {told.get('machine', '?')}": told["predicted_seconds"]}
    way = " ".join(str(told[name]) for name in ("engine", "exchange") if told.get(name))
    cores = f"{told.get('ranks', 1)} × {told.get('threads', 1)} cores"
    return f"{problem_of(told)}, {cores}", {(way or file) if is_alone else file: told.get("forward_seconds", told.get("seconds"))}


def _names_of(paths: Sequence[str | Path]) -> list[str]:
    """What files are called: without folder and ending where that tells them apart."""
    stems = [Path(path).stem for path in paths]
    return stems if len(set(stems)) == len(stems) else [str(path) for path in paths]


def read_cases(paths: Sequence[str | Path]) -> tuple[list[Case], int]:
    """The cases of all files in their order, and how many times were left out, as they are no positive numbers."""
    cases: dict[str, Case] = {}
    left_out = 0
    for path, file in zip(paths, _names_of(paths)):
        for told in objects_in(path):
            try:
                name, times = _named_times(told, file, len(paths) == 1)
            except (AttributeError, KeyError, TypeError, ValueError):
                raise Error(f"'{path}' has a result without the sizes of its field",
                            "give files of `weft bench --json`, `weft plan --json` or `./dev compare --json`") from None  # fmt: skip
            for who, value in times.items():
                time = _time(value)
                if time is None:
                    left_out += 1
                    continue
                known = cases.setdefault(name, Case(name)).times
                if who not in known or time.median < known[who].median:
                    known[who] = time
    if not cases:
        raise Error(f"'{paths[0]}' has no times", "give files of `weft bench --json`, `weft plan --json` or `./dev compare --json`")
    return list(cases.values()), left_out


def _drawn(cases: list[Case], names: list[str], width: float) -> str:
    is_narrow = width < 500
    left = 8.0 if is_narrow else 16 + min(360.0, max(width_of(case.name) for case in cases))
    row = _ROW + (20 if is_narrow else 0)
    top, bottom = 26.0, 26.0 + row * len(cases)
    all_times = [value for case in cases for time in case.times.values() for value in (time.least, time.most)]
    x = Scale(*padded(min(all_times), max(all_times), True, 0.03), left, width - 8, True)
    parts = []
    ticks = x.ticks(max(3, int((width - left) / 70)))
    words = [with_unit(value, "s") for value in ticks]
    for value, each, is_shown in zip(ticks, words, thinned([x(value) for value in ticks], [width_of(each, 12) for each in words])):
        if is_shown:
            parts += [svg.line(x(value), top - 4, x(value), bottom, "grid")]
            parts += [svg.text(min(x(value), width - width_of(each, 12) / 2), top - 10, each, "tick", "middle")]
    for number, case in enumerate(cases):
        y = top + number * row + row - _ROW / 2
        parts.append(svg.line(left, y, width - 8, y, "grid"))
        if is_narrow:
            parts.append(svg.text(left, y - 15, shortened(case.name, width - 16), "case"))
        else:
            parts.append(svg.text(left - 10, y + 4, shortened(case.name, left - 16), "case", "end"))
        for i, name in enumerate(names):
            if name not in case.times:
                continue
            time = case.times[name]
            at = y + (i - (len(names) - 1) / 2) * _STEP  # so that marks of equal times are all seen
            if time.most > time.least:
                parts.append(svg.line(x(time.least), at, x(time.most), at, "range", stroke=series(i)))
            told = f"{case.name}: {name} {with_unit(time.median, 's')} ({with_unit(time.least, 's')} to {with_unit(time.most, 's')})"
            parts.append(svg.circle(x(time.median), at, 4.5, "mark", told, fill=series(i)))
    label = f"Times of {len(cases)} problems, of {', '.join(names)}"
    return svg.picture(width, bottom + 6, label, *parts)


def _common_end(names: Sequence[str]) -> str:
    """The last words that all names have, beside others."""
    words = [name.split() for name in names]
    number = 0
    while len(names) > 1 and all(len(each) > number + 1 for each in words) and len({each[-1 - number] for each in words}) == 1:
        number += 1
    return " ".join(words[0][len(words[0]) - number :])


def compare(paths: Sequence[str | Path]) -> Page:
    """Times side by side: of weft and its peers (`./dev compare --json`), of several files of `weft bench --json`, or of plans
    (`weft plan --json`).

    A mark is the median, a line goes from the least to the largest time.

    Raises
    ------
    Error
        For files that are no results or have no times.
    """
    cases, left_out = read_cases(paths)
    common = _common_end([case.name for case in cases])
    for case in cases:
        case.name = case.name.removesuffix(common).strip()
    total: dict[str, list[float]] = {}
    for case in cases:
        for name, time in case.times.items():
            total.setdefault(name, []).append(time.median / case.best())
    # Fastest first, so that the legend is in the order of the marks.
    names = sorted(total, key=lambda name: sum(total[name]) / len(total[name]))
    shown, drawn_names = cases[:MOST_CASES], names[:MOST_SERIES]
    machines = sorted({str(told.get("processor") or _machine(told)) for path in paths for told in objects_in(path)} - {"None"})
    title = f"Times of {counted(len(cases), 'problem')} in {counted(len(names), 'way')}"
    if len(paths) > 1:
        title = "Comparison of " + ", ".join(_names_of(paths))
    page = Page(title,
                f"On {'; '.join(machines) or 'a machine that the files do not name'}.", style=".mark { stroke: #fff; }\n.range { stroke-width: 2; opacity: .45; }\n")  # fmt: skip
    said = [f"The same for all: {common}."] if common else []
    said += ["Marks are medians, lines go from the least to the largest time. Further left is faster."]
    if left_out:
        said.append(f"{left_out} times that are no positive numbers are left out.")
    if len(shown) < len(cases):
        said.append(f"The first {MOST_CASES} of {len(cases)} problems are drawn.")
    if len(drawn_names) < len(names):
        said.append(f"The {MOST_SERIES} fastest of {len(names)} ways are drawn.")
    drawable = [case for case in shown if set(case.times) & set(drawn_names)]
    page.add("Times", note(" ".join(said)), legend([(series(i), name) for i, name in enumerate(drawn_names)]), both_widths(lambda width: _drawn(drawable, drawn_names, width)))
    rows = []
    for case in cases:
        cells = [f"{with_unit(case.times[name].median, 's')} ({case.times[name].median / case.best():.2f})" if name in case.times else "—" for name in names]
        rows.append([case.name, *cells])
    page.add("Medians, and how many times the fastest", table(["problem", *names], rows))
    return page


def _machine(told: dict[str, Any]) -> str:
    machine = told.get("machine")
    if isinstance(machine, dict):
        words = (("model", "{}"), ("family", "family {}"), ("number", "model {}"), ("cores", "{} cores"))
        return ", ".join(form.format(machine[name]) for name, form in words if name in machine)
    return str(machine)
