#!/usr/bin/env python3
# tools/measurements: makes the tables of docs/measurements/README.md, and the overview in docs/performance.md, from the files in
# docs/measurements. Keeps: what stands between the two marks of either page follows from these files alone.
"""Make the tables of docs/measurements/README.md and the overview in docs/performance.md from what ./dev compare --keep has kept."""

import argparse
import json
import sys
from pathlib import Path

from compare import ROOT
from compare.cases import CASES
from compare.competitors import COMPETITORS
from compare.machine import name_of
from compare.report import case_of
from compare.words import memory, milliseconds, several

BEGIN, END = "<!-- measurements: begin -->", "<!-- measurements: end -->"
NOTHING = "No processor has been measured yet; `./dev compare --suite --keep` measures one."

THREADED = tuple(c.name for c in COMPETITORS if not c.ranked)
DISTRIBUTED = tuple(c.name for c in COMPETITORS if c.ranked and c.name != "weft")
TRANSPOSED = tuple(c.name for c in COMPETITORS if c.transposed)
LIBRARY = {c.name: c.library for c in COMPETITORS}


def wefts_of(result):
    """{"2x1": (name in times, ratios' owner)} of every weft of a result, by its ranks x threads."""
    found = {f"{result['weft_ranks']}x{result['weft_threads']}": ("weft", result)}
    found.update({f"{weft['ranks']}x{weft['threads']}": (name, weft) for name, weft in result["other_wefts"].items()})
    return found


def in_order(result, name):
    """Whether the peer's spectrum is in the order that was asked for."""
    return result["output"] != "same" or name not in TRANSPOSED


def ratio_to_best(result, shape, peers):
    """The ratio of a weft to the fastest of these peers, with its least and greatest value in a round. Empty without the weft or
    the peers."""
    _, weft = wefts_of(result).get(shape, ("", {"ratios": {}}))
    measured = [name for name in peers if name in weft["ratios"]]
    if not measured:
        return ""
    best = min(measured, key=lambda name: result["times"][name]["median"])
    within = weft["ratios_within_rounds"][best]
    return f"{weft['ratios'][best]:.2f} ({within['min']:.2f} to {within['max']:.2f})"


def times_floor(result, shape):
    name, _ = wefts_of(result).get(shape, ("", None))
    if name not in result["times"] or not result["floor_seconds"]:
        return ""
    return f"{result['times'][name]['median'] / result['floor_seconds']:.2f}"


def median(result, name):
    return milliseconds(result["times"][name]["median"]) if name in result["times"] else ""


def table(head, rows):
    """A Markdown table without the columns that are empty in all rows."""
    used = [column for column in range(len(head)) if column == 0 or any(row[column] for row in rows)]
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("|" + "".join(f" {line[column]} |" if line[column] else " |" for column in used) for line in lines)


def label(result):
    return str(case_of(result)) + (", single precision" if result["precision"] == "single" else "")


def ratio_table(results, shapes):
    def to_best(peers, are_in_order=True):
        return lambda result, shape: ratio_to_best(result, shape, [name for name in peers if in_order(result, name) == are_in_order])

    kinds = (("weft / best threaded FFT", to_best(THREADED)),
             ("weft / best MPI library", to_best(DISTRIBUTED)),
             *((f"weft / {name}*", to_best((name,), False)) for name in TRANSPOSED),
             ("times the two-pass floor", times_floor))
    head = ["", *(f"{what}, {shape}" for what, _ in kinds for shape in shapes)]
    return table(head, [[label(result), *(cell(result, shape) for _, cell in kinds for shape in shapes)] for result in results])


def time_table(results, shapes):
    head = ["median in ms", *(f"weft {shape}" for shape in shapes), *THREADED, *DISTRIBUTED, "copy"]
    rows = []
    for result in results:
        mine = [wefts_of(result).get(shape, ("",))[0] for shape in shapes]
        copy = milliseconds(result["copy_seconds"]) if result["copy_seconds"] else ""
        rows.append([label(result), *(median(result, name) for name in (*mine, *THREADED, *DISTRIBUTED)), copy])
    return table(head, rows)


def notes(results):
    """What the tables need to be understood: marks, and who took no part and why."""
    lines = []
    if any(not in_order(result, name) for result in results for _, weft in wefts_of(result).values() for name in weft["ratios"]):
        lines.append("\\* Natural order would take another exchange.")
    remarks, absent = {}, {}
    for result in results:
        for name, remark in result["remarks"].items():
            remarks.setdefault((name, remark), []).append(label(result))
        for name, why in result["left_out"].items():
            absent.setdefault((name, why), []).append(label(result))
    lines += [f"{name} {remark} ({'all cases' if len(where) == len(results) else '; '.join(where)})."
              for (name, remark), where in remarks.items()]
    lines += [f"{name} took no part in {'; '.join(where)}: {why}." for (name, why), where in absent.items()]
    return "\n".join(f"- {line}" for line in lines)


def all_of(results, value):
    """The different values of the results, in words, without those that are missing."""
    return ", ".join(dict.fromkeys(str(v) for v in map(value, results) if v))


def about(results):
    """One paragraph: the machine, the libraries, and when and how it was measured."""
    def cache(level):
        return lambda result: (size := result["machine"][f"level_{level}_bytes"]) and f"{memory(size)} of level-{level} cache"

    versions = [f"{LIBRARY.get(name, name)} {version}" for result in results for name, version in result["versions"].items()]
    parts = [all_of(results, lambda r: several(r["machine"]["cores"], "core")), all_of(results, cache(2)),
             all_of(results, cache(3)), all_of(results, lambda r: r["compiler"]), all_of(results, lambda r: r["mpi"]), *dict.fromkeys(versions)]
    said = "; ".join(filter(None, parts)) + "."
    inner = [result["inner"] for result in results]
    transforms = several(inner[0], "transform") if len(set(inner)) == 1 else f"{min(inner)} to {max(inner)} transforms"
    rounds = all_of(results, lambda r: several(r["repeat"], "round"))
    return (f"{said} Measured on {all_of(results, lambda r: r['date'])} with weft at {all_of(results, lambda r: r['weft'])}, "
            f"in {rounds} of {transforms}.")


def setting(result):
    """What all rows of one pair of tables have in common."""
    return result["output"], result["ranks"], result["threads"]


def setting_in_words(result):
    order = "Natural order in and out" if result["output"] == "same" else "The spectrum in the cheapest distribution"
    cores = result["ranks"] * result["threads"]
    return (f"{order}; MPI libraries with {several(result['ranks'], 'rank')} of {several(result['threads'], 'thread')}, "
            f"threaded ones with {several(cores, 'thread')}:")


def best_ratio(result, peers):
    """The ratio of the fastest weft of a result to the fastest of these peers; empty without such peers."""
    measured = [name for name in peers if name in result["times"] and in_order(result, name)]
    if not measured:
        return ""
    wefts = [result["times"][name]["median"] for name, _ in wefts_of(result).values() if name in result["times"]]
    return f"{min(wefts) / min(result['times'][name]['median'] for name in measured):.2f}"


def order_of(result):
    """The standing list in its order, then other cases by their size."""
    case = case_of(result)
    standing = CASES.index(case) if case in CASES else len(CASES)
    return standing, case.points * case.batch, str(case), result["precision"], result["weft_ranks"]


def processor_part(results):
    parts = [f"### {name_of(results[0]['machine'])}", about(results)]
    for shared in sorted({setting(result) for result in results}, key=lambda s: (s[0] != "same", *s[1:])):
        group = sorted((result for result in results if setting(result) == shared), key=order_of)
        shapes = list(dict.fromkeys(shape for result in group for shape in wefts_of(result)))
        parts += [setting_in_words(group[0]), ratio_table(group, shapes), time_table(group, shapes), notes(group)]
    return "\n\n".join(filter(None, parts))


def kept(folder):
    """The results of every processor, from all files of the folder."""
    files = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.json"))]
    return [results for results in files if results]


def tables(folder):
    """All measurements, processor by processor."""
    return "\n\n".join(processor_part(results) for results in kept(folder)) or NOTHING


def overview(folder):
    """One table for each setting, with a row for each case and two ratios for each processor."""
    processors = kept(folder)
    everything = [result for results in processors for result in results]
    parts = []
    for shared in sorted({setting(result) for result in everything}, key=lambda s: (s[0] != "same", *s[1:])):
        cells, names = {}, []
        for results in processors:
            chosen = [result for result in results if setting(result) == shared]
            if chosen:
                names.append(name_of(chosen[0]["machine"]))
            for result in chosen:
                ratios = filter(None, (best_ratio(result, THREADED), best_ratio(result, DISTRIBUTED)))
                cells.setdefault(label(result), {})[names[-1]] = ", ".join(ratios)
        labels = list(dict.fromkeys(label(r) for r in sorted(everything, key=order_of) if label(r) in cells))
        chosen = next(result for result in everything if setting(result) == shared)
        parts += [setting_in_words(chosen), table(["", *names], [[row, *(cells[row].get(name, "") for name in names)] for row in labels])]
    return "\n\n".join(parts) or NOTHING


def with_tables(page, text):
    """The page with `text` between its marks. Errors: ValueError if it does not have each of them once, in their order."""
    if page.count(BEGIN) != 1 or page.count(END) != 1 or page.index(BEGIN) > page.index(END):
        raise ValueError(f"the page needs the lines {BEGIN} and {END}, each of them once and in this order")
    return page[:page.index(BEGIN) + len(BEGIN)] + f"\n\n{text}\n\n" + page[page.index(END):]


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="tools/measurements.py", description=__doc__)
    parser.add_argument("--check", action="store_true",
                        help="change nothing, and fail if a page does not follow from the files")
    parser.add_argument("--docs", type=Path, default=ROOT / "docs", help="the folder with the pages and measurements/; default docs")
    asked = parser.parse_args(arguments)
    folder = asked.docs / "measurements"
    status = 0
    for page, text in ((folder / "README.md", tables(folder)), (asked.docs / "performance.md", overview(folder))):
        before = page.read_text(encoding="utf-8")
        try:
            wanted = with_tables(before, text)
        except ValueError as error:
            print(f"measurements: {page}: {error}", file=sys.stderr)
            return 2
        if wanted == before:
            continue
        if asked.check:
            print(f"measurements: {page} does not follow from the files in {folder}; run tools/measurements.py", file=sys.stderr)
            status = 1
        else:
            page.write_text(wanted, encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main())
