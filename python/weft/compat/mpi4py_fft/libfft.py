# weft.compat.mpi4py_fft.libfft: a serial transform and its inverse along some axes, with truncation and padding along one.
# Keeps: arrays and plans are made on first use, as those of a PFFT are mostly not used.
"""Serial transforms, forward and backward."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ..._errors import Error
from . import fftw
from .fftw._plan import axes_of, fits, normalization_of

# The names of libraries that mpi4py-fft computes with; weft computes in all cases.
BACKENDS = ("fftw", "pyfftw", "numpy", "scipy", "mkl_fft")
_SETTINGS = {"threads", "flags", "planner_effort", "overwrite_input"}


class FFTBase:
    """What a serial transform is of.

    Parameters
    ----------
    shape : sequence of int
        Points of the input along each axis; with padding, those of the padded array.
    axes : int or sequence of int, optional
        The transformed axes; all by default.
    dtype : dtype, optional
        Of the input: f, d, F, D, or g, G, which NumPy transforms.
    padding : bool or number or sequence of numbers, optional
        By what factor the input has more points along the only axis than there are waves.

    Raises
    ------
    Error
        For axes and types that there are not, and for padding of several axes.
    """

    def __init__(self, shape: Sequence[int] | int, axes: Any = None, dtype: DTypeLike = float, padding: Any = False) -> None:
        self.shape = [int(n) for n in shape] if isinstance(shape, (Sequence, np.ndarray)) else [int(shape)]
        self.axes = list(axes_of(range(len(self.shape)) if axes is None else axes, len(self.shape)))
        self.dtype = np.dtype(dtype)
        if self.dtype.char not in "fdgFDG":
            raise Error(f"there are no transforms of {self.dtype}", "give one of the types f, d, F and D", code="unsupported")
        if min(self.shape) < 1:
            raise Error(f"there is no transform of {tuple(self.shape)} points", "give 1 or more along each axis")
        self.padding = padding
        self.real_transform = self.dtype.kind == "f"
        self.padding_factor = self._padding_factor(padding)

    def _padding_factor(self, padding: Any) -> float:
        if padding is False or padding is None:
            return 1.0
        given = list(padding) if isinstance(padding, (Sequence, np.ndarray)) else [padding]
        factor = float(given[-1])
        if factor < 1:
            raise Error(f"the padding is {factor}", "a padded array has more points than there are waves: give 1 or more, as 1.5")
        if factor != 1 and len(self.axes) > 1:
            raise Error(f"the axes {tuple(self.axes)} of one group are to be padded by {factor}", "pad only axes in groups of their own")
        return factor


class _Serial:
    """Plans and arrays of a transform and its inverse, which are made when they are first asked for."""

    def __init__(self, of: FFTBase, makers: tuple[Any, Any], options: dict[str, Any]) -> None:
        self.shape, self.axes, self.dtype = of.shape, of.axes, of.dtype
        self.padding_factor, self.real_transform = of.padding_factor, of.real_transform
        self.makers, self.options = makers, options
        self.arrays: dict[str, NDArray[Any]] = {}
        self.plans: tuple[Any, Any] | None = None
        self.allocate: dict[str, Callable[[], NDArray[Any]]] = {}
        # Whether V is known before a plan is made, which is so without padding and functions of others.
        self._knows_output = self.spec is not None and self.padding_factor == 1

    @property
    def spec(self) -> Any:
        """c2c, r2c, or the bases along the axes; None for functions of others."""
        return spec_of(self.makers, len(self.axes), self.real_transform)

    @property
    def output_shape(self) -> tuple[int, ...]:
        """The shape of what the transform makes."""
        if self.spec is None:
            return self.array("V").shape
        shape = list(self.shape)
        if self.padding_factor != 1:
            shape[self.axes[-1]] = round(shape[self.axes[-1]] / self.padding_factor)
        if self.spec == "r2c":
            shape[self.axes[-1]] = shape[self.axes[-1]] // 2 + 1
        return tuple(shape)

    @property
    def output_dtype(self) -> np.dtype[Any]:
        """The type of what the transform makes."""
        if self.spec is None:
            return self.array("V").dtype
        return np.dtype(self.dtype.char.upper()) if self.spec == "r2c" else self.dtype

    # None for spectra of all waves; of half of them, whether the last wave, which alternates, is shared by both signs. As in mpi4py-fft,
    # it is for 2, 6, 10, ... points; not as there, it is not for 3, 7, 11, ..., which have no such wave.
    @property
    def half(self) -> bool | None:
        """See above."""
        if not (self.real_transform and self.spec == "r2c"):
            return None
        return round(self.shape[self.axes[-1]] / self.padding_factor) % 4 == 2

    @property
    def M(self) -> float:
        """One over the number of points, or what a round trip multiplies by."""
        spec = self.spec
        if spec is None:
            return float(self.planned()[0].get_normalization())
        if isinstance(spec, str):
            return 1.0 / math.prod(self.shape[axis] for axis in self.axes)
        kinds = {**{f"dct{n}": kind for n, kind in fftw.dct_type.items()}, **{f"dst{n}": kind for n, kind in fftw.dst_type.items()}}
        return normalization_of([kinds[basis] for basis in spec], self.shape, self.axes)

    def planned(self) -> tuple[Any, Any]:
        """The serial plans, forward and backward."""
        if self.plans is None:
            u = self._made("U", self._empty_input)
            shape, axes = [self.shape[axis] for axis in self.axes], tuple(self.axes)
            given = self._made("V", self._empty_output) if self._knows_output else None
            fwd = self.makers[0](u, s=shape, axes=axes, output_array=given, **self.options)
            v = fwd.output_array
            if given is None:
                v[...] = 0
            bck = self.makers[1](v, s=shape, axes=axes, output_array=u, **self.options)
            self.arrays["V"] = v
            self.plans = (fwd, bck)
        return self.plans

    def _empty_input(self) -> NDArray[Any]:
        return fftw.aligned(self.shape, dtype=self.dtype)

    def _empty_output(self) -> NDArray[Any]:
        return fftw.aligned(self.output_shape, dtype=self.output_dtype)

    def _made(self, name: str, make: Callable[[], NDArray[Any]]) -> NDArray[Any]:
        if name not in self.arrays:
            self.arrays[name] = self.allocate.get(name, make)()
            self.arrays[name][...] = 0
        return self.arrays[name]

    def array(self, name: str) -> NDArray[Any]:
        """U: the input; V: the spectrum, with padding that of the padded input; T: what is kept of it."""
        if name == "T" and self.padding_factor != 1:
            return self._made("T", self._empty_output)
        if self._knows_output:
            return self._made("U", self._empty_input) if name == "U" else self._made("V", self._empty_output)
        self.planned()
        return self.arrays["U" if name == "U" else "V"]


class FFT(FFTBase):
    """A serial transform: `forward`, which divides by the number of points, and `backward`.

    Parameters
    ----------
    shape, axes, dtype, padding
        See `FFTBase`.
    backend : str, optional
        A name that mpi4py-fft takes; weft computes with all of them.
    transforms : dict, optional
        The functions that make the transforms, forward and backward, along some axes:
        ``{(0, 1): (dctn, idctn)}``. rfftn or fftn by default.
    **kw
        ``threads``, ``flags``, ``planner_effort`` and ``overwrite_input``.

    Attributes
    ----------
    forward, backward : callable
        ``forward(input_array=None, output_array=None, normalize=True)``; backward does not normalise.
    M : float
        What `forward` multiplies by.
    """

    def __init__(
        self, shape: Sequence[int] | int, axes: Any = None, dtype: DTypeLike = float, padding: Any = False, backend: str = "fftw",
        transforms: Any = None, **kw: Any,
    ) -> None:  # fmt: skip
        super().__init__(shape, axes, dtype, padding)
        self.backend = backend_of(backend)
        if not kw.keys() <= _SETTINGS:
            raise Error(f"there is no argument {sorted(kw.keys() - _SETTINGS)[0]!r} of a transform", f"one of: {', '.join(sorted(_SETTINGS))}")
        # The directions hold what they need, and not this object: without rings, all ends when nobody holds it, on all ranks alike.
        self._serial = _Serial(self, makers_of(transforms, self.axes, len(self.shape), self.real_transform), {"threads": int(kw.get("threads", 1))})
        self.forward = _Direction(self._serial, True)
        self.backward = _Direction(self._serial, False)

    @property
    def fwd(self) -> Any:
        """The serial plan of `forward`, without truncation."""
        return self._serial.planned()[0]

    @property
    def bck(self) -> Any:
        """The serial plan of `backward`, without padding."""
        return self._serial.planned()[1]

    @property
    def M(self) -> float:
        """One over the number of points, or what a round trip multiplies by."""
        return self._serial.M


class _Direction:
    """A transform in one direction, with an input and an output of its own."""

    def __init__(self, fft: _Serial, is_forward: bool) -> None:
        self._fft, self._is_forward = fft, is_forward

    @property
    def xfftn(self) -> Any:
        """The serial plan."""
        return self._fft.planned()[not self._is_forward]

    @property
    def input_array(self) -> NDArray[Any]:
        """What a call takes that gives no input."""
        return self._fft.array("U" if self._is_forward else "T")

    @property
    def output_array(self) -> NDArray[Any]:
        """What a call fills that gives no output."""
        return self._fft.array("T" if self._is_forward else "U")

    def __call__(self, input_array: Any = None, output_array: Any = None, normalize: bool | None = None, **options: Any) -> NDArray[Any]:
        """Transform; see `FFT`. Other options are accepted and change nothing."""
        fft, own = self._fft, self.input_array
        source = own
        if input_array is not None:
            if fits(input_array, own):
                source = input_array
            else:
                own[...] = input_array
        target = self.output_array if output_array is None else output_array
        scale = {"normalize": self._is_forward if normalize is None else bool(normalize)}
        if fft.padding_factor == 1:
            self.xfftn(source, target, **scale)
        elif self._is_forward:
            self.xfftn(source, **scale)
            truncate(fft.array("V"), target, fft.axes[-1], fft.half)
        else:
            pad(source, fft.array("V"), fft.axes[-1], fft.half)
            self.xfftn(None, target, **scale)
        result: NDArray[Any] = target
        return result


def backend_of(backend: str) -> str:
    """The name of a library that mpi4py-fft computes with.

    Raises
    ------
    Error
        For another name.
    """
    if backend not in BACKENDS:
        raise Error(f"there is no backend {backend!r}", f"one of: {', '.join(BACKENDS)}; weft computes with all of them")
    return backend


def makers_of(transforms: Any, axes: Sequence[int], count: int, is_real: bool) -> tuple[Any, Any]:
    """The functions that make the transforms along `axes` of `count`, forward and backward."""
    for named, makers in (transforms or {}).items():
        if axes_of(named, count) == tuple(axes):
            forward, backward = makers
            return forward, backward
    return (fftw.rfftn, fftw.irfftn) if is_real else (fftw.fftn, fftw.ifftn)


def spec_of(makers: tuple[Any, Any], count: int, is_real: bool) -> Any:
    """What functions of weft.compat make of `count` axes: c2c, r2c, or the basis of each; None for others."""
    forward, backward = (_plain(maker) for maker in makers)
    if (forward, backward) == ((fftw.rfftn, None), (fftw.irfftn, None)) and is_real:
        return "r2c"
    if (forward, backward) == ((fftw.fftn, None), (fftw.ifftn, None)) and not is_real:
        return "c2c"
    for family, pair in (("dct", (fftw.dctn, fftw.idctn)), ("dst", (fftw.dstn, fftw.idstn))):
        for straight, inverted in (pair, pair[::-1]):
            if forward[0] is straight and backward == (inverted, forward[1]) and forward[1] in (None, 1, 2, 3, 4):
                type_ = forward[1] or 2
                return (f"{family}{type_ if straight is pair[0] else {2: 3, 3: 2}.get(type_, type_)}",) * count
            if forward[0] is backward[0] is straight and {forward[1] or 2, backward[1] or 2} in ({1}, {2, 3}, {4}):
                type_ = forward[1] or 2
                return (f"{family}{type_ if straight is pair[0] else {2: 3, 3: 2}.get(type_, type_)}",) * count
    return None


def _plain(maker: Any) -> tuple[Any, Any]:
    given = getattr(maker, "keywords", {})
    if hasattr(maker, "func") and not getattr(maker, "args", ()) and given.keys() <= {"type"}:
        return maker.func, given.get("type")
    return maker, None


def truncate(whole: NDArray[Any], kept: NDArray[Any], axis: int, half: bool | None) -> None:
    """Copy the waves of `kept` from a spectrum of more, along an axis; an alternating wave gets the sum of both signs."""
    n = kept.shape[axis]
    if half is not None or n == whole.shape[axis]:
        kept[...] = whole[_at(axis, slice(n))]
        if half:
            kept[_at(axis, -1)] = 2 * kept[_at(axis, -1)].real
        return
    low, high = (n + 1) // 2, n // 2
    kept[_at(axis, slice(low))] = whole[_at(axis, slice(low))]
    if high:
        kept[_at(axis, slice(-high, None))] = whole[_at(axis, slice(-high, None))]
    if n % 2 == 0:
        kept[_at(axis, n // 2)] += whole[_at(axis, n // 2)]


def pad(kept: NDArray[Any], whole: NDArray[Any], axis: int, half: bool | None) -> None:
    """Copy the waves of `kept` into a spectrum of more, along an axis, and zeros for the others; an alternating one is shared out."""
    n = kept.shape[axis]
    whole[...] = 0
    if half is not None or n == whole.shape[axis]:
        whole[_at(axis, slice(n))] = kept
        if half:
            whole[_at(axis, n - 1)] = kept[_at(axis, -1)].real / 2
        return
    low, high = (n + 1) // 2, n // 2
    whole[_at(axis, slice(low))] = kept[_at(axis, slice(low))]
    if high:
        whole[_at(axis, slice(-high, None))] = kept[_at(axis, slice(-high, None))]
    if n % 2 == 0:
        part = kept[_at(axis, n // 2)] / 2
        whole[_at(axis, n // 2)] = part
        whole[_at(axis, -(n // 2))] = part


def _at(axis: int, index: Any) -> tuple[Any, ...]:
    return (slice(None),) * axis + (index,)
