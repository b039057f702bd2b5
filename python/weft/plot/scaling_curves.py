# weft.plot.scaling_curves: speed and efficiency over the number of cores, of one problem or of problems that grow with it.
"""Strong and weak scaling."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Sequence

from .._errors import Error
from . import svg
from .axes import Frame, drawn, frame, padded
from .bench_file import Result, machine_of, read_results
from .colours import series
from .labels import shortened, spread, width_of
from .page import Page, both_widths, legend, note, table
from .scales import plain, with_unit

MOST_CURVES = 8


@dataclass(frozen=True)
class Curve:
    """Results on ascending numbers of cores, one for each."""

    name: str
    results: list[Result]
    others: int  # slower results on the same numbers of cores

    def efficiency(self, result: Result) -> float:
        """Speed per core, relative to that on the fewest cores."""
        first = self.results[0]
        return (result.gflops / result.cores) / (first.gflops / first.cores)


def _fastest(name: str, results: Sequence[Result]) -> Curve:
    best: dict[int, Result] = {}
    for each in results:
        if each.cores not in best or each.seconds < best[each.cores].seconds:
            best[each.cores] = each
    return Curve(name, [best[cores] for cores in sorted(best)], len(results) - len(best))


def _kind(result: Result) -> str:
    told = result.told
    words = [str(told.get(name, "")) for name in ("kind", "precision")] + (["in place"] if told.get("in_place") else [])
    return " ".join(word for word in words if word)


def strong(results: Sequence[Result]) -> list[Curve]:
    """One problem on several numbers of cores."""
    groups: dict[str, list[Result]] = {}
    for each in results:
        groups.setdefault(each.problem, []).append(each)
    curves = [_fastest(name, members) for name, members in groups.items()]
    return [curve for curve in curves if len(curve.results) > 1]


def weak(results: Sequence[Result]) -> list[Curve]:
    """Problems of one kind with the same number of points on each core, to a tenth."""
    groups: list[tuple[str, float, list[Result]]] = []
    for each in sorted(results, key=lambda one: one.cores):
        load = each.points / each.cores
        for kind, points, members in groups:
            if kind == _kind(each) and abs(load / points - 1) <= 0.1:
                members.append(each)
                break
        else:
            groups.append((_kind(each), load, [each]))
    curves = [_fastest(f"{kind}, {with_unit(points, 'points', 3)} a core", members) for kind, points, members in groups]
    return [curve for curve in curves if len(curve.results) > 1 and len({each.problem for each in curve.results}) > 1]


def _cores_text(value: float) -> str:
    return f"{value:g}"


def _curves(curves: list[Curve], at: Frame, value: Callable[[Curve, Result], float], width: float, unit: str) -> str:
    """Lines with marks; at their right ends the names where there is room for them."""
    parts, ends = [], []
    for number, curve in enumerate(curves):
        points = [(at.x(each.cores), at.y(value(curve, each))) for each in curve.results]
        parts.append(svg.polyline(points, "curve", stroke=series(number)))
        for (x, y), each in zip(points, curve.results):
            told = f"{curve.name}: {plain(value(curve, each))} {unit} on {each.cores} cores ({each.ranks} ranks of {each.threads} threads)"
            parts.append(svg.circle(x, y, 4, "mark", told, fill=series(number)))
        ends.append(points[-1])
    if width > 500:
        places = spread([y for _, y in ends], 16, at.top, at.bottom)
        for number, (curve, (x, y), place) in enumerate(zip(curves, ends, places)):
            if abs(place - y) > 3 or x < at.right - 1:
                parts.append(svg.line(x + 6, y, at.right + 8, place, "leader", stroke=series(number)))
            parts.append(svg.text(at.right + 12, place + 4, shortened(curve.name, width - at.right - 14), "end-name", fill=series(number)))
    return "".join(parts)


def _ticks(curves: list[Curve]) -> list[int]:
    return sorted({each.cores for curve in curves for each in curve.results})


def _chart(curves: list[Curve], width: float, is_speed: bool) -> str:
    size = (width, 380 if width > 500 else 300)
    cores = _ticks(curves)
    right = 20 if width < 500 else 24 + min(260, max(width_of(curve.name) for curve in curves))
    x = padded(cores[0], cores[-1], True, 0.04)
    if is_speed:
        values = [each.gflops for curve in curves for each in curve.results]
        ideals = [curve.results[0].gflops * curve.results[-1].cores / curve.results[0].cores for curve in curves]
        at = frame(size, x, padded(min(values), max(values + ideals), True), "xy", right=right)
        ideal = "".join(svg.line(at.x(curve.results[0].cores), at.y(curve.results[0].gflops), at.x(curve.results[-1].cores), at.y(end), "ideal")
                        for curve, end in zip(curves, ideals))  # fmt: skip
        return svg.picture(*size, f"GFlop/s over cores of {len(curves)} problems, dashed: ideal", drawn(at, "cores", "GFlop/s", _cores_text, plain, cores),
                           ideal, _curves(curves, at, lambda curve, each: each.gflops, width, "GFlop/s"))  # fmt: skip
    values = [100 * curve.efficiency(each) for curve in curves for each in curve.results]
    at = frame(size, x, (0, max(105.0, 1.05 * max(values))), "x", right=right)
    ideal = svg.line(at.left, at.y(100), at.right, at.y(100), "ideal")
    return svg.picture(*size, f"Efficiency over cores of {len(curves)} problems", drawn(at, "cores", "efficiency, %", _cores_text, plain, cores),
                       ideal, _curves(curves, at, lambda curve, each: 100 * curve.efficiency(each), width, "%"))  # fmt: skip


def _add(page: Page, heading: str, curves: list[Curve], said: str) -> None:
    shown = curves[:MOST_CURVES]
    words = [said]
    others = sum(curve.others for curve in curves)
    if others:
        words.append(f"{others} slower results on the same numbers of cores are left out.")
    if len(shown) < len(curves):
        words.append(f"The first {MOST_CURVES} of {len(curves)} problems are drawn; the table has all.")
    names = f'<div class="narrow">{legend([(series(i), curve.name) for i, curve in enumerate(shown)])}</div>'
    rows = []
    for curve in curves:
        first = curve.results[0]
        for each in curve.results:
            rows.append([each.problem, str(each.cores), f"{each.ranks} × {each.threads}", with_unit(each.seconds, "s"), plain(each.gflops),
                         plain(each.gflops / first.gflops), f"{100 * curve.efficiency(each):.0f} %"])  # fmt: skip
    page.add(heading, note(" ".join(words)), names, both_widths(lambda width: _chart(shown, width, True)),
             both_widths(lambda width: _chart(shown, width, False)),
             table(["problem", "cores", "ranks × threads", "forward", "GFlop/s", "times the first", "efficiency"], rows))  # fmt: skip


def scaling(paths: Sequence[str | Path]) -> Page:
    """Strong and weak scaling of results of `weft bench --json`, with tables.

    A problem that was measured on several numbers of cores is a curve of strong scaling; problems of
    one kind with as many points on each core are one of weak scaling. Efficiency is the speed per
    core relative to that on the fewest cores.

    Raises
    ------
    Error
        For files that are no results, and if no problem was measured on two numbers of cores.
    """
    results, wrong = read_results(paths)
    usable = [each for each in results if math.isfinite(each.gflops) and each.gflops > 0]
    growing, fixed = weak(usable), strong(usable)
    if fixed:  # two of their points happen to have as many points a core
        growing = [curve for curve in growing if len(curve.results) > 2]
    if not fixed and not growing:
        raise Error(f"{len(results)} results are on {len({each.cores for each in results})} number(s) of cores, and no curve has two points",
                    "give results of one problem on several numbers of ranks: mpiexec -n 1, 2, 4 weft bench ... --json FILE")  # fmt: skip
    page = Page("Scaling of " + ", ".join(sorted({_kind(each) for each in usable})), f"Measured on {machine_of(results)}.",
                style=".mark { stroke: #fff; }\n.leader { stroke-width: 1; opacity: .6; }\n")  # fmt: skip
    if fixed:
        _add(page, "Strong scaling: the same field on more cores", fixed, "Dashed: the speed per core of the fewest cores.")
    if growing:
        _add(page, "Weak scaling: as many points on each core", growing, "Dashed: the speed per core of the fewest cores.")
    left_out = len(results) - len(usable)
    if left_out or wrong:
        page.add("", note(" ".join([f"{left_out + len(wrong)} results without a time or a speed are left out."] + wrong[:3])))
    return page
