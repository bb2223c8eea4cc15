"""Scores worked out by hand, and what metrics say where their formula says nothing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tests.metrics.forms import objects
from tests.metrics.words import metric

TEXTS = objects(["the old mill", "Red  lane", ""])


def masks(*rows: Sequence[Sequence[int]]) -> np.ndarray:
    return np.array(rows, dtype=bool)


def boxes(*pictures: Sequence[Sequence[float]]) -> np.ndarray:
    return objects([np.array(rows, dtype=float).reshape(-1, 6) for rows in pictures])


#: Metric, truth, prediction, parameters, and the score.
BY_HAND: Sequence[tuple[str, Any, Any, dict[str, Any], float]] = [
    ("accuracy", [0, 1, 2, 2], [0, 2, 2, 1], {}, 0.5),
    ("error_rate", [0, 1, 2, 2], [0, 2, 2, 1], {}, 0.5),
    ("balanced_accuracy", [0, 1, 2, 2], [0, 2, 2, 1], {}, (1 + 0 + 0.5) / 3),
    ("weighted_recall", [0, 1, 2, 2], [0, 2, 2, 1], {"weights": [3, 2]}, (3 + 0 + 2 * 0.5) / 7),
    ("macro_f1", [0, 1, 2, 2], [0, 2, 2, 1], {}, (1 + 0 + 0.5) / 3),
    # Observed squared distances 0, 1, 0, 1 against 22/16 over all pairs of truth and guess.
    ("quadratic_weighted_kappa", [0, 1, 2, 2], [0, 2, 2, 1], {}, 1 - 0.5 / (22 / 16)),
    ("micro_f1", [[1, 1, 0], [0, 0, 1]], [[1, 0, 0], [0, 1, 1]], {}, 2 * 2 / (3 + 3)),
    ("samples_f1", [[1, 1, 0], [0, 0, 0]], [[1, 0, 0], [0, 0, 0]], {}, (2 / 3 + 1) / 2),
    ("rmse", [0.0, 2.0, 4.0], [1.0, 2.0, 2.0], {}, math.sqrt(5 / 3)),
    ("mae", [0.0, 2.0, 4.0], [1.0, 2.0, 2.0], {}, 1.0),
    ("log_mae", [0.0, 2.0, 4.0], [1.0, 2.0, 2.0], {}, 0.0),
    ("median_absolute_error", [0.0, 2.0, 4.0, 9.0], [1.0, 2.0, 2.0, 9.0], {}, 0.5),
    ("r2", [0.0, 2.0, 4.0], [1.0, 2.0, 2.0], {}, 1 - 5 / 8),
    ("pinball_loss", [0.0, 2.0, 4.0], [1.0, 2.0, 2.0], {"quantile": 0.8}, (0.2 + 0 + 1.6) / 3),
    ("smape", [0.0, 2.0, 4.0], [0.0, 2.0, 2.0], {}, 200 * (2 / 6) / 3),
    ("mape", [0.0, 2.0, 4.0], [5.0, 2.0, 2.0], {}, 0.25),
    ("rmspe", [0.0, 2.0, 4.0], [5.0, 2.0, 2.0], {}, math.sqrt(0.125)),
    ("log_loss", [[1.0, 0, 0], [0, 0, 1]], [[0.5, 0.25, 0.25], [0, 0, 1]], {}, math.log(2) / 2),
    ("log_loss", [1.0], [0.0], {}, -math.log(1e-15)),
    ("balanced_log_loss", [1.0, 1, 1, 0], [0.5, 0.5, 0.5, 0.0], {}, math.log(2) / 2),
    ("kl_divergence", [[0.5, 0.5], [1.0, 0.0]], [[0.5, 0.5], [0.25, 0.75]], {}, math.log(4) / 2),
    # One row: the first target weighs 7 * 2 as it is positive, the second 1.
    (
        "weighted_log_loss",
        [[1.0, 0.0]],
        [[0.5, 0.0]],
        {"weights": [7, 1], "positive": 2},
        14 * math.log(2) / 15,
    ),
    ("probabilistic_f1", [1.0, 0, 0], [0.8, 0.4, 0.0], {}, 1.6 / 2.2),
    ("gini", [1.0, 0, 1, 0], [0.9, 0.8, 0.7, 0.1], {}, 0.5),
    # Shares held by the first 1, 2, 3 rows: 1/4, 1 and 1 instead of 3/4, 1 and 1.
    ("normalized_gini", [3.0, 1.0, 0.0], [2.0, 3.0, 1.0], {}, (2.25 - 2) / (2.75 - 2)),
    # The first half of the positives beats all negatives, the other half one of two.
    (
        "weighted_roc_auc",
        [1.0, 0, 1, 0],
        [0.9, 0.8, 0.7, 0.1],
        {"below": 0.5, "times": 2.0},
        (2 * 0.5 + 0.25) / 1.5,
    ),
    # Ranks of the true labels: 1 of 1; 3 of 3, with one wrong before it.
    (
        "label_ranking_average_precision",
        [[1.0, 0, 1], [0, 0, 0]],
        [[0.9, 0.5, 0.1], [0.2, 0.3, 0.4]],
        {},
        (1 + 2 / 3) / 2,
    ),
    ("map_at_k", [[4, -1], [2, -1]], [[0, 4, 1], [3, 1, 0]], {"k": 3}, (1 / 2) / 2),
    ("map_at_k", [[4, 2]], [[2, 0, 4]], {"k": 3}, (1 + 2 / 3) / 2),
    ("map_at_k", [[-1], [-1]], [[-1, -1], [3, -1]], {"k": 2}, 0.5),
    # The most relevant row stands second, where it counts 1 / log2(3).
    ("ndcg", [2.0, 0.0, -5.0], [1.0, 2.0, 0.0], {"k": 2}, 1 / math.log2(3)),
    ("ndcg", [2.0, 0.0], [1.0, 1.0], {"k": 1}, 0.5),
    ("angular_error", [[0.0, math.pi / 2]], [[math.pi, math.pi / 2]], {}, math.pi),
    ("angular_error", [[1.0, 0.0]], [[2.0, 1e-9]], {}, 1e-9),
    ("haversine_error", [[0.0, 0.0]], [[0.0, 90.0]], {}, 6_371_000 * math.pi / 2),
    (
        "laplace_log_likelihood",
        [[2500.0, 1e-9]],
        [[2400.0, 50.0]],
        {"floor": 70.0, "cap": 1000.0},
        -math.sqrt(2) * 100 / 70 - math.log(math.sqrt(2) * 70),
    ),
    ("levenshtein", objects(["kitten", "mill"]), objects(["sitting", "mill"]), {}, 1.5),
    ("word_jaccard", TEXTS, objects(["old mill pond", "red lane", ""]), {}, (2 / 4 + 1 + 1) / 3),
    ("word_f1", TEXTS, objects(["the the", "lane", "x"]), {}, (2 / 5 + 2 / 3 + 0) / 3),
    ("text_accuracy", TEXTS, objects(["the old mill", "red lane", ""]), {}, 2 / 3),
    ("answer_f1", TEXTS, objects(["the old mill", "lane", ""]), {}, 2 * 1 / (2 + 2)),
    (
        "token_error_rate",
        objects([("a", "b", "c"), ("a",)]),
        objects([("a", "c"), ("a", "b")]),
        {},
        2 / 4,
    ),
    (
        "token_accuracy",
        objects([("a", "b", "c"), ("a",)]),
        objects([("a", "c"), ("a", "b")]),
        {},
        2 / 5,
    ),
    # One swap of 3 pairs and none of 1.
    (
        "kendall_tau",
        objects([("a", "b", "c"), ("a", "b")]),
        objects([("b", "a", "c"), ("a", "b")]),
        {},
        1 - 2 / 4,
    ),
    ("dice", masks([[1, 1]], [[0, 0]]), masks([[1, 0]], [[0, 0]]), {}, (2 / 3 + 1) / 2),
    ("dice", masks([[1, 1]], [[0, 0]]), masks([[1, 0]], [[0, 1]]), {"pooled": True}, 2 / 4),
    # Precision 1, recall 1/2.
    ("mask_f_beta", masks([[1, 1]]), masks([[1, 0]]), {"beta": 0.5}, 1.25 * 0.5 / 0.75),
    # An overlap of 3/5 passes 0.5 and 0.55, but not 0.6 itself.
    ("mask_average_precision", masks([[1, 1, 1, 1, 1]]), masks([[1, 1, 1, 0, 0]]), {}, 0.2),
    # One pixel lies one of two columns from the other mask: half of a side.
    (
        "dice_hausdorff",
        masks([[1, 1]], [[0, 0]]),
        masks([[1, 0]], [[0, 0]]),
        {},
        0.4 * 2 / 3 + 0.6 * (1 - 0.5 / math.sqrt(2)),
    ),
    ("dice_hausdorff", masks([[1, 1]]), masks([[0, 0]]), {}, 0.0),
    # Of two true boxes the surer guess misses, the other one hits: precision 1/2 at recall 1/2.
    (
        "box_average_precision",
        boxes([[0, 0, 0, 10, 10, 1], [0, 50, 50, 10, 10, 1]]),
        boxes([[0, 30, 0, 10, 10, 0.9], [0, 1, 0, 10, 10, 0.5]]),
        {"overlaps": [0.5]},
        0.25,
    ),
    # An overlap of 9/11 passes one of the two; a second box on the same object is wrong.
    (
        "box_average_precision",
        boxes([[2, 0, 0, 10, 10, 1]]),
        boxes([[2, 1, 0, 10, 10, 0.9], [2, 0, 0, 9, 10, 0.2]]),
        {"overlaps": [0.5, 0.89]},
        (1 + 0.5) / 2,
    ),
    (
        "centre_f1",
        boxes([[0, 0, 0, 10, 10, 1], [1, 20, 0, 10, 10, 1]], []),
        boxes([[0, 5, 5, 0, 0, 1], [0, 25, 5, 0, 0, 1]], [[0, 5, 5, 0, 0, 1]]),
        {},
        2 * 1 / (2 + 3),
    ),
]


@pytest.mark.parametrize(("name", "truth", "prediction", "parameters", "expected"), BY_HAND)
def test_a_score_worked_out_by_hand(
    name: str, truth: Any, prediction: Any, parameters: dict[str, Any], expected: float
) -> None:
    told = metric(name)(np.array(truth), np.array(prediction), **parameters)
    assert told == pytest.approx(expected, abs=1e-12)


def test_a_group_that_cannot_tell_is_left_out() -> None:
    truth, prediction = np.array([0.0, 1.0, 1.0, 1.0]), np.array([0.1, 0.9, 0.2, 0.3])
    by = np.array(["a", "a", "b", "b"])
    assert metric("per_group")(truth, prediction, of=metric("roc_auc"), by=by) == 1.0
    assert metric("per_group")(truth, prediction, of=metric("mae"), by=by) == pytest.approx(0.425)
    columns, guesses = np.column_stack([truth, truth * 0 + 1]), np.column_stack([prediction] * 2)
    area = metric("per_column")(columns, guesses, of=metric("roc_auc"))
    assert area == metric("roc_auc")(truth, prediction)
    assert metric("per_column")(columns[2:], guesses[2:], of=metric("roc_auc")) == 0.5


def test_weights_go_to_columns_in_order_and_the_last_to_all_that_follow() -> None:
    truth, prediction = np.zeros((2, 3)), np.array([[1.0, 2.0, 6.0]] * 2)
    score = metric("per_column")(truth, prediction, of=metric("mae"), weights=[2, 1])
    assert score == (2 * 1 + 2 + 6) / 4


def test_rows_without_weight_do_not_count() -> None:
    truth, prediction = np.zeros(4), np.array([1.0, 2.0, 3.0, 4.0])
    flag = np.array([0.0, 1.0, 1.0, -2.0])
    mae = metric("mae")
    assert metric("masked")(truth, prediction, of=mae, where=flag) == 2.5
    assert metric("weighted")(truth, prediction, of=mae, by=flag) == 2.5
    assert metric("weighted")(truth, prediction, of=mae, by=flag, base=0.25) == pytest.approx(
        (1 + 5 * 2 + 5 * 3 + 4) / 12
    )
    assert metric("masked")(truth, prediction, of=mae, where=0 * flag) == 2.5
    assert metric("weighted")(truth, prediction, of=mae, by=0 * flag) == 2.5


def test_the_worst_subgroup_weighs_most_in_the_bias_auc() -> None:
    truth = np.tile([0.0, 1.0], 40)
    by = np.repeat(["a", "b"], 40)
    fair = np.where(np.arange(80) % 10 < 2, 1 - truth, truth)
    unfair = np.where((by == "b") & (np.arange(80) % 5 < 2), 1 - truth, truth)
    overall = metric("roc_auc")
    assert overall(truth, fair) == overall(truth, unfair)

    bias = metric("bias_auc")
    assert bias(truth, fair, by=by) == pytest.approx(overall(truth, fair))
    assert bias(truth, unfair, by=by) < bias(truth, unfair, by=by, power=-1.0)
    assert bias(truth, unfair, by=by) < bias(truth, fair, by=by) - 0.02
