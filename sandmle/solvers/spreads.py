"""How far predictions may be off: standard deviations learnt from held-out residuals."""

from __future__ import annotations

import numpy as np

from sandmle.solvers.models import Model, forward_selection, linear

#: Sizes of errors are learnt from so many selected features; from none, all have the same.
SELECTED = (0, 1, 2, 4)
#: Errors count as this share of the largest at least, so that logarithms stay in bounds.
SMALLEST_ERROR = 0.02
#: Folds in which numbers of selected features are compared.
SPREAD_FOLDS = 4


def learn_spread(features: np.ndarray, errors: np.ndarray, unknown: np.ndarray) -> np.ndarray:
    """Standard deviations (rows of `unknown`,) from held-out `errors` (rows of `features`,).

    Of several models of the size of errors, the one is taken under which errors that it did not
    see are likeliest.
    """
    sizes = np.log(np.maximum(np.abs(errors), SMALLEST_ERROR * np.abs(errors).max() + 1e-12))
    part = np.arange(len(errors)) % SPREAD_FOLDS
    surprise = {}
    for count in SELECTED:
        expected = np.empty(len(errors))
        for fold in range(SPREAD_FOLDS):
            known, rest = part != fold, part == fold
            expected[rest] = predict_sizes(features[known], sizes[known], features[rest], count)
        spread = calibrated(np.exp(expected), errors)
        surprise[count] = float(np.mean(np.log(spread) + 0.5 * (errors / spread) ** 2))
    best = min(SELECTED, key=surprise.__getitem__)
    seen = np.exp(predict_sizes(features, sizes, features, best))
    scale = calibrated(seen, errors)[0] / seen[0]
    return np.asarray(scale * np.exp(predict_sizes(features, sizes, unknown, best)))


def spread_of_model(
    model: Model, known: np.ndarray, response: np.ndarray, unknown: np.ndarray
) -> np.ndarray:
    """Standard deviations of a model's predictions of numbers for the rows of `unknown`.

    Learnt from features `known` (rows, columns) and their response (rows,).
    """
    part = np.arange(len(response)) % SPREAD_FOLDS
    errors = np.empty(len(response))
    for fold in range(SPREAD_FOLDS):
        seen, rest = part != fold, part == fold
        errors[rest] = response[rest] - model(known[seen], response[seen], 0, known[rest])[:, 0]
    return learn_spread(known, errors, unknown)


def predict_sizes(
    features: np.ndarray, sizes: np.ndarray, unknown: np.ndarray, count: int
) -> np.ndarray:
    """Logarithms of sizes of errors (rows of `unknown`,) from `count` selected features."""
    if not count:
        return np.full(len(unknown), sizes.mean())
    chosen = forward_selection(features, sizes[:, None], count)
    return linear(features[:, chosen], sizes, 0, unknown[:, chosen], strength=0.1)[:, 0]


def calibrated(spread: np.ndarray, errors: np.ndarray) -> np.ndarray:
    """Spreads scaled so that `errors` are as large as they say, in the root mean square."""
    return np.asarray(spread * np.sqrt(np.mean((errors / spread) ** 2)))
