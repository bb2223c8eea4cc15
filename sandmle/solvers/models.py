"""Models, feature selection and cross-validation for 50 to 200 training rows.

Responses are an array of class indices or of numbers; predictions have shape (rows, classes) or
(rows, 1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np
from scipy.stats import rankdata
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

#: Fits on (training features, responses, classes or 0 for numbers) and predicts other features.
Model = Callable[[np.ndarray, np.ndarray, int, np.ndarray], np.ndarray]


def linear(
    train: np.ndarray, response: np.ndarray, classes: int, test: np.ndarray, *, strength: float
) -> np.ndarray:
    """Logistic or ridge regression; a larger `strength` fits more closely."""
    if classes:
        return _class_probabilities(
            LogisticRegression(C=strength, max_iter=200), train, response, classes, test
        )
    model = Ridge(alpha=1 / strength).fit(train, response)
    return np.asarray(model.predict(test)).reshape(-1, 1)


def forest(
    train: np.ndarray, response: np.ndarray, classes: int, test: np.ndarray, *, trees: int = 50
) -> np.ndarray:
    """A random forest with leaves of two rows or more."""
    options = {"n_estimators": trees, "min_samples_leaf": 2, "random_state": 0, "n_jobs": 1}
    if classes:
        return _class_probabilities(
            RandomForestClassifier(**options), train, response, classes, test
        )
    model = RandomForestRegressor(max_features=0.5, **options).fit(train, response)
    return np.asarray(model.predict(test)).reshape(-1, 1)


def extra_trees(
    train: np.ndarray, response: np.ndarray, classes: int, test: np.ndarray, *, trees: int = 50
) -> np.ndarray:
    """Trees with random cuts: smoother than a forest on few rows."""
    options = {"n_estimators": trees, "min_samples_leaf": 2, "random_state": 0, "n_jobs": 1}
    if classes:
        return _class_probabilities(ExtraTreesClassifier(**options), train, response, classes, test)
    model = ExtraTreesRegressor(max_features=0.5, **options).fit(train, response)
    return np.asarray(model.predict(test)).reshape(-1, 1)


def neighbours(
    train: np.ndarray, response: np.ndarray, classes: int, test: np.ndarray, *, count: int = 9
) -> np.ndarray:
    """The mean of the nearest rows, nearer ones weighing more."""
    count = min(count, len(train))
    if classes:
        model = KNeighborsClassifier(count, weights="distance")
        return _class_probabilities(model, train, response, classes, test)
    fitted = KNeighborsRegressor(count, weights="distance").fit(train, response)
    return np.asarray(fitted.predict(test)).reshape(-1, 1)


def _class_probabilities(
    model: LogisticRegression
    | RandomForestClassifier
    | ExtraTreesClassifier
    | KNeighborsClassifier,
    train: np.ndarray,
    response: np.ndarray,
    classes: int,
    test: np.ndarray,
) -> np.ndarray:
    """Probabilities for all classes, of which the training rows may lack some."""
    found = np.unique(response)
    probabilities = np.zeros((len(test), classes))
    if len(found) == 1:
        probabilities[:, found[0]] = 1.0
    else:
        probabilities[:, found] = model.fit(train, response).predict_proba(test)
    return probabilities


def indicators(response: np.ndarray, classes: int) -> np.ndarray:
    """The response as columns: one a class, or the numbers themselves."""
    if not classes:
        return response.reshape(-1, 1).astype(float)
    return np.asarray(response[:, None] == np.arange(classes), dtype=float)


def forward_selection(features: np.ndarray, response: np.ndarray, count: int) -> list[int]:
    """Orthogonal forward selection: each pick explains most of what the earlier ones left over.

    `features` is (rows, columns), `response` (rows, outputs); returns at most `count` columns.
    """
    rest = features - features.mean(axis=0)
    residual = response - response.mean(axis=0)
    size = (rest**2).sum(axis=0)
    smallest = 1e-6 * len(features) + 1e-3 * size
    chosen: list[int] = []
    for _ in range(min(count, features.shape[1], len(features) - 2)):
        gain = ((rest.T @ residual) ** 2).sum(axis=1) / np.maximum(size, smallest)
        gain[size < smallest] = -1.0
        gain[chosen] = -1.0
        best = int(gain.argmax())
        if gain[best] <= 0:
            break
        chosen.append(best)
        direction = rest[:, best] / np.sqrt(size[best])
        residual = residual - np.outer(direction, direction @ residual)
        rest = rest - np.outer(direction, direction @ rest)
        size = (rest**2).sum(axis=0)
    return chosen or [0]


def folds(
    response: np.ndarray, classes: int, count: int
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Training and held-out rows of `count` shuffled folds, stratified for classes."""
    if classes and np.bincount(response).max() >= count:
        smallest = np.bincount(response)[np.unique(response)].min()
        if smallest >= count:
            yield from StratifiedKFold(count, shuffle=True, random_state=0).split(
                response, response
            )
            return
    yield from KFold(count, shuffle=True, random_state=0).split(response)


def held_out(
    model: Model, features: np.ndarray, response: np.ndarray, classes: int, *, count: int
) -> np.ndarray:
    """Predictions for every training row by models that did not see it."""
    predictions = np.zeros((len(response), max(classes, 1)))
    for train, rest in folds(response, classes, count):
        predictions[rest] = model(features[train], response[train], classes, features[rest])
    return predictions


def loss(metric: str, response: np.ndarray, classes: int, prediction: np.ndarray) -> float:
    """How badly held-out predictions fit, on a scale that varies little by chance and from 0 up.

    Errors of ranking for most class metrics (accuracy jumps too much on 100 rows), of likelihood
    for log loss, of the numbers themselves in regression.
    """
    if not classes:
        error = prediction[:, 0] - response
        return float(np.abs(error).mean() if metric == "mae" else np.sqrt((error**2).mean()))
    if metric in ("log_loss", "mean_column_log_loss"):
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


#: Models that take features as they are, by name.
PLAIN_MODELS: Mapping[str, Model] = {
    "linear": partial(linear, strength=0.1),
    "forest": forest,
    "neighbours": neighbours,
}
