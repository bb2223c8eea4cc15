"""Reading the images of a competition."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image


def read_pictures(ids: list[str], *, side: int) -> np.ndarray:
    """The first image of each id in grey, (ids, side, side). Raises IndexError without one."""
    found = {path.stem: path for path in sorted(Path("data").glob("*/*.png"))}
    first = [found.get(name) or sorted(Path("data").glob(f"*/{name}*.png"))[0] for name in ids]
    return np.stack([_grey(path, side) for path in first])


def _grey(path: Path, side: int) -> np.ndarray:
    with Image.open(path) as image:
        return np.asarray(image.convert("L").resize((side, side)), dtype=float) / 255
