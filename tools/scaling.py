#!/usr/bin/env python3
# tools/scaling: makes the tables of docs/scaling.md and its pictures from the files in docs/measurements/scaling.
# Keeps: what stands between the two marks of the page, and the pictures, follow from these files alone.
"""Make the tables and pictures of docs/scaling.md from what bench/scaling and bench/between_hosts have written."""

import argparse
import json
import math
import sys
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parents[1]
BEGIN, END = "<!-- scaling: begin -->", "<!-- scaling: end -->"
STUDIES = {"strong": "Strong scaling: 512x512x512", "weak": "Weak scaling: 262 144 points a host"}
COLOURS = {"weft": "#1f6f8b", "weft in chunks": "#7fb8cc", "P3DFFT, 2DECOMP&FFT": "#c8553d", "FFTW-MPI": "#588157", "heFFTe": "#8d6a9f",
           "mpi4py-fft": "#b08900"}
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 400, 64, 470, 44, 345


def curves(results, study, network):
    """{library: {ranks: seconds}} of one study on one network."""
    found = {name: {} for name in COLOURS}
    for one in results:
        if (one["study"], one["network"]) != (study, network):
            continue
        for name, told in one["times"].items():
            found[name][one["ranks"]] = told["seconds"]
    return {name: times for name, times in found.items() if times}


def table(head, rows):
    return "\n".join("| " + " | ".join(line) + " |" for line in [head, ["---"] * len(head), *rows])


def ms(seconds):
    return f"{1e3 * seconds:.3g}" if seconds < 0.1 else f"{1e3 * seconds:.0f}"


def simulated_part(results, study, network):
    found = curves(results, study, network)
    ranks = sorted({number for times in found.values() for number in times})
    peers = [name for name in found if not name.startswith("weft")]
    rows = []
    for number in ranks:
        best = min(found[name][number] for name in peers if number in found[name])
        rows.append([str(number), *(ms(found[name][number]) if number in found[name] else "" for name in found),
                     f"{found['weft'][number] / best:.2f}"])
    return table(["hosts", *(f"{name} ms" for name in found), "weft / best peer"], rows)


def hosts_part(results):
    rows = [[str(one["hosts"]), ms(one["wire_seconds"]), *(ms(one["seconds"][name]) for name in ("weft", "FFTW-MPI")),
             f"{one['seconds']['weft'] / one['seconds']['FFTW-MPI']:.2f}",
             f"{min(r['weft'] / r['FFTW-MPI'] for r in one['rounds']):.2f} to {max(r['weft'] / r['FFTW-MPI'] for r in one['rounds']):.2f}"]
            for one in results]
    return table(["hosts", "the wire ms", "weft ms", "FFTW-MPI ms", "weft / FFTW-MPI", "of the rounds"], rows)


def picture(results, study, network):
    """Time against the number of hosts, both logarithmic."""
    found = curves(results, study, network)
    ranks = sorted({number for times in found.values() for number in times})
    values = [seconds for times in found.values() for seconds in times.values()]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))

    def x(number):
        return LEFT + (RIGHT - LEFT) * math.log(number / ranks[0]) / max(1e-9, math.log(ranks[-1] / ranks[0]))

    def y(seconds):
        return BOTTOM - (BOTTOM - TOP) * (math.log10(seconds) - low) / (high - low)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>']

    def write(at_x, at_y, words, anchor="middle", fill="#333333"):
        out.append(f'<text x="{at_x:.1f}" y="{at_y:.1f}" text-anchor="{anchor}" fill="{fill}">{escape(words)}</text>')

    def line(x1, y1, x2, y2, stroke):
        out.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{stroke}"/>')

    write(LEFT, 22, f"{STUDIES[study]}, {network}, simulated", "start")
    for power in range(low, high + 1):
        for unit in (1, 2, 5):
            mark = unit * 10.0**power
            if math.log10(mark) <= high:
                line(LEFT, y(mark), RIGHT, y(mark), "#e4e4e4")
                write(LEFT - 8, y(mark) + 4, f"{1e3 * mark:g}", "end")
    for number in ranks:
        line(x(number), BOTTOM, x(number), BOTTOM + 5, "#333333")
        write(x(number), BOTTOM + 20, str(number))
    write((LEFT + RIGHT) / 2, BOTTOM + 42, "hosts")
    write(LEFT - 8, TOP - 8, "ms", "end")
    for place, (name, times) in enumerate(found.items()):
        points = sorted(times.items())
        path = " ".join(f"{x(number):.1f},{y(seconds):.1f}" for number, seconds in points)
        dashes = ' stroke-dasharray="6 4"' if name == "weft in chunks" else ""
        out.append(f'<polyline points="{path}" fill="none" stroke="{COLOURS[name]}" stroke-width="2"{dashes}/>')
        out.extend(f'<circle cx="{x(number):.1f}" cy="{y(seconds):.1f}" r="3" fill="{COLOURS[name]}"/>' for number, seconds in points)
        write(RIGHT + 14, TOP + 12 + 20 * place, name, "start", COLOURS[name])
    out.append("</svg>")
    return "\n".join(out) + "\n"


def made(docs):
    """{file: its text} of the page and its pictures."""
    folder = docs / "measurements" / "scaling"
    results = json.loads((folder / "simulated.json").read_text(encoding="utf-8"))
    files, parts = {}, []
    for study, heading in STUDIES.items():
        parts.append(f"### {heading}, simulated")
        for network in dict.fromkeys(one["network"] for one in results if one["study"] == study):
            name = f"scaling-{study}-{network.replace(' ', '-')}.svg"
            files[docs / "images" / name] = picture(results, study, network)
            parts += [f"**{network.capitalize()}**", simulated_part(results, study, network), f"![{heading}, {network}, simulated](images/{name})"]
    hosts = folder / "hosts.json"
    parts += ["### Hosts on one machine", hosts_part(json.loads(hosts.read_text(encoding="utf-8")))]
    page = docs / "scaling.md"
    before = page.read_text(encoding="utf-8")
    if before.count(BEGIN) != 1 or before.count(END) != 1:
        raise ValueError(f"{page} needs the lines {BEGIN} and {END}, each of them once")
    start, end = before.index(BEGIN) + len(BEGIN), before.index(END)
    files[page] = before[:start] + "\n\n" + "\n\n".join(parts) + "\n\n" + before[end:]
    return files


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="tools/scaling.py", description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing, and fail if the page or a picture does not follow from the files")
    parser.add_argument("--docs", type=Path, default=ROOT / "docs", help="the folder with scaling.md; default docs")
    asked = parser.parse_args(arguments)
    status = 0
    for file, text in made(asked.docs).items():
        if file.exists() and file.read_text(encoding="utf-8") == text:
            continue
        if asked.check:
            print(f"scaling: {file} does not follow from the files of results; run tools/scaling.py", file=sys.stderr)
            status = 1
        else:
            file.write_text(text, encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main())
