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
    ([*ALL, "--hosts", "none"], "'none' has 0 lines for 512 nodes"),
])
def test_wrong_input_is_one_error(weft, arguments, part):
    (weft.folder / "few").write_text("host\n")
    ended = weft.run("place", *arguments)
    assert ended.status == 2, ended
    assert part in ended.complaints[0], ended.err
    assert sum(line.startswith("weft:") for line in ended.complaints) == 1
    assert not (weft.folder / "ranks").exists()
