# tests/hosts: bench/hosts creates hosts that are separate hosts for MPI, connected only by their links, and leaves nothing behind.
# Skipped where bench/hosts cannot work; needs the compilers of the MPIs, for a small program of its own.
import glob
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import left_over  # noqa: E402

HOSTS = str(Path(__file__).resolve().parents[2] / "bench" / "hosts")
MB = 1_000_000

# After a rank has ended with an error, Open MPI's launcher waits some seconds for the others, which would add up.
os.environ["OMPI_MCA_odls_base_sigkill_timeout"] = "0"

PROBE = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A line for each rank: rank, host, ranks that share its memory, nodes.
static void tell(int rank) {
  MPI_Comm node;
  int sharing, at, leads, nodes;
  char host[100] = "", line[200];
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_size(node, &sharing);
  MPI_Comm_rank(node, &at);
  leads = at == 0;
  MPI_Allreduce(&leads, &nodes, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  gethostname(host, sizeof host - 1);
  int length = snprintf(line, sizeof line, "%d %s %d %d\n", rank, host, sharing, nodes);
  if (write(1, line, length) != length) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Comm_free(&node);
}

// MB/s between rank 0 and the last one, to and fro; the first time is not counted.
static void ping(int rank, int last, int bytes, int times) {
  char* data = malloc(bytes);
  double begin = 0;
  memset(data, rank, bytes);
  for (int i = -1; i < times; ++i) {
    if (i == 0) begin = MPI_Wtime();
    if (rank == 0) MPI_Send(data, bytes, MPI_BYTE, last, 0, MPI_COMM_WORLD);
    if (rank == last) MPI_Recv(data, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == last) MPI_Send(data, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    if (rank == 0) MPI_Recv(data, bytes, MPI_BYTE, last, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (rank == 0) printf("%f\n", 2e-6 * bytes * times / (MPI_Wtime() - begin));
  free(data);
}

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc == 2) tell(rank);
  if (argc == 3) ping(rank, atoi(argv[1]), atoi(argv[2]), 3);
  MPI_Finalize();
}
"""


def run(*arguments, timeout=120, **options):
    """bench/hosts with these arguments, to its end."""
    return subprocess.run([HOSTS, "--timeout", str(timeout), *map(str, arguments)], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=timeout + 10, **options)


def succeeds(*arguments, **options):
    ended = run(*arguments, **options)
    assert ended.returncode == 0, f"{ended.args}: {ended.returncode}\n{ended.stdout}{ended.stderr}"
    return ended.stdout


@pytest.fixture(scope="module", params=["openmpi", "mpich"])
def mpi(request):
    tried = run("--hosts", 2, "--mpi", request.param, "--", "true")
    if tried.returncode == 77:
        pytest.skip(tried.stderr.strip())
    return request.param


@pytest.fixture(scope="module")
def probe(mpi, tmp_path_factory):
    compiler = shutil.which(f"mpicc.{mpi}")
    if not compiler:
        pytest.skip(f"there is no mpicc.{mpi}")
    folder = tmp_path_factory.mktemp(mpi)
    (folder / "probe.c").write_text(PROBE)
    subprocess.run([compiler, "-o", folder / "probe", folder / "probe.c"], check=True)
    return folder / "probe"


# ------------------------------------------------------------------------------------------------------------ the hosts


def told(output):
    """Of each rank in order: its host, the ranks that share its memory, the nodes MPI sees."""
    lines = sorted((line.split() for line in output.splitlines()), key=lambda words: int(words[0]))
    return [(host, int(sharing), int(nodes)) for _, host, sharing, nodes in lines]


def test_ranks_on_different_hosts_share_nothing(probe):
    assert told(succeeds("--hosts", 2, "--", probe, "tell")) == [("host0", 1, 2), ("host1", 1, 2)]


def test_each_host_gets_the_ranks_that_it_is_told_to(probe):
    output = succeeds("--hosts", 3, "--ranks-per-host", "1,3,2", "--", probe, "tell")
    assert told(output) == [("host0", 1, 3)] + 3 * [("host1", 3, 3)] + 2 * [("host2", 2, 3)]


def test_short_programs_of_many_ranks_end_again_and_again(probe):
    # MPICH by itself hangs in MPI_Finalize in every second of these.
    for _ in range(5):
        assert len(told(succeeds("--hosts", 2, "--ranks-per-host", 3, "--", probe, "tell", timeout=60))) == 6


def test_the_limit_of_a_link_is_what_messages_meet_and_counters_count_them(probe, tmp_path):
    counters = tmp_path / "links.json"
    output = succeeds("--hosts", 2, "--rate", "1gbit", "--json-counters", counters, "--", probe, 1, 4 * MB)
    assert 5 < float(output) < 135  # of 125 MB/s; a busy machine may take long
    links = json.loads(counters.read_text())
    assert [(link["host"], link["ranks"]) for link in links["hosts"]] == [("host0", 1), ("host1", 1)]
    again = sum(link["retransmitted_segments"] for link in links["hosts"])
    for link in links["hosts"]:
        for way in ("sent", "received"):  # 4 times 4 MB either way, and headers; some may be sent again
            assert 16 * MB < link[f"{way}_bytes"] < 17.5 * MB + 1514 * again
            assert link[f"{way}_packets"] > 16 * MB / 65536


def test_a_slower_link_is_slower(probe):
    assert 0.5 < float(succeeds("--hosts", 2, "--rate", "100mbit", "--", probe, 1, 400_000)) < 16


def test_messages_within_a_host_stay_off_its_link(probe, tmp_path):
    counters = tmp_path / "links.json"
    command = ["--hosts", 2, "--ranks-per-host", 2, "--rate", "100mbit", "--json-counters", counters, "--", probe]
    succeeds(*command, 1, 4 * MB)
    assert all(0 < link["sent_bytes"] < 0.2 * MB for link in json.loads(counters.read_text())["hosts"])
    succeeds(*command, 3, MB)
    assert all(link["sent_bytes"] > 4 * MB for link in json.loads(counters.read_text())["hosts"])


def test_a_host_has_a_shared_memory_of_its_own_and_files_in_common(mpi, tmp_path):
    succeeds("--hosts", 2, "--mpi", mpi, "--", "sh", "-c", "touch /dev/shm/$(hostname) $(hostname); sleep 0.3; "
             "ls /dev/shm | grep -x host. >$(hostname).sees", cwd=tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"host0", "host1", "host0.sees", "host1.sees"}
    assert (tmp_path / "host0.sees").read_text() == "host0\n"
    assert (tmp_path / "host1.sees").read_text() == "host1\n"


def test_hosts_know_each_other_by_name_and_nobody_else(mpi):
    output = succeeds("--hosts", 2, "--mpi", mpi, "--", "sh", "-c",
                      "getent hosts host0 host1 | xargs; ls /sys/class/net | xargs")
    assert sorted(output.splitlines()) == 2 * ["10.77.0.1 host0 10.77.0.2 host1"] + 2 * ["eth0 lo"]


def test_two_sets_run_at_the_same_time(mpi, tmp_path):
    command = [HOSTS, "--hosts", "2", "--mpi", mpi, "--timeout", "120", "--", "sh", "-c", "sleep 0.5; hostname"]
    both = [subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert [sorted(one.communicate()[0].split()) for one in both] == 2 * [["host0", "host1"]]
    assert [one.returncode for one in both] == [0, 0]


# ----------------------------------------------------------------------------------------------- what passes through


def test_the_exit_status_is_the_commands(mpi):
    assert run("--hosts", 2, "--mpi", mpi, "--", "sh", "-c", "exit 3").returncode == 3


def test_the_environment_reaches_every_rank(mpi):
    environment = os.environ | {"WEFT_WISDOM": "with a blank", "OMP_NUM_THREADS": "3", "LD_PRELOAD": "libm.so.6"}
    output = succeeds("--hosts", 2, "--mpi", mpi, "--", "sh", "-c",
                      'echo "$(hostname), $WEFT_WISDOM, $OMP_NUM_THREADS, ${LD_PRELOAD%%:*}"', env=environment)
    assert sorted(output.splitlines()) == [f"host{host}, with a blank, 3, libm.so.6" for host in range(2)]


def test_standard_input_reaches_the_first_rank(mpi):
    # The others must not read: MPICH leaves their standard input open.
    command = [HOSTS, "--hosts", "2", "--mpi", mpi, "--timeout", "120", "--", "sh", "-c", "[ $(hostname) != host0 ] || cat"]
    ended = subprocess.run(command, input="a line\n", capture_output=True, text=True)
    assert (ended.returncode, ended.stdout) == (0, "a line\n")


# ------------------------------------------------------------------------------------------------------------ the end


class Marked(left_over.Marked):
    """A run on two hosts; processes are what keeps its networks."""

    def __init__(self, mpi, folder):
        super().__init__()
        self.folder = folder
        self.command = [HOSTS, "--hosts", "2", "--mpi", mpi]
        self.options = {"env": self.environment, "stdin": subprocess.DEVNULL, "cwd": folder,
                        "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}

    def run(self, *command, **more):
        return subprocess.run([*self.command, *command], **self.options, **more)

    def start_and_wait_until_it_runs(self):
        running = subprocess.Popen([*self.command, "--", "sh", "-c", "touch up.$(hostname); exec sleep 300"],
                                   **self.options, start_new_session=True)
        patience = time.monotonic() + 100
        while len(list(self.folder.glob("up.*"))) < 2:
            assert running.poll() is None and time.monotonic() < patience, "it does not start"
            time.sleep(0.05)
        assert self.networks() == 3, "two hosts and what joins them"
        return running

    def networks(self):
        return len({os.readlink(place / "ns" / "net") for place in self.processes()})

    @staticmethod
    def traces():
        """What could outlive processes: networks that are mounted, links to hosts, and files with a host's name."""
        mounts = [line for line in Path("/proc/self/mountinfo").read_text().splitlines() if " - nsfs " in line]
        links = [name for name in os.listdir("/sys/class/net") if name == "switch" or name.startswith("to-host")]
        files = [name for folder in ("/dev/shm", tempfile.gettempdir()) for name in glob.glob(f"{folder}/*.host[01].*")]
        return {*mounts, *links, *files}


@pytest.fixture
def marked(mpi, tmp_path):
    return Marked(mpi, tmp_path)


@pytest.mark.parametrize("status", [0, 1])
def test_nothing_is_left_of_a_run_that_ended(marked, mpi, status):
    # Where all ranks fail at once, MPICH's launcher has also ended as after a broken pipe, on a busy machine.
    also = [128 + signal.SIGPIPE] if mpi == "mpich" and status else []
    assert marked.run("--", "sh", "-c", f"exit {status}").returncode in [status, *also]
    assert marked.has_left() == []


def test_nothing_is_left_after_the_timeout(marked):
    ended = marked.run("--timeout", "1", "--", "sleep", "300", timeout=100)
    assert ended.returncode == 124 and "no end after 1 s" in ended.stderr
    assert marked.has_left() == []


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGHUP])
def test_nothing_is_left_after_a_signal(marked, ending):
    running = marked.start_and_wait_until_it_runs()
    running.send_signal(ending)
    running.communicate(timeout=60)
    assert running.returncode == 128 + ending
    assert marked.has_left() == []


def test_nothing_is_left_after_control_c(marked):
    running = marked.start_and_wait_until_it_runs()
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does: everything in the foreground gets it
    running.communicate(timeout=60)
    assert running.returncode == 128 + signal.SIGINT
    assert marked.has_left() == []


def test_nothing_is_left_even_of_a_run_that_was_killed(marked):
    running = marked.start_and_wait_until_it_runs()
    running.kill()
    running.communicate(timeout=60)
    assert marked.has_left(patience=20) == []


# -------------------------------------------------------------------------------------------- what is said beforehand


def test_help_shows_how():
    ended = run("--help")
    assert ended.returncode == 0 and "examples:" in ended.stdout and "--rate 1gbit" in ended.stdout


@pytest.mark.parametrize("arguments, complaint", [
    (["--hosts", "2"], "no COMMAND"),
    (["--hosts", "2", "--"], "no COMMAND"),
    (["--", "true"], "--hosts"),
    (["--hosts", "0", "--", "true"], "not between 1 and"),
    (["--hosts", "3", "--ranks-per-host", "1,2", "--", "true"], "2 numbers for 3 hosts"),
    (["--hosts", "2", "--ranks-per-host", "0", "--", "true"], "is not a number of ranks"),
    (["--hosts", "2", "--rate", "fast", "--", "true"], "write it as in 1gbit"),
    (["--hosts", "2", "--mpi", "lam", "--", "true"], "invalid choice"),
])
def test_bad_usage_is_told(arguments, complaint):
    ended = run(*arguments)
    assert ended.returncode == 2 and complaint in ended.stderr


def test_a_missing_tool_is_told_with_its_package(tmp_path):
    ended = subprocess.run([sys.executable, HOSTS, "--hosts", "2", "--", "true"], env={"PATH": str(tmp_path)},
                           capture_output=True, text=True)
    assert ended.returncode == 77
    assert ended.stderr.startswith("bench/hosts: no hosts here: there is no ") and "Debian package" in ended.stderr


def test_a_machine_that_refuses_is_told_in_a_line():
    no_network = "echo 0 >/proc/sys/user/max_net_namespaces && exec \"$@\""
    ended = subprocess.run(["unshare", "--user", "--map-root-user", "sh", "-c", no_network, "sh", HOSTS, "--hosts", "2",
                            "--mpi", "openmpi", "--", "true"], capture_output=True, text=True)
    if ended.returncode == 1:
        pytest.skip("no user namespaces to try this in: " + ended.stderr.strip())
    assert ended.returncode == 77 and ended.stderr.count("\n") == 1
    assert ended.stderr.startswith("bench/hosts: no hosts here: ")


def test_a_dry_run_prints_what_would_be_run(tmp_path):
    counters = tmp_path / "links.json"
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    output = succeeds("--hosts", 2, "--rate", "1gbit", "--mpi", "openmpi", "--json-counters", counters, "--dry-run",
                      "--", "true", env=environment)
    assert "ip link add to-host1 type veth peer name eth0 netns $host1" in output
    assert "tbf rate 1000000000bit" in output
    assert output.splitlines()[-1].endswith("--host host0:1,host1:1 -n 2 true")
    assert not counters.exists()
