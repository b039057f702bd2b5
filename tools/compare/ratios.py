# compare/ratios: the numbers that are made of times.
import statistics


def summary(times):
    """{"min", "median", "max"} of a list of seconds."""
    return {"min": min(times), "median": statistics.median(times), "max": max(times)}


def ratios_to(times, rounds, name, others):
    """For each of the other programs, the ratio of medians, and the smallest and largest ratio within one round."""
    if name not in times:
        return {}, {}
    medians, within = {}, {}
    for other in others:
        medians[other] = times[name]["median"] / times[other]["median"]
        each = [mine / its for mine, its in zip(rounds[name], rounds[other])]
        within[other] = {"min": min(each), "max": max(each)}
    return medians, within
