# compare/report: a result as a table for the terminal.
from .cases import Case
from .words import milliseconds, several


def case_of(result):
    return Case(tuple(result["extents"]), result["kind"], result["batch"])


def heading(result):
    fields = f"{result['batch']} fields of " if result["batch"] > 1 else ""
    order = "natural order in and out" if result["output"] == "same" else "the spectrum in the cheapest distribution"
    return (f"{fields}{case_of(result).size} {result['kind']} {result['precision']}, {several(result['ranks'], 'rank')} x "
            f"{several(result['threads'], 'thread')}, {order} (--output {result['output']}), "
            f"{several(result['repeat'], 'round')}")


def ratio_cells(name, ratios, within):
    ratio, spread = ratios.get(name), within.get(name)
    return [f"{ratio:.3f}" if ratio else "", f"{spread['min']:.2f}-{spread['max']:.2f}" if spread else ""]


def table(result):
    """The comparison as a table, with one line for each program, the fastest first, and two columns for each weft."""
    wefts = {"weft": result, **result["other_wefts"]}
    rows = [["", "min ms", "median ms", "max ms", "GFlop/s", "x floor",
             *(cell for name in wefts for cell in (f"{name}/it", "in a round")), ""]]
    work, floor = case_of(result).flops, result["floor_seconds"]
    marks = {}

    def ratios_of(name):
        return [cell for weft in wefts.values() for cell in ratio_cells(name, weft["ratios"], weft["ratios_within_rounds"])]

    for name, times in sorted(result["times"].items(), key=lambda item: item[1]["median"]):
        if name in result["remarks"]:
            marks[name] = "*" * (len(marks) + 1)
        rows.append([name + " " + marks.get(name, ""), milliseconds(times["min"]), milliseconds(times["median"]),
                     milliseconds(times["max"]), f"{work / times['median'] / 1e9:.2f}",
                     f"{times['median'] / floor:.2f}" if floor else "",
                     *ratios_of(name), result["ways"][name]])
    if floor:
        rows.append(["floor: 2 passes", "", milliseconds(floor), "", "", "1.00", *([""] * 2 * len(wefts)),
                     f"a copy of {'all fields' if result['batch'] > 1 else 'the field'} takes "
                     f"{milliseconds(result['copy_seconds'])} ms"])
    lines = [heading(result)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [row[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(row[1:-1], widths[1:-1])] + [row[-1]]
        lines.append("  " + "  ".join(cells).rstrip())
    lines += [f"  {mark} {name} {result['remarks'][name]}" for name, mark in marks.items()]
    lines += [f"  left out: {name}: {why}" for name, why in result["left_out"].items()]
    if result.get("disturbed_launches"):
        lines.append(f"  {several(result['disturbed_launches'], 'timed run')} had slower cores before or after")
    lines.append(f"  all agree within {max(result['deviations'].values(), default=0):.1e} of a typical value, "
                 f"checked against {result['checked_against']}")
    return "\n".join(lines)
