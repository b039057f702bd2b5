# compare/cases: what is compared: the extents of a field, how many fields, and the kind of transform.
# Keeps: the standing list, which every processor in docs/measurements is measured with.
import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """`batch` fields of `extents` points, which are transformed together."""

    extents: tuple
    kind: str = "c2c"
    batch: int = 1

    @property
    def size(self):
        return "x".join(map(str, self.extents))

    @property
    def points(self):
        """The points of one field."""
        return math.prod(self.extents)

    @property
    def flops(self):
        """5 N log2 N for c2c, half of it for r2c, of all fields."""
        return self.batch * 5 * self.points * math.log2(max(self.points, 2)) * (1 if self.kind == "c2c" else 0.5)

    def __str__(self):
        return f"{self.kind} " + (f"{self.batch} fields of " if self.batch > 1 else "") + self.size


CASES = (
    Case((64, 64, 64)),
    Case((128, 128, 128)),
    Case((256, 256, 256)),
    Case((300, 300, 300)),
    Case((384, 384, 96)),
    Case((512, 512, 512)),
    Case((256, 256, 256), "r2c"),
    Case((251, 257, 263), "r2c"),
    Case((64, 64, 64, 64)),
    Case((64, 64, 64), "c2c", 32),
    Case((64, 64, 64), "r2c", 32),
    Case((2**20,)),
    Case((2**24,)),
    Case((8192, 8192)),
)
