# tests/demo: the pure parts of the demo: the volume, the check, the page.

import re
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "python")]
pytest.importorskip("nibabel")

from demo import figures, page  # noqa: E402
from demo.check import Check, compare  # noqa: E402
from demo.error import DemoError  # noqa: E402
from demo.launch import Finished, Launcher, find_launcher  # noqa: E402
from demo.volume import MriVolume, read_mri  # noqa: E402
from weft.plot.radial import full_power, mode_power, radial_average  # noqa: E402


def random_field(*shape):
    return np.random.default_rng(7).standard_normal(shape)


# volume

def test_the_volume_has_the_sizes_of_its_header():
    volume = read_mri()
    assert volume.values.shape == (128, 96, 24, 2)
    assert volume.values.dtype == np.float64 and volume.values.flags.c_contiguous
    assert volume.voxel_mm == (2.0, 2.0, 2.2)
    assert volume.slice_mm() == (256.0, 192.0)


def test_a_missing_volume_says_what_to_try(tmp_path):
    with pytest.raises(DemoError, match=r"missing(.|\n)*try: .*nibabel"):
        read_mri(tmp_path / "none.nii.gz")


# check

def test_a_result_within_the_tolerance_passes():
    reference = np.array([0.0, 4.0])
    assert compare("waves", reference + [4e-13, 0], "numpy", reference).difference == pytest.approx(1e-13)


@pytest.mark.parametrize("wrong", [4.0 + 4e-11, np.nan])
def test_a_result_that_is_off_fails_with_the_place(wrong):
    with pytest.raises(DemoError, match=r"waves is off by .* worst at \(1,\)"):
        compare("waves", np.array([0.0, wrong]), "numpy", np.array([0.0, 4.0]))


def test_a_result_of_another_shape_fails():
    with pytest.raises(DemoError, match=r"shape \(3,\), expected \(2,\)"):
        compare("waves", np.zeros(3), "numpy", np.zeros(2))


# launch

def test_a_missing_program_says_to_build(tmp_path):
    with pytest.raises(DemoError, match=r"no program build/bin/weft(.|\n)*try:   \./dev build"):
        find_launcher(tmp_path, "build/bin/weft")


def launcher_script(folder, text, **options):
    script = folder / "launch"
    script.write_text(f"#!/bin/sh\n{text}\n")
    script.chmod(0o755)
    return Launcher(folder, "build/bin/weft", (str(script),), **options)


def test_the_command_shown_is_the_one_that_ran(tmp_path):
    finished = launcher_script(tmp_path, "printf '%s\\n' \"$*\"").run(4, "transform", "in.npy", "out.npy")
    assert finished.output == "-n 4 build/bin/weft transform in.npy out.npy"
    assert finished.command == f"{tmp_path}/launch {finished.output}"


def test_a_failure_brings_back_the_words_of_weft(tmp_path):
    with pytest.raises(DemoError, match=r"exit status 2:\n    weft: no such file(.|\n)*while: .*transform"):
        launcher_script(tmp_path, "echo 'weft: no such file' >&2; exit 2").run(4, "transform")


def test_ranks_that_never_end_are_ended(tmp_path):
    with pytest.raises(DemoError, match="no end after 0.2 s"):
        launcher_script(tmp_path, "exec sleep 30", time_limit_seconds=0.2).run(4, "transform")


# page

def story(said="rank 0: [0,2)"):
    values = np.abs(random_field(4, 6, 4, 2))
    volume = MriVolume(values, (2.0, 2.0, 2.2), ("L", "A", "S"), "tiny.nii.gz")
    spectra = [radial_average(mode_power(np.fft.rfftn(f), f.shape[-1]), f.shape[-1], (2.0, 2.0, 2.2), 0.08)
               for f in (values[..., 0], values[:, :, 2, 0])]
    slice_power = full_power(mode_power(np.fft.rfftn(values[:, :, 2, 0]), 6), 6)
    return page.Story(
        volume=volume, ranks=4, forward=Finished("mpiexec -n 4 weft transform", 0.25, said),
        backward=Finished("mpiexec -n 4 weft transform back", 0.25, ""),
        commands=("mpiexec -n 4 weft transform <in>",),
        checks=(Check("waves", "numpy.fft.rfftn", 2.5e-16), Check("scan", "itself", 1e-15)),
        benchmarks=[{"weft": "0.1.0", "extents": [4, 6, 4], "ranks": 2, "engine": "fftw", "exchange": "shared",
                     "repeat": 9, "gflops": 1.5, "forward_seconds": {"min": 1e-3, "median": 2e-3, "max": 3e-3},
                     "stages": [{"name": "pass 0: axes 1,2", "seconds": 1.5e-3, "bytes": 1536, "messages": 0,
                                 "message_bytes": 0},
                                {"name": "exchange", "seconds": 0.75e-3, "bytes": 0, "messages": 3,
                                 "message_bytes": 512}]}],
        figures={"slice": figures.slice_figure(volume), "spectrum": figures.spectrum_figure(slice_power, (2.0, 2.0)),
                 "radial": figures.radial_figure(*spectra, 0.25)})


def test_the_page_holds_figures_checks_stages_and_commands():
    html = page.render(story())
    for place, pictures in (("slice", 1), ("spectrum", 1), ("radial", 2)):
        assert html.split(f'id="{place}"')[1].split("<p>")[0].count("<svg ") == pictures
    assert "50 mm" in html and "volume (3-D)" in html and "frequency |k|, per mm; below: wavelength, mm" in html
    assert "2.5 · 10<sup>−16</sup>" in html and "10<sup>−12</sup>" in html
    assert "pass 0: axes 1,2" in html and "1.5 ms" in html and "3 messages, 512 B to other nodes" in html
    assert "width:100.0%" in html and "width:50.0%" in html
    assert "rank 0: [0,2)" in html
    assert "mpiexec -n 4 weft transform &lt;in&gt;" in html


def test_the_page_loads_nothing_from_elsewhere():
    html = page.render(story())
    assert "{{" not in html and "<script" not in html and "<link" not in html and "@import" not in html and len(html) < 200_000
    assert set(re.findall(r'(?:src|href)="([^"]{0,22})', html)) == {"data:image/png;base64,"}


def test_the_page_does_without_words_from_weft():
    assert "printed this description" not in page.render(story(said=""))


def test_every_colour_of_the_figures_is_in_the_theme():
    html = page.render(story())
    assert set(re.findall(r'="var\(--(\w+)\)"', html)) == {"first", "second"}
    for name in set(re.findall(r"var\(--(\w+)", html)):
        assert f"--{name}:" in html


@pytest.mark.parametrize("seconds, text", [(2.5, "2.5 s"), (0.00125, "1.25 ms"), (36e-6, "36 µs"), (0.0, "0 µs")])
def test_times_carry_a_unit_that_fits(seconds, text):
    assert page.seconds_text(seconds) == text
