"""What other libraries say, or else the definition of a metric written out row by row."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import scipy.stats
import sklearn.metrics as sk
from scipy.spatial.distance import cdist

Array = np.ndarray


def edits(left: Sequence[object], right: Sequence[object]) -> int:
    """The table of Levenshtein distances, filled in cell by cell."""
    table = np.zeros((len(left) + 1, len(right) + 1), dtype=int)
    table[:, 0], table[0] = range(len(left) + 1), range(len(right) + 1)
    for row in range(1, len(left) + 1):
        for column in range(1, len(right) + 1):
            table[row, column] = min(
                table[row - 1, column] + 1,
                table[row, column - 1] + 1,
                table[row - 1, column - 1] + (left[row - 1] != right[column - 1]),
            )
    return int(table[-1, -1])


def levenshtein(truth: Array, prediction: Array) -> float:
    return float(np.mean([edits(*pair) for pair in zip(truth, prediction, strict=True)]))


def log_loss(truth: Array, prediction: Array) -> float:
    labels = [0, 1] if truth.ndim == 1 else None
    return float(sk.log_loss(truth, prediction, labels=labels))


def balanced_log_loss(truth: Array, prediction: Array) -> float:
    classes = truth if truth.ndim == 1 else truth.argmax(axis=1)
    counts = np.bincount(classes.astype(int))
    return float(sk.log_loss(classes, prediction, sample_weight=1 / counts[classes.astype(int)]))


def weighted_log_loss(
    truth: Array, prediction: Array, weights: Sequence[float], positive: float
) -> float:
    rows = []
    for true, given in zip(truth, prediction, strict=True):
        total, weight = 0.0, 0.0
        for column, (label, chance) in enumerate(zip(true, given, strict=True)):
            heavy = (weights[column] if column < len(weights) else weights[-1]) * (
                positive if label else 1
            )
            total -= heavy * math.log(min(max(chance if label else 1 - chance, 1e-15), 1 - 1e-15))
            weight += heavy
        rows.append(total / weight)
    return float(np.mean(rows))


def weighted_roc_auc(truth: Array, prediction: Array, below: float, times: float) -> float:
    """Every positive row takes an equal slice of the true positive rate."""
    slices, last = [], 0.0
    positives = int(truth.sum())
    for score in np.sort(prediction[truth == 1])[::-1]:
        beaten = float(np.mean(prediction[truth == 0] < score))
        middle = np.linspace(last, last + 1 / positives, 1001)[:-1] + 5e-4 / positives
        slices.append(np.mean(np.where(middle < below, times, 1.0)) * beaten / positives)
        last += 1 / positives
    return float(sum(slices) / (times * below + 1 - below))


def normalized_gini(truth: Array, prediction: Array) -> float:
    def gini(order: Array) -> float:
        held = truth[order].cumsum() / truth.sum()
        return float(held.sum() - (len(truth) + 1) / 2)

    return gini(np.argsort(-prediction)) / gini(np.argsort(-truth))


def probabilistic_f1(truth: Array, prediction: Array) -> float:
    found, wrong = prediction[truth == 1].sum(), prediction[truth == 0].sum()
    precision, recall = found / (found + wrong), found / truth.sum()
    return float(2 * precision * recall / (precision + recall))


def bias_auc(truth: Array, prediction: Array, by: Array, power: float) -> float:
    scores = [[], [], []]  # type: list[list[float]]
    for level in set(by):
        own, positive = by == level, truth == 1
        for place, rows in enumerate(
            (own, (own & ~positive) | (~own & positive), (own & positive) | (~own & ~positive))
        ):
            scores[place].append(sk.roc_auc_score(truth[rows], prediction[rows]))
    means = [np.mean([value**power for value in kind]) ** (1 / power) for kind in scores]
    return float(0.25 * sk.roc_auc_score(truth, prediction) + 0.25 * sum(means))


def map_at_k(truth: Array, prediction: Array, k: int) -> float:
    scores = []
    for true, guesses in zip(truth.tolist(), prediction.tolist(), strict=True):
        wanted = {name for name in true if name >= 0}
        found, total = 0, 0.0
        for place, guess in enumerate(guesses[:k], start=1):
            if guess in wanted:
                found += 1
                total += found / place
        scores.append(total / min(len(wanted), k))
    return float(np.mean(scores))


def weighted_recall(truth: Array, prediction: Array, weights: Sequence[float]) -> float:
    recall = sk.recall_score(truth, prediction, average=None)
    given = [*weights, *[weights[-1]] * len(recall)][: len(recall)]
    return float(np.average(recall, weights=given))


def smape(truth: Array, prediction: Array) -> float:
    pairs = zip(truth.ravel(), prediction.ravel(), strict=True)
    return float(np.mean([200 * abs(t - p) / (abs(t) + abs(p)) if t or p else 0 for t, p in pairs]))


def angular_error(truth: Array, prediction: Array) -> float:
    """From the cross and the scalar product of the two directions."""
    left, right = (
        np.column_stack([np.cos(a) * np.sin(z), np.sin(a) * np.sin(z), np.cos(z)])
        for a, z in (truth.T, prediction.T)
    )
    sine = np.linalg.norm(np.cross(left, right), axis=1)
    return float(np.arctan2(sine, (left * right).sum(axis=1)).mean())


def haversine_error(truth: Array, prediction: Array) -> float:
    pairs = zip(np.radians(truth), np.radians(prediction), strict=True)
    distances = [
        6_371_000 * sk.pairwise.haversine_distances([left], [right])[0, 0] for left, right in pairs
    ]
    return float((np.percentile(distances, 50) + np.percentile(distances, 95)) / 2)


def laplace_log_likelihood(truth: Array, prediction: Array, floor: float, cap: float) -> float:
    error = np.minimum(np.abs(truth[:, 0] - prediction[:, 0]), cap)
    scale = np.maximum(prediction[:, 1], floor) / np.sqrt(2)
    return float(scipy.stats.laplace.logpdf(error, scale=scale).mean())


def token_error_rate(truth: Array, prediction: Array) -> float:
    pairs = zip(truth, prediction, strict=True)
    return sum(edits(*pair) for pair in pairs) / sum(map(len, truth))


def word_jaccard(truth: Array, prediction: Array) -> float:
    scores = []
    for true, guess in zip(truth, prediction, strict=True):
        left, right = {*true.lower().split()}, {*guess.lower().split()}
        common = len([word for word in left if word in right])
        scores.append(common / (len(left) + len(right) - common))
    return float(np.mean(scores))


def word_f1(truth: Array, prediction: Array) -> float:
    scores = []
    for true, guess in zip(truth, prediction, strict=True):
        left, right = true.lower().split(), guess.lower().split()
        common = sum((Counter(left) & Counter(right)).values())
        precision, recall = common / len(right), common / len(left)
        scores.append(2 * precision * recall / (precision + recall) if common else 0.0)
    return float(np.mean(scores))


def answer_f1(truth: Array, prediction: Array) -> float:
    right = sum(true == guess for true, guess in zip(truth, prediction, strict=True) if guess)
    precision, recall = right / sum(map(bool, prediction)), right / sum(map(bool, truth))
    return float(2 * precision * recall / (precision + recall))


def kendall_tau(truth: Array, prediction: Array) -> float:
    """scipy's tau of each row, weighed by its pairs of items."""
    taus, pairs = [], []
    for true, guess in zip(truth, prediction, strict=True):
        places = [true.index(item) for item in guess]
        taus.append(scipy.stats.kendalltau(range(len(places)), places).statistic)
        pairs.append(len(places) * (len(places) - 1) / 2)
    return float(np.average(taus, weights=pairs))


def by_mask(of: Callable[[Array, Array], float]) -> Callable[..., float]:
    """The mean over masks of a score of two lists of pixels, 1 where both masks are empty."""

    def score(truth: Array, prediction: Array) -> float:
        pairs = [(t.ravel(), p.ravel()) for t, p in zip(truth, prediction, strict=True)]
        return float(np.mean([of(t, p) if t.any() or p.any() else 1.0 for t, p in pairs]))

    return score


def passed_thresholds(truth: Array, prediction: Array) -> float:
    share = sk.jaccard_score(truth, prediction)
    return float(np.mean([share > threshold + 1e-12 for threshold in np.arange(0.5, 0.99, 0.05)]))


def dice_hausdorff(truth: Array, prediction: Array) -> float:
    overlaps, distances = [], []
    for true, guess in zip(truth, prediction, strict=True):
        if not true.any() and not guess.any():
            continue
        overlaps.append(sk.f1_score(true.ravel(), guess.ravel()))
        if not true.any() or not guess.any():
            distances.append(1.0)
            continue
        apart = cdist(np.argwhere(true) / true.shape, np.argwhere(guess) / guess.shape)
        distances.append(max(apart.min(axis=0).max(), apart.min(axis=1).max()) / math.sqrt(2))
    return float(0.4 * np.mean(overlaps) + 0.6 * (1 - np.mean(distances)))


def overlap(left: Array, right: Array) -> float:
    """Intersection over union of two boxes (class, left, top, width, height, ...)."""
    wide = min(left[1] + left[3], right[1] + right[3]) - max(left[1], right[1])
    high = min(left[2] + left[4], right[2] + right[4]) - max(left[2], right[2])
    common = max(wide, 0) * max(high, 0)
    return float(common / (left[3] * left[4] + right[3] * right[4] - common))


def box_average_precision(truth: Array, prediction: Array, overlaps: Sequence[float]) -> float:
    """Every box in turn, surest first; precision at a recall is the best from there on."""
    scores = []
    for wanted in overlaps:
        for kind in sorted({box[0] for boxes in truth for box in boxes}):
            total = sum(box[0] == kind for boxes in truth for box in boxes)
            guesses = [
                (box[5], row, place)
                for row, boxes in enumerate(prediction)
                for place, box in enumerate(boxes)
                if box[0] == kind
            ]
            taken: set[tuple[int, int]] = set()
            curve, right, seen = [], 0, 0
            for sure in sorted({guess[0] for guess in guesses}, reverse=True):
                for _, row, place in [guess for guess in guesses if guess[0] == sure]:
                    seen += 1
                    best = [
                        (overlap(prediction[row][place], box), index)
                        for index, box in enumerate(truth[row])
                        if box[0] == kind and (row, index) not in taken
                    ]
                    if best and max(best)[0] >= wanted:
                        taken.add((row, max(best)[1]))
                        right += 1
                curve.append((right / total, right / seen))
            area, last = 0.0, 0.0
            for index, (recall, _) in enumerate(curve):
                area += (recall - last) * max(precision for _, precision in curve[index:])
                last = recall
            scores.append(area)
    return float(np.mean(scores))


def centre_f1(truth: Array, prediction: Array) -> float:
    right = 0
    for true, guess in zip(truth, prediction, strict=True):
        unused = list(guess)
        for box in true:
            for index, other in enumerate(unused):
                x, y = other[1] + other[3] / 2, other[2] + other[4] / 2
                inside = box[1] <= x <= box[1] + box[3] and box[2] <= y <= box[2] + box[4]
                if inside and box[0] == other[0]:
                    right += 1
                    del unused[index]
                    break
    precision, recall = right / sum(map(len, prediction)), right / sum(map(len, truth))
    return 2 * precision * recall / (precision + recall)
