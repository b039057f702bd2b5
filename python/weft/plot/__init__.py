# weft.plot: pictures of traces, measurements, fields and machines, as pages of HTML that need nothing else.
"""Pictures of what weft has measured, transformed and predicted.

Each function returns a `Page`, whose `save` writes one file of HTML with its pictures inside, which
loads nothing, and with `png=` a picture of it::

    weft.plot.trace("trace.json").save("trace.html")
    weft.plot.slice("field.npy", axis=2).save("slice.html", png="slice.png")

`python -m weft plot` does the same from the command line. Nothing here needs MPI or the compiled
module; pictures of .h5 and .zarr files need h5py and zarr, and PNGs Chromium.
"""

from __future__ import annotations

from .comparison import compare
from .machines import machine
from .page import Page
from .rooflines import roofline
from .scaling_curves import scaling
from .slices import slice
from .spectra import spectrum
from .traces import trace

__all__ = ["Page", "compare", "machine", "roofline", "scaling", "slice", "spectrum", "trace"]
