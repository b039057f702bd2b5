# tests/plots/test_fields: slices and spectra against NumPy.
import re
import struct
import zlib
from base64 import b64decode

import numpy as np
import pytest
import weft
from reading import nested, pictures, words
from weft import plot
from weft.plot.radial import full_power, half_spectrum_weights, mode_power, radial_average
from weft.plot.slices import plane_of
from weft.plot.spectra import spectrum_of


def image_in(html):
    """The pixels of the one image of a page."""
    data = b64decode(re.search(r"data:image/png;base64,([^\"]+)", html)[1])
    columns, rows = struct.unpack(">II", data[16:24])
    at = data.index(b"IDAT")
    size = struct.unpack(">I", data[at - 4 : at])[0]
    return np.frombuffer(zlib.decompress(data[at + 4 : at + 4 + size]), np.uint8).reshape(rows, 3 * columns + 1)[:, 1:].reshape(rows, columns, 3)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("axis, index", [(0, 3), (1, -1), (2, None), (-2, 0)])
def test_a_slice_is_the_plane_of_numpy(tmp_path, order, axis, index):
    field = np.asarray(1 + np.random.default_rng(5).random((5, 7, 3)), order=order)
    np.save(tmp_path / "f.npy", field)
    expected = np.take(field, field.shape[axis] // 2 if index is None else index, axis)
    plane, axes, _ = plane_of(np.load(tmp_path / "f.npy", mmap_mode="r"), axis, index)
    assert (plane == expected).all() and axes == tuple(a for a in range(3) if a != axis % 3)
    html = plot.slice(tmp_path / "f.npy", axis, index).html()
    nested(html)
    pixels = image_in(html)
    assert pixels.shape[:2] == expected.shape
    # Row 0 of the plane is at the bottom, and larger values are brighter.
    brightness = pixels[::-1] @ np.array([0.299, 0.587, 0.114])
    assert (np.diff(brightness.ravel()[np.argsort(expected, axis=None)]) > -1).all() and np.ptp(brightness) > 100


def test_a_slice_says_what_it_shows(tmp_path):
    field = np.random.default_rng(1).random((2, 9, 6, 4)) + 1j
    field[1, 2, 3, 1] = np.nan
    np.save(tmp_path / "f<b>.npy", field)
    page = plot.slice(tmp_path / "f<b>.npy", axis=3, index=1, others=[1], part="real")
    html = page.html()
    assert page.title == "f<b>.npy: real part" and "f&lt;b&gt;.npy" in html and "f<b>" not in html
    assert "Index 1 of axis 0, index 1 of axis 3: 9×6 of 2×9×6×4 values, complex128." in html and "1 values are not finite, and grey" in html
    assert {"axis 1", "axis 2", "real part"} <= set(words(pictures(html)[0]))
    assert (image_in(html)[::-1][2, 3] == 150).all()
    assert "absolute value" in plot.slice(tmp_path / "f<b>.npy").title
    np.save(tmp_path / "large.npy", np.zeros((3000, 2)) + np.arange(3000)[:, None])
    assert "A pixel is the mean of 3×1 values" in plot.slice(tmp_path / "large.npy").html()


def write_hdf5(path, **arrays):
    with pytest.importorskip("h5py").File(path, "w") as file:
        for name, values in arrays.items():
            file["group/" + name] = values


def write_zarr(path, **arrays):
    group = pytest.importorskip("zarr").open_group(str(path), mode="w")
    for name, values in arrays.items():
        group.create_array(f"group/{name}", data=values)


@pytest.mark.parametrize("ending, write", [("h5", write_hdf5), ("zarr", write_zarr)])
def test_other_files_have_the_same_slices(tmp_path, ending, write):
    field = np.random.default_rng(2).random((6, 5, 4))
    np.save(tmp_path / "f.npy", field)
    expected = image_in(plot.slice(tmp_path / "f.npy").html())
    write(tmp_path / f"one.{ending}", u=field)
    write(tmp_path / f"two.{ending}", u=field, v=2 * field)
    assert (image_in(plot.slice(tmp_path / f"one.{ending}").html()) == expected).all()
    assert (image_in(plot.slice(tmp_path / f"two.{ending}", dataset="group/u").html()) == expected).all()
    with pytest.raises(weft.Error, match=r"2 arrays, and none was chosen(.|\n)*group/u, group/v"):
        plot.slice(tmp_path / f"two.{ending}")
    with pytest.raises(weft.Error, match="has no array 'w'"):
        plot.slice(tmp_path / f"two.{ending}", dataset="w")
    with pytest.raises(weft.Error, match="cannot read"):
        plot.slice(tmp_path / f"none.{ending}")


def test_the_mean_and_the_nyquist_frequency_count_once():
    assert half_spectrum_weights(6).tolist() == [1, 2, 2, 1]
    assert half_spectrum_weights(5).tolist() == [1, 2, 2]
    assert half_spectrum_weights(1).tolist() == [1]


@pytest.mark.parametrize("shape", [(8, 6, 10), (8, 6, 9), (5, 7, 3), (4, 4, 1), (9, 4), (17,)])
def test_shells_have_every_mode_and_the_mean_square(shape):
    field = np.random.default_rng(7).standard_normal(shape)
    power = mode_power(np.fft.rfftn(field), shape[-1])
    assert np.sum(power * half_spectrum_weights(shape[-1])) == pytest.approx(np.mean(field**2), rel=1e-13)
    found = spectrum_of(field, [1.0] * len(shape))
    assert found.modes.sum() == field.size and (found.power * found.modes).sum() == pytest.approx(np.mean(field**2))
    # Against a sum over all modes, one by one; complex fields and files of modes have the same spectrum.
    full = np.abs(np.fft.fftn(field)) ** 2 / field.size**2
    expected = {}
    for index in np.ndindex(*shape):
        k = np.sqrt(sum(min(i, n - i) ** 2 for i, n in zip(index, shape)))
        expected[round(k)] = expected.get(round(k), 0) + full[index]
    assert dict(zip(found.frequency, found.power * found.modes)) == pytest.approx(expected)
    for other in (spectrum_of(field + 0j, [1.0] * len(shape)), spectrum_of(np.fft.fftn(field), [1.0] * len(shape), True),
                  spectrum_of(np.fft.rfftn(field), [1.0] * len(shape), True, shape[-1])):  # fmt: skip
        assert other.frequency.tolist() == found.frequency.tolist() and other.power == pytest.approx(found.power)


def test_a_plane_wave_has_all_its_power_in_its_shell(tmp_path):
    # 3 waves along x over 16 points of 2 mm: 3/32 per mm. A cosine of amplitude 1 has mean square 1/2.
    wave = np.cos(2 * np.pi * 3 * np.arange(16) / 16)[:, None, None] * np.ones((16, 8, 12))
    found = radial_average(mode_power(np.fft.rfftn(wave), 12), 12, (2.0, 4.0, 2.5), 1 / 32)
    total = found.power * found.modes
    assert found.frequency[np.argmax(total)] == pytest.approx(3 / 32) and total.max() == pytest.approx(0.5) and total.sum() == pytest.approx(0.5)
    np.save(tmp_path / "wave.npy", wave + 2)
    html = plot.spectrum(tmp_path / "wave.npy", lengths=[32, 32, 30], slope=-5 / 3).html()
    assert nested(html).rows[1] == ["0.1", "5·10⁻¹", "100 %"]  # shells are 1/30 wide
    assert "The power of all modes, 4.5, is" in html or "The power of all modes, 4.5·10⁰, is" in html
    assert "slope −1.67" in words(pictures(html)[0])


def test_a_wave_along_the_halved_axis_has_the_same_power_as_one_along_a_full_axis():
    wave = np.cos(2 * np.pi * 3 * np.arange(16) / 16)
    along = (np.ones((16, 16, 16)) * wave[:, None, None], np.ones((16, 16, 16)) * wave)
    first, last = (radial_average(mode_power(np.fft.rfftn(f), 16), 16, (1, 1, 1), 1 / 16) for f in along)
    assert last.power == pytest.approx(first.power, abs=1e-15)


@pytest.mark.parametrize("shape", [(8, 6), (8, 7), (5, 9), (4, 3, 6)])
def test_the_full_power_equals_that_of_the_complex_transform(shape):
    field = np.random.default_rng(7).standard_normal(shape)
    expected = np.fft.fftshift(np.abs(np.fft.fftn(field)) ** 2) / field.size**2
    assert full_power(mode_power(np.fft.rfftn(field), shape[-1]), shape[-1]) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("make, options, message", [
    (lambda p: p.write_bytes(b"no array"), {}, "cannot read"), (lambda p: np.save(p, np.zeros((3, 0))), {}, r"shape \(3, 0\)"),
    (lambda p: np.save(p, np.array(["a"])), {}, "no array of numbers"), (lambda p: np.save(p, np.full((4, 4), np.nan)), {}, "no finite values"),
    (lambda p: np.save(p, np.ones((4, 4, 4))), {"axis": 3}, r"axis 3 of a field with 3 axes(.|\n)*--axis 0 to 2"),
    (lambda p: np.save(p, np.ones((4, 4, 4))), {"axis": 1, "index": 4}, r"index 4 is outside axis 1, which has 4 points"),
    (lambda p: np.save(p, np.ones((4, 4))), {"part": "size"}, r"no part 'size'(.|\n)*real, imag, abs, phase, log"),
    (lambda p: None, {}, "cannot read"),
])  # fmt: skip
def test_what_is_no_slice_is_refused(tmp_path, make, options, message):
    make(tmp_path / "f.npy")
    with pytest.raises(weft.Error, match=message):
        plot.slice(tmp_path / "f.npy", **options)


def test_what_is_no_spectrum_is_refused(tmp_path):
    np.save(tmp_path / "f.npy", np.ones((4, 6)))
    for options, message in (({"lengths": [1]}, "2 axes"), ({"lengths": [1, 1e-300]}, "one positive length an axis"), ({"last_size": 12}, r"6 modes(.|\n)*--last-size 10 or 11"), ({}, "no power between wavenumbers")):
        with pytest.raises(weft.Error, match=message):
            plot.spectrum(tmp_path / "f.npy", **options)
    np.save(tmp_path / "f.npy", np.array([[1.0, np.inf], [0, 0]]))
    with pytest.raises(weft.Error, match="not finite"):
        plot.spectrum(tmp_path / "f.npy")
