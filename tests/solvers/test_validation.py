"""Which rows are held out, how losses count, and what held-out predictions are good for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from sandmle.solvers.calibration import best_shift, calibrate
from sandmle.solvers.reading import Competition, read_competition
from sandmle.solvers.spreads import learn_spread
from sandmle.solvers.submitting import calm, choose_classes
from sandmle.solvers.validation import class_loss, divergence, folds, loss

TRAIN, TEST = 60, 40
ROWS = TRAIN + TEST


def competition(
    folder: Path, frame: pd.DataFrame, target: np.ndarray, description: str
) -> Competition:
    shown = frame.assign(id=[f"r{row}" for row in range(ROWS)], y=target)
    shown[:TRAIN].to_csv(folder / "train.csv", index=False)
    shown[TRAIN:].drop(columns="y").to_csv(folder / "test.csv", index=False)
    shown[TRAIN:][["id"]].assign(y=0).to_csv(folder / "sample_submission.csv", index=False)
    (folder / "description.md").write_text(description)
    return read_competition(folder)


def shuffled_days(rng: np.random.Generator) -> pd.DataFrame:
    """Dates of which all test rows have later ones, in no order within train."""
    days = np.concatenate([rng.permutation(TRAIN), TRAIN + rng.permutation(TEST)])
    dates = np.datetime64("2024-01-01") + days.astype("timedelta64[D]")
    return pd.DataFrame({"x": rng.normal(size=ROWS), "day": dates.astype(str)})


def test_the_latest_rows_are_held_out_where_the_test_rows_are_later(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    frame = shuffled_days(rng)
    found = competition(tmp_path, frame, rng.normal(size=ROWS), "Metric: mae")
    ((known, later),) = folds(found, found.responses()["y"], 5)

    assert len(later) == round(TRAIN * TEST / ROWS)
    assert frame["day"][known].max() < frame["day"][later].min()


def test_whole_groups_are_held_out_where_the_test_rows_are_of_others(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    groups = np.array([f"plant {row // 5}" for row in range(ROWS)])
    frame = pd.DataFrame({"plant": groups, "x": rng.normal(size=ROWS)})
    found = competition(tmp_path, frame, rng.normal(size=ROWS), "Metric: rmse")

    for known, rest in folds(found, found.responses()["y"], 4):
        assert set(groups[known]).isdisjoint(groups[rest])


def test_other_folds_hold_out_every_row_once_and_as_much_of_each_class(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=ROWS)})
    labels = (np.arange(ROWS) % 4 == 0).astype(int)
    found = competition(tmp_path, frame, labels, "Metric: roc_auc")
    response = found.responses()["y"]
    parts = folds(found, response, 5)

    assert sorted(np.concatenate([rest for _, rest in parts])) == list(range(TRAIN))
    assert {int(response[rest].sum()) for _, rest in parts} == {3}


@pytest.mark.parametrize(
    ("metric", "best"),
    [
        ("rmse", 0.0),
        ("mae", 1.0),
        ("median_absolute_error", 1.0),
        ("pinball_loss (quantile = 0.9)", 9.0),
    ],
)
def test_numbers_are_shifted_to_the_best_constant_of_the_metric(
    metric: str, best: float, tmp_path: Path
) -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=ROWS)})
    target = np.tile([0.5, 1, 1, 1, 9.5], ROWS // 5)
    found = competition(tmp_path, frame, target, f"Metric: {metric}\n\nFormat: number")

    assert best_shift(found, target[:TRAIN], np.zeros(TRAIN)) == pytest.approx(best, abs=0.6)


def test_relative_errors_count_on_the_scale_of_the_number(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=ROWS)})
    target = np.exp(rng.normal(3, 1, ROWS))
    found = competition(tmp_path, frame, target, "Metric: mape\n\nFormat: number")
    response = found.responses()["y"]

    assert found.shown(response) == pytest.approx(target[:TRAIN])
    assert loss(found, response, response[:, None] + np.log(1.1)) == pytest.approx(0.1)


def test_ranking_losses_do_not_care_for_what_all_of_a_query_share(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"query": [f"q{row // 5}" for row in range(ROWS)]})
    target = rng.normal(size=ROWS)
    found = competition(tmp_path, frame, target, "Task: ranking\n\nMetric: ndcg\n\nFormat: number")
    shift = np.repeat(rng.normal(size=ROWS // 5), 5)

    assert loss(found, found.responses()["y"], (target + shift)[:TRAIN, None]) < 1e-9


def test_divergence_against_a_value_by_hand() -> None:
    truth, guess = np.log([[0.5, 0.5]]), np.log([[0.75, 0.25]])
    expected = 0.5 * np.log(0.5 / 0.75) + 0.5 * np.log(0.5 / 0.25)

    assert divergence(truth, guess) == pytest.approx(expected)


def test_probabilities_become_as_sure_as_they_turn_out_right() -> None:
    rng = np.random.default_rng(0)
    response = rng.integers(0, 2, 300)
    right = np.where(rng.random(300) < 0.95, response, 1 - response)
    shy = np.where(right[:, None] == [0, 1], 0.6, 0.4)
    found = calibrate(response, shy, shy)

    assert class_loss("log_loss", response, found) < class_loss("log_loss", response, shy)
    assert found.sum(axis=1) == pytest.approx(np.ones(300))
    assert np.array_equal(found.argmax(axis=1), shy.argmax(axis=1))


def test_spreads_follow_what_makes_errors_large() -> None:
    rng = np.random.default_rng(0)
    features = rng.normal(size=(400, 6))
    size = np.exp(0.8 * features[:, 2])
    found = learn_spread(features[:200], (size * rng.normal(size=400))[:200], features[200:])

    assert np.corrcoef(np.log(found), features[200:, 2])[0, 1] > 0.9
    assert 0.7 < np.median(found / size[200:]) < 1.4


def test_spreads_are_even_where_nothing_tells_them() -> None:
    rng = np.random.default_rng(1)
    found = learn_spread(rng.normal(size=(150, 4)), rng.normal(0, 3, 150), rng.normal(size=(9, 4)))

    assert found == pytest.approx(np.full(9, 3.0), rel=0.3)


@pytest.mark.parametrize("metric", ["micro_f1", "samples_f1"])
def test_targets_are_cut_together_where_the_metric_pools_them(metric: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=ROWS)})
    tags = np.where(rng.random(ROWS) < 0.5, "a b", "c")
    found = competition(tmp_path, frame, tags, f"Metric: {metric}\n\nFormat: tags")
    truth = rng.random((200, 3)) < [0.6, 0.3, 0.05]
    chance = np.where(truth, 0.3, 0.1)
    both = {name: np.column_stack([1 - chance[:, i], chance[:, i]]) for i, name in enumerate("abc")}
    chosen = np.column_stack(list(choose_classes(found, both).values()))

    assert (chosen[truth] == 1).mean() > 0.6, "a chance of 0.3 is worth calling"


def test_calm_probabilities_are_never_certain() -> None:
    found = calm(np.array([[1.0, 0.0, 0.0]]))

    assert found.min() > 0.005
    assert found.sum() == pytest.approx(1)
