"""A medal means skill where honest work wins it again; what differs is counted by hand here."""

from __future__ import annotations

import pytest

from sandmle.build.ladder import score
from sandmle.build.prepare import Prepared
from sandmle.build.reliability import RERUNS, flip_problem, flip_rate, reached, rerun
from sandmle.build.verdict import MODEL_SEED, TEST_DRAW
from sandmle.solvers.outputs import answer
from sandmle.spec.model import Thresholds

UP = Thresholds(median=0.6, bronze=0.7, silver=0.8, gold=0.9)
DOWN = Thresholds(median=4.0, bronze=3.0, silver=2.0, gold=1.0)


@pytest.mark.parametrize(
    ("score", "expected"),
    [(0.6, "none"), (0.61, "median"), (0.7, "bronze"), (0.89, "silver"), (0.9, "gold")],
)
def test_how_far_a_score_gets(score: float, expected: str) -> None:
    assert reached(score, UP, is_lower_better=False) == expected


def test_how_far_a_loss_gets() -> None:
    found = [reached(loss, DOWN, is_lower_better=True) for loss in (4.0, 3.5, 3.0, 1.5, 0.9)]
    assert found == ["none", "median", "bronze", "silver", "gold"]


def test_a_flip_is_another_medal_better_or_worse() -> None:
    again = [0.81, 0.89, 0.79, 0.91, 0.85]  # silver but for a bronze and a gold
    assert flip_rate(0.85, again, UP, is_lower_better=False) == 0.4
    assert flip_rate(0.85, [0.8, 0.8], UP, is_lower_better=False) == 0.0
    assert flip_rate(2.5, [1.9, 2.1], DOWN, is_lower_better=True) == 0.5


def test_above_the_median_is_no_medal() -> None:
    assert flip_rate(0.65, [0.55], UP, is_lower_better=False) == 0.0


def test_a_quarter_of_flips_is_borne() -> None:
    assert flip_problem(0.25, TEST_DRAW) is None
    assert "26% of redrawn test sets" in (flip_problem(0.26, TEST_DRAW) or "")
    assert "30% of reruns with other random seeds" in (flip_problem(0.3, MODEL_SEED) or "")


def test_reruns_differ_by_chance_alone(prepared: Prepared) -> None:
    scores = rerun(prepared)
    assert len(scores) == RERUNS
    assert 0 < max(scores) - min(scores) < 0.2
    again = prepared.competition.with_seed(2)
    assert scores[1] == score(prepared, answer(again, "honest"))
