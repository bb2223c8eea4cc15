"""A row for every pixel, and one column named as the target: its brightness, 0 (black) to 1.

A row's `id` is that of the sample, `_`, the pixel's row, `_` and its column, both counted from 1
at the top left.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from sandmle.runtime.images import png_files
from sandmle.runtime.table import Table

PREDICTS = "number"
TASKS = ["image_to_image"]
TRAIN = "files"
KEY = "{id}_{n}_{n}"


def encode(
    ids: np.ndarray, labels: Mapping[str, np.ndarray], classes: Sequence[str]
) -> dict[str, np.ndarray]:
    """A perfect submission: each picture's pixels, row by row."""
    ((target, pictures),) = labels.items()
    _, height, width = pictures.shape
    places = [f"_{row}_{column}" for row in range(1, height + 1) for column in range(1, width + 1)]
    keys = np.array([name + place for name in ids for place in places])
    return {"id": keys, target: np.round(pictures, 4).ravel()}


def files(
    ids: np.ndarray, labels: Mapping[str, np.ndarray], classes: Sequence[str]
) -> dict[str, bytes]:
    """The pictures that train: train_clean/{id}.png."""
    (pictures,) = labels.values()
    named = zip(ids, png_files(pictures), strict=True)
    return {f"train_clean/{name}.png": content for name, content in named}


def sample(
    keys: np.ndarray, targets: Sequence[str], classes: Sequence[str]
) -> dict[str, np.ndarray]:
    """A submission that knows nothing: one half for every pixel."""
    return {"id": keys} | {target: np.full(len(keys), 0.5) for target in targets}


def parse(table: Table, targets: Sequence[str], classes: Sequence[str]) -> np.ndarray:
    """Brightness (samples, pixels)."""
    (target,) = targets
    _, height, width = table.ids[-1].rsplit("_", 2)
    return table.numbers(target, 0.0, 1.0).reshape(-1, int(height) * int(width))
