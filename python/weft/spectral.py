# weft.spectral: what pseudo-spectral codes compute of spectra: derivatives, projections, products without aliases, spectra of shells.
# Keeps: an object of Operators has compared on all ranks what it was given, so that only runs and sums of it are collective.
"""Calculus in spectral space, over the spectra that a plan makes.

::

    plan = weft.Plan((64, 64, 64), "r2c", comm=MPI.COMM_WORLD, batch=3)
    ops = weft.spectral.Operators(plan, lengths=(1, 1, 2))
    v = plan.forward(u)
    w = plan.backward(ops.curl(v))

Spectra are what the plan makes: arrays of NumPy's or `DistArray`, and what is returned is of the same kind.
The components of a vector are fields of a batch.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._agreement import agreed, told, told_about
from ._arrays import as_array
from ._chebyshev import differentiate_chebyshev
from ._dealiased import dealiased_modes, dealiased_points, needed_points
from ._errors import Error
from ._located import Located
from ._plan import Plan

__all__ = ["Operators", "RadialSpectrum", "dealiased_modes", "dealiased_points"]

# Between so many points and one less, polynomials of these bases are mirrored.
_MIRRORED = {"chebyshev": 1, "chebyshev-gauss": 0}


class RadialSpectrum(NamedTuple):
    """The waves of a spectrum by their length: what `Operators.spectrum` returns, the same on every rank.

    Attributes
    ----------
    k : numpy.ndarray
        The angular wavenumber in the middle of each shell.
    power : numpy.ndarray
        The sum of the squares of the Fourier coefficients in each shell; with a batch, a row for each field.
    waves : numpy.ndarray
        How many waves are in each shell.
    """

    k: NDArray[np.float64]
    power: NDArray[np.float64]
    waves: NDArray[np.int64]

    @property
    def mean(self) -> NDArray[np.float64]:
        """The mean of the squares in each shell; 0 where there are no waves."""
        return self.power / np.maximum(self.waves, 1)


class Operators:
    """Derivatives and more of the spectra of a plan, in a box of physical lengths.

    Making it is collective over the plan's communicator.

    Parameters
    ----------
    plan : Plan
        Whose spectra are worked on, each of whose ranks has one box of them, or waves of a cut-off.
    lengths : float or sequence of float, optional
        The length of the box along each axis: the period of a Fourier axis, the interval of a Chebyshev
        axis. One number is that of all axes; by default 2 pi.

    Raises
    ------
    Error
        For lengths that are not positive, and for spectra in several boxes; the same on every rank.

    Notes
    -----
    The wave n/2 of an even number n of points has no odd derivative, as its sign is not known: it is
    taken as 0 in `derivative`, `gradient`, `divergence`, `curl` and `divergence_free`, and kept in even
    derivatives and `laplacian`. Arrays of NumPy's are this rank's part without ghost points.
    """

    def __init__(self, plan: Plan, lengths: float | Sequence[float] = 2 * math.pi) -> None:
        if not isinstance(plan, Plan):
            raise Error(f"operators of a {type(plan).__name__} are wanted", "give a Plan")
        self._plan, self._is_input = plan, plan._kind == "c2r"
        self._layout = plan._layouts[self._is_input]
        self._side = self._layout.side
        count = len(plan.shape)
        does = plan._core.transform()
        self._bases = [basis if axis in does["axes"] else "" for axis, basis in enumerate(does["bases"])]
        fourier = [axis for axis in does["axes"] if self._bases[axis] == "fourier"]
        self._halved = fourier[-1] if does["kind"] in ("r2c", "c2r") else None
        self._round_trip = math.prod(plan.shape[axis] for axis in fourier)  # what a round trip without a norm multiplies by
        self._modes = [int(each) for each in plan._settings["modes"].split("x")] if "modes" in plan._settings else list(plan.shape)
        self._lengths = agreed(plan.comm, "operators in a box of the lengths", lambda: _lengths_of(lengths, count))
        if max(told(plan.comm, lambda: len(self._side.boxes))) > 1:
            raise Error("a rank has several boxes of the spectrum", "make the plan with another output, or work on plan.parts", code="unsupported")
        self._box = self._side.boxes[0] if self._side.boxes else (slice(0, 0),) * count
        if self._side.has_waves:
            self._points: tuple[int, ...] = (self._side.elements // self._side.fields,)
            largest = told(plan.comm, lambda: np.abs(plan.waves(self._name)).max(axis=0, initial=0))
            self._modes = [2 * int(most) + 1 for most in np.max(largest, axis=0)]
        else:
            self._points = tuple(part.stop - part.start for part in self._box)
        # Which axes all ranks have whole, where they have any points.
        wholes = [not math.prod(self._points) or n == size for n, size in zip(self._points, self._side.extents)]
        self._is_whole = np.all(told(plan.comm, lambda: wholes), axis=0)

    @property
    def lengths(self) -> tuple[float, ...]:
        """The length of the box along each axis."""
        return self._lengths

    @property
    def _name(self) -> Any:
        return "input" if self._is_input else "output"

    # ---- waves -----------------------------------------------------------------------------------

    def wavenumbers(self, axis: int, odd: bool = False) -> NDArray[np.float64]:
        """The angular wavenumbers along an axis, 2 pi / length times the plan's, which broadcast to a field.

        Parameters
        ----------
        axis : int
            A Fourier axis, negative from the end.
        odd : bool, optional
            For odd derivatives: 0 for the wave n/2 of an even n.

        Raises
        ------
        Error
            For an axis that has no wavenumbers.
        """
        at = self._axis(axis, ("fourier",))
        numbers = self._plan.waves(self._name)[:, at] if self._side.has_waves else self._plan.wavenumbers(at, odd)
        return np.asarray(2 * math.pi / self._lengths[at] * numbers)

    def squares(self, odd: bool = False) -> NDArray[np.float64]:
        """The squares of the lengths of this rank's waves, k^2, in the shape of its part of a field. See `wavenumbers`."""
        terms = [self.wavenumbers(axis, odd) ** 2 for axis in range(len(self._bases))]
        return np.broadcast_to(reduce(np.add, terms), self._points)

    # ---- derivatives -----------------------------------------------------------------------------

    def derivative(self, v: Any, axis: int, order: int = 1) -> Any:
        """The derivative along an axis, of each field.

        Parameters
        ----------
        v : array
            A spectrum.
        axis : int
            A Fourier or a Chebyshev axis, negative from the end. A Chebyshev axis is not divided.
        order : int, optional
            How often to differentiate, 0 or more.

        Returns
        -------
        array
            A new one, of the same kind.

        Raises
        ------
        Error
            For another axis, and for an array that is not of the plan's spectrum.
        """
        if operator.index(order) < 0:
            raise Error(f"the order of a derivative is {order}", "give 0 or more")
        fields = self._fields(v)
        made, results = self._made(v, len(fields))
        for field, result in zip(fields, results):
            self._derived(field, axis, order, result)
        return made

    def gradient(self, v: Any) -> Any:
        """The gradient of a spectrum of one field: a batch of as many fields as there are axes. See `derivative`."""
        field = self._fields(v, 1)[0]
        made, results = self._made(v, len(self._bases))
        for axis, result in enumerate(results):
            self._derived(field, axis, 1, result)
        return made

    def divergence(self, v: Any) -> Any:
        """The divergence of a vector, of one field. See `derivative`."""
        fields = self._fields(v, len(self._bases))
        made, (result,) = self._made(v, 1)
        result[...] = sum(self._derived(field, axis, 1) for axis, field in enumerate(fields))
        return made

    def curl(self, v: Any) -> Any:
        """The curl of a vector: a vector in three dimensions, and one field in two. See `derivative`."""
        count = len(self._bases)
        if count not in (2, 3):
            raise Error(f"the curl of fields of {count} axes is wanted", "there are curls in 2 and in 3 dimensions")
        fields = self._fields(v, count)
        pairs = [(0, 1)] if count == 2 else [(1, 2), (2, 0), (0, 1)]
        made, results = self._made(v, len(pairs))
        for (a, b), result in zip(pairs, results):
            self._derived(fields[b], a, 1, result)
            result -= self._derived(fields[a], b, 1)
        return made

    def laplacian(self, v: Any) -> Any:
        """The Laplacian of each field. See `derivative`."""
        fields = self._fields(v)
        made, results = self._made(v, len(fields))
        squares = self.squares() if set(self._bases) == {"fourier"} else None
        for field, result in zip(fields, results):
            if squares is not None:
                np.multiply(field, -squares, out=result)
            else:
                result[...] = sum(self._derived(field, axis, 2) for axis in range(len(self._bases)))
        return made

    def inverse_laplacian(self, v: Any) -> Any:
        """The fields whose Laplacians have the spectra `v`, and whose mean is 0: the mean of `v` is left out.

        All axes are Fourier axes. See `derivative`.
        """
        squares = self.squares()
        inverse = np.divide(-1.0, squares, out=np.zeros(squares.shape), where=squares != 0)
        fields = self._fields(v)
        made, results = self._made(v, len(fields))
        for field, result in zip(fields, results):
            np.multiply(field, inverse, out=result)
        return made

    def divergence_free(self, v: Any) -> Any:
        """The part of a vector that has no divergence: ``v - k (k . v) / k^2``, whose mean stays.

        All axes are Fourier axes. See `derivative`.
        """
        fields = self._fields(v, len(self._bases))
        k = [self.wavenumbers(axis, odd=True) for axis in range(len(self._bases))]
        squares = self.squares(odd=True)
        along = sum(number * field for number, field in zip(k, fields))
        along = np.divide(along, squares, out=np.zeros(squares.shape, self._side.dtype), where=squares != 0, casting="same_kind")
        made, results = self._made(v, len(fields))
        for number, field, result in zip(k, fields, results):
            np.subtract(field, number * along, out=result, casting="same_kind")
        return made

    # ---- products and sums -----------------------------------------------------------------------

    def product(self, *spectra: Any) -> Any:
        """The spectrum of the product of fields in real space, without aliases. Collective.

        The plan has more points than modes: so many that what products of waves alias to is not kept.
        With two factors, 3/2 as many, or 2/3 of the points as modes: see `dealiased_points` and
        `dealiased_modes`. Of an even number of modes, the wave n/2 alone may have aliases.

        Parameters
        ----------
        *spectra : array
            As the plan makes them, of as many fields as its batch; of each field, the product.

        Returns
        -------
        array
            A new one, as the plan makes it.

        Raises
        ------
        Error
            If the plan has too few points, for sine and cosine axes, and as with `Plan.forward`.

        Notes
        -----
        S. A. Orszag, J. Atmos. Sci. 28 (1971).
        """
        if not spectra:
            raise Error("the product of no spectra is wanted", "give one or more")
        for n, modes, basis in zip(self._plan.shape, self._modes, self._bases):
            if basis != "fourier" and basis not in _MIRRORED:
                raise Error(f"a product along an axis of the basis {basis or 'none'} is wanted", "make a plan of Fourier and Chebyshev axes", code="unsupported")
            needed = needed_points(modes, len(spectra)) if basis == "fourier" else (len(spectra) + 1) * (modes - 1) // 2 + 1 + _MIRRORED[basis]
            if n < needed:
                raise Error(
                    f"products of {len(spectra)} fields of {modes} modes have aliases on {n} points, and none on {needed}",
                    f"make the plan with shape=... and modes=..., as weft.spectral.dealiased_points({modes}, {len(spectra)}) tells",
                )
        scale = 1 / self._round_trip if self._plan._settings.get("norm") == "none" else None
        to_real, back = (self._plan.forward, self._plan.backward) if self._is_input else (self._plan.backward, self._plan.forward)
        result = to_real(spectra[0], scale=scale)
        for spectrum in spectra[1:]:
            result *= to_real(spectrum, scale=scale)
        return back(result)

    def spectrum(self, v: Any, width: float | None = None) -> RadialSpectrum:
        """How much of a field is in waves of which length: sums over shells of waves. Collective.

        The shell number i has the waves of lengths from (i - 1/2) to (i + 1/2) times the width. The
        sum over all shells is the mean of the squares of the field that has these waves, whatever the
        norm of the plan. (Not so if an even number of modes is fewer than there are points: the wave
        modes/2 is then kept without its conjugate.)

        Parameters
        ----------
        v : array
            A spectrum; all axes are Fourier axes.
        width : float, optional
            The width of the shells: by default 2 pi over the largest length, the smallest wavenumber.

        Raises
        ------
        Error
            For other axes, a width that is not positive, and what one rank gives wrongly; the same on every rank.
        """
        longest = math.sqrt(sum((modes // 2 * 2 * math.pi / length) ** 2 for modes, length in zip(self._modes, self._lengths)))

        def of_rank() -> tuple[str, tuple[float, NDArray[Any], NDArray[Any]]]:
            step = 2 * math.pi / max(self._lengths) if width is None else float(width)
            if not step > 0:
                raise Error(f"the width of the shells is {width}", "give a positive number")
            fields = self._fields(v)
            shells = int(longest / step + 0.5) + 1
            # Between two shells, a wave that is rounded to the next one may be beyond the last.
            at = np.minimum(np.floor(np.sqrt(self.squares()) / step + 0.5), shells - 1).astype(np.int64).ravel()
            of_wave = np.broadcast_to(self._multiplicity(), self._points).ravel()
            powers = [np.bincount(at, of_wave * np.abs(field.ravel().astype(np.complex128)) ** 2, shells) for field in fields]
            return f"the spectrum of {len(fields)} fields in shells of {step}", (step, np.array(powers), np.bincount(at, of_wave, shells))

        every = told_about(self._plan.comm, of_rank)
        power = np.sum([powers for _, powers, _ in every], axis=0) * self._factor() ** 2
        waves = np.rint(np.sum([waves for _, _, waves in every], axis=0)).astype(np.int64)
        return RadialSpectrum(np.arange(waves.size) * np.float64(every[0][0]), power if len(power) > 1 else power[0], waves)

    # Coefficients are so many times the array's numbers.
    def _factor(self) -> float:
        powers = {"forward": 0.0, "ortho": -0.5}
        return float(self._round_trip ** powers.get(self._plan._settings.get("norm", "backward"), -1.0))

    # Of a wave and its negative, the spectrum of a real field has one.
    def _multiplicity(self) -> Any:
        if self._halved is None:
            return 1
        if self._side.has_waves:
            return np.where((self._plan.waves(self._name) == 0).all(axis=1), 1, 2)
        numbers = self._plan.wavenumbers(self._halved)
        return np.where((numbers == 0) | (2 * numbers == self._plan.shape[self._halved]), 1, 2)

    # ---- arrays ----------------------------------------------------------------------------------

    def _axis(self, axis: int, bases: Sequence[str]) -> int:
        count = len(self._bases)
        if not -count <= operator.index(axis) < count:
            raise Error(f"there is no axis {axis} of {count}", "axes count from 0, or from the end with -1")
        if self._bases[axis] not in bases:
            is_none = not self._bases[axis]
            raise Error(
                f"axis {axis} " + ("is not transformed" if is_none else f"has the basis {self._bases[axis]}") + f", not one of: {', '.join(bases)}",
                "differentiate along other axes, or make a plan with another basis", code="unsupported",
            )  # fmt: skip
        return axis % count

    def _derived(self, field: NDArray[Any], axis: int, order: int, out: NDArray[Any] | None = None) -> NDArray[Any]:
        at = self._axis(axis, ("fourier", *_MIRRORED))
        if self._bases[at] == "fourier":
            factor = self.wavenumbers(at, odd=order % 2 == 1) ** order * (1, 1j, -1, -1j)[order % 4]
            made: NDArray[Any] = np.multiply(factor, field, out=out, casting="same_kind")
            return made
        if not self._is_whole[at]:
            raise Error(f"axis {at}, of Chebyshev polynomials, is divided among ranks", "make the plan with an output that has the axis whole")
        for _ in range(order):
            field = differentiate_chebyshev(field, at) * (2 / self._lengths[at])
        if out is not None:
            out[...] = field
        return field

    def _fields(self, v: Any, count: int | None = None) -> list[NDArray[Any]]:
        """The views of the fields of a spectrum, without ghost points."""
        is_interleaved = self._side.is_interleaved and self._side.fields > 1
        if isinstance(v, Located):
            if v._layout.fingerprint != self._layout.fingerprint:
                raise Error(f"an array of {v.shape} is not distributed as the spectrum of the plan", "take what the plan makes")
            array, is_interleaved = v.inner, v._layout.side.is_interleaved and v.batch > 1
        else:
            array = as_array(v, "spectrum")
            if self._side.has_waves and array.ndim == 1:  # the fields of a batch follow each other
                many = array.size // self._points[0] if self._points[0] else count or self._side.fields
                array = array.reshape(many, -1) if array.size == many * self._points[0] else array[None]
        if array.ndim == len(self._points):
            array = array[None]
        elif is_interleaved:
            array = np.moveaxis(array, -1, 0)
        if array.dtype != self._side.dtype:
            raise Error(f"the spectrum has elements of {array.dtype}, and the plan {self._side.dtype}", "take what the plan makes")
        if array.shape[1:] != self._points:
            raise Error(
                f"the spectrum has the shape {np.shape(getattr(v, 'local', v))}, and a field of the plan has {self._points} on this rank",
                "take what the plan makes; components of a vector are fields of a batch",
            )
        if count is not None and len(array) != count:
            raise Error(f"the spectrum has {len(array)} fields, and {count} are needed", "a vector has one for each axis; make the plan with batch=")
        return list(array)

    def _made(self, v: Any, count: int) -> tuple[Any, list[NDArray[Any]]]:
        """An array of so many fields, of the kind of `v`, and views of its fields."""
        if isinstance(v, Located):
            layout = v._layout if v.batch == count else self._layout.of_fields(count)
            made: Any = v._with(layout, layout.unset(v.dtype))
            return made, self._fields(made)
        is_interleaved = self._side.is_interleaved and self._side.fields > 1
        shape = self._points if count == 1 else (*self._points, count) if is_interleaved else (count, *self._points)
        shape = (math.prod(shape),) if self._side.has_waves else shape
        made = np.empty(shape, self._side.dtype)
        return made, self._fields(made, count)


def _lengths_of(lengths: Any, count: int) -> tuple[float, ...]:
    try:
        given = (float(lengths),) * count if np.ndim(lengths) == 0 else tuple(map(float, lengths))
    except (TypeError, ValueError):
        raise Error(f"the lengths are {lengths!r}", "give a number, or one for each axis") from None
    if len(given) != count or not all(0 < length < math.inf for length in given):
        raise Error(f"the lengths are {lengths}, of {count} axes", "give a positive number, or one for each axis")
    return given
