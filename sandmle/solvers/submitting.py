"""Predictions into the submission that a competition asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from sandmle.solvers.reading import Competition

#: Probabilities keep this far from 0 and 1: a wrong certainty costs too much log loss.
LEAST_PROBABILITY = 0.01
#: Numbers may leave the range of the training labels by this share of it.
MOST_BEYOND = 0.5


def submission(competition: Competition, predictions: Mapping[str, np.ndarray]) -> pd.DataFrame:
    """The submission table from each target's predictions, (test rows, classes) or (rows, 1)."""
    columns: dict[str, object] = {competition.identifier: competition.ids[competition.train :]}
    if not competition.is_classification:
        for name, values in predictions.items():
            known = competition.labels[name].astype(float)
            beyond = MOST_BEYOND * (known.max() - known.min())
            columns[name] = np.clip(values[:, 0], known.min() - beyond, known.max() + beyond)
    elif competition.predicts == "label":
        for name, values in predictions.items():
            columns[name] = np.array(competition.classes)[choose_classes(competition, name, values)]
    elif competition.has_column_per_class:
        (values,) = predictions.values()
        columns.update(class_columns(competition, calm(values)))
    else:
        for name, values in predictions.items():
            columns[name] = calm(values)[:, 1]
    return pd.DataFrame(columns)[[competition.identifier, *competition.columns]]


def calm(probabilities: np.ndarray) -> np.ndarray:
    """Probabilities kept off 0 and 1, rows summing to 1."""
    clipped = np.clip(probabilities, LEAST_PROBABILITY, None)
    return np.asarray(clipped / clipped.sum(axis=1, keepdims=True))


def class_columns(competition: Competition, values: np.ndarray) -> dict[str, np.ndarray]:
    """Each class's probabilities under the submission column that is, or ends in, its name."""
    found = {}
    for index, name in enumerate(competition.classes):
        exact = [column for column in competition.columns if column == name]
        ending = [column for column in competition.columns if column.endswith(name)]
        column = (exact or sorted(ending, key=len) or [competition.columns[index]])[0]
        found[column] = values[:, index]
    return found


def choose_classes(competition: Competition, target: str, values: np.ndarray) -> np.ndarray:
    """Class indices: the likeliest, except where the metric looks at all classes alike.

    For weighted kappa the expected class is cut so that the classes get their training shares;
    for macro F1 a rare class is chosen sooner.
    """
    response = competition.responses()[target]
    shares = np.bincount(response, minlength=values.shape[1]) / len(response)
    if competition.metric == "quadratic_weighted_kappa":
        expected = values @ np.arange(values.shape[1])
        cuts = np.quantile(expected, np.minimum(np.cumsum(shares)[:-1], 1.0))
        return np.searchsorted(cuts, expected, side="left")
    if competition.metric == "macro_f1":
        values = values / np.sqrt(np.maximum(shares, 1e-3))
    return np.asarray(values.argmax(axis=1))


def write_submission(solve: Callable[[Path], pd.DataFrame], arguments: Sequence[str]) -> None:
    """A solver's command line: reads the folder named first and writes the file named second.

    They default to where an episode's sandbox has the data and wants the submission.
    """
    folder, target = [*arguments, *("data", "submission.csv")[len(arguments) :]]
    solve(Path(folder)).to_csv(target, index=False, float_format="%.6g")
