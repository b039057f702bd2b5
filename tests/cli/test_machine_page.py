# tests/cli/test_machine_page: `weft place --page` and `--marks` - nodes, loads of links beside independent sums, every shape of
# networks, and wrong input.
import json
import re
import sys
from collections import defaultdict
from itertools import product
from pathlib import Path

import pytest

from conftest import ALONE, PROGRAM
from pages import by_class, outline, pictures, title

LINK = {"link_bytes_per_second": 1e9, "link_latency_seconds": 1e-6}
DRAGONFLY = {"shape": "dragonfly", "groups": 5, "chassis_of_group": 2, "routers_of_chassis": 3, "nodes_of_router": 3,
             "links_between_groups": 1, "links_between_chassis": 1, "links_between_routers": 1, **LINK}


def write_machine(weft, network, ranks_per_node=1):
    machine = json.loads(weft("plan", "--print-machine", "blue-gene-l").out)
    machine |= {"name": "<m>", "ranks_per_node": ranks_per_node, "network": network}
    (weft.folder / "machine.json").write_text(json.dumps(machine))


def place(weft, *arguments, machine="machine.json"):
    """The text of the page, the picture of the machine, and what was placed."""
    weft("place", *arguments, "--machine", machine, "--page", "page.html", "--json", "place.json")
    page = (weft.folder / "page.html").read_text()
    [picture] = [each for each in pictures(page) if each.get("class") == "machine"]
    return page, picture, json.loads((weft.folder / "place.json").read_text())


def drawn_nodes(picture):
    nodes = by_class(picture, "node")
    assert [int(node.get("data-node")) for node in nodes] == list(range(len(nodes)))
    return nodes


def torus_route(extents, start, end):
    """The links that a message passes: along each dimension the shorter way; where both are equal, upwards from even coordinates."""
    here, step = start, 1
    for extent in extents:
        a, b = here // step % extent, end // step % extent
        up = (b - a) % extent
        goes_up = a % 2 == 0 if 2 * up == extent else 2 * up < extent
        for _ in range(up if goes_up else (a - b) % extent):
            there = (a + (1 if goes_up else -1)) % extent
            following = here + (there - a) * step
            yield here, following
            here, a = following, there
        step *= extent
    assert here == end


def boxes(extents, parts):
    """What each rank of a process grid has, the last axis counted fastest."""
    for at in product(*map(range, parts)):
        yield [(n * i // p, n * (i + 1) // p) for n, i, p in zip(extents, at, parts)]


def volume(a, b):
    size = 1
    for (low, high), (other_low, other_high) in zip(a, b):
        size *= max(0, min(high, other_high) - max(low, other_low))
    return size


def messages(extents, grids):
    """From rank, to rank, bytes, of the exchanges between these process grids of complex doubles."""
    for before, after in zip(grids, grids[1:]):
        for (i, mine), (j, theirs) in product(enumerate(boxes(extents, before)), enumerate(boxes(extents, after))):
            size = 16 * volume(mine, theirs)
            if i != j and size > 0:
                yield i, j, size


def test_loads_are_those_of_the_messages_on_their_routes(weft):
    torus = [4, 3, 2]
    write_machine(weft, {"shape": "torus", "extents": torus, **LINK})
    extents, grids = (12, 24, 24), [(3, 4, 1), (3, 1, 4), (1, 3, 4)]
    strategy = "fftw | from 3x4x1 | fft 2 | p2p to 3x1x4 | fft 1 | p2p to 1x3x4 | fft 0"
    page, picture, told = place(weft, "12x24x24", "--ranks", 12, "--strategy", strategy)
    assert told["strategy"] == strategy
    places = told["placements"][0]["places"]
    links, sent = defaultdict(int), defaultdict(int)
    for i, j, size in messages(extents, grids):
        sent[places[i]] += size
        for link in torus_route(torus, places[i], places[j]):
            links[link] += size
    drawn = defaultdict(int)
    for wire in by_class(picture, "link"):
        if title(wire):
            ends = re.match(r"from node (\d+) \(.*?\) to node (\d+) ", title(wire))
            drawn[int(ends[1]), int(ends[2])] += int(wire.get("data-bytes"))
    assert drawn == links
    busiest = max(links.values())
    assert f"{busiest / 1e6:.3f} ms at 1 GB/s" in page
    for number, node in enumerate(drawn_nodes(picture)):
        over = sum(size for (start, _), size in links.items() if start == number)
        assert (number in places) == ("chosen" in node.get("class"))
        if number in places:
            assert f"rank {places.index(number)}, which send {sent[number] / 1e3:.3g} kB" in title(node)
        step = f"k{min(7, 8 * over // max_over(links))}" if over else "node"
        assert step in node.get("class").split()


def max_over(links):
    over = defaultdict(int)
    for (start, _), size in links.items():
        over[start] += size
    return max(over.values())


def test_nodes_are_marked_by_what_they_are(weft):
    write_machine(weft, {"shape": "torus", "extents": [8, 8], **LINK}, ranks_per_node=2)
    (weft.folder / "marks").write_text("# a comment\n0-7, 16: service\n\n 60-62 : empty \n40-47: big\n")
    page, picture, told = place(weft, "32x32x32", "--ranks", 31, "--free", "8-15,17-47", "--marks", "marks")
    places = told["placements"][0]["places"]
    assert len(places) == 16
    colours = set()
    for number, node in enumerate(drawn_nodes(picture)):
        classes, words = node.get("class").split(), title(node)
        assert words.startswith(f"node {number} ({number % 8}, {number // 8})")
        assert ("taken" in classes) == (number not in places and not (8 <= number <= 47 and number != 16))
        assert (", service" in words) == (number < 8 or number == 16) == ("m1" in classes)
        assert (", empty" in words) == (60 <= number <= 62) == ("m2" in classes)
        assert (", big" in words) == (40 <= number <= 47) == ("m3" in classes)
        if number in places:
            i = places.index(number)
            assert (f"ranks {2 * i}-{2 * i + 1}," if i < 15 else "rank 30,") in words
            colours.add(node.get("style"))
        else:
            assert (": not free" if "taken" in classes else ": free") in words
    assert len(colours) == 16
    legend = "".join(outline(page).texts)
    assert "16 nodes of the job" in legend and "9 service, not free" in legend and "3 empty, not free" in legend
    assert "&lt;m&gt;" in page and "<m>" not in page


def test_the_page_has_the_placements_and_the_strategy(weft):
    page, _, told = place(weft, "64x64x64", "--ranks", 64, machine="blue-gene-l")
    read = outline(page)
    [table] = [table for table in read.tables if table[0] == ["nodes", "order of ranks", "links, ms", "all, ms"]]
    assert table[1:] == [[each["nodes"], each["order"], f"{1e3 * each['link_seconds']:.3f}", f"{1e3 * each['predicted_seconds']:.3f}"]
                         for each in told["placements"]]
    [stages] = [table for table in read.tables if table[0][0] == "stage"]
    assert sum(float(row[3]) for row in stages[1:] if row[3] != "-") == pytest.approx(float(table[1][2]), abs=2e-3)
    texts = "".join(read.texts)
    assert told["strategy"] in texts and "blue-gene-l" in texts and "torus 8x8x8" in texts
    assert {"by-rank", "by-load"} == set(read.ids)


def test_a_large_machine_has_a_small_page(weft):
    page, picture, told = place(weft, "96x96x96", "--ranks", 384, "--free", "0-3,40-47,400-419", machine="shaheen-ii")
    assert len(page) < 2e6
    assert len(drawn_nodes(picture)) == 18 * 6 * 16 * 4
    assert len(by_class(picture, "switch")) == 18 * 6 * 16
    chosen = [int(node.get("data-node")) for node in by_class(picture, "chosen")]
    assert chosen == sorted(told["placements"][0]["places"])
    outline(page)


def test_the_map_of_groups_has_what_goes_between_them(weft):
    write_machine(weft, DRAGONFLY, ranks_per_node=2)
    strategy = "fftw | from 3x4x1 | fft 2 | p2p to 3x1x4 | fft 1 | p2p to 1x3x4 | fft 0"
    page, _, told = place(weft, "12x24x24", "--strategy", strategy, "--free", "0-1,20,40-42")
    places = told["placements"][0]["places"]
    between = defaultdict(int)
    for i, j, size in messages((12, 24, 24), [(3, 4, 1), (3, 1, 4), (1, 3, 4)]):
        between[places[i // 2] // 18, places[j // 2] // 18] += size
    expected = {pair: f"{size / 1e3:.3g}" for pair, size in between.items() if pair[0] != pair[1]}
    [groups] = [each for each in pictures(page) if each.get("class") == "map"]
    cells = [re.fullmatch(r"from group (\d) to (\d): (.*) kB", title(cell)) for cell in groups.iter("rect")]
    assert {(int(cell[1]), int(cell[2])): cell[3] for cell in cells} == expected
    assert len(expected) == 6
    # Each pair of groups has a link of its own.
    tables = {table[0][0]: table for table in outline(page).tables}
    [row] = [row for row in tables["links"] if row[0] == "between groups"]
    assert row[1:3] == ["20", "6"]
    most = max(map(float, expected.values()))
    assert any(re.fullmatch(r"from router \d of .* of group (\d) to router \d of .* of group (?!\1)\d", words) and size == f"{most:.3g} kB"
               for words, size, _ in tables["busiest of each kind"])


SHAPES = {
    "ring": ({"shape": "torus", "extents": [7], **LINK}, 7, 14),
    "line": ({"shape": "torus", "extents": [5], "wraps": [False], **LINK}, 5, 8),
    "rows": ({"shape": "torus", "extents": [100], **LINK}, 100, 200),
    "pair": ({"shape": "torus", "extents": [2], **LINK}, 2, 4),
    "one": ({"shape": "torus", "extents": [1], **LINK}, 1, 0),
    "plane": ({"shape": "torus", "extents": [6, 2], "wraps": [True, False], **LINK}, 12, 36),
    "cube": ({"shape": "torus", "extents": [3, 4, 5], **LINK}, 60, 360),
    "four": ({"shape": "torus", "extents": [3, 2, 4, 2], **LINK}, 48, 384),
    "five": ({"shape": "torus", "extents": [2, 3, 2, 2, 3], **LINK}, 72, 576),
    "huge": ({"shape": "torus", "extents": [20, 20, 20], **LINK}, 8000, 0),
    "tree": ({"shape": "fat_tree", "children_of_levels": [4, 3], "parents_of_levels": [2, 2], "parallel_links_of_levels": [1, 1], **LINK},
             12, 2 * (24 + 12)),
    "pods": ({"shape": "fat_tree", "children_of_levels": [24, 12], "parents_of_levels": [1, 6], "parallel_links_of_levels": [1, 1], **LINK},
             288, 2 * 72),
    "wide": ({"shape": "fat_tree", "children_of_levels": [16, 16, 8], "parents_of_levels": [1, 8, 8], "parallel_links_of_levels": [1] * 3,
              **LINK}, 2048, 0),
    "dragonfly": (DRAGONFLY, 90, 0),
    "crossbar": ({"shape": "crossbar", "nodes": 9, **LINK}, 9, 18),
    "two": ({"shape": "crossbar", "nodes": 2, **LINK}, 2, 4),
    "large crossbar": ({"shape": "crossbar", "nodes": 9000, **LINK}, 9000, 0),
    "graph": ({"shape": "graph", "nodes": 6, "switches": 3, "cables": [{"from": i, "to": 6 + i // 2, **LINK} for i in range(6)]
               + [{"from": 6, "to": 7, **LINK}, {"from": 7, "to": 8, **LINK}]}, 6, 16),
    "bare graph": ({"shape": "graph", "nodes": 3, "switches": 0, "cables": [{"from": 0, "to": 1, **LINK}, {"from": 1, "to": 2, **LINK}]}, 3, 4),
    "large graph": ({"shape": "graph", "nodes": 200, "switches": 1, "cables": [{"from": i, "to": 200, **LINK} for i in range(200)]}, 200, 0),
}


@pytest.mark.parametrize("name", SHAPES)
def test_every_shape_is_drawn_without_overlaps(weft, name):
    network, count, wires = SHAPES[name]
    write_machine(weft, network)
    page, picture, told = place(weft, "16x16x16", "--ranks", min(count, 30))
    outline(page)
    nodes = drawn_nodes(picture)
    assert len(nodes) == count and len(by_class(picture, "chosen")) == min(count, 30)
    left, top, width, height = map(float, picture.get("viewBox").split())
    corners = []
    for node in nodes:
        x, y, side, other = (float(node.get(part)) for part in ("x", "y", "width", "height"))
        assert side == other > 4
        assert left <= x and x + side <= left + width + 0.1 and top <= y and y + side <= top + height + 0.1
        corners.append((x, y, side))
    corners.sort()
    for i, (x, y, side) in enumerate(corners):
        for other_x, other_y, _ in corners[i + 1:]:
            if other_x >= x + side - 0.1:
                break
            assert abs(other_y - y) >= side - 0.1, (x, y, other_x, other_y)
    assert len(by_class(picture, "link")) == wires
    loaded = [wire for wire in by_class(picture, "link") if title(wire)]
    assert bool(loaded) == (wires > 0)
    for wire in by_class(picture, "link"):
        at = [float(number) for number in re.findall(r"-?[\d.]+", wire.get("d"))]
        assert all(left - 0.1 <= x <= left + width + 0.1 for x in at[::2])
        assert all(top - 0.1 <= y <= top + height + 0.1 for y in at[1::2])
    # Every link belongs to a kind.
    [kinds] = [table for table in outline(page).tables if table[0][0] == "links"]
    assert count == 1 or sum(int(row[2]) for row in kinds[1:]) > 0


ALL = ["16x16x16", "--ranks", "4", "--machine", "blue-gene-l"]


@pytest.mark.parametrize("lines, part", [
    ("0: service\nservice", "line 2 of 'marks' is 'service', not NODES: WORD"),
    ("0-3 service", "line 1 of 'marks' is '0-3 service', not NODES: WORD"),
    ("0: two words", "line 1 of 'marks' is '0: two words', not NODES: WORD"),
    ("0:", "line 1 of 'marks' is '0:', not NODES: WORD"),
    (": empty", "line 1 of 'marks' is '', not integers joined by commas"),
    ("\n\n1,x: empty", "line 3 of 'marks' is 'x', not integers joined by commas"),
    ("510-512: empty", "line 1 of 'marks': node 512 is marked, but the network has 512"),
    ("5-3: empty", "line 1 of 'marks' has the range '5-3', which is empty"),
    ("0-7: big\n3: empty", "line 2 of 'marks' marks node 3, which line 1 has marked"),
    ("0: a\n1: b\n2: c\n3: d\n4: e\n5: f", "line 6 of 'marks' has the word 'f' after compute, a, b, c, d, e"),
])
def test_wrong_marks_are_one_error(weft, lines, part):
    (weft.folder / "marks").write_text(lines + "\n")
    assert part in weft.fails("place", *ALL, "--marks", "marks", "--page", "page.html")


def test_nodes_that_cannot_compute_are_not_free(weft):
    (weft.folder / "marks").write_text("0-3: service\n8: empty\n9: big\n")
    said = weft.fails("place", *ALL, "--free", "2-20", "--marks", "marks")
    assert "3 of the free nodes cannot compute: 2 (service), 3 (service), 8 (empty)" in said
    (weft.folder / "marks").write_text("0-99: empty\n")
    said = weft.fails("place", *ALL, "--free", "0-200", "--marks", "marks")
    assert "100 of the free nodes cannot compute: 0 (empty), 1 (empty)" in said and "7 (empty), ...\n" in said
    # Unless told, all others are free.
    weft("place", *ALL, "--marks", "marks", "--json", "place.json")
    for each in json.loads((weft.folder / "place.json").read_text())["placements"]:
        assert min(each["places"]) >= 100


@pytest.mark.parametrize("arguments, part", [
    (["--marks", "nowhere"], "cannot read 'nowhere'"),
    (["--marks", "."], "'.' is no file"),
    (["--page", "nowhere/page.html"], "cannot write 'nowhere/page.html'"),
    (["--free", "7-5"], "--free has the range '7-5', which is empty"),
])
def test_wrong_input_is_one_error(weft, arguments, part):
    assert part in weft.fails("place", *ALL, *arguments)


def test_a_network_of_too_many_nodes_is_not_drawn(weft):
    write_machine(weft, {"shape": "torus", "extents": [300, 300], **LINK})
    said = weft.fails("place", "16x16x16", "--ranks", 4, "--free", "0-9", "--machine", "machine.json", "--page", "page.html")
    assert "a page would have to show 90000 nodes and switches, more than 65536" in said


def test_python_has_weft_place_draw_it(weft):
    job = ["64x64x64", "--ranks", "60", "--machine", "blue-gene-l", "--free", "0-40,60-150"]
    weft("place", *job, "--page", "page.html")
    plot = [sys.executable, "-m", "weft", "plot", "machine", *job, "--program", PROGRAM]
    package = str(Path(__file__).resolve().parents[2] / "python")
    ended = weft.start([*plot, "--out", "same.html"], PYTHONPATH=package, **ALONE)
    assert (ended.status, ended.out) == (0, "wrote same.html\n"), ended.err
    assert (weft.folder / "same.html").read_text() == (weft.folder / "page.html").read_text()
    ended = weft.start([*plot, "--ranks", "0"], PYTHONPATH=package, **ALONE)
    assert ended.status == 2 and ended.err.startswith("weft: ") and "try:" in ended.err, ended.err
