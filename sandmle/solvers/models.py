"""Models and feature selection for 50 to 200 training rows.

Responses are class indices (rows,), numbers (rows,), or several numbers (rows, outputs);
predictions have shape (rows, classes), (rows, 1) or (rows, outputs).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

#: More targets than this are many: they share the trees of two.
MANY = 4
LEAST_TREES = 10

#: Fits on (training features, responses, how many classes) and predicts other features.
Model = Callable[[np.ndarray, np.ndarray, int, np.ndarray], np.ndarray]


def linear(
    train: np.ndarray, response: np.ndarray, classes: int, test: np.ndarray, *, strength: float
) -> np.ndarray:
    """Logistic or ridge regression; a larger `strength` fits more closely."""
    if is_class(response):
        return _class_probabilities(
            LogisticRegression(C=strength, max_iter=200), train, response, classes, test
        )
    model = Ridge(alpha=1 / strength).fit(train, response)
    return np.asarray(model.predict(test)).reshape(len(test), -1)


def forest(
    train: np.ndarray,
    response: np.ndarray,
    classes: int,
    test: np.ndarray,
    *,
    trees: int = 50,
    random_seed: int = 0,
) -> np.ndarray:
    """A random forest with leaves of two rows or more."""
    options = tree_options(trees, random_seed)
    if is_class(response):
        return _class_probabilities(
            RandomForestClassifier(**options), train, response, classes, test
        )
    model = RandomForestRegressor(max_features=0.5, **options).fit(train, response)
    return np.asarray(model.predict(test)).reshape(len(test), -1)


def extra_trees(
    train: np.ndarray,
    response: np.ndarray,
    classes: int,
    test: np.ndarray,
    *,
    trees: int = 50,
    random_seed: int = 0,
) -> np.ndarray:
    """Trees with random cuts: smoother than a forest on few rows."""
    options = tree_options(trees, random_seed)
    if is_class(response):
        return _class_probabilities(ExtraTreesClassifier(**options), train, response, classes, test)
    model = ExtraTreesRegressor(max_features=0.5, **options).fit(train, response)
    return np.asarray(model.predict(test)).reshape(len(test), -1)


def tree_options(trees: int, random_seed: int) -> dict[str, int]:
    """What both kinds of trees have in common."""
    return {"n_estimators": trees, "min_samples_leaf": 2, "random_state": random_seed, "n_jobs": 1}


def neighbours(
    train: np.ndarray, response: np.ndarray, classes: int, test: np.ndarray, *, count: int = 9
) -> np.ndarray:
    """The mean of the nearest rows, nearer ones weighing more."""
    count = min(count, len(train))
    if is_class(response):
        model = KNeighborsClassifier(count, weights="distance")
        return _class_probabilities(model, train, response, classes, test)
    fitted = KNeighborsRegressor(count, weights="distance").fit(train, response)
    return np.asarray(fitted.predict(test)).reshape(len(test), -1)


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


def is_class(response: np.ndarray) -> bool:
    """Whether a response holds class indices, and not numbers."""
    return response.dtype.kind in "iu"


def indicators(response: np.ndarray, classes: int) -> np.ndarray:
    """The response as columns: one a class, or the numbers themselves."""
    if not is_class(response):
        return response.reshape(len(response), -1).astype(float)
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


def plain_models(targets: int, *, random_seed: int) -> Mapping[str, Model]:
    """Models that take features as they are, by name; with many targets, of fewer trees each."""
    trees = trees_each(targets, most=50)
    return {
        "linear": partial(linear, strength=0.1),
        "forest": partial(forest, trees=trees, random_seed=random_seed),
        "neighbours": neighbours,
    }


def trees_each(targets: int, *, most: int) -> int:
    """How many trees each of several targets gets: all of `most` up to MANY targets."""
    return most if targets <= MANY else max(LEAST_TREES, 2 * most // targets)
