"""Submissions that know nothing of the test rows, made by the submission word's own `encode`.

What a target can be told from its form in memory, so that a new word needs nothing here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np

from sandmle.build.ladder import csv_content
from sandmle.build.prepare import Prepared
from sandmle.runtime.tables import csv_bytes, submitted_columns
from sandmle.solvers.outputs import candidates

#: Submissions of training labels drawn at random.
DRAWS = 2
#: Of the solvers' dummies so many, the best ones; thresholds keep off all of them anyway.
DUMMIES = 2
#: Of so many classes each is called for all rows: the most common ones first.
MOST_CLASSES = 12


def uninformed(prepared: Prepared) -> Iterator[tuple[str, bytes]]:
    """Names and contents of submissions that look at no test row; the first is the sample.

    Some of them may be invalid: not every shape can say the same for all rows.
    """
    yield "sample submission", prepared.dataset.public["sample_submission.csv"]
    labels, train = prepared.dataset.labels, prepared.dataset.train
    known = {target: values[train] for target, values in labels.items()}
    rows = int((~train).sum())
    rng = np.random.default_rng(0)
    order = rng.permutation(rows)
    shuffled = {target: values[~train][order] for target, values in labels.items()}
    yield "shuffled answers", submission_of(prepared, shuffled)
    for name, constant in constant_labels(known, rows):
        yield name, submission_of(prepared, constant)
    for draw in range(1, DRAWS + 1):
        chosen = rng.integers(0, train.sum(), rows)
        drawn = {target: values[chosen] for target, values in known.items()}
        yield f"training labels drawn at random, {draw}", submission_of(prepared, drawn)
    for name, table in islice(candidates(prepared.competition, "dummy"), DUMMIES):
        yield f"{name} of the dummies", csv_content(table)


def submission_of(prepared: Prepared, labels: Mapping[str, np.ndarray]) -> bytes:
    """The submission of someone who believes that the test rows have these labels."""
    ids = prepared.dataset.ids[~prepared.dataset.train]
    return csv_bytes(submitted_columns(prepared.generator["perfect"](ids, labels)))


def constant_labels(
    known: Mapping[str, np.ndarray], rows: int
) -> Iterator[tuple[str, Mapping[str, np.ndarray]]]:
    """Labels that are the same for all rows, and what they are called; `known` are trained on.

    Where there are several targets, each gets the like of it.
    """
    constants = {target: constants_like(labels, rows) for target, labels in known.items()}
    for name in dict.fromkeys(name for found in constants.values() for name in found):
        if all(name in found for found in constants.values()):
            yield name, {target: found[name] for target, found in constants.items()}


def constants_like(labels: np.ndarray, rows: int) -> dict[str, np.ndarray]:
    """One label for all rows, (rows, ...): extremes, averages and common ones of `labels`."""
    if labels.dtype.kind == "O" or (labels.ndim == 1 and labels.dtype.kind in "US"):
        return {name: repeated(label, rows) for name, label in listed(list(labels)).items()}
    found: dict[str, Any]
    if labels.dtype.kind == "b":
        found = {"nothing": False, "everything": True, "what most have": labels.mean(axis=0) >= 0.5}
    elif labels.dtype.kind in "iu":
        classes = [value for value, _ in Counter(labels.tolist()).most_common(MOST_CLASSES)]
        found = {f"always class {value}": value for value in sorted(classes)}
    else:
        found = {"the mean": labels.mean(axis=0), "the median": np.median(labels, axis=0)}
        found |= {"0": 0.0, "1": 1.0, "the least": labels.min(), "the most": labels.max()}
    shape = (rows, *labels.shape[1:])
    return {
        name: np.broadcast_to(value, shape).astype(labels.dtype) for name, value in found.items()
    }


def listed(labels: Sequence[Any]) -> dict[str, Any]:
    """Such single labels where they hold any number of things: texts, tuples, arrays of boxes."""
    kinds = {str(label): label for label in labels}
    (most, _), *_ = Counter(map(str, labels)).most_common(1)
    shortest, longest = min(labels, key=len), max(labels, key=len)
    return {
        "nothing": longest[:0],
        "the shortest": shortest,
        "the most common": kinds[most],
        "the longest": longest,
    }


def repeated(label: Any, rows: int) -> np.ndarray:
    """An object array (rows,) that holds one label again and again."""
    found = np.empty(rows, dtype=object)
    for row in range(rows):
        found[row] = label
    return found
