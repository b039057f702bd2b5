# compare/course: one comparison from the first trial to its results: every way of every program, then rounds.
# Keeps: all programs transform the same fields on the same number of cores, and a wrong spectrum never gets a ratio.
import math
import statistics
import sys

from .agreement import allowed_deviation, deviation, direct_sum, disagreement, most_agreed, places, require_places
from .competitors import contestants_for
from .errors import BadUsage, LeftOut
from .launches import Runs, enough_transforms
from .ratios import ratios_to, summary
from .words import milliseconds


def say(text):
    print(text, file=sys.stderr, flush=True)


class Course:
    """The comparison of one case: who takes part, what they answered, and what went wrong."""

    def __init__(self, asked, case, launcher, calm=None):
        self.asked, self.case, self.calm = asked, case, calm
        self.disturbed = 0  # launches that were timed beside something else, as far as `calm` has seen
        self.runs = Runs(asked, case, launcher)
        self.allowed = allowed_deviation(case.points, asked.precision)
        self.contestants = contestants_for(asked)
        self.racing, self.left_out, self.wrong = [], {}, []
        self.checks = {}  # of every program in every way: {(program, label, way): check values}
        self.reference, self.checked_against = [], ""
        self.copies = []
        self.fastest = math.inf  # seconds of the fastest transform of the trials

    def run(self):
        """Returns the results, without what is the same for all cases, and the list of failures."""
        say(f"{self.case} {self.asked.precision}: planning, and finding the fastest way of each program")
        if self.asked.replan:
            self.runs.forget_wisdom()
        for contestant in self.contestants:
            self.find_way(contestant)
        if not self.racing:
            raise BadUsage(f"no program could transform {self.case}: "
                           + "; ".join(f"{name}: {why}" for name, why in self.left_out.items()))
        self.judge_ways()
        if not self.asked.inner:
            self.runs.inner = enough_transforms(self.fastest)
        for number in range(1, self.asked.repeat + 1):
            self.round(number)
        outputs = ("same", "free") if self.asked.output == "both" else (self.asked.output,)
        return [self.result_of(output) for output in outputs], self.wrong

    def start(self, contestant, way):
        """What a program answers. Errors: LeftOut, also if it has not checked every field at every frequency."""
        line = self.runs.start(contestant, way)
        require_places(line["check"], places(self.case))
        return line

    def find_way(self, contestant):
        """Runs a program once in each of its ways. If one works, it takes part in its fastest."""
        tried, why = {}, {}
        for way in contestant.competitor.ways:
            try:
                line = self.start(contestant, way)
                tried[way] = min(line["times"])  # disturbances only make a launch slower
                contestant.version = line.get("version", "")
                self.checks[contestant.competitor.name, contestant.label, way] = line["check"]
                say(f"  {contestant.label + ' ' + ' '.join(way):28s} {milliseconds(tried[way]):>8s} ms"
                    f"   planned in {line['plan_seconds']:.2f} s")
            except LeftOut as out:
                why[way] = str(out)
                if "is not built" in str(out):
                    break
        if tried:
            contestant.way = min(tried, key=tried.get)
            self.fastest = min(self.fastest, tried[contestant.way])
            self.racing.append(contestant)
            return
        self.left_out[contestant.label] = next(iter(why.values()))
        if contestant.competitor.name == "weft" and "is not built" not in self.left_out[contestant.label]:
            self.wrong.append(f"{contestant.label} took no part: {self.left_out[contestant.label]}")
        say(f"  {contestant.label:28s} left out: {self.left_out[contestant.label]}")

    def judge_ways(self):
        """Decides which spectrum is right, and removes the programs that have another one in any way."""
        if self.case.points * self.case.batch <= self.asked.direct:
            self.reference, self.checked_against = direct_sum(self.case), "a direct sum"
        else:
            self.reference = most_agreed(self.checks, self.case.points, self.allowed)
            self.checked_against = "each other"
        for contestant in list(self.racing):
            for way in contestant.competitor.ways:
                check = self.checks.get((contestant.competitor.name, contestant.label, way))
                if check is not None:
                    self.is_right(contestant, way, check)

    def is_right(self, contestant, way, check):
        complaint = disagreement(" ".join([contestant.label, *way]), check, self.reference, self.case.points, self.allowed)
        if complaint:
            say(f"  {complaint}")
            self.wrong.append(complaint)
            self.left_out.setdefault(contestant.label, complaint[complaint.index(" has ") + 5:])
            if contestant in self.racing:
                self.racing.remove(contestant)
        return not complaint

    def start_in_round(self, contestant):
        """Its fastest way, undisturbed if there is time to wait for that."""
        if self.calm is None:
            return self.start(contestant, contestant.way)
        line, is_undisturbed = self.calm.undisturbed(lambda: self.start(contestant, contestant.way))
        self.disturbed += not is_undisturbed
        return line

    def round(self, number):
        """Launches every program once, and the copy."""
        told = []
        for contestant in list(self.racing):
            try:
                line = self.start_in_round(contestant)
            except LeftOut as out:
                self.left_out[contestant.label] = f"in round {number}: {out}"
                if contestant.competitor.name == "weft":
                    self.wrong.append(f"{contestant.label} failed in round {number}: {out}")
                self.racing.remove(contestant)
                continue
            if self.is_right(contestant, contestant.way, line["check"]):
                contestant.rounds.append(line["times"])
                found = deviation(line["check"], self.reference, self.case.points)
                contestant.deviation = max(contestant.deviation, found)
                told.append(f"{contestant.label} {milliseconds(statistics.median(line['times']))}")
        self.copies.append(self.runs.copy())
        say(f"  round {number}/{self.asked.repeat} (ms)  " + "  ".join(told))

    def result_of(self, output):
        """The JSON object of one output, with the programs that took part in every round."""
        asked, case = self.asked, self.case
        group = [c for c in self.racing if c.in_table_of(output)]
        measured = [seconds for seconds in self.copies if seconds]
        copy_seconds = statistics.median(measured) if measured else None
        times = {c.name: summary([t for times in c.rounds for t in times]) for c in group}
        rounds = {c.name: [statistics.median(times) for times in c.rounds] for c in group}
        others = [c.name for c in group if c.competitor.name != "weft"]
        ratios, within = ratios_to(times, rounds, "weft", others)
        return {
            "extents": list(case.extents), "batch": case.batch, "kind": case.kind, "precision": asked.precision,
            "ranks": asked.ranks, "threads": asked.threads, "weft_ranks": asked.wefts[0][0],
            "weft_threads": asked.wefts[0][1], "output": output, "repeat": asked.repeat, "inner": self.runs.inner,
            "times": times, "ratios": ratios, "ratios_within_rounds": within,
            "other_wefts": {c.name: other_weft(c, times, rounds, others) for c in group
                            if c.competitor.name == "weft" and c.name != "weft"},
            "rounds": rounds,
            **({"disturbed_launches": self.disturbed} if self.calm else {}),
            "copy_seconds": copy_seconds, "floor_seconds": 2 * copy_seconds if copy_seconds else None,
            "ways": {c.name: c.how() for c in group},
            "versions": {c.name: c.version for c in group if c.competitor.name != "weft" and c.version},
            "remarks": {c.name: c.competitor.remark_on(case.batch) for c in group if c.competitor.remark_on(case.batch)},
            "left_out": {c.name: self.left_out[c.label] for c in self.contestants
                         if c.label in self.left_out and c.in_table_of(output)},
            "deviations": {c.name: c.deviation for c in group},
            "checked_against": self.checked_against,
        }


def other_weft(contestant, times, rounds, others):
    """What a result says of a weft with other ranks and threads, besides its times."""
    ratios, within = ratios_to(times, rounds, contestant.name, others)
    return {"ranks": contestant.ranks, "threads": contestant.threads, "ratios": ratios, "ratios_within_rounds": within}
