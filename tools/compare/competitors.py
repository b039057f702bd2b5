# compare/competitors: the programs that are compared, and in which ways they run.
from dataclasses import dataclass, field

from .words import several

BOTH_PLACES = ((), ("--in-place",))
ONE_BY_ONE = "transforms the fields one after another"


@dataclass(frozen=True)
class Competitor:
    """One program of the comparison, and its options."""

    name: str
    library: str  # whose version its programs say
    program: str  # in the folder of programs, or a .py beside peer.hpp
    ranked: bool  # started by the MPI launcher; otherwise one process with ranks x threads threads
    outputs: tuple = ("same",)
    ways: tuple = BOTH_PLACES  # the fastest is found before the rounds
    remark: str = ""
    batch_remark: str = ""  # for comparisons of several fields
    transposed: bool = False  # has only one form of output, and takes part in the tables of both, in natural order with columns of its own

    def remark_on(self, batch):
        return "; ".join(filter(None, [self.remark, self.batch_remark if batch > 1 else ""]))


COMPETITORS = (
    Competitor("weft", "weft", "peer_weft", True, ("same", "free")),
    Competitor("fftw-threads", "FFTW", "peer_fftw_threads", False),
    Competitor("mkl-threads", "oneMKL", "peer_mkl_threads", False),
    Competitor("fftw-mpi", "FFTW", "peer_fftw_mpi", True, ("same", "free"),
               batch_remark=f"{ONE_BY_ONE}, because its batches are interleaved"),
    Competitor("mkl-cluster", "oneMKL", "peer_mkl_cluster", True, ("same", "free"),
               batch_remark=f"{ONE_BY_ONE}, because it has no batches"),
    Competitor("mpi4py-fft", "mpi4py-fft", "peer_mpi4py_fft.py", True, ("same", "free"), ((), ("--collapse",)),
               "leaves its spectrum transposed, and cannot return it in natural order", ONE_BY_ONE, True),
)
PEER_NAMES = tuple(c.name for c in COMPETITORS if c.name != "weft")


@dataclass
class Contestant:
    """A competitor with one --output, its fastest way, and its results so far."""

    competitor: Competitor
    output: str
    ranks: int
    threads: int
    name: str = ""  # that of the competitor, or "weft 1x2" where weft takes part once more
    way: tuple = ()
    rounds: list = field(default_factory=list)  # one list of seconds per round
    deviation: float = 0.0
    version: str = ""

    def __post_init__(self):
        self.name = self.name or self.competitor.name

    @property
    def label(self):
        free = self.output == "free" and not self.competitor.transposed
        return self.name + (" free" if free else "")

    def in_table_of(self, output):
        return self.output == output or self.competitor.transposed

    def how(self):
        threads = several(self.threads, "thread")
        cores = f"{self.ranks} x {threads}" if self.competitor.ranked else threads
        place = {(): "", ("--in-place",): ", in place", ("--collapse",): ", collapsed axes"}[self.way]
        return cores + place


def contestants_for(asked):
    """The programs that take part for each output: weft and the requested peers; threaded ones only in natural order."""
    outputs = ("same", "free") if asked.output == "both" else (asked.output,)
    found = []
    for c in COMPETITORS:
        mine = [o for o in outputs if o in c.outputs]
        if c.transposed:
            mine = mine[:1]  # runs once, and is in both tables
        if c.name == "weft":
            for number, (ranks, threads) in enumerate(asked.wefts):
                name = f"weft {ranks}x{threads}" if number else "weft"
                found += [Contestant(c, o, ranks, threads, name) for o in mine]
        elif c.name in asked.peers:
            shape = (asked.ranks, asked.threads) if c.ranked else (1, asked.ranks * asked.threads)
            found += [Contestant(c, o, *shape) for o in mine]
    return found
