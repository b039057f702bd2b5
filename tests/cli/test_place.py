# tests/cli/test_place: `weft place` - orders of ranks by predicted time, files for launchers, and wrong input.
import json

import pytest

ALL = ["64x64x64", "--ranks", "64", "--machine", "blue-gene-l"]


def placed(weft, *arguments):
    ended = weft.run("place", *arguments, "--json", "place.json")
    assert ended.status == 0, ended.err
    return json.loads((weft.folder / "place.json").read_text())


def test_placements_are_sorted_and_the_search_is_never_worse(weft):
    told = placed(weft, *ALL)
    seconds = [each["predicted_seconds"] for each in told["placements"]]
    assert seconds == sorted(seconds)
    links = {(each["nodes"], each["order"]): each["link_seconds"] for each in told["placements"]}
    [searched] = [value for (_, order), value in links.items() if order == "search"]
    assert searched == min(links.values())
    for each in told["placements"]:
        assert len(set(each["places"])) == 64 and all(0 <= node < 512 for node in each["places"])
    assert {nodes for nodes, _ in links} == {"first free", "random", "connected", "uncrowded"}
    # `weft plan` says the same of the same nodes.
    first = next(each for each in told["placements"] if (each["nodes"], each["order"]) == ("random", "launched"))
    weft.run("plan", *ALL, "--nodes", ",".join(map(str, first["places"])), "--strategy", told["strategy"], "--json", "plan.json")
    [plan] = json.loads((weft.folder / "plan.json").read_text())
    assert plan["predicted_seconds"] == first["predicted_seconds"]


def test_only_free_nodes_are_used(weft):
    told = placed(weft, "32x32x32", "--ranks", "4", "--machine", "blue-gene-l", "--free", "5-7,100,300-301")
    for each in told["placements"]:
        assert set(each["places"]) <= {5, 6, 7, 100, 300, 301}


@pytest.mark.parametrize("form", ["openmpi", "mpich", "slurm", "cray", "torus"])
def test_files_for_launchers_say_the_best_order(weft, form):
    machine = json.loads(weft.run("plan", "--print-machine", "blue-gene-l").out)
    machine["ranks_per_node"] = 2
    machine["network"]["extents"] = [4, 2]
    (weft.folder / "machine.json").write_text(json.dumps(machine))
    (weft.folder / "hosts").write_text("".join(f"h{node}\n" for node in range(8)))
    told = placed(weft, "16x16x16", "--machine", "machine.json", "--write", form, "--file", "ranks", "--hosts", "hosts")
    places = told["placements"][0]["places"]
    lines = (weft.folder / "ranks").read_text().splitlines()
    nodes = [places[rank // 2] for rank in range(16)]
    assert lines == {
        "openmpi": [f"rank {rank}=h{nodes[rank]} slot={rank % 2}" for rank in range(16)],
        "mpich": [f"h{node}:2" for node in places],
        "slurm": [f"h{node}" for node in nodes],
        "cray": [",".join(str(rank) for rank in sorted(range(16), key=lambda rank: nodes[rank]))],
        "torus": [f"{node % 4} {node // 4} {rank % 2}" for rank, node in enumerate(nodes)],
    }[form]


@pytest.mark.parametrize("ranks, cores, slots", [
    (2, 8, ["0-3", "4-7"]),
    (3, 8, ["0-1", "2-3", "4-5"]),
    (2, 2, ["0", "1"]),
    (2, 3, ["0", "1"]),
    (4, 2, ["0", "1", "0", "1"]),
])
def test_ranks_are_bound_to_all_cores_that_they_have(weft, ranks, cores, slots):
    machine = json.loads(weft.run("plan", "--print-machine", "two-hosts-1g").out)
    machine |= {"ranks_per_node": ranks, "cores_per_node": cores}
    (weft.folder / "machine.json").write_text(json.dumps(machine))
    placed(weft, "8x8x8", "--ranks", str(ranks), "--machine", "machine.json", "--free", "1", "--write", "openmpi", "--file", "ranks")
    lines = (weft.folder / "ranks").read_text().splitlines()
    assert lines == [f"rank {rank}=node1 slot={slot}" for rank, slot in enumerate(slots)]


def test_a_file_of_hosts_may_have_blanks_and_line_ends_of_windows(weft):
    (weft.folder / "hosts").write_text("".join(f"h{node} \r\n" for node in range(64)) + "\n\n")
    ended = weft.run("place", "8x8x8", "--ranks", "32", "--write", "mpich", "--file", "ranks", "--hosts", "hosts")
    assert ended.status == 0, ended.err
    assert (weft.folder / "ranks").read_text() == "h0:16\nh1:16\n"


def test_the_order_of_a_cray_has_no_gap_before_its_last_node(weft):
    machine = json.loads(weft.run("plan", "--print-machine", "blue-gene-l").out)
    machine["ranks_per_node"] = 4
    machine["network"]["extents"] = [8]
    (weft.folder / "machine.json").write_text(json.dumps(machine))
    job = ["8x8x8", "--ranks", "6", "--machine", "machine.json", "--swaps", "0", "--write", "cray", "--file", "ranks"]
    ended = weft.run("place", *job, "--free", "0,1")
    assert ended.status == 0, ended.err
    assert (weft.folder / "ranks").read_text() == "0,1,2,3,4,5\n"
    (weft.folder / "ranks").unlink()
    ended = weft.run("place", *job, "--free", "1,0", "--json", "place.json")
    assert ended.status == 2
    assert "this order has 2 ranks on node 0, and 4 on node 1" in ended.complaints[0]
    assert not (weft.folder / "ranks").exists() and not (weft.folder / "place.json").exists()


def test_jobs_on_very_many_free_nodes_are_placed_within_seconds(weft):
    machine = json.loads(weft.run("plan", "--print-machine", "blue-gene-l").out)
    machine["network"]["extents"] = [64, 64, 32]
    (weft.folder / "machine.json").write_text(json.dumps(machine))
    told = placed(weft, "32x32x32", "--ranks", "32", "--machine", "machine.json", "--free", "5-131071")
    for each in told["placements"]:
        assert len(set(each["places"])) == 32 and min(each["places"]) >= 5


@pytest.mark.parametrize("arguments, part", [
    (["8x8x8", "--ranks", "-1"], "--ranks is -1"),
    ([*ALL, "--effort", "measure"], "--effort has no meaning for predictions"),
    ([*ALL, "--free", "0-62"], "64 ranks need 64 nodes, and 63 are free"),
    ([*ALL, "--free", "0-512"], "node 512 is free, but the network has 512"),
    ([*ALL, "--free", "0,x"], "--free"),
    ([*ALL, "--free", "0-62,3"], "node 3 is taken twice"),
    ([*ALL, "--write", "mpich"], "--write and --file belong together"),
    ([*ALL, "--write", "lsf", "--file", "ranks"], "there is no form 'lsf' of rank files"),
    (["8x8x8", "--ranks", "4", "--write", "torus", "--file", "ranks"], "is a crossbar of 64 nodes, not a torus"),
    ([*ALL, "--hosts", "few"], "'few' has 1 lines for 512 nodes"),
    ([*ALL, "--hosts", "none"], "cannot read 'none'"),
    (["8x8x8", "--machine", "two-hosts-1g", "--hosts", "gap"], "line 1 of 'gap' is '', no name of a host"),
    (["8x8x8", "--machine", "two-hosts-1g", "--hosts", "words"], "line 2 of 'words' is 'b slots=2', no name of a host"),
    (["8x8x8", "--machine", "two-hosts-1g", "--hosts", "twice"], "line 2 of 'twice' is 'a', as line 1 is"),
    ([*ALL, "--swaps", "-2"], "--swaps is -2"),
    ([*ALL, "--swaps", "99999999999"], "--swaps is 99999999999"),
    ([*ALL, "--write", "openmpi", "--file", "nowhere/ranks"], "cannot write 'nowhere/ranks'"),
])
def test_wrong_input_is_one_error(weft, arguments, part):
    (weft.folder / "few").write_text("host\n")
    (weft.folder / "gap").write_text("\nb\n")
    (weft.folder / "words").write_text("a\nb slots=2\n")
    (weft.folder / "twice").write_text("a\na\n")
    ended = weft.run("place", *arguments)
    assert ended.status == 2, ended
    assert part in ended.complaints[0], ended.err
    assert sum(line.startswith("weft:") for line in ended.complaints) == 1
    assert not (weft.folder / "ranks").exists()
