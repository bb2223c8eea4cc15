"""How far two arrays agree: pieces that several metrics are made of."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from sandmle.runtime.scaling import fractions


def rank_auc(truth: np.ndarray, prediction: np.ndarray) -> float:
    """Area under the ROC curve of scores (rows,) for a truth of 0 and 1; 0.5 for one class.

    The Mann-Whitney form, from mean ranks; many times faster than tracing the curve.
    """
    positive = truth == 1
    count = int(positive.sum())
    if count in (0, len(truth)):
        return 0.5
    ranks = fractions(prediction) * len(truth)
    return float((ranks[positive].mean() - count / 2) / (len(truth) - count))


def correlation(left: np.ndarray, right: np.ndarray) -> float:
    """Pearson's correlation of two arrays (rows,); 0 where one is constant."""
    if left.min() == left.max() or right.min() == right.max():
        return 0.0
    # Scaled to 1 first: squares of very small numbers would vanish.
    left = (left - left.mean()) / np.abs(left - left.mean()).max()
    right = (right - right.mean()) / np.abs(right - right.mean()).max()
    return float(left @ right / np.sqrt((left @ left) * (right @ right)))


def relative_errors(truth: np.ndarray, prediction: np.ndarray) -> np.ndarray:
    """Errors as shares of the true values, in one row; where those are 0, none."""
    # Smaller numbers are 0 that was rounded on the way.
    counted = np.abs(truth) > 1e-9
    return np.asarray((truth[counted] - prediction[counted]) / truth[counted])


def mean_over_parts(
    of: Callable[[np.ndarray, np.ndarray], float],
    parts: Sequence[tuple[np.ndarray, np.ndarray]],
    weights: Sequence[float],
) -> float:
    """The weighted mean of a metric's scores of several parts, each a truth and a prediction.

    A part that says nothing, because even the truth would not score there what it scores in
    others (all rows are of one class, say), is left out.
    """
    perfect = [of(truth, truth) for truth, _ in parts]
    telling = [
        index
        for index, score in enumerate(perfect)
        if math.isclose(score, max(perfect), abs_tol=1e-9)
    ]
    scores = [of(*parts[index]) for index in telling]
    return float(np.average(scores, weights=[weights[index] for index in telling]))


def spread_weights(weights: Sequence[float], count: int) -> list[float]:
    """`count` weights: those given, in their order; the last stands for all that follow."""
    return [weights[min(index, len(weights) - 1)] for index in range(count)]
