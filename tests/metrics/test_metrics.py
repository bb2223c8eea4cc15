"""Every metric against another library or by hand, and what all of them have in common."""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import scipy.stats
import sklearn.metrics as reference
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.metrics.words import METRICS, metric

#: The parameters that a metric without defaults is called with here.
PARAMETERS: dict[str, dict[str, Any]] = {"pinball_loss": {"quantile": 0.8}, "f_beta": {"beta": 2.0}}


def _mean_column_log_loss(truth: np.ndarray, prediction: np.ndarray) -> float:
    columns = range(truth.shape[1])
    return float(
        np.mean(
            [reference.log_loss(truth[:, at], prediction[:, at], labels=[0, 1]) for at in columns]
        )
    )


def _log_loss(truth: np.ndarray, prediction: np.ndarray) -> float:
    labels = [0, 1] if truth.ndim == 1 else None
    return float(reference.log_loss(truth, prediction, labels=labels))


#: What other libraries say, where the truth holds every class.
REFERENCES: dict[str, Callable[[np.ndarray, np.ndarray], float]] = {
    "accuracy": reference.accuracy_score,
    "average_precision": reference.average_precision_score,
    "balanced_accuracy": reference.balanced_accuracy_score,
    "brier_score": reference.brier_score_loss,
    "exact_match": reference.accuracy_score,
    "f_beta": lambda truth, prediction: reference.fbeta_score(truth, prediction, beta=2.0),
    "log_loss": _log_loss,
    "macro_f1": lambda truth, prediction: reference.f1_score(truth, prediction, average="macro"),
    "mae": reference.mean_absolute_error,
    "matthews_correlation": reference.matthews_corrcoef,
    "mean_column_log_loss": _mean_column_log_loss,
    "mean_column_roc_auc": lambda truth, prediction: reference.roc_auc_score(
        truth, prediction, average="macro"
    ),
    "pearson": lambda truth, prediction: scipy.stats.pearsonr(truth, prediction).statistic,
    "pinball_loss": lambda truth, prediction: reference.mean_pinball_loss(
        truth, prediction, alpha=0.8
    ),
    "quadratic_weighted_kappa": lambda truth, prediction: reference.cohen_kappa_score(
        truth, prediction, weights="quadratic"
    ),
    "r2": reference.r2_score,
    "rmse": reference.root_mean_squared_error,
    "rmsle": lambda truth, prediction: reference.root_mean_squared_log_error(
        np.maximum(truth, 0), np.maximum(prediction, 0)
    ),
    "roc_auc": reference.roc_auc_score,
    "spearman": lambda truth, prediction: scipy.stats.spearmanr(truth, prediction).statistic,
}

PAIRS = [(name, task) for name, word in METRICS.items() for task in word.traits["TASKS"]]


def sampled(name: str, task: str, rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A truth and an imperfect prediction as the submission words parse them."""
    rng = np.random.default_rng(seed)
    predicts = METRICS[name].traits["PREDICTS"]
    if predicts == "number":
        truth = rng.normal(1.0, 2.0, rows)
        return truth, truth + rng.normal(0.0, 1.5, rows)
    classes = {"binary": 2, "multilabel": 2, "multiclass": 4, "ordinal": 5}[task]
    shape = (rows, 3) if task == "multilabel" else (rows,)
    labels = rng.integers(0, classes, shape)
    labels[:classes] = np.arange(classes).reshape((classes,) + (1,) * (labels.ndim - 1))
    if predicts == "label":
        guess = np.where(rng.random(shape) < 0.6, labels, rng.integers(0, classes, shape))
        return labels, guess
    if task == "multiclass":
        truth = np.eye(classes)[labels]
        raw = rng.random((rows, classes)) + truth
        return truth, raw / raw.sum(axis=1, keepdims=True)
    return labels.astype(float), np.clip(0.6 * rng.random(shape).round(1) + 0.4 * labels, 0.0, 1.0)


def score(name: str, truth: np.ndarray, prediction: np.ndarray) -> float:
    return metric(name)(truth, prediction, **PARAMETERS.get(name, {}))


def constants(name: str, truth: np.ndarray) -> Iterator[np.ndarray]:
    """Constant predictions of the truth's shape."""
    predicts = METRICS[name].traits["PREDICTS"]
    if predicts == "number":
        yield from (np.full(truth.shape, value) for value in (0.0, 3.0, -1e15))
    elif predicts == "label":
        yield from (np.full(truth.shape, value) for value in (0, 1))
    else:
        yield from (np.full(truth.shape, value) for value in (0.0, 0.25, 1.0))


def in_bounds(name: str, value: float) -> bool:
    low, high = METRICS[name].traits["BOUNDS"]
    return (low is None or value >= low - 1e-9) and (high is None or value <= high + 1e-9)


def test_every_metric_has_a_reference() -> None:
    assert set(REFERENCES) == set(METRICS)


@pytest.mark.parametrize(("name", "task"), PAIRS)
@pytest.mark.parametrize("seed", range(5))
def test_a_metric_agrees_with_another_library(name: str, task: str, seed: int) -> None:
    truth, prediction = sampled(name, task, 60, seed)

    assert score(name, truth, prediction) == pytest.approx(
        float(REFERENCES[name](truth, prediction)), abs=1e-9
    )


@pytest.mark.parametrize(("name", "task"), PAIRS)
def test_perfect_is_best_and_lies_on_the_bound(name: str, task: str) -> None:
    truth, prediction = sampled(name, task, 60, 1)
    best = score(name, truth, truth)
    low, high = METRICS[name].traits["BOUNDS"]
    greater = METRICS[name].traits["GREATER_IS_BETTER"]
    bound = high if greater else low
    if name != "pinball_loss":
        assert best == pytest.approx(bound, abs=1e-9)
    worse = score(name, truth, prediction)
    assert worse < best if greater else worse > best


@pytest.mark.parametrize(("name", "task"), PAIRS)
def test_more_noise_is_worse(name: str, task: str) -> None:
    truth, _ = sampled(name, task, 600, 2)
    rng = np.random.default_rng(3)
    noise = truth[rng.permutation(len(truth))]
    scores = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        if METRICS[name].traits["PREDICTS"] == "label":
            picked = np.random.default_rng(4).random(len(truth)) < share
            blend = np.where(picked.reshape((-1,) + (1,) * (truth.ndim - 1)), noise, truth)
        else:
            blend = (1 - share) * truth + share * noise
        scores.append(score(name, truth, blend))
    if not METRICS[name].traits["GREATER_IS_BETTER"]:
        scores = [-value for value in scores]

    assert all(left >= right for left, right in itertools.pairwise(scores)), scores
    assert scores[0] > scores[-1]


@pytest.mark.parametrize(("name", "task"), PAIRS)
def test_the_order_of_rows_does_not_matter(name: str, task: str) -> None:
    truth, prediction = sampled(name, task, 60, 5)
    order = np.random.default_rng(6).permutation(60)

    assert score(name, truth[order], prediction[order]) == pytest.approx(
        score(name, truth, prediction), abs=1e-12
    )


@pytest.mark.parametrize(("name", "task"), PAIRS)
@pytest.mark.parametrize("rows", [1, 2, 40])
def test_constants_give_finite_scores_without_a_warning(name: str, task: str, rows: int) -> None:
    truth, prediction = sampled(name, task, 40, 7)
    one_class = np.repeat(truth[:1], rows, axis=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for constant in constants(name, truth[:rows]):
            assert math.isfinite(score(name, truth[:rows], constant))
            assert in_bounds(name, score(name, truth[:rows], constant))
            assert math.isfinite(score(name, one_class, constant))
        assert math.isfinite(score(name, one_class, prediction[:rows]))
        assert math.isfinite(score(name, one_class, one_class))


NUMBERS = st.floats(-1e15, 1e15, allow_nan=False) | st.sampled_from([0.0, 1e-300, -1e-300, 1e15])


@pytest.mark.parametrize("name", [n for n in METRICS if METRICS[n].traits["PREDICTS"] == "number"])
@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.floats(-1e6, 1e6), NUMBERS), min_size=2, max_size=20))
def test_any_numbers_give_a_finite_score(name: str, rows: list[tuple[float, float]]) -> None:
    truth, prediction = (np.array(values) for values in zip(*rows, strict=True))
    value = score(name, truth, prediction)

    assert math.isfinite(value)
    assert in_bounds(name, value)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 1), st.sampled_from([0.0, 0.25, 0.5, 1.0])), min_size=2
    ).filter(lambda rows: len({label for label, _ in rows}) == 2)
)
def test_roc_auc_counts_ties_half(rows: list[tuple[int, float]]) -> None:
    truth, prediction = (np.array(values) for values in zip(*rows, strict=True))
    pairs = [
        float(above > below) + 0.5 * (above == below)
        for above in prediction[truth == 1]
        for below in prediction[truth == 0]
    ]

    assert score("roc_auc", truth, prediction) == pytest.approx(np.mean(pairs))


def test_values_by_hand() -> None:
    truth, guess = np.array([0, 1, 2, 2]), np.array([0, 2, 2, 1])
    assert score("accuracy", truth, guess) == 0.5
    assert score("balanced_accuracy", truth, guess) == pytest.approx((1 + 0 + 0.5) / 3)
    assert score("macro_f1", truth, guess) == pytest.approx((1 + 0 + 0.5) / 3)
    # Observed squared distances 0, 1, 0, 1; expected over all 16 pairs of truth and guess.
    expected = np.mean([(left - right) ** 2 for left in truth for right in guess])
    assert score("quadratic_weighted_kappa", truth, guess) == pytest.approx(1 - 0.5 / expected)

    numbers, predicted = np.array([0.0, 2.0, 4.0]), np.array([1.0, 2.0, 2.0])
    assert score("rmse", numbers, predicted) == pytest.approx(math.sqrt(5 / 3))
    assert score("mae", numbers, predicted) == 1.0
    assert score("r2", numbers, predicted) == pytest.approx(1 - 5 / 8)
    assert score("pinball_loss", numbers, predicted) == pytest.approx((0.2 + 0 + 1.6) / 3)

    probabilities = np.array([[0.5, 0.25, 0.25], [0.0, 0.0, 1.0]])
    one_hot = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    assert score("log_loss", one_hot, probabilities) == pytest.approx(math.log(2) / 2)
    certain = score("log_loss", np.array([1.0]), np.array([0.0]))
    assert certain == pytest.approx(-math.log(1e-15))


def test_a_column_of_one_class_is_left_out() -> None:
    truth = np.array([[0.0, 1.0], [1.0, 1.0]])
    prediction = np.array([[0.1, 0.3], [0.9, 0.2]])

    assert score("mean_column_roc_auc", truth, prediction) == 1.0
    assert score("mean_column_roc_auc", truth[:1], prediction[:1]) == 0.5
