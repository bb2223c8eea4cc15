"""The honest pipeline finds on 100 rows what an attentive person would, and naive models don't."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import cohen_kappa_score, f1_score, roc_auc_score

from sandmle.solvers import honest, naive
from sandmle.solvers.outputs import candidates
from sandmle.solvers.reading import read_competition
from tests.solvers.folders import TEST, TRAIN, Drawn, cut, numbers, write_folder

ROWS = TRAIN + TEST
WORDS = ["amber", "basil", "cedar", "delta", "ember", "fjord", "glade", "haven", "iris", "jade"]

#: Draws samples; gives honest's least ROC AUC and its least lead over naive, with some room.
Draw = Callable[[np.random.Generator], tuple[Drawn, float, float]]


def binary(frame: pd.DataFrame, score: np.ndarray, **seen: object) -> Drawn:
    return Drawn(frame, pd.DataFrame({"y": cut(score)}), **seen)  # type: ignore[arg-type]


def sign_product(rng: np.random.Generator) -> tuple[Drawn, float, float]:
    values, frame = numbers(rng, 12)
    return binary(frame, values[:, 3] * values[:, 7]), 0.9, 0.2


def wave(rng: np.random.Generator) -> tuple[Drawn, float, float]:
    values, frame = numbers(rng, 8)
    return binary(frame, np.sin(4 * values[:, 2] + 1)), 0.9, 0.08


def parity(rng: np.random.Generator) -> tuple[Drawn, float, float]:
    values, frame = numbers(rng, 8)
    return binary(frame, values[:, :3].prod(axis=1)), 0.88, 0.25


def weekday(rng: np.random.Generator) -> tuple[Drawn, float, float]:
    _, frame = numbers(rng, 4)
    days = np.datetime64("2024-01-01") + rng.integers(0, 700, ROWS)
    frame["day"] = days.astype(str)
    value = rng.permutation(7)[pd.DatetimeIndex(days).day_of_week]
    return binary(frame, value + rng.random(ROWS)), 0.88, 0.2


def against_group(rng: np.random.Generator) -> tuple[Drawn, float, float]:
    values, frame = numbers(rng, 6)
    group = rng.integers(0, 16, ROWS)
    frame["c0"] += 3 * rng.normal(size=16)[group]
    frame["plant"] = [f"p{index}" for index in group]
    return binary(frame, values[:, 0]), 0.9, 0.15


def regime(rng: np.random.Generator) -> tuple[Drawn, float, float]:
    values, frame = numbers(rng, 6)
    level = rng.integers(0, 4, ROWS)
    frame["mode"] = np.array(["off", "slow", "fast", "test"])[level]
    return binary(frame, np.array([1, -1, -1, 1])[level] * values[:, 1]), 0.9, 0.2


def spots(rng: np.random.Generator) -> tuple[Drawn, float, float]:
    counts, images = rng.integers(1, 9, ROWS), []
    down, across = np.mgrid[:32, :32]
    for count in counts:
        picture = np.zeros((32, 32))
        for _ in range(count):
            y, x, width = (*rng.uniform(3, 29, 2), rng.uniform(1.2, 2.0))
            spot = np.exp(-((down - y) ** 2 + (across - x) ** 2) / (2 * width**2))
            picture = np.maximum(picture, rng.uniform(0.5, 1) * spot)
        noisy = picture + rng.normal(0, 0.06, picture.shape)
        images.append((np.clip(noisy, 0, 1) * 255).astype(np.uint8))
    frame = pd.DataFrame(index=range(ROWS))
    return binary(frame, counts + 0.01 * rng.random(ROWS), images=images), 0.88, 0.0


def frequency(rng: np.random.Generator) -> tuple[Drawn, float, float]:
    rates, time = rng.uniform(0.05, 0.35, ROWS), np.arange(48)
    phases = rng.uniform(0, 6, (ROWS, 1))
    waves = np.sin(2 * np.pi * rates[:, None] * time + phases)
    readings = waves + rng.normal(0, 0.6, waves.shape)
    return binary(pd.DataFrame(index=range(ROWS)), rates, readings=readings), 0.93, 0.05


def change_point(rng: np.random.Generator) -> tuple[Drawn, float, float]:
    places = rng.uniform(6, 42, ROWS)
    jumps = (np.arange(48) > places[:, None]) * rng.choice([-2, 2], (ROWS, 1))
    readings = jumps + rng.normal(0, 2, (ROWS, 1)) + rng.normal(0, 0.7, jumps.shape)
    return binary(pd.DataFrame(index=range(ROWS)), places, readings=readings), 0.93, 0.05


def length(rng: np.random.Generator) -> tuple[Drawn, float, float]:
    counts = rng.integers(6, 26, ROWS)
    texts = [" ".join(rng.choice(WORDS, count)) for count in counts]
    return binary(pd.DataFrame({"note": texts}), counts + rng.random(ROWS)), 0.9, 0.05


def order(rng: np.random.Generator) -> tuple[Drawn, float, float]:
    texts, first = [], rng.random(ROWS)
    for value in first:
        words = list(rng.choice(WORDS[2:], 10))
        one, two = sorted(rng.choice(10, 2, replace=False))
        words[one], words[two] = WORDS[:2] if value > 0.5 else WORDS[1::-1]
        texts.append(" ".join(words))
    return binary(pd.DataFrame({"note": texts}), first), 0.9, 0.25


@pytest.mark.parametrize(
    "draw",
    [
        sign_product,
        wave,
        parity,
        weekday,
        against_group,
        regime,
        spots,
        frequency,
        change_point,
        length,
        order,
    ],
)
def test_finds_the_rule_that_naive_models_miss(draw: Draw, tmp_path: Path) -> None:
    drawn, at_least, lead = draw(np.random.default_rng(11))
    truth = write_folder(tmp_path / "public", drawn, metric="roc_auc", flips=0.1)["y"]

    def score(submission: pd.DataFrame) -> float:
        assert list(submission["id"]) == list(truth.index)
        return float(roc_auc_score(truth, submission["y"]))

    reached = score(honest.solve(read_competition(tmp_path / "public")))
    assert reached >= at_least
    assert reached >= score(naive.solve(read_competition(tmp_path / "public"))) + lead


def test_regression_by_a_product(tmp_path: Path) -> None:
    values, frame = numbers(np.random.default_rng(2), 10)
    product = values[:, 0] * values[:, 1]
    drawn = Drawn(frame, pd.DataFrame({"dose": 5 + 2 * product}))
    truth = write_folder(tmp_path / "public", drawn, metric="rmse", sample={"dose": 0})["dose"]
    error = (
        honest.solve(read_competition(tmp_path / "public"))["dose"].to_numpy() - truth.to_numpy()
    )
    assert np.sqrt((error**2).mean()) < 0.4 * truth.std()


def test_multiclass_probabilities_sum_to_one(tmp_path: Path) -> None:
    values, frame = numbers(np.random.default_rng(3), 8)
    names = np.array(["dry", "humid", "wet"])
    kinds = names[cut(values[:, 0] * values[:, 1], 3)]
    drawn = Drawn(frame, pd.DataFrame({"kind": kinds}))
    sample = dict.fromkeys(["wet", "dry", "humid"], 1 / 3)
    truth = write_folder(tmp_path / "public", drawn, metric="log_loss", sample=sample)["kind"]
    submission = honest.solve(read_competition(tmp_path / "public"))
    assert list(submission.columns) == ["id", "wet", "dry", "humid"]
    assert np.allclose(submission[["wet", "dry", "humid"]].sum(axis=1), 1)
    chosen = submission[["wet", "dry", "humid"]].idxmax(axis=1)
    assert (chosen.to_numpy() == truth.to_numpy()).mean() > 0.7


def test_multilabel(tmp_path: Path) -> None:
    values, frame = numbers(np.random.default_rng(4), 8)
    targets = {"hot": cut(values[:, 0] * values[:, 1]), "late": cut(np.abs(values[:, 2]))}
    drawn = Drawn(frame, pd.DataFrame(targets))
    truth = write_folder(tmp_path / "public", drawn, metric="per_column (of = roc_auc)")
    submission = honest.solve(read_competition(tmp_path / "public"))
    for name in targets:
        assert roc_auc_score(truth[name], submission[name]) > 0.88


def test_ordinal_grades_by_name_use_the_order_of_the_description(tmp_path: Path) -> None:
    values, frame = numbers(np.random.default_rng(6), 8)
    grades = np.array(["poor", "fair", "good", "best"])
    drawn = Drawn(frame, pd.DataFrame({"grade": grades[cut(values[:, 0] * values[:, 1], 4)]}))
    truth = write_folder(
        tmp_path / "public",
        drawn,
        metric="quadratic_weighted_kappa",
        sample={"grade": "poor"},
        description="Grades: `poor`, `fair`, `good`, `best`.",
    )["grade"]
    submission = honest.solve(read_competition(tmp_path / "public"))
    position = {name: index for index, name in enumerate(grades)}
    kappa = cohen_kappa_score(
        truth.map(position), submission["grade"].map(position), weights="quadratic"
    )
    assert kappa > 0.75


def test_rare_class_under_macro_f1(tmp_path: Path) -> None:
    values, frame = numbers(np.random.default_rng(7), 6)
    rare = (values[:, 0] * values[:, 1] > 0.9).astype(int)
    drawn = Drawn(frame, pd.DataFrame({"rare": rare}))
    truth = write_folder(tmp_path / "public", drawn, metric="macro_f1", sample={"rare": 0})["rare"]
    submission = honest.solve(read_competition(tmp_path / "public"))
    assert f1_score(truth, submission["rare"].astype(int), average="macro") > 0.75


def test_candidates_are_gradable(tmp_path: Path) -> None:
    drawn, _, _ = sign_product(np.random.default_rng(1))
    truth = write_folder(tmp_path / "public", drawn, metric="roc_auc")
    found = dict(candidates(read_competition(tmp_path / "public"), "honest"))
    assert next(iter(found)) == "chosen"
    assert set(found) - {"chosen"} < set(honest.recipes(1, honest.TREES, 0))
    pd.testing.assert_frame_equal(
        found["chosen"], honest.solve(read_competition(tmp_path / "public"))
    )
    for submission in found.values():
        assert list(submission["id"]) == list(truth.index)
        assert submission["y"].between(0, 1).all()
