"""Pixels to files."""

import io

import numpy as np
from PIL import Image


def png_files(pixels: np.ndarray) -> list[bytes]:
    """A PNG a sample from `pixels` (samples, height, width[, 3]) in 0..1, values beyond clipped.

    Nothing is compressed: the size of a compressed file would tell what the picture holds.
    """
    levels = np.rint(np.clip(pixels, 0.0, 1.0) * 255).astype(np.uint8)
    files = []
    for level in levels:
        buffer = io.BytesIO()
        Image.fromarray(level).save(buffer, format="PNG", compress_level=0)
        files.append(buffer.getvalue())
    return files
