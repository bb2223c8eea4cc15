"""The forms that types have in memory: examples of each, and what holds for all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np


def objects(values: Sequence[Any]) -> np.ndarray:
    """An array of dtype object that holds `values`, one each."""
    found = np.empty(len(values), dtype=object)
    found[:] = values
    return found


#: Labels of each type that a rule may yield, for trying noise on them.
EXAMPLE_LABELS: Mapping[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "number": lambda rng, samples: rng.normal(50.0, 10.0, samples),
    "category": lambda rng, samples: rng.integers(0, 4, samples),
    "numbers": lambda rng, samples: rng.normal(0.0, 1.0, (samples, 6)),
    "distribution": lambda rng, samples: rng.dirichlet([1.0, 2.0, 1.0], samples),
    "mask": lambda rng, samples: blocks(rng, samples),
    "image": lambda rng, samples: rng.random((samples, 12, 12)),
    "text": lambda rng, samples: np.array(
        [" ".join(rng.choice(["north", "gate", "of", "wood"], 4)) for _ in range(samples)]
    ),
    "span": lambda rng, samples: rng.choice(["north gate", "wood", "of"], samples),
    "tokens": lambda rng, samples: objects(
        [tuple(map(str, rng.choice(["a", "b", "c"], 5))) for _ in range(samples)]
    ),
    "boxes": lambda rng, samples: objects(
        [
            np.column_stack(
                [rng.integers(0, 2, 3), rng.integers(2, 20, (3, 2)), rng.integers(3, 9, (3, 2))]
            ).astype(float)
            for _ in range(samples)
        ]
    ),
}


def blocks(rng: np.random.Generator, samples: int) -> np.ndarray:
    """Masks of one rectangle each."""
    masks = np.zeros((samples, 16, 16), dtype=bool)
    for mask, (top, left) in zip(masks, rng.integers(2, 8, (samples, 2)), strict=True):
        mask[top : top + 6, left : left + 5] = True
    return masks


def assert_form(kind: str, values: np.ndarray, samples: int, *, is_label: bool) -> None:
    """Whether `values` have the form of a type; those of types of other words are let be."""
    assert values.shape[0] == samples
    if kind in ("number", "series", "numbers", "distribution", "image"):
        assert values.dtype.kind == "f"
        assert np.isfinite(values).all()
        assert values.ndim == {"number": 1, "image": 3}.get(kind, 2)
    if kind == "category":
        assert values.shape == (samples,)
        assert values.dtype.kind == ("i" if is_label else "U")
    if kind == "text":
        assert values.shape == (samples,)
        assert values.dtype.kind in "UO"
        assert all(isinstance(value, str) for value in values)
    if kind == "distribution":
        np.testing.assert_allclose(values.sum(axis=1), 1.0, atol=1e-6)
    if kind == "image":
        assert values.min() >= 0
        assert values.max() <= 1
    if kind == "mask":
        assert values.dtype == bool
        assert values.ndim == 3
    if kind == "tokens":
        assert values.shape == (samples,)
        assert all(isinstance(value, tuple) for value in values)
        assert all(isinstance(token, str) for value in values for token in value)
    if kind == "boxes":
        assert values.shape == (samples,)
        assert all(value.ndim == 2 and value.shape[1] == 5 for value in values)
    if kind == "graph":
        assert values.shape == (samples,)
        for graph in values:
            nodes = len(graph.labels)
            assert graph.labels.dtype.kind == "U"
            assert graph.places.shape == (nodes, 3)
            assert len(set(graph.marks)) == 2
            assert min(graph.edges.min(), *graph.marks) >= 0
            assert max(graph.edges.max(), *graph.marks) < nodes
            assert (graph.edges[:, 0] < graph.edges[:, 1]).all()
            assert len(np.unique(graph.edges, axis=0)) == len(graph.edges)


def same(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """For each sample whether two arrays of one form hold the same."""
    if left.dtype.kind == "O":
        return np.array([np.array_equal(*pair) for pair in zip(left, right, strict=True)])
    equal = left == right
    return np.asarray(equal.reshape(len(left), -1).all(axis=1))
