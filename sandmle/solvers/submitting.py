"""Predictions into the submission that a competition asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import softmax

from sandmle.solvers.directions import sphere_angles
from sandmle.solvers.reading import Competition, read_competition
from sandmle.solvers.stating import NO_TAG

#: Probabilities keep this far from 0 and 1: a wrong certainty costs too much log loss.
LEAST_PROBABILITY = 0.01
#: Standard deviations are at least this share of that of the training labels.
LEAST_SPREAD = 0.02
#: Numbers may leave the range of the training labels by this share of it.
MOST_BEYOND = 0.5
#: Metrics of many targets at once, by words of their names: what is cut together.
POOLED: Mapping[str, str] = {"micro": "all", "row": "row", "sample": "row", "jaccard": "row"}

#: Makes class indices (rows,) of each target's probabilities (rows, classes).
Chooser = Callable[[Mapping[str, np.ndarray]], Mapping[str, np.ndarray]]


def submission(competition: Competition, predictions: Mapping[str, np.ndarray]) -> pd.DataFrame:
    """The submission table from predictions of each target of `Competition.responses`.

    They have shape (test rows, classes), or (rows, 1) for numbers; for an `estimate` a second
    column may hold the standard deviation, else that of the training labels stands there.
    """
    return written(competition, predictions, partial(choose_classes, competition))


def exact_submission(
    competition: Competition, predictions: Mapping[str, np.ndarray]
) -> pd.DataFrame:
    """The same, but labels are the likeliest class whatever the metric: for certain predictions."""

    def likeliest(predictions: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        return {name: values.argmax(axis=1) for name, values in predictions.items()}

    return written(competition, predictions, likeliest)


def written(
    competition: Competition, predictions: Mapping[str, np.ndarray], choose: Chooser
) -> pd.DataFrame:
    """The table of the competition's format; `choose` makes class indices of probabilities."""
    ids = list(competition.ids[competition.train :])
    if competition.format == "long_probabilities":
        return long_table(competition, predictions, ids)
    found: Mapping[str, Sequence[str] | np.ndarray]
    if competition.predicts == "number":
        found = number_answers(competition, predictions)
    elif competition.format == "top_k":
        found = {competition.columns[0]: likeliest_names(competition, predictions)}
    elif competition.predicts == "label":
        chosen = choose(predictions)
        if competition.format == "tags":
            found = {competition.columns[0]: tag_lists(chosen)}
        else:
            names = np.array(competition.classes)
            found = {name: names[indices] for name, indices in chosen.items()}
    elif competition.format == "class_probabilities":
        (values,) = predictions.values()
        if competition.is_distribution:
            found = class_columns(competition, calm(softmax(values, axis=1)))
        else:
            found = class_columns(competition, weighed(competition, values))
    else:
        found = {name: weighed(competition, values)[:, 1] for name, values in predictions.items()}
    table = pd.DataFrame({competition.identifier: ids, **found})
    return table[[competition.identifier, *competition.columns]]


def number_answers(
    competition: Competition, predictions: Mapping[str, np.ndarray]
) -> dict[str, np.ndarray]:
    """Numbers within reach of the training labels, on the scale of the file."""
    if competition.is_direction:
        angles = sphere_angles(*(values[:, 0] for values in predictions.values()))
        return dict(zip(competition.columns, angles, strict=True))
    found: dict[str, np.ndarray] = {}
    for name, response in competition.responses().items():
        values = predictions[name]
        beyond = MOST_BEYOND * np.ptp(response)
        numbers = np.clip(values[:, 0], response.min() - beyond, response.max() + beyond)
        if competition.format == "estimate":
            least = max(LEAST_SPREAD * response.std(), 1e-9)
            spread = values[:, 1] if values.shape[1] > 1 else np.full(len(values), response.std())
            found |= dict(
                zip(competition.columns, (numbers, np.maximum(spread, least)), strict=True)
            )
        else:
            found[name] = competition.shown(numbers)
    return found


def long_table(
    competition: Competition, predictions: Mapping[str, np.ndarray], ids: Sequence[str]
) -> pd.DataFrame:
    """A row a test row and target, with the probability of the target."""
    parts = [
        pd.DataFrame(
            {
                competition.identifier: [f"{identifier}_{target}" for identifier in ids],
                competition.columns[0]: weighed(competition, values)[:, 1],
            }
        )
        for target, values in predictions.items()
    ]
    return pd.concat(parts, ignore_index=True)


def likeliest_names(competition: Competition, predictions: Mapping[str, np.ndarray]) -> list[str]:
    """For each test row the names of its k likeliest classes, or targets, the likeliest first."""
    if len(predictions) > 1:
        names = list(predictions)
        values = np.column_stack([found[:, 1] for found in predictions.values()])
    else:
        names = list(competition.classes)
        (values,) = predictions.values()
    count = int(competition.choices.get("k", len(names)))
    order = np.argsort(-values, axis=1, kind="stable")[:, :count]
    words = [name.replace(" ", "_") for name in names]
    return [" ".join(words[index] for index in row) for row in order]


def tag_lists(chosen: Mapping[str, np.ndarray]) -> list[str]:
    """For each test row the names of the targets whose class index is 1."""
    names = list(chosen)
    return [
        " ".join(name for name, index in zip(names, row, strict=True) if index) or NO_TAG
        for row in zip(*chosen.values(), strict=True)
    ]


def calm(probabilities: np.ndarray) -> np.ndarray:
    """Probabilities kept off 0 and 1, rows summing to 1."""
    clipped = np.clip(probabilities, LEAST_PROBABILITY, None)
    return np.asarray(clipped / clipped.sum(axis=1, keepdims=True))


def weighed(competition: Competition, probabilities: np.ndarray) -> np.ndarray:
    """Probabilities (rows, classes) as the metric weighs them.

    As of classes of even size where it balances them; 0 or 1 where it counts them as hits do.
    """
    if competition.metric == "probabilistic_f1":
        positive = most_promising(probabilities[:, 1], "f_beta", 1.0)
        return np.asarray(np.eye(2)[positive])
    if "balanced" in competition.metric and len(competition.targets) == 1:
        (response,) = competition.responses().values()
        shares = np.bincount(response, minlength=probabilities.shape[1]) / len(response)
        probabilities = calm(probabilities) / np.maximum(shares, 1e-3)
        probabilities = probabilities / probabilities.sum(axis=1, keepdims=True)
    return calm(probabilities)


def class_columns(competition: Competition, values: np.ndarray) -> dict[str, np.ndarray]:
    """Each class's probabilities under the submission column that is, or ends in, its name."""
    found = {}
    for index, name in enumerate(competition.classes):
        exact = [column for column in competition.columns if column == name]
        ending = [column for column in competition.columns if column.endswith(name)]
        column = (exact or sorted(ending, key=len) or [competition.columns[index]])[0]
        found[column] = values[:, index]
    return found


def choose_classes(
    competition: Competition, predictions: Mapping[str, np.ndarray]
) -> dict[str, np.ndarray]:
    """Class indices by target, as the metric counts them.

    Metrics that pool all targets get one number of positives for all of them together, metrics of
    the set of each row one for each row; else each target is cut for itself.
    """
    pool = next((found for word, found in POOLED.items() if word in competition.metric), None)
    if pool is None or len(predictions) == 1 or len(competition.classes) != 2:
        return {
            name: choose_class(competition, name, values) for name, values in predictions.items()
        }
    positive = np.column_stack([values[:, 1] for values in predictions.values()])
    beta = competition.settings.get("beta", 1.0)
    parts = [positive.ravel()] if pool == "all" else list(positive)
    chosen = np.concatenate([most_promising(part, "f_beta", beta) for part in parts])
    return dict(zip(predictions, chosen.reshape(positive.shape).T, strict=True))


def choose_class(competition: Competition, target: str, values: np.ndarray) -> np.ndarray:
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
    if "balanced" in metric or "recall" in metric:
        values = values / np.maximum(shares, 1e-3)
    elif "macro" in metric:
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


def write_submission(
    solve: Callable[[Competition], pd.DataFrame],
    arguments: Sequence[str],
    *,
    share: float,
    random_seed: int,
) -> None:
    """A solver's command line: reads the folder named first and writes the file named second.

    They default to where an episode's sandbox has the data and wants the submission. Of the
    training rows the solver knows a share (see `Competition.part`).
    """
    folder, target = [*arguments, *("data", "submission.csv")[len(arguments) :]]
    competition = read_competition(Path(folder), random_seed=random_seed).part(share)
    solve(competition).to_csv(target, index=False, float_format="%.6g")
