# weft.plot.raster: an array of colours as an image inside a page.
"""PNG images (ISO/IEC 15948) without a library."""

from __future__ import annotations

import base64
import struct
import zlib

import numpy as np


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png_of(pixels: np.ndarray) -> bytes:
    """A PNG of 8-bit red, green and blue. Shape: (rows, columns, 3), the first row on top."""
    rows, columns, _ = pixels.shape
    # Each row begins with the number of its filter: 0, none.
    lines = np.concatenate([np.zeros((rows, 1), np.uint8), np.ascontiguousarray(pixels, np.uint8).reshape(rows, -1)], axis=1)
    header = struct.pack(">IIBBBBB", columns, rows, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(lines.tobytes(), 9)) + _chunk(b"IEND", b"")


def address_of(pixels: np.ndarray) -> str:
    """The image as an address that holds it."""
    return "data:image/png;base64," + base64.b64encode(png_of(pixels)).decode()


def thinned(values: np.ndarray, most: int) -> tuple[np.ndarray, tuple[int, int]]:
    """Means over rectangles of so many values that no side has more than `most`; and their sides. Shape: two axes."""
    tall, wide = (max(1, -(-n // most)) for n in values.shape)
    if tall == wide == 1:
        return values, (1, 1)
    rows, columns = -(-values.shape[0] // tall), -(-values.shape[1] // wide)
    padded = np.full((rows * tall, columns * wide), np.nan)
    padded[: values.shape[0], : values.shape[1]] = values
    parts = padded.reshape(rows, tall, columns, wide)
    counts = np.isfinite(parts).sum(axis=(1, 3))
    sums = np.where(np.isfinite(parts), parts, 0).sum(axis=(1, 3))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(counts > 0, sums / counts, np.nan), (tall, wide)
