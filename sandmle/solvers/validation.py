"""Which rows to hold out, and how well predictions of held-out rows fit."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
from scipy.special import softmax
from scipy.stats import rankdata
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold

from sandmle.solvers.measures.columns import DATE, ENOUGH, is_day_first
from sandmle.solvers.models import Model, is_class
from sandmle.solvers.reading import Competition, groups_apart

#: A column of moments has at least so many of them in train and in test.
FEWEST_MOMENTS = 5
#: Metrics of the sizes of errors, by words of their names: their best constant is a median.
ABSOLUTE = re.compile("mae|absolute|medae|laplace")
#: Rows to train on, and rows that are held out.
Fold = tuple[np.ndarray, np.ndarray]


def folds(competition: Competition, response: np.ndarray, count: int) -> list[Fold]:
    """At most `count` folds of the training rows, as test.csv lies to train.csv.

    Where all test rows are later, the latest rows are held out, as many of them as test.csv has of
    all, and half at most; where they are of other groups, folds hold out whole groups; else folds
    are shuffled, and stratified for classes.
    """
    rows = np.arange(competition.train)
    moments = time_of(competition.frame, competition.train)
    if moments is not None:
        order = np.argsort(moments[: len(rows)], kind="stable")
        share = max(0.5, len(rows) / len(competition.ids))
        known, later = np.split(order, [round(share * len(rows))])
        return [(known, later)]
    apart = groups_apart(competition.frame, competition.train)
    if apart is not None:
        groups = competition.frame[apart].fillna("").to_numpy(str)[: len(rows)]
        splitter = GroupKFold(min(count, len(np.unique(groups))))
        return list(splitter.split(rows, groups=groups))
    options = {"shuffle": True, "random_state": competition.random_seed}
    if is_class(response):
        sizes = np.bincount(response)
        if sizes[sizes > 0].min() >= count:
            stratified = StratifiedKFold(count, **options)
            return list(stratified.split(rows, response))
    return list(KFold(count, **options).split(rows))


def time_of(frame: pd.DataFrame, train: int) -> np.ndarray | None:
    """The column of dates or numbers of which no test row has an earlier one than any train row.

    As floats (N,); None where there is no such column.
    """
    for name in frame.columns:
        cells = frame[name]
        if cells.isna().any():
            continue
        values = pd.to_numeric(cells, errors="coerce")
        if values.isna().any():
            if cells.str.match(DATE).mean() < ENOUGH:
                continue
            dates = pd.to_datetime(
                cells, errors="coerce", format="mixed", dayfirst=is_day_first(cells)
            )
            values = (dates - dates.min()).dt.total_seconds()
        known, unknown = values[:train], values[train:]
        is_long = min(known.nunique(), unknown.nunique()) >= FEWEST_MOMENTS
        if is_long and unknown.min() >= known.max():
            return values.to_numpy(float)
    return None


def held_out(
    competition: Competition,
    model: Model,
    features: np.ndarray,
    response: np.ndarray,
    *,
    count: int,
) -> np.ndarray:
    """Predictions for the training rows by models that did not see them, NaN where there are none.

    `features` are those of the training rows.
    """
    classes = len(competition.classes)
    found = np.full((len(response), outputs_of(response, classes)), np.nan)
    for train, rest in folds(competition, response, count):
        found[rest] = model(features[train], response[train], classes, features[rest])
    return found


def outputs_of(response: np.ndarray, classes: int) -> int:
    """How many columns predictions of a response have."""
    if is_class(response):
        return classes
    return 1 if response.ndim == 1 else response.shape[1]


def loss(competition: Competition, response: np.ndarray, prediction: np.ndarray) -> float:
    """How badly held-out predictions fit, on a scale that varies little by chance and from 0 up.

    Errors of ranking for most class metrics (accuracy jumps too much on 100 rows), of likelihood
    for log loss and distributions, of the numbers themselves in regression. Rows whose prediction
    is NaN don't count.
    """
    rows = ~np.isnan(prediction[:, 0])
    if not is_class(response):
        if response.ndim == 2:
            return divergence(response[rows], prediction[rows])
        shown = prediction[:, 0]
        if competition.queries is not None:
            query = competition.queries[: competition.train]
            shown = shown - pd.Series(shown).groupby(query).transform("mean").to_numpy()
        return number_loss(competition, response[rows], shown[rows])
    return class_loss(competition.metric, response[rows], prediction[rows])


def divergence(response: np.ndarray, prediction: np.ndarray) -> float:
    """Kullback-Leibler divergence of distributions, both given as log shares (rows, classes)."""
    truth, shares = softmax(response, axis=1), softmax(prediction, axis=1)
    return float((truth * np.log(truth / np.maximum(shares, 1e-6))).sum(axis=1).mean())


def number_loss(competition: Competition, truth: np.ndarray, prediction: np.ndarray) -> float:
    """The error of numbers (rows,), on the scale of `Competition.responses`, in this metric."""
    error = prediction - truth
    if competition.is_relative:
        ratio = np.exp(np.clip(error, -20, 20))
        if "smape" in competition.metric:
            return float((np.abs(ratio - 1) / (ratio + 1)).mean())
        return root_mean_square(ratio - 1) if "rms" in competition.metric else mean_size(ratio - 1)
    if "pinball" in competition.metric:
        level = competition.settings.get("quantile", 0.5)
        return float(np.maximum(-level * error, (1 - level) * error).mean())
    return mean_size(error) if ABSOLUTE.search(competition.metric) else root_mean_square(error)


def mean_size(error: np.ndarray) -> float:
    """The mean absolute error."""
    return float(np.abs(error).mean())


def root_mean_square(error: np.ndarray) -> float:
    """The root mean squared error."""
    return float(np.sqrt((error**2).mean()))


def class_loss(metric: str, response: np.ndarray, prediction: np.ndarray) -> float:
    """The loss of class probabilities (rows, classes)."""
    classes = prediction.shape[1]
    if "log_loss" in metric:
        given = np.clip(prediction[np.arange(len(response)), response], 0.01, 1)
        return -float(np.log(given).mean())
    if metric == "quadratic_weighted_kappa":
        expected = prediction @ np.arange(classes)
        return 1 - float(np.corrcoef(expected, response)[0, 1]) if expected.std() > 0 else 1.0
    areas = [
        ranking_quality(response == index, prediction[:, index])
        for index in range(1 if classes == 2 else 0, classes)
        if 0 < (response == index).sum() < len(response)
    ]
    return 1 - float(np.mean(areas)) if areas else 0.5


def ranking_quality(positive: np.ndarray, score: np.ndarray) -> float:
    """Area under the ROC curve."""
    count = positive.sum()
    ranks = rankdata(score)[positive].sum()
    return float((ranks - count * (count + 1) / 2) / (count * (len(positive) - count)))
