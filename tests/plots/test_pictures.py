# tests/plots/test_pictures: traces, rooflines, scaling and comparisons of small results whose values are known.
import json
import math
import re
import subprocess
import sys

import made
import numpy as np
import pytest
import weft
from reading import all_of, nested, numbers, pictures, words
from weft import plot
from weft.plot.command import main
from weft.plot.timeline import MOST_SPANS
from weft.plot.traces import shares
from weft.plot.trace_file import read_trace


def lanes(html, number=0):
    """The boxes of each colour of the timeline of run `number`: (left, top, width, height) in parts of the run, and in rows' heights."""
    found = {}
    group = html.split(f'<g id="lanes-{number}">')[1].split("</g>")[0]
    for path in group.split("<path ")[1:]:
        data, colour = path.split('d="')[1].split('"')[0], path.split('fill="')[1].split('"')[0]
        for box in data.strip("Mz").split("zM"):
            corner, rest = box.split("h", 1)
            width, rest = rest.split("v", 1)
            left, top = corner.split()
            found.setdefault(colour, []).append((float(left), float(top), float(width), float(rest.split("h")[0])))
    return found


def told(html, number=0):
    return json.loads(html.split(f'id="data-{number}">')[1].split("</script>")[0])


# traces

def test_a_timeline_has_what_ranks_did_where_and_when_they_did_it(tmp_path):
    html = plot.trace(made.write(tmp_path / "t.json", made.trace())).html()
    nested(html)
    boxes = lanes(html)
    # 3 ranks; the last one ends after 40 + 2 + 30 + 40 µs, which are 10000 units. 4 items of 10 µs that touch are one box.
    unit = 10000 / 112
    first, second, wait, call = boxes["#0072b2"], boxes["#d55e00"], boxes["#d9dde2"], boxes["#222222"]
    assert [(round(x, 1), round(w, 1)) for x, _, w, _ in first] == [(0, round(40 * unit, 1))] * 3
    assert [y for _, y, _, _ in first] == [1, 27, 53] and all(h == 24 for *_, h in first)
    for rank, (x, _, w, _) in enumerate(wait):
        assert (x, w) == (pytest.approx(42 * unit, abs=0.02), pytest.approx(10 * (rank + 1) * unit, abs=0.02))
    assert [x for x, *_ in second] == pytest.approx([(52 + 10 * r) * unit for r in range(3)], abs=0.02)
    assert [w for _, _, w, _ in call] == pytest.approx([2 * unit] * 3, abs=0.02)
    assert "Neighbours of one kind less than 44.8 ns apart are drawn as one: 12 of 30." in html
    messages = told(html)["messages"]
    assert [m[:2] for m in sorted(messages)] == [[0, 1], [1, 2], [2, 0]] and all(m[4] == 4096 for m in messages)
    picture = pictures(html)[0]
    assert {"rank 0", "rank 1", "rank 2", "forward", "0", "40 µs", "100 µs"} <= set(words(picture)) and "backward" not in words(picture)


def test_shares_of_a_rank_add_up(tmp_path):
    runs, processor = read_trace(made.write(tmp_path / "t.json", made.trace()))
    assert processor == "a test's processor"
    micro = 1e6 * shares(runs[0])
    assert micro == pytest.approx(np.array([[80, 2, 10, 20], [80, 2, 20, 10], [80, 2, 30, 0]]), abs=1e-6)
    value = made.trace()
    value["traceEvents"].append({"name": "send to rank 1", "cat": "forward,call", "ph": "X", "ts": 5.0, "dur": 3.0, "pid": 0, "tid": 0, "args": {}})
    inside = 1e6 * shares(read_trace(made.write(tmp_path / "t.json", value))[0][0])  # between tiles of an item
    assert inside[0] == pytest.approx([77, 5, 10, 20], abs=1e-6)


def test_a_trace_tells_who_waited_for_whom(tmp_path):
    rows = nested(plot.trace(made.write(tmp_path / "t.json", made.trace())).html()).rows
    assert ["exchange 0: p2p to 1x3", "message", "60 µs", "17.9 %", "3", "rank 2 for 30 µs of rank 1, 4.1 kB"] in rows
    assert ["exchange 0: p2p to 1x3", "3", "12.3 kB", "4.1 kB", "32 µs", "42 µs, rank 1 to 2"] in rows


def test_thousands_of_ranks_share_rows(tmp_path):
    html = plot.trace(made.write(tmp_path / "t.json", made.trace(ranks=2200, nodes=30, items=1))).html()
    assert len(html) < 1_000_000
    assert "A row is 69 ranks" in html and "2000 messages that were under way longest, of 2200" in html
    boxes = lanes(html)
    assert len({top + height for top, height in ((round(y, 3), round(h, 3)) for _, y, _, h in boxes["#0072b2"])}) == 32
    # In the first 10 µs of 72 all of them compute the first pass.
    full = [box for box in boxes["#0072b2"] if box[0] < 10000 * 9 / 72]
    assert all(height == pytest.approx(20, abs=0.01) for *_, height in full)
    assert "ranks 0–68" in words(pictures(html)[0])


def test_too_many_events_are_merged_and_the_page_says_so(tmp_path):
    value = made.trace(ranks=2, items=1)
    run = value["otherData"]["runs"][0]
    run["end_us"] = 1e6
    for i in range(MOST_SPANS + 1):
        value["traceEvents"].append({"name": f"pass {i % 4}", "cat": "forward", "ph": "X", "ts": 50.0 + 70 * i, "dur": 50.0, "pid": 0, "tid": i % 2})
    html = plot.trace(made.write(tmp_path / "t.json", value)).html()
    assert "too many to draw" in html and len(html) < 600_000


def test_several_measurements_are_sections(tmp_path):
    first, second = made.trace(), made.trace(ranks=2, title="9x9 <r2c>")
    for event in second["traceEvents"]:
        event.update(pid=event["pid"] + 1, ts=event["ts"] + 112.0, cat=event["cat"].replace("forward", "backward"))
    told_of_second = second["otherData"]["runs"][0]
    first["otherData"]["runs"].append({**told_of_second, "first_pid": 1, "begin_us": 112.0, "end_us": 112.0 + told_of_second["end_us"]})
    first["traceEvents"] += second["traceEvents"]
    html = plot.trace(made.write(tmp_path / "t.json", first)).html()
    nested(html)
    assert "Trace of 2 measurements" in html and "<h2>9x9 &lt;r2c&gt;</h2>" in html and "<r2c>" not in html
    assert len(lanes(html, 0)["#0072b2"]) == 3 and len(lanes(html, 1)["#0072b2"]) == 2


def test_events_without_a_time_are_counted(tmp_path):
    value = made.trace()
    value["traceEvents"][0]["ts"] = math.nan
    value["traceEvents"][1]["dur"] = None
    value["traceEvents"].append({"name": "x", "cat": "forward", "ph": "X", "ts": 1, "dur": 1, "pid": 0, "tid": 99})
    assert "3 events without a finite time or a rank are left out" in plot.trace(made.write(tmp_path / "t.json", value)).html()


WHOLE = json.dumps(made.trace())


@pytest.mark.parametrize("text, message", [
    (WHOLE[: len(WHOLE) // 2], "ends too early|is no JSON"), ("", "ends too early"), ("[]", "no trace of weft"), ('{"traceEvents": []}', "no trace of weft"),
    ('{"traceEvents": [], "otherData": {"runs": []}}', "without events"), ("{", "ends too early"), ("hello", "is no JSON at line 1"),
    (WHOLE.replace('"ranks": 3', '"ranks": "three"'), "does not say where run 0"), (WHOLE.replace('"ranks": 3', '"ranks": 0'), "0 ranks on 1 nodes"),
    (WHOLE.replace('"ranks": 3', '"ranks": 1000000000'), "1000000000 ranks on 1 nodes"),
    ("[" * 100000, "nested too deeply|ends too early"),
])
def test_what_is_no_trace_is_refused(tmp_path, text, message):
    (tmp_path / "t.json").write_text(text)
    with pytest.raises(weft.Error, match=message):
        plot.trace(tmp_path / "t.json")


# rooflines

def test_a_pass_is_where_its_operations_and_bytes_put_it(tmp_path):
    # 64^3 complex doubles: 2 reads and writes of 4 MiB; two axes of 64 points cost 5 N 2 log2(64) = 60 N operations in 4 ms.
    path = made.write(tmp_path / "b.json", [made.bench()])
    html = plot.roofline(path, doctor=made.write(tmp_path / "d.json", made.doctor())).html()
    rows = nested(html).rows
    assert rows[1] == ["64×64×64 c2c double", "pass 0: axes 2,1", "4 ms", "8.39 MB", "3.93", "2.1", "13 %"]  # of 30 GFlop/s, less than 40 GB/s · 1.875
    assert rows[2][4:] == ["1.97", "2.1", "7 %"]
    picture = pictures(html)[0]
    (x0, y0), (x1, y1) = (numbers(each, "cx", "cy") for each in all_of(picture, "circle"))
    assert x0 > x1 and y0 < y1
    roof = [tuple(map(float, point.split(","))) for point in all_of(picture, "polyline", class_="roof")[0].get("points").split()]
    assert all(b[1] <= a[1] + 0.01 for a, b in zip(roof, roof[1:])) and roof[-1][1] < y0
    assert "copies: 40 GB/s" in words(picture) and "in cache: 30 GFlop/s" in words(picture)
    half = nested(plot.roofline(made.write(tmp_path / "r.json", [made.bench(kind="r2c", precision="single")]), bandwidth=1e9).html()).rows
    assert half[1][3:5] == ["2.1 MB", "1.97"]


def test_a_roofline_needs_passes(tmp_path):
    path = made.write(tmp_path / "b.json", [made.bench(modes=[32, 32, 32]), made.bench(stages=[])])
    with pytest.raises(weft.Error, match="no passes with axes"):
        plot.roofline(path)
    good = made.write(tmp_path / "g.json", [made.bench()])
    assert "No roof is drawn" in plot.roofline(good).html()
    with pytest.raises(weft.Error, match="has no speed of memory"):
        plot.roofline(good, doctor=good)
    with pytest.raises(weft.Error, match="no speed of copies"):
        plot.roofline(good, doctor=made.write(tmp_path / "d.json", made.doctor(copy=0)))


# scaling

def test_scaling_has_speeds_and_efficiencies(tmp_path):
    strong = [made.bench(ranks=r, seconds=0.1 / s, gflops=10 * s) for r, s in ((1, 1), (2, 1.8), (4, 3))]
    html = plot.scaling([made.write(tmp_path / "b.json", strong[:2]), made.write(tmp_path / "c.json", [strong[2], made.bench(ranks=4, seconds=1, gflops=1)])]).html()
    rows = nested(html).rows
    assert [row[1:] for row in rows[1:]] == [["1", "1 × 1", "100 ms", "10", "1", "100 %"], ["2", "2 × 1", "55.6 ms", "18", "1.8", "90 %"],
                                             ["4", "4 × 1", "33.3 ms", "30", "3", "75 %"]]
    assert "1 slower results" in html and "Weak" not in html
    speed, efficiency = pictures(html)
    x = [numbers(each, "cx")[0] for each in all_of(speed, "circle")]
    assert x[1] - x[0] == pytest.approx(x[2] - x[1], abs=0.02)  # logarithmic: 1, 2, 4
    y = {each.find("{http://www.w3.org/2000/svg}title").text.split(": ")[1].split(" %")[0]: numbers(each, "cy")[0] for each in all_of(efficiency, "circle")}
    ideal = numbers(all_of(efficiency, "line", class_="ideal")[0], "y1")[0]
    assert y["100"] == ideal and (y["75"] - ideal) == pytest.approx(2.5 * (y["90"] - ideal), abs=0.05)


def test_problems_that_grow_with_the_cores_scale_weakly(tmp_path):
    weak = [made.bench((64 * r, 64, 64), ranks=r, seconds=0.1 + 0.01 * r, gflops=10 * r * 0.9 ** math.log2(r)) for r in (1, 2, 4, 8)]
    html = plot.scaling([made.write(tmp_path / "b.json", weak)]).html()
    assert "Weak scaling" in html and "Strong" not in html
    assert [row[-1] for row in nested(html).rows[1:]] == ["100 %", "90 %", "81 %", "73 %"]


def test_what_does_not_scale_is_refused(tmp_path):
    with pytest.raises(weft.Error, match=r"1 number\(s\) of cores"):
        plot.scaling([made.write(tmp_path / "b.json", [made.bench(), made.bench((9, 9, 9))])])
    for text, message in (("[]", "an empty array"), ("[1]", "no array of objects"), ('[{"extents": [8]}]', "no result of a benchmark: result 0 of b.json"),
                          ('[{"extents": [8, NaN], "forward_seconds": 1}]', "'extents' is"), ("[{", "ends too early")):  # fmt: skip
        (tmp_path / "b.json").write_text(text)
        with pytest.raises(weft.Error, match=message):
            plot.scaling([tmp_path / "b.json"])
    not_a_number = made.bench(ranks=4)
    not_a_number["forward_seconds"]["median"] = math.nan
    path = made.write(tmp_path / "b.json", [made.bench(ranks=1), made.bench(ranks=2), not_a_number])
    assert "1 results without a time or a speed are left out" in plot.scaling([path]).html()


# comparisons

def test_a_comparison_puts_times_on_one_axis(tmp_path):
    peers = {"weft": {"min": 0.9e-3, "median": 1e-3, "max": 1.2e-3}, "fftw-mpi": {"min": 8e-3, "median": 1e-2, "max": 2e-2}}
    cases = [{"extents": [64, 64], "kind": "c2c", "precision": "double", "output": "same", "times": peers},
             {"extents": [128, 64], "kind": "c2c", "precision": "double", "output": "same", "times": {"weft": {"median": 0.1}, "fftw-mpi": None}}]
    html = plot.compare([made.write(tmp_path / "c.json", cases)]).html()
    rows = nested(html).rows
    assert rows == [["problem", "weft", "fftw-mpi"], ["64×64", "1 ms (1.00)", "10 ms (10.00)"], ["128×64", "100 ms (1.00)", "—"]]
    assert "The same for all: c2c double output same." in html and "1 times that are no positive numbers" in html
    x = {each.find("{http://www.w3.org/2000/svg}title").text.split(" (")[0]: numbers(each, "cx")[0] for each in all_of(pictures(html)[0], "circle")}
    assert x["128×64: weft 100 ms"] - x["64×64: fftw-mpi 10 ms"] == pytest.approx(x["64×64: fftw-mpi 10 ms"] - x["64×64: weft 1 ms"], abs=0.02)


def test_files_and_plans_are_compared(tmp_path):
    before, after = (made.write(tmp_path / f"{name}.json", [made.bench(seconds=s)]) for name, s in (("before", 0.2), ("after", 0.1)))
    assert nested(plot.compare([before, after]).html()).rows[1][1:] == ["100 ms (1.00)", "200 ms (2.00)"]
    (tmp_path / "old").mkdir()
    same_name = made.write(tmp_path / "old" / "after.json", [made.bench(seconds=0.4)])
    rows = nested(plot.compare([after, same_name]).html()).rows
    assert rows[0][1:] == [str(after), str(same_name)] and rows[1][1:] == ["100 ms (1.00)", "400 ms (4.00)"]
    plan = {"problem": "64x64x64 c2c", "ranks": 4, "machine": "m", "strategy": "fftw | a", "predicted_seconds": 0.02,
            "others": [{"strategy": "fftw | b", "predicted_seconds": 0.03}]}
    rows = nested(plot.compare([made.write(tmp_path / "p.json", [plan])]).html()).rows
    assert rows == [["problem", "fftw | a", "fftw | b"], ["64x64x64 c2c on 4 ranks", "20 ms (1.00)", "30 ms (1.50)"]]
    with pytest.raises(weft.Error, match="without the sizes"):
        plot.compare([made.write(tmp_path / "x.json", [{"kind": "c2c"}])])


# the command line

def test_the_command_writes_a_page(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made.write(tmp_path / "t.json", made.trace())
    assert main(["trace", "t.json"]) == 0 and capsys.readouterr().out == "wrote t-trace.html\n"
    assert (tmp_path / "t-trace.html").read_text() == plot.trace("t.json").html()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["t-trace.html", "t.json"]
    assert main(["trace", "none.json"]) == 2 and "weft: cannot read 'none.json': No such file" in capsys.readouterr().err
    assert main(["trace", "t.json", "--out", "."]) == 2 and "it is a folder" in capsys.readouterr().err
    assert main(["trace", "t.json", "--out", "./t.json"]) == 2 and "would be written, and is read" in capsys.readouterr().err
    assert main(["trace", "t.json", "--width", "3"]) == 2 and "--width is 3" in capsys.readouterr().err
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["trace", "t.json", "--png", "t.png"]) == 2 and "no Chromium on PATH" in capsys.readouterr().err
    assert main(["machine", "64x64x64", "--ranks", "8", "--program", "none"]) == 2 and "no program 'none'" in capsys.readouterr().err
    for wrong in (["trace", "t.json", "--axes", "3"], ["spectrum", "t.json", "--slope=steep"], ["spectrum", "t.json", "--slope=1/0"], ["lace", "t.json"], []):
        with pytest.raises(SystemExit) as ended:
            main(wrong)
        assert ended.value.code == 2


def test_python_finds_the_command():
    package = str(next(iter(weft.__path__)) + "/..")
    done = subprocess.run([sys.executable, "-m", "weft", "plot", "--help"], capture_output=True, text=True, env={"PYTHONPATH": package}, check=False)
    assert done.returncode == 0 and "python -m weft plot trace trace.json" in done.stdout
    alone = subprocess.run([sys.executable, "-m", "weft"], capture_output=True, text=True, env={"PYTHONPATH": package}, check=False)
    assert alone.returncode == 2 and alone.stdout.startswith("Usage: python -m weft plot")


# what files may have

def leaves(value, path=()):
    """The places of all values within a value of JSON, also of lists and objects."""
    if path:
        yield path
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield from leaves(child, (*path, key))


PEERS = [{"extents": [64, 64], "kind": "c2c", "precision": "double", "machine": {"model": "m"}, "times": {"weft": {"min": 1.0, "median": 2.0, "max": 3.0}}}]
PLAN = [{"problem": "64x64", "ranks": 4, "machine": "m", "strategy": "a", "predicted_seconds": 0.02, "others": [{"strategy": "b", "predicted_seconds": 0.03}]}]


@pytest.mark.parametrize("draw, value", [
    (lambda path: plot.trace(path), made.trace(items=1)), (lambda path: plot.scaling([path]), [made.bench(), made.bench(ranks=4)]),
    (lambda path: plot.roofline(path, bandwidth=1e9), [made.bench()]), (lambda path: plot.compare([path]), [made.bench()]),
    (lambda path: plot.compare([path]), PEERS), (lambda path: plot.compare([path]), PLAN), (lambda path: plot.roofline(made.write(path.with_name("b.json"), [made.bench()]), path), made.doctor()),
], ids=["trace", "scaling", "roofline", "bench", "peers", "plan", "doctor"])  # fmt: skip
def test_any_value_in_any_place_is_drawn_or_refused(tmp_path, draw, value):
    places, text = list(leaves(value)), json.dumps(value)
    random = np.random.default_rng(11)
    drawn = 0
    for place in [places[i] for i in random.permutation(len(places))[:12]]:
        for strange in (None, "<b>", -1, math.nan, 1e300, [], {}, True):
            changed = json.loads(text)
            inner = changed
            for key in place[:-1]:
                inner = inner[key]
            inner[place[-1]] = strange
            try:
                html = draw(made.write(tmp_path / "v.json", changed)).html()
            except weft.Error:
                continue
            drawn += 1
            wrong = re.search(r' (?:[xydr]|c[xy]|[xy][12]|width|height|points|viewBox)="[^"]*(?:nan|inf|e[-+]\d)', html)
            assert "<b>" not in html and not wrong, (place, strange, wrong)
    assert drawn > 0
