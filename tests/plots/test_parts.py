# tests/plots/test_parts: scales, labels, colours and images, against values that a person can check.
import struct
import zlib

import numpy as np
import pytest
from weft.plot.axes import padded
from weft.plot.colours import DIVERGING, SEQUENTIAL, mapped
from weft.plot.labels import shortened, spread, thinned, width_of
from weft.plot.marks import beside, touches
from weft.plot.raster import png_of
from weft.plot.raster import thinned as thinned_values
from weft.plot.scales import Scale, bytes_text, linear_ticks, log_ticks, plain, scientific, with_unit
from weft.plot.svg import rect, text
from weft.plot.timeline import covered


def test_scales_map_ends_to_ends_and_middles_to_middles():
    assert [Scale(10, 30, 100, 200)(v) for v in (10, 20, 30)] == [100, 150, 200]
    assert [round(Scale(1, 100, 200, 0, is_log=True)(v), 9) for v in (1, 10, 100)] == [200, 100, 0]
    assert Scale(5, 5, 0, 10)(5) == 0  # nothing to divide by


@pytest.mark.parametrize("low, high, most, expected", [
    (0, 10, 6, [0, 2, 4, 6, 8, 10]), (0, 10, 3, [0, 5, 10]), (-1, 1, 5, [-1, -0.5, 0, 0.5, 1]), (0.13, 0.57, 5, [0.2, 0.3, 0.4, 0.5]), (3, 3, 4, [3]),
])
def test_linear_ticks_are_round(low, high, most, expected):
    assert linear_ticks(low, high, most) == pytest.approx(expected)


@pytest.mark.parametrize("low, high, most, expected", [
    (1, 100, 3, [1, 10, 100]), (1, 100, 7, [1, 2, 5, 10, 20, 50, 100]), (1e-12, 1e12, 9, [1e-12, 1e-9, 1e-6, 1e-3, 1, 1e3, 1e6, 1e9, 1e12]),
    (4, 6, 5, [5]), (1, 30, 4, [1, 3, 10, 30]),
])
def test_logarithmic_ticks_are_round(low, high, most, expected):
    assert log_ticks(low, high, most) == pytest.approx(expected)


@pytest.mark.parametrize("value, text", [(0.0015, "1.5 ms"), (36e-6, "36 µs"), (2.5, "2.5 s"), (0, "0 s"), (0.99999, "1 s"), (5e-10, "0.5 ns"), (120, "120 s")])
def test_numbers_carry_a_unit_that_fits(value, text):
    assert with_unit(value, "s") == text


def test_numbers_are_short():
    assert [plain(v) for v in (-0.03344, 1234567, 0, 12.0)] == ["−0.0334", "1234567", "0", "12"]
    assert [scientific(v) for v in (1e-7, -2.5e10, 0)] == ["10⁻⁷", "−2.5·10¹⁰", "0"]
    assert bytes_text(65536) == "65.5 kB"


def test_labels_are_moved_apart_as_little_as_possible():
    assert spread([10, 50, 90], 16, 0, 100) == [10, 50, 90]
    assert spread([50, 50], 10, 0, 100) == [45, 55]
    assert spread([98, 99, 97], 10, 0, 100) == [90, 100, 80]
    assert spread([30, 10, 12], 10, 0, 100) == [30, 10, 20] or spread([30, 10, 12], 10, 0, 100) == [30, 6, 16]
    for places in ([1, 2, 3, 4, 90], [0, 0, 0], [40.5]):
        found = sorted(spread(places, 7, 0, 100))
        assert all(b - a >= 7 - 1e-9 for a, b in zip(found, found[1:])) and 0 <= found[0] and found[-1] <= 100


def test_labels_that_would_touch_are_left_out():
    assert thinned([0, 10, 40], [20, 20, 20], 2) == [True, False, True]
    assert shortened("exchange 0: p2p to 1x4x1", 400) == "exchange 0: p2p to 1x4x1"
    short = shortened("exchange 0: p2p to 1x4x1", 90)
    assert "…" in short and width_of(short) <= 90 and short[0] == "e" and short[-1] == "1"


def test_names_of_marks_touch_neither_marks_nor_each_other():
    points = [(50.0 + 3 * i, 60.0 + (i % 3)) for i in range(8)]
    places = beside(points, [f"pass {i}" for i in range(8)], (0, 0, 300, 200))
    boxes = [(x, y - 12, x + width_of(f"pass {i}", 12), y + 3) for i, place in enumerate(places) if place for x, y in [place]]
    assert len(boxes) >= 4
    assert not any(touches(a, b) for i, a in enumerate(boxes) for b in boxes[:i])
    assert not any(touches(box, (x - 5, y - 5, x + 5, y + 5)) for box in boxes for x, y in points)
    assert beside([(5, 5)], ["a name that is wider than the whole area"], (0, 0, 20, 20)) == [None]


def test_text_from_outside_is_escaped():
    assert text(1, 2, "<b>&") == '<text x="1" y="2">&lt;b&gt;&amp;</text>'
    assert 'class="a&quot;b"' in rect(0, 0, 1, 1, 'a"b') and "<title>1 &lt; 2</title>" in rect(0, 0, 1, 1, title="1 < 2")


def test_an_image_has_the_pixels_of_the_array():
    pixels = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(2, 3, 3) * 10
    data = png_of(pixels)
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", data[16:24]) == (3, 2)
    at = data.index(b"IDAT")
    size = struct.unpack(">I", data[at - 4 : at])[0]
    assert zlib.crc32(data[at : at + 4 + size]) == struct.unpack(">I", data[at + 4 + size : at + 8 + size])[0]
    lines = np.frombuffer(zlib.decompress(data[at + 4 : at + 4 + size]), np.uint8).reshape(2, 10)
    assert (lines[:, 0] == 0).all() and (lines[:, 1:].reshape(2, 3, 3) == pixels).all()


def test_colours_go_from_the_first_to_the_last_and_missing_values_are_grey():
    found = mapped(np.array([-1.0, 0, 1, 5, np.nan]), -1, 1, DIVERGING)
    assert found.tolist() == [[5, 48, 97], [247, 247, 247], [103, 0, 31], [103, 0, 31], [150, 150, 150]]
    brightness = mapped(np.linspace(0, 1, 50), 0, 1, SEQUENTIAL) @ np.array([0.299, 0.587, 0.114])
    assert (np.diff(brightness) > 0).all()


def test_large_planes_become_means():
    values = np.arange(24.0).reshape(4, 6)
    small, sides = thinned_values(values, 3)
    assert sides == (2, 2) and small.tolist() == [[3.5, 5.5, 7.5], [15.5, 17.5, 19.5]]
    assert [each.tolist() for each in thinned_values(values[:2], 3)[:1]] == [[[0.5, 2.5, 4.5], [6.5, 8.5, 10.5]]]  # its two rows remain
    odd, _ = thinned_values(np.array([[1.0, 3, np.nan]]), 2)
    assert odd[0, 0] == 2 and np.isnan(odd[0, 1])


def test_time_is_counted_in_the_bins_where_it_is():
    edges = np.linspace(0, 4, 5)
    assert covered(np.array([0.5, 1.0]), np.array([2.0, 1.0]), edges).tolist() == [0.5, 2.0, 0.5, 0.0]
    start, seconds = np.random.default_rng(3).random((2, 50))
    brute = [sum(max(0, min(s + d, b) - max(s, a)) for s, d in zip(start, seconds)) for a, b in zip(edges[:-1], edges[1:])]
    assert covered(start, seconds, edges) == pytest.approx(brute)


def test_ranges_get_margins():
    assert padded(0, 100, False) == (-6, 106) and padded(1, 100, True, 0.5) == pytest.approx((0.1, 1000))
    low, high = padded(3, 3, True)
    assert low < 3 < high
