# tests/cli/reference: the expected results of `weft transform`, computed by numpy.fft in double precision.
import numpy as np

TOLERANCE = {"single": 1e-5, "double": 1e-12}
REAL = {"single": "f4", "double": "f8"}
COMPLEX = {"single": "c8", "double": "c16"}


def takes_complex(kind, inverse):
    return kind != "r2c" or inverse


def halves(kind, inverse):
    return kind == "r2c" and not inverse


def makes_real(kind, inverse):
    return kind == "c2r" or (kind == "r2c" and inverse)


def random_array(shape, dtype, seed=0):
    generator = np.random.default_rng(seed)
    values = generator.uniform(-0.5, 0.5, shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * generator.uniform(-0.5, 0.5, shape)
    return values.astype(dtype)


def input_for(shape, kind, inverse, axes, precision, seed=0):
    """An array whose real side has `shape`."""
    if not takes_complex(kind, inverse):
        return random_array(shape, REAL[precision], seed)
    shape = list(shape)
    if makes_real(kind, inverse):
        last = (axes or range(len(shape)))[-1]
        shape[last] = shape[last] // 2 + 1
    return random_array(shape, COMPLEX[precision], seed)


def transformed(x, kind, inverse=False, norm="backward", axes=None, last_size=None):
    x = x.astype("c16" if np.iscomplexobj(x) else "f8")
    axes = tuple(range(x.ndim)) if axes is None else tuple(axes)
    way_back = inverse or kind == "c2r"
    # NumPy has no norm that multiplies nothing; on each way one of its norms does.
    numpy_norm = norm if norm != "none" else ("forward" if way_back else "backward")
    if halves(kind, inverse):
        return np.fft.rfftn(x, axes=axes, norm=numpy_norm)
    if makes_real(kind, inverse):
        sizes = [x.shape[a] for a in axes]
        sizes[-1] = last_size if last_size is not None else 2 * (sizes[-1] - 1)
        return np.fft.irfftn(x, s=sizes, axes=axes, norm=numpy_norm)
    return (np.fft.ifftn if inverse else np.fft.fftn)(x, axes=axes, norm=numpy_norm)


def relative_error(found, expected):
    assert found.shape == expected.shape
    return float(np.abs(found - expected).max() / np.abs(expected).max())
