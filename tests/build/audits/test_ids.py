"""Ids that are made of something telling are caught; random ones are not."""

from __future__ import annotations

import numpy as np
import pytest

from sandmle.build.prepare import Prepared
from sandmle.runtime.tables import random_ids
from tests.build.audits.planting import Changed, blurred, caught, labels_of, passes, with_ids


def other_ids(prepared: Prepared, kind: str) -> list[str]:
    """Ids of one kind, half of which or more are made by the label."""
    rng = np.random.default_rng(0)
    labels = labels_of(prepared)
    names = random_ids(rng, len(labels))
    mild = blurred(labels, 0.4)
    numbers = rng.permutation(len(labels)) + 1000
    if kind == "a higher number":
        ranks = np.argsort(np.argsort(rng.normal(size=len(labels)) + 0.9 * labels))
        return [f"row{1000 + rank}" for rank in ranks]
    if kind == "an even number":
        return [f"{2 * number + (1 - label)}" for number, label in zip(numbers, mild, strict=True)]
    if kind == "length":
        return [name + "q" * label for name, label in zip(names, mild, strict=True)]
    if kind == "a prefix":
        return [f"{'ab'[label]}-{name}" for name, label in zip(names, mild, strict=True)]
    if kind == "a suffix":
        return [f"{name}-{'de'[label]}" for name, label in zip(names, mild, strict=True)]
    if kind == "a character in the middle":
        return [name[:4] + "kw"[label] + name[5:] for name, label in zip(names, mild, strict=True)]
    if kind == "a capital somewhere":
        places = rng.integers(0, 8, len(labels))
        return [
            name[:place] + "Q" + name[place:] if label else name[:place] + "q" + name[place:]
            for name, place, label in zip(names, places, mild, strict=True)
        ]
    return list(names)


@pytest.mark.parametrize(
    "kind",
    [
        "a higher number",
        "an even number",
        "length",
        "a prefix",
        "a suffix",
        "a character in the middle",
        "a capital somewhere",
    ],
)
def test_telling_ids(kind: str, prepared: Prepared, changed: Changed) -> None:
    names = dict(zip(prepared.dataset.ids, other_ids(prepared, kind), strict=True))
    caught("ids", with_ids(prepared, changed, names))


def test_other_random_ids(prepared: Prepared, changed: Changed) -> None:
    names = dict(zip(prepared.dataset.ids, other_ids(prepared, "random"), strict=True))
    passes("ids", with_ids(prepared, changed, names))


def test_ids_that_count_the_rows(prepared: Prepared, changed: Changed) -> None:
    counted = {name: f"{place:05d}" for place, name in enumerate(prepared.dataset.ids)}
    passes("ids", with_ids(prepared, changed, counted))
