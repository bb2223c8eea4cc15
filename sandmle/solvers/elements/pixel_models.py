"""Models of pixels, which see a sample of the training pixels and predict all."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

#: Training pixels that a model sees.
MOST_PIXELS = 10_000
#: The training pictures are parted into so many, each predicted by a model that saw the others.
PIXEL_FOLDS = 2
#: So many of the ways that are tried are offered, the best by what they make of training pictures.
MOST_OFFERED = 3

#: Learns from pixels (rows, columns) and their labels (rows,), predicts others (rows,).
PixelModel = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def halves(
    pixels: np.ndarray, labels: np.ndarray, model: PixelModel, *, random_seed: int
) -> np.ndarray:
    """Predictions (N, height, width) from `pixels` (N, height, width, columns).

    `labels` (train, height, width) belong to the first pictures. A training picture is predicted
    by the model that did not see it, others by the mean of the models.
    """
    rng = np.random.default_rng(random_seed)
    train, shape = len(labels), pixels.shape[:3]
    fold = np.arange(train) % PIXEL_FOLDS
    found = np.zeros(shape, dtype=np.float32)
    for index in range(PIXEL_FOLDS):
        seen = pixels[:train][fold != index].reshape(-1, pixels.shape[3])
        known = labels[fold != index].ravel()
        chosen = rng.permutation(len(seen))[:MOST_PIXELS]
        places = np.concatenate([np.flatnonzero(fold == index), np.arange(train, len(pixels))])
        asked = pixels[places].reshape(-1, pixels.shape[3])
        predicted = model(seen[chosen], known[chosen], asked).reshape(-1, *shape[1:])
        held_out = int((fold == index).sum())
        found[places[:held_out]] = predicted[:held_out]
        found[train:] += predicted[held_out:] / PIXEL_FOLDS
    return found


def boosted_chance(known: np.ndarray, labels: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """Probabilities by boosted trees."""
    if labels.all() or not labels.any():
        return np.full(len(asked), float(labels[0]))
    model = HistGradientBoostingClassifier(
        max_iter=30, learning_rate=0.2, max_leaf_nodes=8, min_samples_leaf=40,
        early_stopping=False, random_state=0,
    )  # fmt: skip
    return np.asarray(model.fit(known, labels).predict_proba(asked)[:, 1])


def logistic_chance(known: np.ndarray, labels: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """Probabilities by logistic regression."""
    if labels.all() or not labels.any():
        return np.full(len(asked), float(labels[0]))
    model = make_pipeline(StandardScaler(), LogisticRegression(C=1.0, max_iter=200, tol=1e-3))
    return np.asarray(model.fit(known, labels).predict_proba(asked)[:, 1])


def boosted_number(known: np.ndarray, labels: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """Numbers by boosted trees."""
    model = HistGradientBoostingRegressor(
        max_iter=40, learning_rate=0.17, max_leaf_nodes=15, min_samples_leaf=20,
        early_stopping=False, random_state=0,
    )  # fmt: skip
    return np.asarray(model.fit(known, labels).predict(asked))


def linear_number(known: np.ndarray, labels: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """Numbers by ridge regression."""
    model = make_pipeline(StandardScaler(), Ridge(10.0))
    return np.asarray(model.fit(known, labels).predict(asked))
