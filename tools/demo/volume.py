# demo/volume: the MRI volume that the demo transforms, with its sizes in millimetres.
# The volume comes with the Python package nibabel, so that the demo downloads nothing.

from dataclasses import dataclass
from pathlib import Path

import nibabel
import numpy as np

from .error import DemoError

OPPOSITE = {"L": "R", "R": "L", "A": "P", "P": "A", "S": "I", "I": "S"}


@dataclass(frozen=True)
class MriVolume:
    values: np.ndarray  # intensities, float64, C order, axes x, y, slice, time
    voxel_mm: tuple[float, ...]  # distance between neighbours along x, y and slice
    towards: tuple[str, ...]  # where x, y and slice grow to: L(eft), A(nterior), S(uperior), ...
    name: str

    @property
    def middle_slice(self) -> int:
        return self.values.shape[2] // 2

    def slice_mm(self) -> tuple[float, float]:
        """Extent of one slice along x and y."""
        return self.values.shape[0] * self.voxel_mm[0], self.values.shape[1] * self.voxel_mm[1]


def read_mri(path: Path | None = None) -> MriVolume:
    """Reads a 4-D NIfTI file, by default the example that nibabel carries.
    Errors: DemoError if there is no such file, it has not four axes or its voxel sizes are not in millimetres."""
    path = path or Path(nibabel.__file__).parent / "tests" / "data" / "example4d.nii.gz"
    doing = f"reading {path}"
    if not path.is_file():
        raise DemoError("the MRI volume is missing", doing=doing,
                        hint="run pip install --force-reinstall nibabel in .venv; the file is part of its wheel")
    image = nibabel.load(path)
    if len(image.shape) != 4:
        raise DemoError(f"expected 4 axes (x, y, slice, time), found {image.shape}", doing=doing,
                        hint="use a functional MRI series in NIfTI format")
    length_unit, _ = image.header.get_xyzt_units()
    if length_unit != "mm":
        raise DemoError(f"voxel sizes are in '{length_unit}', expected 'mm'", doing=doing,
                        hint="use a file whose header gives voxel sizes in millimetres")
    return MriVolume(
        values=np.ascontiguousarray(image.get_fdata(dtype=np.float64)),
        # The header has float32 values; without rounding, 2.2 mm would be 2.199999 mm.
        voxel_mm=tuple(round(float(size), 4) for size in image.header.get_zooms()[:3]),
        towards=nibabel.aff2axcodes(image.affine),
        name=path.name,
    )
