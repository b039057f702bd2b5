# tests/cli/test_plan: `weft plan` - predictions that add up, strategies that can be run, machine files, and wrong input.
import json

import pytest


def forecast(weft, *arguments):
    ended = weft.run("plan", *arguments, "--json", "plan.json")
    assert ended.status == 0, ended.err
    return ended.out, json.loads((weft.folder / "plan.json").read_text())


def test_what_is_predicted_adds_up_and_is_sorted(weft):
    out, [told] = forecast(weft, "128x64x64", "--ranks", "64", "--machine", "blue-gene-l")
    assert told["strategy"] in out and told["ranks"] == 64 and told["network"] == "torus 8x8x8"
    every = [told, *told["others"]]
    assert len(every) > 10
    assert len({each["strategy"] for each in every}) == len(every)
    for each in every:
        stages = sum(stage["predicted_seconds"] for stage in each["stages"])
        assert each["predicted_seconds"] == pytest.approx(stages - each["hidden_seconds"], rel=1e-12)
        for stage in each["stages"]:
            if "link_seconds" in stage:
                parts = ["message_seconds", "latency_seconds", "link_seconds", "memory_seconds"]
                assert stage["predicted_seconds"] == pytest.approx(sum(stage[part] for part in parts), rel=1e-12)
            else:
                parts = ["memory_seconds", "transform_seconds"]
                assert stage["predicted_seconds"] == pytest.approx(sum(stage[part] for part in parts), rel=1e-12)
    seconds = [each["predicted_seconds"] for each in every]
    assert seconds == sorted(seconds)


def test_a_strategy_can_be_asked_for_and_run(weft):
    _, [told] = forecast(weft, "12x10x8", "--ranks", "4", "--kind", "r2c")
    for each in [told, *told["others"]][:6]:
        _, [again] = forecast(weft, "12x10x8", "--ranks", "4", "--kind", "r2c", "--strategy", each["strategy"])
        assert again["predicted_seconds"] == each["predicted_seconds"] and again["others"] == []
        text = each["strategy"].replace("weft |", "fftw |")
        ended = weft.run("bench", "12x10x8", "--kind", "r2c", "--strategy", text, "--repeat", "1", ranks=4)
        assert ended.status == 0, ended.err


def test_a_faster_link_or_a_nearer_node_takes_less_time(weft):
    machine = json.loads(weft.run("plan", "--print-machine", "blue-gene-l").out)
    _, [slow] = forecast(weft, "64x64x64", "--ranks", "8", "--machine", "blue-gene-l")
    machine["network"]["link_bytes_per_second"] *= 10
    (weft.folder / "fast.json").write_text(json.dumps(machine))
    _, [fast] = forecast(weft, "64x64x64", "--ranks", "8", "--machine", "fast.json")
    assert fast["predicted_seconds"] < slow["predicted_seconds"]
    # A cube of nodes has more links between its halves than a line of them.
    _, [cube] = forecast(weft, "64x64x64", "--ranks", "8", "--machine", "blue-gene-l", "--nodes", "0,1,8,9,64,65,72,73")
    assert cube["predicted_seconds"] < slow["predicted_seconds"]


def test_fewer_cores_or_more_ranks_on_them_are_not_faster(weft):
    machine = json.loads(weft.run("plan", "--print-machine", "cluster-100g").out)
    seconds = []
    for cores in (16, 8, 1):
        (weft.folder / "machine.json").write_text(json.dumps({**machine, "cores_per_node": cores}))
        _, [told] = forecast(weft, "64x64x64", "--ranks", "64", "--machine", "machine.json")
        seconds.append(told["predicted_seconds"])
    assert seconds == sorted(seconds)
    _, [one] = forecast(weft, "64x64x64", "--ranks", "16")
    _, [four] = forecast(weft, "64x64x64", "--ranks", "16", "--threads", "4")
    assert four["predicted_seconds"] == one["predicted_seconds"]


@pytest.mark.parametrize("arguments", [["256x64x32", "--ranks", "16"], ["512x512x128", "--ranks", "64"]])
def test_no_grid_asked_for_is_faster_than_the_best(weft, arguments):
    _, [best] = forecast(weft, *arguments, "--machine", "blue-gene-l")
    for rows in (1, 2, 4, 8):
        grid = f"{rows}x{int(arguments[2]) // rows}"
        _, [one] = forecast(weft, *arguments, "--machine", "blue-gene-l", "--grid", grid)
        assert one["predicted_seconds"] >= best["predicted_seconds"] * (1 - 1e-12), grid


def test_machines_are_listed_and_printed(weft):
    listed = weft.run("plan", "--list-machines").out
    for line in listed.splitlines():
        name = line.split()[0]
        printed = weft.run("plan", "--print-machine", name).out
        assert json.loads(printed)["name"] == name
        (weft.folder / "copy.json").write_text(printed)
        assert weft.run("plan", "--print-machine", "copy.json").out == printed


@pytest.mark.parametrize("ranks", [1, 7, 97, 1000, 1031, 3001])
def test_any_number_of_ranks_is_planned_for_on_the_default_machine(weft, ranks):
    out, [told] = forecast(weft, "128x128x128", "--ranks", ranks, "--others", "0")
    assert told["predicted_seconds"] > 0 and told["nodes"] == -(-ranks // 16) and told["network"] == f"crossbar of {max(64, told['nodes'])} nodes"
    assert told["working_ranks"] <= ranks
    assert (f"only {told['working_ranks']} of {ranks} ranks have points in" in out) == (told["working_ranks"] < ranks)


def test_ranks_without_points_are_told_with_a_number_that_has_none(weft):
    out, [told] = forecast(weft, "16x16x16", "--ranks", "19", "--others", "0")
    assert f"only {told['working_ranks']} of 19 ranks have points in '" in out
    assert "16x16x16 cannot be shared out to 19; on 18 ranks, all would have some" in out
    _, [fewer] = forecast(weft, "16x16x16", "--ranks", "18", "--others", "0")
    assert fewer["working_ranks"] == 18
    out, [told] = forecast(weft, "4x4x4", "--ranks", "3000", "--others", "0")
    assert "4x4x4 cannot be shared out to 3000; on 16 ranks, all would have some" in out and told["working_ranks"] <= 64


def test_nodes_share_out_the_ranks_and_a_switch_has_as_many_as_are_asked_for(weft):
    _, [told] = forecast(weft, "64x64x64", "--ranks", "8", "--nodes", "4", "--others", "0")
    assert (told["ranks"], told["nodes"]) == (8, 4)
    _, [told] = forecast(weft, "64x64x64", "--nodes", "128", "--others", "0")
    assert (told["ranks"], told["nodes"], told["network"]) == (2048, 128, "crossbar of 128 nodes")
    _, [told] = forecast(weft, "64x64x64", "--nodes", "3,1", "--others", "0")
    assert (told["ranks"], told["nodes"]) == (32, 2)


def test_a_machine_that_was_measured_is_extended_to_a_network(weft):
    weft("doctor", "--seconds", 0.3, "--name", "here", "--json", "doctor.json", "--machine-file", "machine.json")
    measured = json.loads((weft.folder / "machine.json").read_text())
    assert measured["source"] == "measured by weft doctor, ranks 1, nodes 1"
    out, [told] = forecast(weft, "64x64x64", "--machine", "doctor.json", "--network", "frontera", "--nodes", "5", "--others", "0")
    assert (told["ranks"], told["nodes"], told["machine"]) == (5, 5, "here on frontera")
    nodes, network = told["figures"]
    assert "measured by weft doctor" in nodes["source"] and "transforms" in nodes["members"] and "message_seconds" not in nodes["members"]
    assert "TACC" in network["source"] and "network" in network["members"] and "message_seconds" in network["members"]
    assert f"from {nodes['source']}: cache_bytes_per_core, " in out and f"from {network['source']}: network, " in out
    # A network alone; passes are those of the machine alone.
    (weft.folder / "network.json").write_text(json.dumps(json.loads(weft("plan", "--print-machine", "blue-gene-l").out)["network"]))
    strategy = ("--strategy", "fftw | from 2x1x1 | fft 2,1 | alltoallv to 1x2x1 | fft 0", "--others", "0")
    _, [told] = forecast(weft, "64x64x64", "--machine", "machine.json", "--network", "network.json", "--nodes", "2", *strategy)
    assert told["network"] == "torus 8x8x8" and told["figures"][1] == {"source": "the network 'network.json'", "members": ["network"]}
    machine = {**measured, "network": json.loads((weft.folder / "network.json").read_text())}
    (weft.folder / "whole.json").write_text(json.dumps(machine))
    _, [whole] = forecast(weft, "64x64x64", "--machine", "whole.json", "--ranks", "2", *strategy)
    assert told["predicted_seconds"] == whole["predicted_seconds"] and "figures" not in whole


@pytest.mark.parametrize("machine", ["frontier", "dgx-h100-superpod"])
def test_devices_of_a_machine_are_predicted_too(weft, machine):
    out, [told] = forecast(weft, "256x256x256", "--ranks", "16", "--machine", machine, "--others", "0")
    devices = told["on_devices"]
    assert devices["predicted_seconds"] == pytest.approx(sum(devices[f"{part}_seconds"] for part in ("copies", "passes", "messages")))
    # Both arrays of a rank cross the bus.
    assert devices["copies_seconds"] == pytest.approx(2 * 256**3 * 16 / 16 / devices["bus_bytes_per_second"] + 2e-5)
    assert not devices["streams"] and "on devices:" in out and devices["strategy"] in out
    _, [told] = forecast(weft, "64x64x64", "--ranks", "16", "--others", "0")
    assert "on_devices" not in told


WRONG = [
    (["--ranks", "4"], "EXTENTS is missing"),
    (["8x8x8", "--ranks", "-4"], "--ranks is -4"),
    (["8x8x8", "--ranks", "513", "--machine", "blue-gene-l"], "513 ranks on the machine 'blue-gene-l', a torus 8x8x8"),
    (["8x8x8", "--machine", "nowhere"], "there is no machine file 'nowhere'"),
    (["8x8x8", "--machine", "broken.json"], "the file is no JSON"),
    (["8x8x8", "--machine", "unit.json"], "the network has no 'link_bytes_per_second'"),
    (["8x8x8", "--machine", "slow.json"], "a link of the torus carries -1 bytes per second"),
    (["8x8x8", "--machine", "graph.json"], "no cables of the graph lead from node 0 to node 1"),
    (["8x8x8", "--ranks", "2", "--nodes", "0,0"], "node 0 is taken twice"),
    (["8x8x8", "--ranks", "32", "--nodes", "0,64"], "node 64 is taken, but the network has 64"),
    (["8x8x8", "--ranks", "2000000000"], "predictions for 2000000000 ranks take minutes"),
    (["8x8x8", "--ranks", "4", "--nodes", "0"], "--nodes is 0"),
    (["8x8x8", "--ranks", "9", "--nodes", "8"], "9 ranks cannot be shared out evenly to 8 nodes: with 2 on each, they fill 5"),
    (["8x8x8", "--machine", "blue-gene-l", "--nodes", "513"], "513 nodes are asked for, and the machine 'blue-gene-l', a torus 8x8x8, has 512"),
    (["8x8x8", "--network", "nowhere", "--nodes", "2"], "there is no machine file 'nowhere'"),
    (["8x8x8", "--network", "broken.json", "--nodes", "2"], "the file is no JSON"),
    (["8x8x8", "--network", "unit.json", "--nodes", "2"], "the network has no 'link_bytes_per_second'"),
    (["8x8x8", "--others", "-1"], "--others is -1"),
    (["8x8x8", "--ranks", "8", "--node-size", "2"], "--node-size has no meaning for predictions"),
    (["8x8x8", "--ranks", "8", "--strategy", "fftw | from 8x1x1 | fft 2,1 | zzz to 1x8x1 | fft 0"], "there is no exchange 'zzz'"),
    (["8x8", "--ranks", "2", "--strategy", "weft | from 2x1 | fft 1 | p2p to 1x2 | fft 0 | alltoallv to 2x1"],
     "alltoallv does not move arrays, but stands at an end"),
    (["64x64x64", "--machine", "shaheen-ii"], "predictions for 221184 ranks take minutes"),
    (["8x8x8", "--machine", "."], "'.' is no file"),
    (["8x8x8", "--machine", "deep.json"], "the file has more than 8 levels"),
    (["8x8x8", "--machine", "endless.json"], "message_seconds of the machine 'blue-gene-l' is 1e+308"),
    (["8x8x8", "--machine", "many.json"], "the torus has"),
    (["8x8x8", "--machine", "crowded.json"], "has 2147483647 ranks and 2 cores a node"),
    (["8x8", "--ranks", "4", "--grid", "2x2"], "one axis must stay undivided"),
    (["8x8x8", "--ranks", "4", "--strategy", "fftw | from 3x1x1 | fft 2,1"], "3x1x1"),
]


@pytest.mark.parametrize("arguments, part", WRONG)
def test_wrong_input_is_one_error(weft, arguments, part):
    machine = json.loads(weft.run("plan", "--print-machine", "blue-gene-l").out)
    (weft.folder / "broken.json").write_text("{ nodes: 4")
    network = machine["network"]
    machine["network"] = {**network, "link_bytes_per_second": -1}
    (weft.folder / "slow.json").write_text(json.dumps(machine))
    machine["network"] = {**network, "link_mb_per_second": 175}
    del machine["network"]["link_bytes_per_second"]
    (weft.folder / "unit.json").write_text(json.dumps(machine))
    (weft.folder / "deep.json").write_text(json.dumps(machine).replace('"blue-gene-l"', "[" * 200000 + "]" * 200000))
    (weft.folder / "endless.json").write_text(json.dumps({**machine, "network": network, "message_seconds": 1e308}))
    (weft.folder / "crowded.json").write_text(json.dumps({**machine, "network": network, "ranks_per_node": 2**31 - 1}))
    (weft.folder / "many.json").write_text(json.dumps({**machine, "network": {**network, "extents": [4096, 4096] + [1] * 200}}))
    machine["network"] = {"shape": "graph", "nodes": 2, "switches": 0, "cables": []}
    (weft.folder / "graph.json").write_text(json.dumps(machine))
    ended = weft.run("plan", *arguments)
    assert ended.status == 2, ended
    assert part in ended.complaints[0], ended.err
    assert sum(line.startswith("weft:") for line in ended.complaints) == 1


def test_replays_tell_when_steps_begin_and_end_and_order_strategies(weft):
    ended = weft.run("plan", "48x48x48", "--ranks", "32", "--replay", "3", "--others", "3", "--json", "plan.json")
    assert ended.status == 0, ended.err
    assert "replayed:" in ended.out and "step of the replay" in ended.out
    [told] = json.loads((weft.folder / "plan.json").read_text())
    every = [told, *told["others"]]
    replays = [each["replay"]["replayed_seconds"] for each in every[:3]]
    assert replays == sorted(replays) and all("replay" not in each for each in every[3:])
    for each in every[:3]:
        replay = each["replay"]
        assert 0 <= replay["waiting_part"] < 1
        assert max(step["end_seconds"] for step in replay["steps"]) <= replay["replayed_seconds"]
        assert all(0 <= step["begin_seconds"] <= step["end_seconds"] for step in replay["steps"])
        passes = sum(stage["predicted_seconds"] for stage in each["stages"] if "transform_seconds" in stage)
        assert replay["replayed_seconds"] > 0.999 * passes


@pytest.mark.parametrize("arguments, part", [
    (["16x16x16", "--replay", "-1"], "--replay is -1"),
    (["2048x2048x2048", "--ranks", "8192", "--machine", "big.json", "--replay", "1"], "a replay of 8192 ranks takes minutes"),
])
def test_replays_refuse_wrong_input(weft, arguments, part):
    machine = json.loads(weft.run("plan", "--print-machine", "cluster-100g").out)
    machine["network"]["nodes"] = 512
    (weft.folder / "big.json").write_text(json.dumps(machine))
    assert part in weft.fails("plan", *arguments)


@pytest.mark.parametrize("ranks", [0, 2])
def test_what_was_found_while_a_machine_was_measured_is_warned_of_once(weft, ranks):
    machine = json.loads(weft("plan", "--print-machine", "blue-gene-l").out)
    machine["findings"] = [{"name": "busy", "what": "the machine is busy with something else", "mend": "run again when it is idle"}]
    (weft.folder / "busy.json").write_text(json.dumps(machine))
    warning = ["weft warn: the figures of the machine 'blue-gene-l' may be wrong, and so may what they predict",
               "weft warn: busy: the machine is busy with something else", "weft warn:   try: run again when it is idle"]
    for command in ["plan", "8x8x8"], ["place", "4x4x4"]:
        err = weft(*command, "--ranks", 4, "--machine", "busy.json", "--json", "told.json", ranks=ranks).err
        assert [line for line in err.splitlines() if line.startswith("weft warn")] == warning
    weft("plan", "8x8x8", "--ranks", 4, "--machine", "busy.json", "--json", "told.json")
    assert json.loads((weft.folder / "told.json").read_text())[0]["machine_findings"] == machine["findings"]
    told = json.loads(weft("plan", "--print-machine", "busy.json").out)
    assert told == machine
