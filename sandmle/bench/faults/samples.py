"""Samples of a task by their labels: whom a fault marks, and by how much."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Literal

import numpy as np
from scipy.stats import rankdata

from sandmle.bench.faults.planting import (
    answers,
    content,
    frame,
    with_answers,
    with_public,
)
from sandmle.build.auditing import Examined
from sandmle.runtime.table import sample_of

Part = Literal["all", "train", "test"]


def generator() -> np.random.Generator:
    """Where a fault's chance comes from: always the same."""
    return np.random.default_rng(0)


def ids_of(task: Examined, part: Part = "all") -> list[str]:
    """The ids of some samples, in the order in which they were drawn."""
    dataset = task.prepared.dataset
    chosen = {"all": dataset.train | True, "train": dataset.train, "test": ~dataset.train}[part]
    return [str(name) for name in dataset.ids[chosen]]


def labels(task: Examined) -> dict[str, float]:
    """The first target's label of each sample, as in the files: a number, or a class's index."""
    return _by_id(task, task.prepared.dataset.labels)


def scores(task: Examined) -> dict[str, float]:
    """What the first target's hidden rule gave each sample."""
    return _by_id(task, task.prepared.dataset.scores)


def ranks(values: Mapping[str, float], *, blur: float = 0.0) -> dict[str, int]:
    """The place of each sample by its value, from 0; `blur` is the share of chance in it.

    Samples of one value stand in random order.
    """
    rng = generator()
    place = rankdata(list(values.values())) / len(values)
    order = (1 - blur) * place + (blur + 1e-6) * rng.random(len(values))
    return dict(zip(values, (int(rank) for rank in np.argsort(np.argsort(order))), strict=True))


def marked(task: Examined, share: float = 1.0, *, part: Part = "all") -> set[str]:
    """A share of the samples of the highest class, or of those whose number is above the median."""
    values = labels(task)
    dataset = task.prepared.dataset
    (first, *_) = dataset.labels.values()
    array = np.array(list(values.values()))
    limit = array.max() if first.dtype.kind == "i" else np.median(array)
    rng = generator()
    return {name for name in ids_of(task, part) if values[name] >= limit and rng.random() < share}


def twins(task: Examined, share: float) -> list[tuple[str, str]]:
    """Pairs of a train and a test sample with the same, or nearly the same, label.

    There are as many as the share of test samples says.
    """
    values = labels(task)
    train, test = ids_of(task, "train"), ids_of(task, "test")
    known = np.array([values[name] for name in train])
    rng = generator()
    pairs = []
    for name in rng.permutation(test)[: round(share * len(test))]:
        near = np.flatnonzero(np.abs(known - values[name]) == np.abs(known - values[name]).min())
        pairs.append((train[int(rng.choice(near))], str(name)))
    return pairs


def without_samples(task: Examined, ids: set[str]) -> Examined:
    """The task without some test samples, in all tables."""
    dataset = task.prepared.dataset
    kept = ~np.isin(dataset.ids, list(ids))

    def part(arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        return {name: values[kept] for name, values in arrays.items()}

    smaller = dataclasses.replace(
        dataset,
        ids=dataset.ids[kept],
        train=dataset.train[kept],
        factors=part(dataset.factors),
        scores=part(dataset.scores),
        truth=part(dataset.truth),
        labels=part(dataset.labels),
    )
    tables = {}
    for name in dataset.public:
        if name.endswith(".csv") and "id" in (table := frame(task, name)):
            tables[name] = content(table[[sample_of(key) not in ids for key in table["id"]]])
    left = answers(task)
    left = left[[sample_of(key) not in ids for key in left["id"]]]
    changed = dataclasses.replace(
        task, prepared=dataclasses.replace(task.prepared, dataset=smaller)
    )
    return with_answers(with_public(changed, tables), content(left))


def _by_id(task: Examined, arrays: Mapping[str, np.ndarray]) -> dict[str, float]:
    (first, *_) = arrays.values()
    return dict(zip(ids_of(task), (float(value) for value in first), strict=True))
