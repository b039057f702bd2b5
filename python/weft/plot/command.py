# weft.plot.command: `python -m weft plot`.
"""The command line of pictures."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import Callable, Sequence

from .._errors import Error
from . import compare, machine, roofline, scaling, slice, spectrum, trace
from .page import Page

_ABOUT = "Draw what weft has measured, transformed or predicted, as one page of HTML that loads nothing."
_EXAMPLES = """examples:
  mpiexec -n 4 weft bench 64x64x64 --trace trace.json --json bench.json
  python -m weft plot trace trace.json
  python -m weft plot roofline bench.json --doctor doctor.json
  python -m weft plot scaling bench-1.json bench-2.json bench-4.json --out scaling.html
  python -m weft plot compare before.json after.json --png compare.png
  python -m weft plot slice field.npy --axis 2 --index 10 --png slice.png
  python -m weft plot spectrum field.npy --slope=-5/3
  python -m weft plot machine 96x96x96 --ranks 384 --machine shaheen-ii --out machine.html

`python -m weft plot PICTURE --help` tells the options of a picture; docs/pictures.md shows them.
"""


def _fraction(text: str) -> float:
    """A number, or a fraction of two."""
    above, _, below = text.partition("/")
    try:
        value = float(above) / float(below or 1)
    except (ValueError, ZeroDivisionError):
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"'{text}' is no number")
    return value


def _numbers(text: str) -> list[float]:
    try:
        return [float(each) for each in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is no list of numbers, as 1,1,2") from None


def _indices(text: str) -> list[int]:
    try:
        return [int(each) for each in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is no list of whole numbers, as 0,3") from None


def _add_field(one: argparse.ArgumentParser) -> None:
    one.add_argument("file", metavar="FILE")
    one.add_argument("--dataset", metavar="NAME", default="", help="the array, in a file that has several")


def parser() -> argparse.ArgumentParser:
    """All pictures and their options."""
    whole = argparse.ArgumentParser("python -m weft plot", description=_ABOUT, epilog=_EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    pictures = whole.add_subparsers(dest="picture", required=True, metavar="PICTURE")

    def picture(name: str, about: str, example: str, page: Callable[[argparse.Namespace], Page] | None) -> argparse.ArgumentParser:
        one = pictures.add_parser(name, help=about, description=about[0].upper() + about[1:] + ".", epilog=f"example:\n  python -m weft plot {name} {example}",
                                  formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=page is not None,
                                  usage=None if page else f"python -m weft plot {name} EXTENTS [options of weft place] [options]")  # fmt: skip
        one.set_defaults(page=page)
        one.add_argument("--out", metavar="FILE", help=f"the page to write (default: {'named after the input and the picture' if page else name + '.html'})")
        one.add_argument("--png", metavar="FILE", help="write a picture of the page, too; needs Chromium on PATH")
        one.add_argument("--width", metavar="PIXELS", type=int, default=1400, help="how wide the PNG is (default 1400)")
        return one

    one = picture("trace", "timelines of ranks, from `weft bench --trace FILE`: who computes, waits and sends what, and when", "trace.json --png trace.png",
                  lambda given: trace(given.file))  # fmt: skip
    one.add_argument("file", metavar="FILE")
    one = picture("roofline", "the passes of a transform beside the speed of memory, from `weft bench --json FILE`", "bench.json --doctor doctor.json",
                  lambda given: roofline(given.file, given.doctor, given.bandwidth and 1e9 * given.bandwidth))  # fmt: skip
    one.add_argument("file", metavar="FILE")
    one.add_argument("--doctor", metavar="FILE", help="the roof: a file of `weft doctor --json`")
    one.add_argument("--bandwidth", metavar="GB/s", type=float, help="or the speed of copies, loaded and stored, of all nodes together")
    one = picture("scaling", "strong and weak scaling, from files of `weft bench --json`", "bench-*.json", lambda given: scaling(given.files))
    one.add_argument("files", metavar="FILE", nargs="+")
    one = picture("compare", "times side by side, from files of `weft bench --json`, `weft plan --json` or `./dev compare --json`", "before.json after.json",
                  lambda given: compare(given.files))  # fmt: skip
    one.add_argument("files", metavar="FILE", nargs="+")
    one = picture("slice", "a plane of the field in a .npy, .h5 or .zarr file", "field.npy --axis 0 --index 5",
                  lambda given: slice(given.file, given.axis, given.index, given.part, given.dataset, given.others))  # fmt: skip
    _add_field(one)
    one.add_argument("--axis", type=int, default=-1, help="the axis that is cut (default: the last)")
    one.add_argument("--index", type=int, help="where (default: in the middle)")
    one.add_argument("--part", default="", metavar="WORD", help="real, imag, abs (default of complex values), phase or log")
    one.add_argument("--others", type=_indices, default=[], metavar="I,J", help="indices of the axes before the last three (default 0)")
    one = picture("spectrum", "the radial power spectrum of the field in a .npy, .h5 or .zarr file", "field.npy --lengths 1,1,2",
                  lambda given: spectrum(given.file, given.lengths, given.modes or given.last_size is not None, given.last_size, given.dataset, given.slope))  # fmt: skip
    _add_field(one)
    one.add_argument("--lengths", type=_numbers, default=[], metavar="X,Y,Z", help="the sides of the box (default: 1 each)")
    one.add_argument("--modes", action="store_true", help="the file has Fourier coefficients, as `weft transform` writes them")
    one.add_argument("--last-size", type=int, metavar="N", help="of a half spectrum: the number of points of its last axis")
    one.add_argument("--slope", type=_fraction, metavar="S", help="draw a power law for comparison, as --slope=-5/3")
    one = picture("machine", "a machine, the ranks on its nodes and the loads of its links; takes the options of `weft place`",
                  "64x64x64 --ranks 64 --machine blue-gene-l", None)  # fmt: skip
    one.add_argument("--program", default="", metavar="FILE", help="the program weft (default: of this build, or on PATH)")
    return whole


def _refuse_overwriting(read: Sequence[Path], written: Sequence[str | None]) -> None:
    for out in written:
        if out and any(Path(out).resolve() == each.resolve() for each in read):
            raise Error(f"'{out}' would be written, and is read", "give another name to --out or --png")


def _draw(given: argparse.Namespace, others: list[str]) -> None:
    if not 320 <= given.width <= 10000:
        raise Error(f"--width is {given.width}", "give 320 to 10000 pixels")
    if given.page is None:
        out = given.out or "machine.html"
        machine(others, out, given.program)
        if given.png:
            from .browser import write_png

            write_png(Path(out), Path(given.png), given.width)
    else:
        read = [Path(each) for each in (given.files if "files" in given else [given.file])]
        read += [Path(given.doctor)] if getattr(given, "doctor", None) else []
        out = given.out or f"{read[0].stem}-{given.picture}.html"
        _refuse_overwriting(read, [out, given.png])
        given.page(given).save(out, given.png, given.width)
    print(f"wrote {out}" + (f" and {given.png}" if given.png else ""))


def main(arguments: Sequence[str]) -> int:
    """Draws what the arguments say. Returns the exit status: 0, or 2 with a message for wrong input."""
    import sys

    whole = parser()
    given, others = whole.parse_known_args(arguments)
    if others and given.page is not None:
        whole.error(f"unrecognized arguments: {' '.join(others)}")
    try:
        _draw(given, others)
    except Error as error:
        print(f"weft: {error}", file=sys.stderr)
        return 2
    return 0
