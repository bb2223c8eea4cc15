"""What labels say, as columns to be compared with whatever might give them away."""

from __future__ import annotations

from collections import Counter

import numpy as np
from scipy.stats import rankdata

from sandmle.build.prepare import sample_places
from sandmle.runtime.dataset import Dataset
from sandmle.solvers.models import indicators
from sandmle.solvers.reading import Competition

#: Of the tokens in sequences, and of the numbers of one sample, so many are looked at.
MOST_PARTS = 6


def outcomes(dataset: Dataset, competition: Competition) -> dict[str, np.ndarray]:
    """Each target's labels, in the order of the ids: a column a class, or the ranks of numbers.

    Labels that are more than a number or a class are summarised by a few numbers (see summaries).
    """
    places = sample_places(dataset, competition.ids)
    classes = len(competition.classes)
    found = {}
    for target, labels in dataset.labels.items():
        values = labels[places]
        if values.ndim == 1 and values.dtype.kind == "i" and classes:
            found[target] = indicators(values, classes)
            continue
        for name, numbers in summaries(values).items():
            if np.ptp(numbers):
                found[f"{name} of {target}" if name else target] = rankdata(numbers)[:, None]
    return found


def summaries(labels: np.ndarray) -> dict[str, np.ndarray]:
    """What one number each can say of labels (samples, ...) of any type, by name.

    Numbers say themselves, under no name.
    """
    if labels.dtype.kind in "US":
        return {"length": np.char.str_len(labels).astype(float)}
    if labels.dtype.kind == "O":
        return _summaries_of_objects(labels)
    if labels.ndim == 1:
        return {"": labels.astype(float)}
    if labels.dtype.kind == "b":
        return {"area": labels.reshape(len(labels), -1).sum(axis=1).astype(float)}
    if labels.ndim == 2:
        each = {f"number {place}": column for place, column in enumerate(labels.T[:MOST_PARTS])}
        return {"mean": labels.mean(axis=1), **each}
    return {"mean": labels.reshape(len(labels), -1).mean(axis=1)}


def _summaries_of_objects(labels: np.ndarray) -> dict[str, np.ndarray]:
    """Those of boxes, sequences of tokens, and whatever else has a length."""
    found = {"length": np.array([len(label) for label in labels], float)}
    if all(isinstance(label, np.ndarray) and label.ndim == 2 for label in labels):
        found["area"] = np.array([(label[:, -2] * label[:, -1]).sum() for label in labels])
        found["class"] = np.array([label[:, 0].mean() if len(label) else -1.0 for label in labels])
    elif all(isinstance(label, tuple) for label in labels):
        counts = [Counter(label) for label in labels]
        for token, _ in sum(counts, Counter()).most_common(MOST_PARTS):
            found[f"count of {token!r}"] = np.array([count[token] for count in counts], float)
            found[f"first {token!r}"] = np.array([label[:1] == (token,) for label in labels], float)
    return found
