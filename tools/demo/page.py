# demo/page: puts text, numbers and figures into the one self-contained page (template: page.html).
# Keeps: the page loads nothing over the network; all text from outside is escaped.

import re
from dataclasses import dataclass
from html import escape
from pathlib import Path

from .check import TOLERANCE, Check
from .launch import Finished
from .volume import MriVolume

TEMPLATE = Path(__file__).with_name("page.html")


@dataclass(frozen=True)
class Story:
    """The contents of the page."""
    volume: MriVolume
    ranks: int
    forward: Finished
    backward: Finished
    commands: tuple[str, ...]
    checks: tuple[Check, ...]
    benchmarks: list[dict]  # as `weft bench --json` writes them
    figures: dict[str, str]  # pictures, by their names in the template


def by(extents) -> str:
    return " × ".join(str(n) for n in extents)


def seconds_text(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"


def bytes_text(count: int) -> str:
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count} B"


def scientific(value: float) -> str:
    if value == 0:
        return "0"
    digits, exponent = f"{value:.1e}".split("e")
    power = f"10<sup>{int(exponent)}</sup>".replace("-", "−")
    return power if digits == "1.0" else f"{digits} · {power}"


def checks_html(checks: tuple[Check, ...]) -> str:
    rows = "".join(
        f"<tr><td>{escape(c.what)}</td><td>{escape(c.reference)}</td><td class=number>{scientific(c.difference)}</td>"
        f"<td class=good>✓</td></tr>" for c in checks)
    return ("<table><thead><tr><th>what</th><th>compared with</th><th class=number>largest difference</th><th></th>"
            f"</tr></thead><tbody>{rows}</tbody></table>")


def stages_html(benchmark: dict) -> str:
    """One bar chart: the stages of one forward transform, all bars on one scale."""
    stages = benchmark["stages"]
    longest = max((s["seconds"] for s in stages), default=0) or 1
    bars = []
    for stage in stages:
        moved = [f"{bytes_text(stage['bytes'])} moved"] if stage["bytes"] else []
        if stage["messages"]:
            moved.append(f"{stage['messages']} messages, {bytes_text(stage['message_bytes'])} to other nodes")
        bars.append(
            f"<li><div class=stage><span>{escape(stage['name'])}</span><b>{seconds_text(stage['seconds'])}</b></div>"
            f"<div class=track><div class=bar style='width:{100 * stage['seconds'] / longest:.1f}%'></div></div>"
            f"<small>{escape('; '.join(moved)) or '&nbsp;'}</small></li>")
    median = benchmark["forward_seconds"]["median"]
    return (f"<div class=chart><h3>{by(benchmark['extents'])}</h3>"
            f"<p class=soft>forward {seconds_text(median)} (median of {benchmark['repeat']}), "
            f"{benchmark['gflops']:.2g} GFlop/s, engine {escape(benchmark['engine'])}, "
            f"exchange {escape(benchmark['exchange'])}</p><ul class=bars>{''.join(bars)}</ul></div>")


def tile(value: str, label: str) -> str:
    return f"<div class=tile><b>{value}</b><span>{label}</span></div>"


def tiles_html(story: Story) -> str:
    forward, backward = story.checks[0], story.checks[1]
    return "".join([
        tile(by(story.volume.values.shape), "values: x, y, slice, time"),
        tile(f"{story.ranks} ranks", "processes that share the work and the data"),
        tile(scientific(forward.difference), "largest relative difference from NumPy"),
        tile(scientific(backward.difference), "largest relative difference after the inverse transform"),
    ])


def said_html(forward: Finished) -> str:
    """weft's own description of the transform, if it printed one."""
    if not forward.output:
        return ""
    return f"<p>weft printed this description:</p><pre>{escape(forward.output)}</pre>"


def render(story: Story) -> str:
    """The whole page as one string of HTML. Errors: KeyError if the template names something unknown."""
    volume = story.volume
    values = {
        "grid": by(volume.values.shape[:3]),
        "voxel": by(f"{size:g}" for size in volume.voxel_mm),
        "nyquist_wavelength": f"{2 * max(volume.voxel_mm[:2]):g}",
        "half": by((*volume.values.shape[:2], volume.values.shape[2] // 2 + 1)),
        "times": str(volume.values.shape[3]),
        "slice_number": str(volume.middle_slice + 1),
        "slices": str(volume.values.shape[2]),
        "ranks": str(story.ranks),
        "source": escape(volume.name),
        "tolerance": scientific(TOLERANCE),
        "forward_seconds": seconds_text(story.forward.seconds),
        "tiles": tiles_html(story),
        "said": said_html(story.forward),
        "checks": checks_html(story.checks),
        "bench_ranks": str(story.benchmarks[0]["ranks"]) if story.benchmarks else "0",
        "stages": "".join(stages_html(b) for b in story.benchmarks),
        "commands": escape("\n".join(story.commands)),
        "version": escape(str(story.benchmarks[0]["weft"])) if story.benchmarks else "",
        **story.figures,
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: values[found[1]], TEMPLATE.read_text(encoding="utf-8"))
