"""Small public folders with a known rule, made without the compiler."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from PIL import Image

from sandmle.solvers.outputs import candidates
from sandmle.solvers.reading import read_competition

TRAIN, TEST = 100, 300


@dataclass(frozen=True)
class Drawn:
    """Samples before they are written: what is seen, and the noise-free targets."""

    frame: pd.DataFrame
    targets: pd.DataFrame
    readings: np.ndarray | None = None
    images: Sequence[np.ndarray] = ()


def cut(score: np.ndarray, classes: int = 2) -> np.ndarray:
    """Class indices of evenly filled classes."""
    ranks = score.argsort().argsort()
    return ranks * classes // len(score)


def numbers(rng: np.random.Generator, columns: int) -> tuple[np.ndarray, pd.DataFrame]:
    """Normal columns as an array and as a table."""
    values = rng.normal(size=(TRAIN + TEST, columns))
    return values, pd.DataFrame(values, columns=[f"c{index}" for index in range(columns)])


def write_folder(
    folder: Path,
    drawn: Drawn,
    *,
    metric: str,
    flips: float = 0.0,
    sample: Mapping[str, object] | None = None,
    description: str = "",
) -> pd.DataFrame:
    """Writes a public folder; returns the test rows' true targets, indexed by id."""
    rng = np.random.default_rng(5)
    ids = [f"k{index:04d}q" for index in rng.permutation(TRAIN + TEST)]
    labels = drawn.targets.copy()
    for name in labels:
        wrong = rng.random(TRAIN) < flips
        labels.loc[: TRAIN - 1, name] = np.where(
            wrong, rng.permutation(labels[name])[:TRAIN], labels[name][:TRAIN]
        )
    frame = drawn.frame.copy()
    frame.insert(0, "id", ids)
    folder.mkdir(parents=True)
    shown = pd.concat([frame, labels], axis=1)
    shown[:TRAIN].to_csv(folder / "train.csv", index=False, float_format="%.6g")
    frame[TRAIN:].to_csv(folder / "test.csv", index=False, float_format="%.6g")
    values = sample or dict.fromkeys(labels.columns, 0.5)
    pd.DataFrame({"id": ids[TRAIN:], **values}).to_csv(
        folder / "sample_submission.csv", index=False
    )
    (folder / "description.md").write_text(f"# Task\n\nMetric: {metric}\n\n{description}")
    if drawn.readings is not None:
        count, length = drawn.readings.shape
        pd.DataFrame(
            {
                "id": np.repeat(ids, length),
                "step": np.tile(np.arange(length), count),
                "value": drawn.readings.ravel(),
            }
        ).to_csv(folder / "readings.csv", index=False, float_format="%.4g")
    for name, pixels in zip(ids, drawn.images, strict=False):
        (folder / "images").mkdir(exist_ok=True)
        Image.fromarray(pixels).save(folder / "images" / f"{name}.png", compress_level=0)
    return drawn.targets[TRAIN:].set_axis(ids[TRAIN:])


def first(folder: Path, rung: str) -> pd.DataFrame:
    """The submission that a rung would hand in, of those it has for an output of many elements."""
    return next(table for _, table in candidates(read_competition(folder), rung))
