# weft.plot.bench_file: results of `weft bench --json`, of one file or several.
"""Measurements as values."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Sequence

from .._errors import Error
from .reading import is_whole, objects_in, positive, seconds_of
from .scales import by

_HINT = "give files that `weft bench ... --json FILE` has written"


@dataclass(frozen=True)
class Result:
    """One problem, measured in one way."""

    problem: str
    points: int
    ranks: int
    nodes: int
    threads: int
    seconds: float
    least: float
    most: float
    gflops: float
    way: str  # engine and exchange
    file: str
    told: dict[str, Any]

    @property
    def cores(self) -> int:
        return self.ranks * self.threads


def problem_of(told: dict[str, Any]) -> str:
    """"64×64×64 c2c double": what was transformed."""
    words = [by(told["extents"])]
    extents = told["extents"]
    if told.get("modes") not in (None, extents):
        words.append(f"modes {by(told['modes'])}")
    if told.get("cutoff"):
        words.append(f"cutoff {told['cutoff']:g}")
    if isinstance(told.get("workload"), str):
        words.append(told["workload"])
    words += [str(told[name]) for name in ("kind", "precision") if name in told]
    if told.get("batch", 1) != 1:
        words.append(f"batch {told['batch']}")
    if told.get("in_place"):
        words.append("in place")
    return " ".join(words)


def _whole(told: dict[str, Any], name: str) -> int:
    value = told.get(name, 1)
    if not is_whole(value, 1):
        raise ValueError(f"'{name}' is {value}")
    return int(value)


def _result(told: dict[str, Any], file: str) -> Result:
    extents = told.get("extents")
    if not isinstance(extents, list) or not extents or not all(is_whole(n, 1) for n in extents):
        raise ValueError(f"'extents' is {extents}")
    times = told.get("forward_seconds", told.get("seconds"))
    seconds = seconds_of(times)
    if seconds is None:
        raise ValueError(f"the time is {times}")
    range_ = times if isinstance(times, dict) else {}
    speed = positive(told.get("gflops")) or math.nan
    points = math.prod(extents) * _whole(told, "batch")
    way = " ".join(str(told[name]) for name in ("engine", "exchange") if told.get(name))
    return Result(problem_of(told), points, _whole(told, "ranks"), _whole(told, "nodes"), _whole(told, "threads"), seconds,
                  seconds_of(range_.get("min")) or seconds, seconds_of(range_.get("max")) or seconds, speed, way, file, told)  # fmt: skip


def read_results(paths: Sequence[str | Path]) -> tuple[list[Result], list[str]]:
    """The results of all files, and what is wrong with those that are left out.

    Raises
    ------
    Error
        If a file cannot be read, and if no file has a result.
    """
    found, wrong = [], []
    for path in paths:
        for number, told in enumerate(objects_in(path)):
            try:
                found.append(_result(told, Path(path).stem))
            except (KeyError, TypeError, ValueError) as error:
                wrong.append(f"result {number} of {Path(path).name}: {error}")
    if not found:
        raise Error(f"'{paths[0]}' has no result of a benchmark" + (f": {wrong[0]}" if wrong else ""), _HINT)
    return found, wrong


def machine_of(results: Sequence[Result]) -> str:
    """The processors that results were measured on, as far as the files tell."""
    named = sorted({str(each.told["processor"]) for each in results if each.told.get("processor")})
    return " and ".join(named) if named else "a processor that the file does not name"
