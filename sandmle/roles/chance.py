"""Choosing by chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

Item = TypeVar("Item")


def pick(rng: np.random.Generator, items: Sequence[Item]) -> Item:
    """One of the items, each as likely as the others."""
    return items[int(rng.integers(len(items)))]


def shuffled(rng: np.random.Generator, items: Sequence[Item]) -> list[Item]:
    """All items in random order."""
    return [items[int(index)] for index in rng.permutation(len(items))]
