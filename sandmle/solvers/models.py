"""Models and feature selection for 50 to 200 training rows.

Responses are class indices (rows,), numbers (rows,), or several numbers (rows, outputs);
predictions have shape (rows, classes), (rows, 1) or (rows, outputs).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeAlias

import numpy as np
from sklearn.base import is_classifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeRegressor

#: More targets than this are many: they share the trees of two.
MANY = 4
LEAST_TREES = 10

#: Fits on (training features, responses, how many classes) and predicts other features.
Model = Callable[[np.ndarray, np.ndarray, int, np.ndarray], np.ndarray]

Tree: TypeAlias = DecisionTreeClassifier | DecisionTreeRegressor


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


def straight_lines(train: np.ndarray, outputs: np.ndarray, test: np.ndarray) -> np.ndarray:
    """Ridge regression of `outputs` (rows, outputs) on few columns: a quick look at features."""
    mean, middle = train.mean(axis=0), outputs.mean(axis=0)
    centred = train - mean
    products = centred.T @ centred + np.eye(train.shape[1])
    slopes = np.linalg.solve(products, centred.T @ (outputs - middle))
    return np.asarray(middle + (test - mean) @ slopes)


def forest(
    train: np.ndarray,
    response: np.ndarray,
    classes: int,
    test: np.ndarray,
    *,
    trees: int = 50,
    random_seed: int = 0,
) -> np.ndarray:
    """A random forest (Breiman 2001)."""
    outputs = indicators(response, classes)
    trees_of_numbers = seeded_trees(DecisionTreeRegressor, response, trees, random_seed)
    return mean_of_trees(trees_of_numbers, train, outputs, test, is_bootstrapped=True)


def forest_of_classes(
    train: np.ndarray, response: np.ndarray, classes: int, test: np.ndarray
) -> np.ndarray:
    """The same with trees of classes, which cost twice as much.

    Where two cuts are equally good, they may take the other one.
    """
    if not is_class(response):
        return forest(train, response, classes, test)
    found, outputs = np.unique(response, return_inverse=True)
    trees_of_classes = seeded_trees(DecisionTreeClassifier, response, 50, 0)
    probabilities = np.zeros((len(test), classes))
    probabilities[:, found] = mean_of_trees(
        trees_of_classes, train, outputs.astype(float), test, is_bootstrapped=True
    )
    return probabilities


def extra_trees(
    train: np.ndarray,
    response: np.ndarray,
    classes: int,
    test: np.ndarray,
    *,
    trees: int = 50,
    random_seed: int = 0,
) -> np.ndarray:
    """Trees with random cuts: smoother than a forest on few rows (Geurts et al. 2006)."""
    outputs = indicators(response, classes)
    trees_of_numbers = seeded_trees(ExtraTreeRegressor, response, trees, random_seed)
    return mean_of_trees(trees_of_numbers, train, outputs, test, is_bootstrapped=False)


def seeded_trees(
    kind: type[Tree], response: np.ndarray, trees: int, random_seed: int
) -> list[Tree]:
    """Trees with leaves of two rows or more, seeded as the forests of scikit-learn seed theirs."""
    seeds = np.random.RandomState(random_seed).randint(np.iinfo(np.int32).max, size=trees)
    shown = "sqrt" if is_class(response) else 0.5
    return [kind(min_samples_leaf=2, max_features=shown, random_state=int(s)) for s in seeds]


def mean_of_trees(
    trees: Sequence[Tree],
    train: np.ndarray,
    outputs: np.ndarray,
    test: np.ndarray,
    *,
    is_bootstrapped: bool,
) -> np.ndarray:
    """The mean prediction of trees, which are fitted here: (test rows, outputs or classes).

    These are the forests of scikit-learn at a third of their cost, which is in copies and checks
    for each tree. Trees of a class's indicators cut where trees of classes do: the variance of
    indicators is the Gini impurity.
    """
    known, asked = (np.ascontiguousarray(rows, dtype=np.float32) for rows in (train, test))
    weight, predictions = None, []
    for tree in trees:
        if is_bootstrapped:
            drawn = np.random.RandomState(tree.random_state).randint(0, len(train), len(train))
            weight = np.bincount(drawn, minlength=len(train)).astype(float)
        tree.fit(known, outputs, sample_weight=weight, check_input=False)
        predict = tree.predict_proba if is_classifier(tree) else tree.predict
        predictions.append(predict(asked, check_input=False).reshape(len(test), -1))
    return np.asarray(np.sum(predictions, axis=0) / len(trees))


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
    model: LogisticRegression | KNeighborsClassifier,
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
    """At most `count` columns of `features` (rows, columns) for `response` (rows, outputs)."""
    return forward_selections(features, response, np.ones((1, len(features)), bool), count)[0]


def forward_selections(
    features: np.ndarray, response: np.ndarray, known: np.ndarray, count: int
) -> list[list[int]]:
    """Orthogonal forward selection: each pick explains most of what the earlier ones left over.

    `features` is (rows, columns), `response` (rows, outputs). For each entry of `known`
    (selections, rows), at most `count` columns, selected on the rows that it marks; all selections
    go step by step together, so that a step is one product of matrices.
    """
    rows = known.sum(axis=1, keepdims=True)
    mean = known @ features / rows
    size = known @ features**2 - rows * mean**2
    smallest = 1e-6 * rows + 1e-3 * size
    wanted = known[:, :, None] * (response - (known @ response / rows)[:, None])
    covariance = np.tensordot(wanted, features, axes=(1, 0))
    chosen: list[list[int]] = [[] for _ in known]
    basis: list[np.ndarray] = []
    every = np.arange(len(known))
    for step in range(min(count, features.shape[1])):
        gain = (covariance**2).sum(axis=1) / np.maximum(size, smallest)
        gain[size < smallest] = -1.0
        for gains, taken in zip(gain, chosen, strict=True):
            gains[taken] = -1.0
        best = gain.argmax(axis=1)
        goes_on = (gain[every, best] > 0) & (step < rows[:, 0] - 2)
        direction = known * (features[:, best].T - mean[every, best, None])
        for earlier in basis:
            direction -= earlier * (earlier * direction).sum(axis=1, keepdims=True)
        direction *= goes_on[:, None] / np.sqrt((direction**2).sum(axis=1, keepdims=True) + 1e-12)
        basis.append(direction)
        along = direction @ features
        size -= along**2
        covariance -= (direction[:, None] @ wanted).transpose(0, 2, 1) * along[:, None]
        for place in np.flatnonzero(goes_on):
            chosen[place].append(int(best[place]))
    return [picked or [0] for picked in chosen]


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
