# bench/peers/peer: field, check frequencies and options of the C++ peers for Python: the peers in it, and tools/compare.py.
# Keeps: bit for bit the field of field.hpp (the agreement of C++ and Python peers in every comparison tests it).
import argparse

import numpy as np


def parse_extents(text):
    """The extents of '256x256x256'. Errors: ValueError with what to write instead."""
    extents = [int(n) if n.isdecimal() else 0 for n in text.split("x")]
    if not 1 <= len(extents) <= 4 or min(extents) < 1:
        raise ValueError(f"'{text}' is not a size: write 1 to 4 positive whole numbers, as in 256x256x256")
    return extents


def options(program):
    """The command line every peer understands; see problem.hpp."""
    parser = argparse.ArgumentParser(prog=program)
    parser.add_argument("--size", type=parse_extents, required=True, metavar="AxBxC")
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--kind", choices=["c2c", "r2c"], default="c2c")
    parser.add_argument("--precision", choices=["double", "single"], default="double")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--output", choices=["same", "free"], default="same")
    parser.add_argument("--in-place", action="store_true")
    parser.add_argument("--inner", type=int, default=3)
    parser.add_argument("--warmup", type=int, default=1)
    parser.add_argument("--wisdom", default="")
    return parser


def uniform(i):
    """Uniform numbers in [-0.5, 0.5) for an array of uint64: the finaliser of SplitMix64."""
    with np.errstate(over="ignore"):
        z = (i + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z ^= z >> np.uint64(31)
    return (z >> np.uint64(11)).astype(np.float64) * 2.0**-53 - 0.5


def field(extents, kind, box=None, member=0):
    """Field number `member` of a batch on a box (a tuple of slices, default: everything), as doubles or complex doubles.
    The batch is one more axis, the slowest."""
    box = box or tuple(slice(0, n) for n in extents)
    index = np.full([1] * len(extents), member, dtype=np.uint64)
    for axis, (n, part) in enumerate(zip(extents, box)):
        at = np.arange(part.start, part.stop, dtype=np.uint64)
        shape = [1] * len(extents)
        shape[axis] = at.size
        index = index * np.uint64(n) + at.reshape(shape)
    twice = index * np.uint64(2)
    if kind == "r2c":
        return uniform(twice)
    return uniform(twice) + 1j * uniform(twice + np.uint64(1))


def check_frequencies(extents, kind):
    """The four frequencies of field.hpp: zero, low, fractions of the extents, highest."""
    spectrum = list(extents)
    if kind == "r2c":
        spectrum[-1] = spectrum[-1] // 2 + 1
    return [
        [0 for _ in extents],
        [min((axis + 1) % n, s - 1) for axis, (n, s) in enumerate(zip(extents, spectrum))],
        [n // (axis + 2) for axis, n in enumerate(extents)],
        [s - 1 for s in spectrum],
    ]
