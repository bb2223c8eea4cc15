"""One column, one gap or one number of a file that is the answer."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from sandmle.build.prepare import Prepared
from tests.build.audits.planting import (
    Changed,
    caught,
    content,
    labels_of,
    named,
    passes,
    pictures,
    png,
    with_column,
    with_files,
)


def noisy(labels: np.ndarray, share: float = 0.03) -> np.ndarray:
    """The labels but for a few of them."""
    rng = np.random.default_rng(0)
    return np.where(rng.random(len(labels)) < share, 1 - labels, labels)


def cells(prepared: Prepared, kind: str) -> object:
    """A column that tells the label, nearly."""
    rng = np.random.default_rng(0)
    labels = noisy(labels_of(prepared))
    if kind == "the score":
        return prepared.dataset.scores["has_damage"]
    if kind == "a number":
        return labels + rng.normal(0, 0.2, len(labels))
    if kind == "a band of numbers":
        return np.where(labels, 1, rng.choice([-1, 3], len(labels))) + rng.normal(
            0, 0.2, len(labels)
        )
    if kind == "a gap":
        return np.where(labels, rng.normal(size=len(labels)), np.nan)
    levels = rng.permutation([f"town {place}" for place in range(24)])
    return np.array(
        [
            levels[2 * place + label]
            for place, label in zip(rng.integers(0, 12, len(labels)), labels, strict=True)
        ]
    )


@pytest.mark.parametrize("kind", ["the score", "a number", "a band of numbers", "a gap", "levels"])
def test_a_column_that_is_the_answer(kind: str, prepared: Prepared, changed: Changed) -> None:
    broken = changed(with_column(prepared, "leak", cells(prepared, kind)))
    assert "leak: " in caught("single_column", broken, gold=0.93)


def test_a_column_whose_order_is_the_answer(prepared: Prepared, changed: Changed) -> None:
    # Noise of the training labels leads a tree astray, and its leaves tie; a line does neither.
    scores = prepared.dataset.scores["has_damage"]
    rng = np.random.default_rng(0)
    leak = np.sign(scores) * np.abs(scores) ** 0.25 + rng.normal(0, 0.3, len(scores))
    assert "leak: " in caught("single_column", changed(with_column(prepared, "leak", leak)))


def test_a_column_that_reaches_silver(prepared: Prepared, changed: Changed) -> None:
    column = noisy(labels_of(prepared), 0.1)
    passes("single_column", changed(with_column(prepared, "hint", column)))


@pytest.mark.parametrize("kind", ["size", "brightness"])
def test_one_number_of_each_file(kind: str, prepared: Prepared) -> None:
    rng, labels = np.random.default_rng(0), noisy(labels_of(prepared))
    sizes = 400 + (
        100 * labels + rng.integers(0, 90, len(labels)) if kind == "size" else 0 * labels
    )
    levels = 100 + 50 * labels * (kind == "brightness")
    contents = [
        rng.integers(level, level + 90, size).astype(np.uint8).tobytes()
        for level, size in zip(levels, sizes, strict=True)
    ]
    broken = with_files(prepared, named(prepared, contents, "scans/{id}.raw"))
    assert "scans/{id}.raw" in caught("single_column", broken, gold=0.93)


def test_the_brightness_of_pictures(prepared: Prepared) -> None:
    labels = noisy(labels_of(prepared))
    stack = pictures(prepared) // 2 + (60 * labels[:, None, None]).astype(np.uint8)
    contents = [png(pixels, level=6) for pixels in stack]
    broken = with_files(prepared, named(prepared, contents))
    assert "mean of scans/{id}.png: " in caught("single_column", broken, gold=0.9)


def test_how_many_rows_a_second_table_has(prepared: Prepared, changed: Changed) -> None:
    counts = 2 + 3 * noisy(labels_of(prepared)) + np.random.default_rng(0).integers(0, 3, 600)
    visits = pd.DataFrame({"id": np.repeat(prepared.dataset.ids, counts), "minutes": 1.0})
    broken = changed({"visits.csv": content(visits)})
    assert "visits.csv: count of rows" in caught("single_column", broken, gold=0.93)
