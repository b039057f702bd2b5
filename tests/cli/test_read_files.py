# tests/cli/test_read_files: files that nobody wrote for weft - each is told soon, in few words, and cannot steer a terminal.
import json
import os
import stat
import unicodedata

import pytest

QUICK = ("--seconds", 1, "--threads", 1)
CONTROLS = "\x1b[31mred\x07\x9b\u202e\x7f"
SHOWN = r"\u001b[31mred\u0007\u009b\u202e\u007f"


@pytest.fixture
def wisdom(weft):
    file = weft.folder / "wisdom.json"
    weft.variables["WEFT_WISDOM"] = str(file)
    return file


@pytest.fixture
def entry(remembered):
    """An entry of wisdom."""
    return json.loads(remembered())["entries"][0]


def write_wisdom(wisdom, entry):
    wisdom.write_text(json.dumps({"weft_wisdom": 2, "entries": [entry]}))


def write_machine(weft, **changes):
    machine = json.loads(weft("plan", "--print-machine", "blue-gene-l").out)
    (weft.folder / "machine.json").write_text(json.dumps(machine | changes))


def assert_printable(*texts):
    """Line breaks are the only control characters; what is no UTF-8 would not even have been read."""
    for text in texts:
        assert {letter for letter in text if unicodedata.category(letter) in ("Cc", "Cf")} <= {"\n"}, text


@pytest.mark.parametrize("arguments", [
    ("place", "8x8x8", "--ranks", 2, "--hosts"), ("place", "8x8x8", "--ranks", 2, "--marks"),
    ("plan", "8x8x8", "--ranks", 2, "--machine"), ("tune", "--import")])
def test_a_pipe_or_a_device_is_no_file(weft, wisdom, arguments):
    os.mkfifo(weft.folder / "pipe")
    for other in ("pipe", "/dev/zero", "."):
        assert f"'{other}' is no file" in weft.fails(*arguments, other)


@pytest.mark.parametrize("name", ["pipe", "folder"])
def test_wisdom_that_is_no_file_is_not_used(weft, wisdom, name):
    os.mkfifo(weft.folder / "pipe")
    (weft.folder / "folder").mkdir()
    weft.variables["WEFT_WISDOM"] = name
    assert f"'{name}' is no file" in weft("bench", "8x8x8", *QUICK[2:]).err
    assert f"'{name}' is no file" in weft.fails("tune", "8x8x8", *QUICK)


def test_wisdom_of_many_levels_is_not_used(weft, wisdom, entry):
    write_wisdom(wisdom, entry)
    wisdom.write_text(wisdom.read_text().replace(json.dumps(entry["strategy"]), "[" * 100000 + "]" * 100000))
    assert "the file has more than 8 levels" in weft.fails("tune", "--list")
    ended = weft("bench", "8x8x8", "--threads", 1)
    assert ended.err.count("wisdom is not used") == 1 and "more than 8 levels" in ended.err


def test_a_machine_cannot_steer_the_terminal(weft):
    write_machine(weft, name=CONTROLS + "x" * 1000000)
    job = ("8x8x8", "--ranks", 8, "--machine", "machine.json")
    for ended in (weft("plan", *job), weft("place", *job, "--page", "page.html"), weft("plan", "--print-machine", "machine.json"),
                  weft.run("plan", "8x8x8", "--ranks", 513, "--machine", "machine.json")):
        assert_printable(ended.out, ended.err)
        assert SHOWN in ended.out + ended.err
        assert len(ended.out) < 10000 or "weft_machine" in ended.out
    page = (weft.folder / "page.html").read_text()
    assert_printable(page)
    assert len(page) < 300000
    printed = weft("plan", "--print-machine", "machine.json").out
    assert json.loads(printed) == json.loads((weft.folder / "machine.json").read_text()), "escaped, it is the same JSON"


@pytest.mark.parametrize("member", ["problem", "ranks", "machine", "versions", "options", "strategy", "tuned_at"])
def test_wisdom_cannot_steer_the_terminal(weft, wisdom, entry, member):
    write_wisdom(wisdom, entry | {member: CONTROLS + "\nweft: all is well\n" + "x" * 1000000})
    listed = weft("tune", "--list").out
    assert_printable(listed)
    assert SHOWN in listed and len(listed) < 10000
    assert not any(line.startswith("weft: all") for line in listed.splitlines())
    ended = weft("bench", "8x8x8", "--threads", 1, "--explain")
    assert_printable(ended.out, ended.err)
    assert len(ended.out + ended.err) < 20000


def test_an_error_of_wisdom_is_UTF_8_whatever_the_file_has(weft, wisdom):
    for content in (b"\xc3\xbfx", b"\xff\xfe", b'{"weft_wisdom": "\xc3', b'"' + b"\xe2\x88\x9a" * 100000):
        wisdom.write_bytes(content)
        ended = weft("bench", "8x8x8", "--threads", 1)  # whose output is read as UTF-8
        assert "wisdom is not used" in ended.err and len(ended.err) < 2000
        assert_printable(ended.err)


def test_arguments_cannot_steer_the_terminal(weft):
    for arguments in (["bench", CONTROLS], ["transform", CONTROLS, "y.npy"], [CONTROLS], ["bench", "8x8x8", "--" + CONTROLS],
                      ["bench", "8x8x8", "--strategy", CONTROLS], ["plan", "8x8x8", "--machine", CONTROLS + "x" * 100000]):
        said = weft.fails(*arguments)
        assert_printable(said)
        assert SHOWN in said and len(said) < 4000


@pytest.mark.parametrize("name", ["a\x1b[31m", "a\u202e", "a" * 256, "a\tb"])
def test_a_name_that_no_host_has_is_told(weft, name):
    (weft.folder / "hosts").write_text(name + "\nb\n")
    said = weft.fails("place", "8x8x8", "--machine", "two-hosts-1g", "--hosts", "hosts")
    assert_printable(said)
    assert "no name of a host" in said and len(said) < 1000


def test_marks_that_name_nodes_again_and_again_are_refused(weft):
    (weft.folder / "marks").write_text("0-63," * 100000 + "0: service\n")
    said = weft.fails("place", "8x8x8", "--ranks", 2, "--marks", "marks")
    assert "line 1 of 'marks' names more nodes than the 64 of the network" in said


def test_a_mark_of_a_megabyte_is_no_word(weft):
    (weft.folder / "marks").write_text("0: " + "x" * 1000000)
    said = weft.fails("place", "8x8x8", "--ranks", 2, "--marks", "marks")
    assert "line 1 of 'marks' is '0: xxx" in said and len(said) < 1000


def test_nothing_is_tuned_where_it_cannot_be_remembered(weft, wisdom):
    lock = weft.folder / "wisdom.json.lock"
    lock.symlink_to("elsewhere")
    ended = weft.run("tune", "64x64x64", "--seconds", 60, "--threads", 1)
    assert ended.status == 2 and "kept" not in ended.out and "it is a symbolic link" in ended.err
    weft.variables["WEFT_WISDOM"] = "/proc/nowhere/wisdom.json"
    ended = weft.run("tune", "64x64x64", "--seconds", 60, "--threads", 1)
    assert ended.status == 2 and "kept" not in ended.out and "/proc/nowhere/wisdom.json" in ended.err
    assert not wisdom.exists() and not (weft.folder / "elsewhere").exists()


def test_no_other_user_can_take_the_lock(weft, wisdom):
    weft("tune", "8x8x8", *QUICK)
    assert stat.S_IMODE((weft.folder / "wisdom.json.lock").stat().st_mode) == 0o600
