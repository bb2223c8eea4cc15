"""Sizes of files that go with the label."""

from __future__ import annotations

import numpy as np
import pytest

from sandmle.build.prepare import Prepared
from tests.build.audits.planting import blurred, caught, labels_of, named, passes, with_files


def sized(prepared: Prepared, sizes: np.ndarray, pattern: str) -> Prepared:
    return with_files(prepared, named(prepared, [bytes(int(size)) for size in sizes], pattern))


@pytest.mark.parametrize("kind", ["all larger", "some larger", "nearer to the middle", "one class"])
def test_telling_sizes(kind: str, prepared: Prepared) -> None:
    labels, rng = labels_of(prepared), np.random.default_rng(0)
    sizes = {
        "all larger": rng.integers(900, 1000, len(labels)) + 40 * labels,
        "some larger": rng.integers(900, 1000, len(labels)) + 60 * blurred(labels, 0.7),
        "nearer to the middle": 500 + rng.integers(-90, 90, len(labels)) // (1 + labels),
        "one class": np.where(blurred(labels, 0.5) == 1, 700, 701),
    }[kind]
    assert "images/{id}.png" in caught("file_sizes", sized(prepared, sizes, "images/{id}.png"))


def test_sizes_by_chance(prepared: Prepared) -> None:
    sizes = np.random.default_rng(0).integers(900, 1000, len(prepared.dataset.ids))
    passes("file_sizes", sized(prepared, sizes, "images/{id}.png"))


def test_sizes_of_texts_are_what_they_say(prepared: Prepared) -> None:
    passes("file_sizes", sized(prepared, 10 + labels_of(prepared), "notes/{id}.txt"))
