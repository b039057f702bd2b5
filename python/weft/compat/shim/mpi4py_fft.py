# mpi4py_fft: with the folder of this file in PYTHONPATH, weft's package of this interface.
"""The interface of mpi4py-fft, computed by weft."""

import weft.compat.mpi4py_fft.install  # noqa: F401  which puts the package in the place of this module
