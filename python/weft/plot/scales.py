# weft.plot.scales: from values to places, and which values are written at an axis.
"""Linear and logarithmic scales, ticks, and numbers with units."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Scale:
    """Maps values from `low` to `high` to places from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float
    is_log: bool = False

    def __call__(self, value: float) -> float:
        low, high, at = (math.log(each) if self.is_log else each for each in (self.low, self.high, value))
        return self.start + (self.end - self.start) * (at - low) / ((high - low) or 1.0)

    def ticks(self, most: int) -> list[float]:
        """At most `most` round values within the scale, at least two if there are such."""
        return log_ticks(self.low, self.high, most) if self.is_log else linear_ticks(self.low, self.high, most)


def linear_ticks(low: float, high: float, most: int) -> list[float]:
    if high <= low:
        return [low]
    step = 10.0 ** math.floor(math.log10((high - low) / max(most, 1)))
    for factor in (1, 2, 5, 10, 20, 50, 100):
        first, last = math.ceil(low / (factor * step) - 1e-9), math.floor(high / (factor * step) + 1e-9)
        if last - first + 1 <= most:
            return [each * factor * step for each in range(first, last + 1)]
    return [low]


def log_ticks(low: float, high: float, most: int) -> list[float]:
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))

    def within(factors: tuple[int, ...], stride: int = 1) -> list[float]:
        every = [factor * 10.0**power for power in range(first, last + 1) if power % stride == 0 for factor in factors]
        return [each for each in every if low * (1 - 1e-9) <= each <= high * (1 + 1e-9)]

    for factors in ((1, 2, 3, 5, 7), (1, 2, 5), (1, 3)):
        if len(ticks := within(factors)) <= most:
            return ticks
    return next((ticks for stride in range(1, 400) if len(ticks := within((1,), stride)) <= max(most, 1)), [])


PREFIXES = ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"))


def with_unit(value: float, unit: str, digits: int = 3) -> str:
    """A number with a prefix of the unit: 0.0015 s is "1.5 ms"."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g} {unit}".rstrip()
    for size, prefix in PREFIXES:
        if abs(value) >= size * (1 - 0.5 * 10.0**-digits):
            return f"{plain(value / size, digits)} {prefix}{unit}".rstrip()
    size, prefix = PREFIXES[-1]
    return f"{plain(value / size, digits)} {prefix}{unit}"


def plain(value: float, digits: int = 3) -> str:
    """A number with so many digits that count, without an exponent where that is readable."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    if not 1e-4 <= abs(value) < 1e7:
        return scientific(value, digits)
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    text = f"{value:.{decimals}f}".replace("-", "−")
    return text.rstrip("0").rstrip(".") if "." in text else text


RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def scientific(value: float, digits: int = 2) -> str:
    """1.5·10⁻⁷."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    mantissa = (mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa).replace("-", "−")
    power = "10" + str(int(exponent)).translate(RAISED)
    return power if mantissa == "1" else f"{mantissa}·{power}"


def counted(number: object, what: str) -> str:
    """"1 rank", "4 ranks"."""
    return f"{number} {what}" + ("" if number == 1 else "s")


def bytes_text(count: float) -> str:
    return with_unit(count, "B")


def by(extents: object) -> str:
    return "×".join(str(n) for n in extents) if isinstance(extents, (list, tuple)) else str(extents)
