# weft.compat.mpi4py_fft.__main__: runs a program that imports mpi4py_fft, which is weft's then.
"""Usage: python -m weft.compat.mpi4py_fft [-m MODULE | PROGRAM | --path] [ARGUMENTS]

Runs a program or a module with weft in the place of mpi4py-fft. --path prints a folder instead, which does
so in PYTHONPATH.
"""

import runpy
import sys
from pathlib import Path


def main() -> None:
    """Run what the arguments say."""
    arguments = sys.argv[1:]
    if arguments == ["--path"]:
        print(Path(__file__).parent.parent / "shim")
        return
    if not arguments or arguments[0] in ("-h", "--help") or arguments == ["-m"]:
        print(__doc__.strip())
        raise SystemExit(0 if arguments and arguments[0] in ("-h", "--help") else 2)
    from . import install  # noqa: F401

    if arguments[0] == "-m":
        sys.argv = arguments[1:]
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
        return
    sys.argv = arguments
    sys.path[0] = str(Path(arguments[0]).resolve().parent)
    runpy.run_path(arguments[0], run_name="__main__")


main()
