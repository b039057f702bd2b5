# tests/cli/test_tune: `weft tune` - what it races and remembers, and how it looks after what is remembered.
import json
from pathlib import Path

import pytest

# Small fields are tuned in less than this, unless other tests have the processors.
QUICK = ("--seconds", 3, "--threads", 1)


@pytest.fixture
def wisdom(weft):
    """The file of wisdom of this test, which is not there yet."""
    file = weft.folder / "wisdom.json"
    weft.variables["WEFT_WISDOM"] = str(file)
    return file


def entries(wisdom):
    content = json.loads(wisdom.read_text())
    assert content["weft_wisdom"] == 2
    return content["entries"]


def test_what_is_tuned_is_remembered_and_run(weft, wisdom):
    out = weft("tune", "16x18x20", "12x12x12", *QUICK, "--json", "tuned.json", ranks=2).out
    assert out.count("kept") == 2 and f"remembered in {wisdom}" in out
    tuned = json.loads((weft.folder / "tuned.json").read_text())
    assert [one["extents"] for one in tuned] == [[16, 18, 20], [12, 12, 12]]
    assert [entry["strategy"] for entry in entries(wisdom)] == [one["strategy"] for one in tuned]
    for one in tuned:
        assert not one["was_known"] and len(one["raced"]) > 3
        assert 0 < one["seconds"] <= one["untuned_seconds"]
        assert all(raced["seconds"] > 0 and raced["round"] and raced["plan"] for raced in one["raced"])
    out = weft("bench", "16x18x20", "--threads", 1, "--explain", "--json", "bench.json", ranks=2).out
    assert f"remembered in {wisdom}" in out
    assert json.loads((weft.folder / "bench.json").read_text())[0]["strategy"] == tuned[0]["strategy"]
    assert "is known; --again" in weft("tune", "12x12x12", *QUICK, ranks=2).out
    assert "kept" in weft("tune", "12x12x12", *QUICK, "--again", ranks=2).out
    assert len(entries(wisdom)) == 2


def test_wisdom_is_listed_exported_imported_and_forgotten(weft, wisdom):
    assert "0 entries" in weft("tune", "--list").out
    weft("tune", "8x8x8", "9x9x9", *QUICK)
    listed = weft("tune", "--list", "--json", "list.json").out
    assert "c2c of 8x8x8" in listed and "c2c of 9x9x9" in listed and "2 entries" in listed
    assert (weft.folder / "list.json").read_text() == wisdom.read_text()
    weft("tune", "--export", "exported.json")
    assert "1 entry forgotten" in weft("tune", "--forget", "8x8x8").out
    assert [entry["problem"].split()[3] for entry in entries(wisdom)] == ["9x9x9"]
    assert "1 of 2 entries learned" in weft("tune", "--import", "exported.json").out
    assert sorted(entry["problem"].split()[3] for entry in entries(wisdom)) == ["8x8x8", "9x9x9"]
    assert "2 entries forgotten" in weft("tune", "--forget", "all").out
    assert entries(wisdom) == []


def test_progress_and_segments_are_kept_listed_and_run(weft, wisdom):
    weft("tune", "16x16x16", *QUICK, "--exchange", "node", "--node-size", 1, "--json", "tuned.json", ranks=2)
    (tuned,) = json.loads((weft.folder / "tuned.json").read_text())
    assert {"progress", "segment_bytes", "eager_message_bytes"} <= set(tuned)
    content = json.loads(wisdom.read_text())
    content["entries"][0] |= {"progress": "inline", "segment_bytes": 262144, "eager_message_bytes": 1}
    wisdom.write_text(json.dumps(content))
    listed = weft("tune", "--list").out
    assert "; segments of at least 256 KiB; no message is eager; progress inline" in listed
    bench = ("bench", "16x16x16", "--threads", 1, "--exchange", "node", "--node-size", 1, "--json", "bench.json")
    out = weft(*bench, "--explain", ranks=2).out
    assert "progress inline, as tuned; segments of at least" in out and "remembered in" in out
    assert json.loads((weft.folder / "bench.json").read_text())[0]["progress"] == "inline"
    weft(*bench, "--progress", "tiles", ranks=2)
    assert json.loads((weft.folder / "bench.json").read_text())[0]["progress"] == "tiles"
    content["entries"][0]["progress"] = "thread"
    wisdom.write_text(json.dumps(content))
    done = weft(*bench, "--explain", ranks=2)
    assert "which MPI does not allow here" in done.err and "as MPI allows none" in done.out
    assert json.loads((weft.folder / "bench.json").read_text())[0]["progress"] == "tiles"


def test_a_file_of_the_version_before_is_used_and_carried_on(weft, wisdom, remembered):
    content = json.loads(remembered())
    content["weft_wisdom"] = 1
    for name in ("progress", "segment_bytes", "eager_message_bytes"):
        del content["entries"][0][name]
    wisdom.write_text(json.dumps(content))
    assert "1 entry in" in weft("tune", "--list").out
    assert "remembered in" in weft("bench", "8x8x8", "--threads", 1, "--explain").out
    assert json.loads(wisdom.read_text()) == content
    weft("tune", "9x9x9", *QUICK)
    assert [entry["progress"] for entry in entries(wisdom)] == ["automatic", "automatic"]


@pytest.mark.parametrize("name, value, says", [
    ("progress", "often", "there is no progress 'often'"), ("progress", 1, "'progress' that is not a text"),
    ("segment_bytes", -1, "'segment_bytes' that is not an integer"), ("segment_bytes", None, "'segment_bytes' that is not"),
    ("eager_message_bytes", 1.5, "'eager_message_bytes' that is not an integer")])
def test_a_wrong_progress_or_size_is_told_by_all_ranks_at_once(weft, wisdom, remembered, name, value, says):
    content = json.loads(remembered(ranks=2))
    content["entries"][0][name] = value
    wisdom.write_text(json.dumps(content))
    assert says in weft.fails("tune", "--list", ranks=2)
    done = weft("bench", "8x8x8", "--threads", 1, ranks=2)
    assert says in done.err and "weft warn" in done.err


def test_a_thread_is_raced_where_mpi_is_asked_for_threads(weft, wisdom):
    arguments = ("tune", "12x12x12", "--threads", 1, "--exchange", "p2p")
    if not any(each["progress"] == "thread" for each in overlap_by_progress(weft)):
        pytest.skip("no MPI_THREAD_MULTIPLE")
    # The race that comes to threads begins late; on a busy machine the time of the earlier ones is all that there was.
    assert any("progress thread" in weft(*arguments, "--mpi-threads", "--again", "--seconds", seconds, ranks=2).out
               for seconds in (3, 12, 48, 150))
    arguments += ("--seconds", 1)
    assert "progress thread" not in weft(*arguments, "--again", ranks=2).out
    assert "progress tiles" not in weft(*arguments, "--again", "--progress", "inline", ranks=2).out


def overlap_by_progress(weft):
    """What `weft doctor` tells of every choice of progress that MPI allows."""
    weft("doctor", "--seconds", 1, "--json", "doctor.json", ranks=2)
    return json.loads((weft.folder / "doctor.json").read_text())["overlap"]


def test_nothing_is_remembered_where_wisdom_is_off(weft):
    weft.variables["WEFT_WISDOM"] = ""
    assert "nothing will be remembered" in weft("tune", "8x8x8", *QUICK).out


@pytest.mark.parametrize("text, says", [('{"weft_wisdom": 1, "entr', "is no JSON"), ("[1]", "no wisdom of weft"),
                                        ('{"weft_wisdom": 7, "entries": []}', "of a newer weft")])
def test_a_file_that_cannot_be_read_is_left_alone(weft, wisdom, text, says):
    wisdom.write_text(text)
    Path(f"{wisdom}.lock").touch()  # which is never removed
    for arguments in (("--list",), ("--forget", "all"), ("8x8x8", *QUICK)):
        told = weft.fails("tune", *arguments)
        assert says in told and str(wisdom) in told
        assert wisdom.read_text() == text
    done = weft("bench", "8x8x8", "--threads", 1)
    assert says in done.err and "weft warn" in done.err


@pytest.mark.parametrize("arguments, says", [
    ((), "EXTENTS is missing"),
    (("8x8x8", "--list"), "are different tasks"),
    (("--list", "--forget", "x"), "are different tasks"),
    (("8x8x8", "--seconds", "0"), "tuning for 0 seconds"),
    (("8x8x8", "--seconds", "soon"), "--seconds"),
    (("8x8x8", "--progress", "sometimes"), "there is no progress 'sometimes'"),
    (("8x8x8", "--reproducible"), "leaves nothing to tune"),
    (("8x8x8", "--strategy", "fftw"), "leaves nothing to tune"),
    (("8x8x8", "--json", "/nowhere/tuned.json"), "cannot write '/nowhere/tuned.json'"),
    (("--import", "/nowhere/wisdom.json"), "cannot read '/nowhere/wisdom.json'"),
    (("--export", "/nowhere/wisdom.json"), "cannot write '/nowhere/wisdom.json'"),
])
def test_wrong_input_is_one_error(weft, wisdom, arguments, says):
    assert says in weft.fails("tune", *arguments, ranks=2)
    assert not wisdom.exists()
