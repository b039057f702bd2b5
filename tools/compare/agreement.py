# compare/agreement: whether spectra are right, and which of several are believed.
# Keeps: every field of a batch is checked, so that one that is missing, exchanged or transformed twice is noticed.
#
# The check values of a program are a list of [member, k..., re, im]: the spectrum of field number `member` at k.
import numpy as np
import peer

from .errors import LeftOut


def direct_sum(case):
    """The check values of a case, summed directly over all points, a few planes at a time."""
    frequencies = peer.check_frequencies(case.extents, case.kind)
    return [line for member in range(case.batch) for line in direct_sum_of(case, frequencies, member)]


def direct_sum_of(case, frequencies, member):
    """The check values of one field."""
    extents = case.extents
    planes = max(1, 2**20 * extents[0] // case.points)
    sums = [0j] * len(frequencies)
    for begin in range(0, extents[0], planes):
        box = (slice(begin, min(begin + planes, extents[0])), *(slice(0, n) for n in extents[1:]))
        points = peer.field(extents, case.kind, box, member)
        for number, k in enumerate(frequencies):
            rest = points
            for part, n, ki in reversed(list(zip(box, extents, k))):
                # k*x is reduced modulo n as an integer, which keeps the phase exact.
                rest = rest @ np.exp(-2j * np.pi * ((np.arange(part.start, part.stop) * ki) % n) / n)
            sums[number] += complex(rest)
    return [[member, *k, z.real, z.imag] for k, z in zip(frequencies, sums)]


def places(case):
    """Where the spectra of a case are checked: [member, k...] of every field."""
    return [[member, *k] for member in range(case.batch) for k in peer.check_frequencies(case.extents, case.kind)]


def require_places(check, expected):
    """Errors: LeftOut if check values are of other fields or frequencies than `expected`."""
    found = [line[:-2] for line in check]
    if found == expected:
        return
    if len(found) != len(expected):
        raise LeftOut(f"it has check frequencies for {len(found)} values, not for {len(expected)}")
    first, wanted = next((f, e) for f, e in zip(found, expected) if f != e)
    raise LeftOut(f"among its check frequencies (field, frequency) is {first}, not {wanted}")


def deviation(check, reference, points):
    """The largest distance between two lists of check values, in units of a typical value, sqrt(points)."""
    require_places(check, [line[:-2] for line in reference])
    return float(max(distances(check, reference)) / np.sqrt(points))


def distances(check, reference):
    """The distances between the values at each frequency; infinite if a value is not finite."""
    found = [abs(complex(*c[-2:]) - complex(*r[-2:])) for c, r in zip(check, reference)]
    return [d if np.isfinite(d) else float("inf") for d in found]


def allowed_deviation(points, precision):
    """64 eps log2(points): about 1000 times the effect of rounding, and far below the effect of a mistake."""
    eps = np.finfo(np.float64 if precision == "double" else np.float32).eps
    return float(64 * eps * np.log2(max(points, 2)))


def most_agreed(checks, points, allowed):
    """The check values with which the most programs agree, from {(name, way...): check}.
    A program counts once, no matter in how many ways it was tried. Of two equally large groups, the one without weft wins."""
    def support(key):
        company = {other[0] for other, check in checks.items() if deviation(check, checks[key], points) <= allowed}
        return len(company), key[0] != "weft"

    return checks[max(checks, key=support)]


def disagreement(name, check, reference, points, allowed):
    """None, or a sentence with the worst frequency and both values."""
    if deviation(check, reference, points) <= allowed:
        return None
    found_distances = distances(check, reference)
    worst = found_distances.index(max(found_distances))
    found, expected = complex(*check[worst][-2:]), complex(*reference[worst][-2:])
    member, *frequency = check[worst][:-2]
    fields = 1 + max(line[0] for line in reference)
    where = f"frequency {tuple(frequency)}" + (f" of field {member} of {fields}" if fields > 1 else "")
    return (f"{name} has a wrong spectrum: at {where} it found {found:.6g}, "
            f"expected {expected:.6g}; the difference is {found_distances[worst] / np.sqrt(points):.1e} of a typical value, "
            f"the limit {allowed:.1e}")
