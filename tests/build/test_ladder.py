"""The ladder of a small task, and how much its scores vary by chance."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from sandmle.build.ladder import (
    climb,
    csv_content,
    factor_columns,
    redraw,
    score,
    score_columns,
)
from sandmle.build.prepare import Prepared, prepare
from sandmle.build.verdict import RUNGS
from sandmle.spec.load import load_spec
from sandmle.vocabulary import load_vocabulary
from tests.build.specs import spec_text, write_corpus


@pytest.fixture(scope="module")
def vocabulary() -> object:
    return load_vocabulary()


def test_rungs_rise_from_dummies_to_true_features(prepared: Prepared) -> None:
    ladder = climb(prepared, load_vocabulary())
    assert list(dict.fromkeys(entry.rung for entry in ladder.rungs)) == list(RUNGS)
    best = [ladder.best(rung).score for rung in RUNGS]
    assert best == sorted(best)
    assert best[0] == pytest.approx(0.5, abs=0.02)
    assert best[1] < 0.85 < best[2]
    assert best[3] > 0.99  # the noise-free score ranks clean test labels perfectly
    assert "chosen" in [entry.name for entry in ladder.rungs if entry.rung == "honest"]
    for rung in RUNGS:
        scores = [entry.score for entry in ladder.rungs if entry.rung == rung]
        assert scores == sorted(scores, reverse=True)


def test_standard_error_of_chance_is_that_of_the_mann_whitney_statistic(
    prepared: Prepared,
) -> None:
    ids = [line.split(",")[0] for line in prepared.grader.answers.decode().splitlines()[1:]]
    chance = np.random.default_rng(3).random(len(ids))
    table = pd.DataFrame({"id": ids, "has_damage": chance})
    positive = len(ids) // 2
    expected = math.sqrt((len(ids) + 1) / (12 * positive * (len(ids) - positive)))
    assert np.std(redraw(prepared, table), ddof=1) == pytest.approx(expected, rel=0.3)


def test_a_baseline_that_cannot_be_graded_is_a_bug(prepared: Prepared) -> None:
    with pytest.raises(ValueError, match=r"road: a baseline's submission is invalid: "):
        score(prepared, pd.DataFrame({"id": ["x"], "has_damage": [0.5]}))


def test_submissions_are_written_as_a_solver_would() -> None:
    table = pd.DataFrame({"id": ["a"], "y": [1 / 3]})
    assert csv_content(table) == b"id,y\na,0.333333\n"


def test_true_features_are_the_score_and_the_factors_of_the_rule(prepared: Prepared) -> None:
    (target,) = prepared.spec.targets
    (column,) = score_columns(prepared, target).T
    assert np.array_equal(column, prepared.dataset.scores["has_damage"])
    columns = factor_columns(prepared, load_vocabulary(), target)
    factors = prepared.dataset.factors
    assert np.array_equal(np.concatenate(columns, axis=1).T, [factors["crack"], factors["load"]])


REGRESSION = """\
  target: depth
  rule: {kind: sign_product, left: crack, right: load}
"""


def test_less_is_better_for_an_error(tmp_path: Path) -> None:
    text = (
        spec_text("depth")
        .replace("task: binary, metric: roc_auc", "task: regression, metric: rmse")
        .replace("kind: label_flip, rate: 0.05", "kind: target_noise, scale: 0.1, split: both")
    )
    start, end = text.index("  target:"), text.index("noise:")
    corpus = write_corpus(tmp_path, {"depth": text[:start] + REGRESSION + text[end:]})
    spec = load_spec(corpus / "specs/tasks/depth.yaml", corpus=corpus)
    task = prepare(dataclasses.replace(spec), tmp_path / "task", corpus=corpus)
    ladder = climb(task, load_vocabulary())
    assert ladder.is_lower_better
    best = [ladder.best(rung).score for rung in RUNGS]
    assert best == sorted(best, reverse=True)
    assert ladder.best("dummy").name in ("average", "median")
