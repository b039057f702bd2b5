# weft.__main__: `python -m weft COMMAND`.
"""Usage: python -m weft plot PICTURE FILE ... [--out PAGE.html] [--png PICTURE.png]

`python -m weft plot --help` lists the pictures, with examples. Transforms, benchmarks and plans are commands of the program `weft`.
"""

import sys


def main() -> int:
    """Run the command that the arguments name."""
    command, arguments = sys.argv[1:2], sys.argv[2:]
    if command == ["plot"]:
        from .plot.command import main as plot

        return plot(arguments)
    print(__doc__.strip())
    return 0 if command in (["-h"], ["--help"]) else 2


if __name__ == "__main__":
    raise SystemExit(main())
