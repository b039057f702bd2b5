# tests/cli/test_doctor: `weft doctor` - files that other commands read, pages without a network, and wrong input.
# Times on a busy machine say nothing, so that no test compares any.
import json
import re

import pytest

PARTS = {"weft", "seconds", "machine", "job", "memory", "engines", "messages", "passes", "overlap", "devices", "findings", "thresholds"}


def doctor(weft, *arguments, ranks=0):
    ended = weft("doctor", "--seconds", 0.3, *arguments, "--json", "doctor.json", ranks=ranks)
    return ended.out, json.loads((weft.folder / "doctor.json").read_text())


def is_complete(told):
    """Whether there was time for all, which a machine may be too busy for; then it is said."""
    return "cut_short" not in [finding["name"] for finding in told["findings"]]


def numbers(value):
    if isinstance(value, dict):
        return [number for each in value.values() for number in numbers(each)]
    if isinstance(value, list):
        return [number for each in value for number in numbers(each)]
    return [value] if isinstance(value, (int, float)) and not isinstance(value, bool) else []


@pytest.mark.parametrize("ranks", [0, 2, 3])
def test_predictions_take_the_machine_that_was_measured(weft, ranks):
    out, told = doctor(weft, "--machine-file", "machine.json", "--name", "here", ranks=ranks)
    machine = json.loads((weft.folder / "machine.json").read_text())
    assert told["machine"] == machine and machine["name"] == "here" and "'here'" in out
    # What makes figures wrong goes with them.
    spoils = {"oversubscribed", "same_core", "busy", "cut_short", "small_arrays"}
    assert machine.pop("findings", []) == [finding for finding in told["findings"] if finding["name"] in spoils]
    assert all(0 < number < 1e18 for number in numbers(machine))
    assert machine["ranks_per_node"] == max(ranks, 1) and machine["network"]["nodes"] == 1
    assert weft("plan", "--print-machine", "machine.json").out.strip() == (weft.folder / "machine.json").read_text().strip()
    weft("plan", "16x16x16", "--machine", "machine.json")


def test_the_report_has_all_that_was_measured(weft):
    out, told = doctor(weft, ranks=3)
    assert set(told) == PARTS
    assert [place["rank"] for place in told["job"]["places"]] == [0, 1, 2]
    assert [speed["points"] for speed in told["engines"][0]["speeds"]] == [16, 32, 64, 128, 256, 512, 1024, 2048, 4096]
    # Other lines are those of the default engine, which predictions take.
    others = {"real_rows_seconds_per_point", "single_rows_seconds_per_point", "single_columns_seconds_per_point"}
    for number, engine in enumerate(told["engines"]):
        for speed in engine["speeds"]:
            assert others & set(speed) == (others if number == 0 else set())
    for speed, of in zip(told["engines"][0]["speeds"], told["machine"]["transforms"], strict=True):
        assert of.get("real_part", 0.5) == pytest.approx(speed["real_rows_seconds_per_point"] / speed["rows_seconds_per_point"])
    messages = told["messages"]
    pairs, sizes = [[0, 1], [0, 2], [1, 2]], [2**power for power in range(10, 23)]
    complete = is_complete(told)
    assert [pair["ranks"] for pair in messages["pairs"]] == (pairs if complete else pairs[:len(messages["pairs"])])
    curves = {curve["name"]: curve["sizes"] for curve in messages["bandwidth_by_size"]}
    assert set(curves) == {"pair on a node", "MPI_Alltoall", "MPI_Alltoallv"}
    measured = [size["bytes"] for size in curves["pair on a node"]]
    assert measured and measured == (sizes if complete else sizes[:len(measured)])
    assert not complete or {each["progress"] for each in told["overlap"]} >= {"inline", "tiles"}
    assert not complete or [each["name"] for each in told["passes"]["passes"]]
    devices = told["devices"]
    assert devices["driver"] or devices["why_none"] in out
    assert all(re.search(rf"{re.escape(device['name'])} +\d", out) for device in devices.get("speeds", []))
    for finding in told["findings"]:
        assert f"- {finding['name']}: {finding['what']}" in out and finding["mend"] in out
    assert all(each["reason"] for each in told["thresholds"])


def test_pretended_nodes_are_measured_as_nodes(weft):
    out, told = doctor(weft, "--node-size", 2, ranks=3)
    assert told["machine"]["network"]["nodes"] == 2 and told["machine"]["ranks_per_node"] == 2
    assert [pair["share_node"] for pair in told["messages"]["pairs"]] in ([True, False, False], *([] if is_complete(told) else [[True, False]]))
    assert all(pair["share_host"] for pair in told["messages"]["pairs"])
    # At most all of the time in which a rank sends and receives what it can.
    machine = told["machine"]
    handled = machine.get("message_seconds_per_byte", 0) * 2 * machine["network"]["link_bytes_per_second"] / machine["ranks_per_node"]
    assert 0 <= handled <= 1 + 1e-9
    speeds = machine["message_speeds"]
    # On a busy machine the largest ones would take too long; then the link tells what 1 MiB makes of it.
    sizes, all_sizes = [speed["message_bytes"] for speed in speeds], [2**power for power in range(12, 23)]
    measured = sizes if sizes == all_sizes[:len(sizes)] else sizes[:-1]
    assert measured and measured == all_sizes[:len(measured)]
    if measured != sizes:
        assert sizes[-1] == 2**20 > measured[-1]
        assert speeds[-1]["node_bytes_per_second"] == machine["network"]["link_bytes_per_second"]
    assert max(speed["node_bytes_per_second"] for speed in speeds) <= machine["network"]["link_bytes_per_second"]
    assert re.search(r"between nodes, both ways at once: at best [\d.]+ GB/s a node, of \d+ sizes up to ", out)
    # On a busy machine, arithmetic may by chance take no longer beside messages than alone.
    lost = r"at the full rate, it cannot compute for \d+% of the time" if handled > 0 else "no time was measured in which a rank that sends to and receives from other nodes cannot compute"
    assert re.search(lost, out)


def test_more_ranks_than_processors_are_found(weft):
    processors = len(doctor(weft)[1]["job"]["places"][0]["processors"])
    if processors > 6:
        pytest.skip(f"{processors} processors would need as many ranks")
    out, told = doctor(weft, ranks=processors + 1)
    assert "oversubscribed" in [finding["name"] for finding in told["findings"]]
    assert "they take turns" in out


def test_the_page_needs_nothing_else(weft):
    doctor(weft, "--html", "doctor.html", "--name", "<&\">", ranks=2)
    page = (weft.folder / "doctor.html").read_text()
    assert not re.search(r"https?://|<script|<link|<img|@import|url\(", page)
    assert page.count("<svg") == 4 and page.count("</svg>") == 4
    assert "&lt;&amp;&quot;&gt;" in page and "<&" not in page
    for tag in "section", "table", "main", "svg", "div", "tr":
        assert len(re.findall(f"<{tag}[ >]", page)) == page.count(f"</{tag}>"), tag


WRONG = [
    (["--seconds", "0"], "the machine cannot be measured in 0 seconds"),
    (["--seconds=-1"], "the machine cannot be measured in -1 seconds"),
    (["--seconds", "nan"], "the machine cannot be measured in nan seconds"),
    (["--seconds", "1e9"], "give more than 0 and at most 3600"),
    (["--seconds", "long"], "--seconds"),
    (["--threads", "-1"], "--threads is -1"),
    (["--node-size", "0"], "--node-size is '0'"),
    (["--json", "nowhere/doctor.json"], "cannot write 'nowhere/doctor.json'"),
    (["--machine-file", "."], "cannot write '.'"),
    (["more"], "more"),
]


@pytest.mark.parametrize("ranks", [0, 2])
def test_wrong_input_is_one_error(weft, ranks):
    for arguments, part in WRONG:
        assert part in weft.fails("doctor", *arguments, ranks=ranks)
