# tools/demo: transforms an MRI volume with weft, checks the result and shows it on a web page.
# ./dev demo runs this script after the build; the results are written to build/demo/.

import json
import sys
import time
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "python"))  # weft.plot needs no compiled module
try:
    import numpy as np
    from demo.check import TOLERANCE, Check, compare, load_result
    from demo.error import DemoError
    from demo.figures import radial_figure, slice_figure, spectrum_figure
    from demo.launch import Finished, Launcher, find_launcher
    from demo.page import Story, render
    from demo.volume import MriVolume, read_mri
    from weft.plot.radial import full_power, half_spectrum_weights, mode_power, radial_average
except ModuleNotFoundError as error:
    sys.exit(f"weft demo: the Python package {error.name} is missing\n"
             "  while: starting the demo\n  try:   ./dev setup, then .venv/bin/python tools/demo.py")

RANKS = 4
BENCH_RANKS = 2
BENCH_EXTENTS = ("128x96x24", "64x64x64")
RESULTS = "build/demo"  # relative to the root, as in the commands shown
STEPS = 6


class Progress:
    """Prints the steps of the demo and their times."""

    def __init__(self) -> None:
        self.started = time.perf_counter()
        self.step = 0

    @contextmanager
    def doing(self, what: str):
        self.step += 1
        print(f"\n[{self.step}/{STEPS}] {what}", flush=True)
        begun = time.perf_counter()
        yield
        now = time.perf_counter()
        print(f"      done in {now - begun:.1f} s ({now - self.started:.1f} s so far)", flush=True)

    @staticmethod
    def say(text: str) -> None:
        for line in text.splitlines():
            print(f"      {line}".rstrip(), flush=True)


def transform(launcher: Launcher, source: str, target: str, *options: str) -> Finished:
    """Runs weft transform on files in RESULTS. Removes the result of an earlier run first, so that it cannot be mistaken
    for the new one."""
    (ROOT / RESULTS / target).unlink(missing_ok=True)
    finished = launcher.run(RANKS, "transform", f"{RESULTS}/{source}", f"{RESULTS}/{target}", *options)
    Progress.say(f"$ {finished.command}")
    Progress.say(finished.output)
    return finished


def parseval(power: np.ndarray, volume: MriVolume) -> Check:
    """Compares the power of all waves with the mean square of the first volume."""
    field = volume.values[..., 0]
    total = np.sum(power * half_spectrum_weights(field.shape[-1]))
    return compare("sum of the power of all waves", np.array([total]),
                   "mean square of the scan (Parseval)", np.array([np.mean(field**2)]))


def measured_stages(launcher: Launcher) -> tuple[Finished, list[dict]]:
    target = f"{RESULTS}/bench.json"
    (ROOT / target).unlink(missing_ok=True)
    finished = launcher.run(BENCH_RANKS, "bench", *BENCH_EXTENTS, "--kind", "r2c", "--json", target)
    Progress.say(f"$ {finished.command}")
    Progress.say(finished.output)
    hint = f"run the same command by hand; it should write the times to {target}"
    try:
        benchmarks = json.loads((ROOT / target).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DemoError(f"cannot read the times: {error}", doing=finished.command, hint=hint) from None
    if len(benchmarks) != len(BENCH_EXTENTS) or not all(b.get("stages") for b in benchmarks):
        raise DemoError(f"expected the stages of {' and '.join(BENCH_EXTENTS)} in {target}, found "
                        f"{[len(b.get('stages', [])) for b in benchmarks]} stages", doing=finished.command, hint=hint)
    return finished, benchmarks


def main() -> None:
    progress = Progress()
    launcher = find_launcher(ROOT, "build/bin/weft")
    results = ROOT / RESULTS
    results.mkdir(parents=True, exist_ok=True)

    with progress.doing("Read the MRI scan"):
        volume = read_mri()
        one_slice = np.ascontiguousarray(volume.values[:, :, volume.middle_slice, 0])
        np.save(results / "scan.npy", volume.values)
        np.save(results / "slice.npy", one_slice)
        shape = volume.values.shape
        progress.say(f"{volume.name}: {' x '.join(map(str, shape))} values (x, y, slice, time), voxels of "
                     f"{' x '.join(f'{size:g}' for size in volume.voxel_mm)} mm")

    with progress.doing(f"Transform it to waves and back, on {RANKS} ranks"):
        forward = transform(launcher, "scan.npy", "waves.npy", "--kind", "r2c", "--axes", "0,1,2")
        last = () if shape[2] % 2 == 0 else ("--last-size", str(shape[2]))
        backward = transform(launcher, "waves.npy", "back.npy", "--kind", "c2r", "--axes", "0,1,2", *last)
        slice_run = transform(launcher, "slice.npy", "slice-waves.npy", "--kind", "r2c", "--axes", "0,1")
        progress.say(f"forward {forward.seconds:.2f} s, back {backward.seconds:.2f} s, "
                     "including the start of the ranks and the reading and writing of files")

    with progress.doing("Check the results"):
        waves = load_result(results / "waves.npy")
        slice_waves = load_result(results / "slice-waves.npy")
        checks = [
            compare("waves of the scan", waves, "numpy.fft.rfftn", np.fft.rfftn(volume.values, axes=(0, 1, 2))),
            compare("scan transformed back", load_result(results / "back.npy"), "the scan itself", volume.values),
            compare("waves of the slice", slice_waves, "numpy.fft.rfftn", np.fft.rfftn(one_slice)),
        ]

        power = mode_power(waves[..., 0], shape[2])
        checks.append(parseval(power, volume))
        for check in checks:
            progress.say(f"{check.what} = {check.reference}: largest difference {check.difference:.1e}, "
                         f"allowed {TOLERANCE:.0e}")

    with progress.doing("Average the power over all directions"):
        slice_power = mode_power(slice_waves, shape[1])
        # Shells as wide as the coarser of the slice's two frequency steps, so that no shell of the slice is empty.
        shell_per_mm = 1 / min(volume.slice_mm())
        radial = radial_average(power, shape[2], volume.voxel_mm, shell_per_mm)
        slice_radial = radial_average(slice_power, shape[1], volume.voxel_mm[:2], shell_per_mm)
        highest_per_mm = 1 / (2 * max(volume.voxel_mm[:2]))
        progress.say(f"shells of {shell_per_mm:.4f} per mm up to {highest_per_mm:g} per mm, waves of "
                     f"{1 / highest_per_mm:g} mm")

    with progress.doing(f"Measure the stages, on {BENCH_RANKS} ranks"):
        bench, benchmarks = measured_stages(launcher)

    with progress.doing("Write the page"):
        story = Story(
            volume=volume, ranks=RANKS, forward=forward, backward=backward,
            commands=tuple(run.command for run in (forward, backward, slice_run, bench)),
            checks=tuple(checks), benchmarks=benchmarks,
            figures={"slice": slice_figure(volume),
                     "spectrum": spectrum_figure(full_power(slice_power, shape[1]), volume.voxel_mm),
                     "radial": radial_figure(radial, slice_radial, highest_per_mm)})
        page = results / "index.html"
        page.write_text(render(story), encoding="utf-8")

    print(f"\nThe demo's results are in {RESULTS}/; open this page in a browser:\n  {page.as_uri()}", flush=True)


if __name__ == "__main__":
    try:
        main()
    except DemoError as error:
        sys.exit(str(error))
