"""Dividing samples into train and test: at random, by group or by time."""

from collections.abc import Mapping

import numpy as np

#: Fewest rows that a class should have in train; with fewer, models see no pattern in it.
FEWEST = 8


def random_split(
    rng: np.random.Generator, truth: Mapping[str, np.ndarray], train: int
) -> np.ndarray:
    """Which samples train (samples,), so that both parts hold the same mix of targets.

    Samples are sorted by target, ties at random, and taken at even steps from a random start.
    Rare classes are then topped up in train. Targets that are no numbers and no classes say
    nothing of the order.
    """
    first = next(iter(truth.values()))
    sortable = [
        labels for labels in truth.values() if labels.ndim == 1 and labels.dtype.kind in "if"
    ]
    order = np.lexsort([rng.permutation(len(first)), *sortable])
    taken = np.floor((np.arange(train) + rng.random()) * len(first) / train).astype(int)
    mask = np.zeros(len(first), dtype=bool)
    mask[order[taken]] = True
    for labels in truth.values():
        if labels.dtype.kind == "i":
            top_up(rng, labels, mask)
    return mask


def top_up(rng: np.random.Generator, labels: np.ndarray, mask: np.ndarray) -> None:
    """Moves rows of rare classes into `mask`, and as many of the most frequent class out of it."""
    for value, wanted in fewest(labels, int(mask.sum())).items():
        members = labels == value
        lacking = wanted - int((mask & members).sum())
        if lacking > 0:
            frequent = labels == np.bincount(labels[mask]).argmax()
            mask[rng.choice(np.flatnonzero(mask & frequent), lacking, replace=False)] = False
            mask[rng.choice(np.flatnonzero(~mask & members), lacking, replace=False)] = True


def fewest(labels: np.ndarray, train: int) -> dict[int, int]:
    """How many of `train` rows every class must have at least; half of a class at most."""
    values, counts = np.unique(labels, return_counts=True)
    share = max(1, min(FEWEST, train // (2 * len(values))))
    return {int(value): min(share, count // 2) for value, count in zip(values, counts, strict=True)}


def group_split(
    rng: np.random.Generator, truth: Mapping[str, np.ndarray], train: int, *, groups: np.ndarray
) -> np.ndarray:
    """Which samples train (samples,): whole groups, as near to `train` rows as they allow.

    Of 200 random choices of groups, the one that leaves the fewest rows of rare classes wanting
    and then comes nearest. Raises ValueError where the nearest is off by more than a tenth.
    """
    names, member = np.unique(groups, return_inverse=True)
    sizes = np.bincount(member)
    masks = []
    for _ in range(200):
        order = rng.permutation(len(names))
        reached = np.cumsum(sizes[order])[:-1]
        if len(reached):
            chosen = order[: int(np.argmin(np.abs(reached - train))) + 1]
            masks.append(np.isin(member, chosen))

    def fault(mask: np.ndarray) -> tuple[int, int]:
        return wanting(truth, mask), abs(int(mask.sum()) - train)

    best = min(masks, key=fault, default=np.zeros(len(member), dtype=bool))
    if abs(int(best.sum()) - train) > train / 10:
        raise ValueError(f"{len(names)} groups can't be divided to give about {train} train rows")
    return best


def time_split(times: np.ndarray, train: int) -> np.ndarray:
    """Which samples train (samples,): the `train` earliest."""
    mask = np.zeros(len(times), dtype=bool)
    mask[np.argsort(times, kind="stable")[:train]] = True
    return mask


def wanting(truth: Mapping[str, np.ndarray], train: np.ndarray) -> int:
    """How many rows the classes lack in train, and classes lack in test; 0 for numbers."""
    lacking = 0
    for labels in truth.values():
        if labels.dtype.kind == "i":
            for value, wanted in fewest(labels, int(train.sum())).items():
                members = labels == value
                lacking += max(0, wanted - int((train & members).sum()))
                lacking += not (~train & members).any()
    return lacking


def check_split(truth: Mapping[str, np.ndarray], train: np.ndarray) -> None:
    """Raises ValueError where a class has too few rows in train to be learnt, or none in test."""
    for target, labels in truth.items():
        if labels.dtype.kind != "i":
            continue
        values = np.unique(labels)
        wanted = max(1, min(FEWEST, int(train.sum()) // (2 * len(values))))
        for value in values:
            count = int((labels[train] == value).sum())
            if len(values) < 2 or count < wanted or count == int((labels == value).sum()):
                raise ValueError(
                    f"class {value} of {target!r} has {count} rows in train and "
                    f"{int((labels == value).sum()) - count} in test; "
                    f"at least {wanted} and 1 are needed"
                )
