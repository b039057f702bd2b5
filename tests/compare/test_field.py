# tests/compare/test_field: the field, the check frequencies, and the direct sum that spectra are compared with.
import numpy as np
import pytest
from compare import agreement
from compare.cases import Case

import peer


def test_the_field_is_splitmix64_as_published():
    # The first outputs of SplitMix64 seeded with 0 are e220a8397b1dcdaf, 6e789e6aa1b965f4, 06c45d188009454f.
    published = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    assert list(peer.uniform(np.arange(3, dtype=np.uint64))) == [(z >> 11) * 2.0**-53 - 0.5 for z in published]


def test_a_box_of_the_field_is_cut_from_the_whole():
    box = (slice(1, 3), slice(0, 4), slice(2, 5))
    assert np.array_equal(peer.field([3, 4, 5], "c2c", box), peer.field([3, 4, 5], "c2c")[box])


def test_a_batch_is_one_more_axis_the_slowest():
    assert np.array_equal(peer.field([4, 5], "c2c", member=2), peer.field([3, 4, 5], "c2c")[2])


def test_r2c_transforms_the_real_part_of_the_c2c_field():
    assert np.array_equal(peer.field([6, 5], "r2c"), peer.field([6, 5], "c2c").real)


@pytest.mark.parametrize("text", ["", "8x", "0x4", "8x8x8x8x8", "-1", "8.5", "a"])
def test_a_size_that_is_none_is_told_how_to_write_one(text):
    with pytest.raises(ValueError, match="as in 256x256x256"):
        peer.parse_extents(text)


def test_check_frequencies_differ_on_every_axis():
    assert peer.check_frequencies([256, 256, 256], "c2c") == [[0, 0, 0], [1, 2, 3], [128, 85, 64], [255, 255, 255]]


def test_check_frequencies_of_r2c_stay_in_the_half_spectrum():
    assert peer.check_frequencies([8, 6, 5], "r2c") == [[0, 0, 0], [1, 2, 2], [4, 2, 1], [7, 5, 2]]


def test_a_size_may_have_four_axes():
    assert peer.parse_extents("4x3x6x5") == [4, 3, 6, 5]
    assert peer.check_frequencies([4, 3, 6, 5], "c2c") == [[0, 0, 0, 0], [1, 2, 3, 4], [2, 1, 1, 1], [3, 2, 5, 4]]


@pytest.mark.parametrize("extents", [(1,), (30,), (9, 7), (1, 1, 1), (12, 10, 14), (130, 128, 65), (4, 3, 6, 5)])
@pytest.mark.parametrize("kind", ["c2c", "r2c"])
@pytest.mark.parametrize("batch", [1, 3])
def test_the_direct_sum_is_numpys_spectrum_of_each_field(extents, kind, batch):
    check = agreement.direct_sum(Case(extents, kind, batch))
    assert len(check) == 4 * batch
    for member, *k, re, im in check:
        spectrum = (np.fft.fftn if kind == "c2c" else np.fft.rfftn)(peer.field(extents, kind, member=member))
        assert abs(complex(re, im) - spectrum[tuple(k)]) < 1e-12 * np.sqrt(np.prod(extents))
