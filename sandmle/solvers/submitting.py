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
            known = competition.responses()[name]
            beyond = MOST_BEYOND * np.ptp(known)
            numbers = np.clip(values[:, 0], known.min() - beyond, known.max() + beyond)
            columns[name] = np.expm1(numbers) if competition.has_log_scale else numbers
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


def exact_submission(
    competition: Competition, predictions: Mapping[str, np.ndarray]
) -> pd.DataFrame:
    """The same, but labels are the likeliest class whatever the metric: for certain predictions."""
    if competition.predicts != "label":
        return submission(competition, predictions)
    columns: dict[str, object] = {competition.identifier: competition.ids[competition.train :]}
    for name, values in predictions.items():
        columns[name] = np.array(competition.classes)[values.argmax(axis=1)]
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
    """Class indices: the likeliest, except where the metric does not count each row alike.

    For weighted kappa the expected class is cut so that the classes get their training shares;
    for metrics of found positives as many rows are positive as promise the best score; for
    metrics that look at all classes alike a rare class is chosen sooner.
    """
    metric = competition.metric
    response = competition.responses()[target]
    shares = np.bincount(response, minlength=values.shape[1]) / len(response)
    if metric == "quadratic_weighted_kappa":
        expected = values @ np.arange(values.shape[1])
        cuts = np.quantile(expected, np.minimum(np.cumsum(shares)[:-1], 1.0))
        return np.asarray(np.searchsorted(cuts, expected, side="left"))
    if metric in EXPECTED_SCORES and values.shape[1] == 2:
        return most_promising(values[:, 1], metric, competition.settings.get("beta", 1.0))
    if metric == "balanced_accuracy":
        values = values / np.maximum(shares, 1e-3)
    elif metric == "macro_f1":
        values = values / np.sqrt(np.maximum(shares, 1e-3))
    return np.asarray(values.argmax(axis=1))


def most_promising(probability: np.ndarray, metric: str, beta: float) -> np.ndarray:
    """Labels 0 or 1 (rows,): the likeliest rows are positive, as many as promise the best score.

    The score of each number of positives is that of the expected counts of right and wrong rows.
    """
    order = np.argsort(-probability, kind="stable")
    called = np.arange(1, len(order) + 1)
    hits = np.cumsum(probability[order])
    score = EXPECTED_SCORES[metric](hits, called - hits, hits[-1] - hits, beta)
    labels = np.zeros(len(order), dtype=int)
    labels[order[: int(np.argmax(score)) + 1]] = 1
    return labels


def f_score(hits: np.ndarray, false: np.ndarray, missed: np.ndarray, beta: float) -> np.ndarray:
    """F-beta score from expected counts."""
    weight = beta**2
    return np.asarray((1 + weight) * hits / ((1 + weight) * hits + weight * missed + false + 1e-9))


def both_f_scores(
    hits: np.ndarray, false: np.ndarray, missed: np.ndarray, beta: float
) -> np.ndarray:
    """Mean F1 score of both classes from expected counts."""
    rest = len(hits) - hits - false - missed
    return np.asarray(f_score(hits, false, missed, 1.0) + f_score(rest, missed, false, 1.0))


def correlation_of_labels(
    hits: np.ndarray, false: np.ndarray, missed: np.ndarray, beta: float
) -> np.ndarray:
    """Matthews correlation from expected counts."""
    rest = len(hits) - hits - false - missed
    sides = (hits + false) * (hits + missed) * (rest + false) * (rest + missed)
    return np.asarray((hits * rest - false * missed) / np.sqrt(np.maximum(sides, 1e-9)))


#: Metrics of two classes that need a number of positives: scores of expected counts of hits,
#: false positives and missed positives.
EXPECTED_SCORES: Mapping[str, Callable[..., np.ndarray]] = {
    "f_beta": f_score,
    "macro_f1": both_f_scores,
    "matthews_correlation": correlation_of_labels,
}


def write_submission(solve: Callable[[Path], pd.DataFrame], arguments: Sequence[str]) -> None:
    """A solver's command line: reads the folder named first and writes the file named second.

    They default to where an episode's sandbox has the data and wants the submission.
    """
    folder, target = [*arguments, *("data", "submission.csv")[len(arguments) :]]
    solve(Path(folder)).to_csv(target, index=False, float_format="%.6g")
