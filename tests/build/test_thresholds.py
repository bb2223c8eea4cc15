"""The recipe of thresholds and the gate, against values worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandmle.build.ladder import Ladder
from sandmle.build.thresholds import (
    compute_thresholds,
    drift_problem,
    gate,
    margin_problem,
    order_problem,
    rounded_up,
)
from sandmle.build.verdict import Rung
from sandmle.spec.model import Thresholds


def ladder(
    dummy: float,
    naive: float,
    honest: float,
    reference: float,
    *,
    error: float = 0.01,
    is_lower_better: bool = False,
) -> Ladder:
    scores = {"dummy": dummy, "naive": naive, "honest": honest, "reference": reference}
    rungs = tuple(Rung(rung, "a", score) for rung, score in scores.items())
    return Ladder(rungs, error, is_lower_better, own=rungs[2], redrawn=(honest,))


def test_thresholds_lie_at_fixed_shares_from_dummy_to_reference() -> None:
    found = compute_thresholds(ladder(0.5, 0.6, 0.88, 0.9))
    assert found == Thresholds(median=0.62, bronze=0.72, silver=0.8, gold=0.86)


def test_they_fall_where_less_is_better() -> None:
    found = compute_thresholds(ladder(2.0, 1.5, 0.6, 0.5, is_lower_better=True))
    assert found == Thresholds(median=1.55, bronze=1.175, silver=0.875, gold=0.65)


def test_the_best_of_a_rung_counts_in_the_metrics_direction() -> None:
    rungs = (Rung("dummy", "a", 2.0), Rung("dummy", "b", 3.0), Rung("reference", "c", 1.0))
    for is_lower_better, best in ((True, "a"), (False, "b")):
        found = Ladder(rungs, 0.1, is_lower_better, own=rungs[0], redrawn=())
        assert found.best("dummy").name == best


@given(st.floats(-100, 100))
def test_rounding_never_makes_a_medal_easier(value: float) -> None:
    assert value - 1e-9 <= rounded_up(value) < value + 1.0001e-4
    assert rounded_up(value) == round(rounded_up(value), 4)


@pytest.mark.parametrize(
    ("thresholds", "is_lower_better", "problem"),
    [
        (Thresholds(0.6, 0.7, 0.8, 0.9), False, None),
        (Thresholds(0.9, 0.8, 0.7, 0.6), True, None),
        (Thresholds(0.6, 0.7, 0.7, 0.9), False, "the silver threshold 0.7 must lie above"),
        (Thresholds(0.6, 0.7, 0.8, 0.9), True, "the bronze threshold 0.7 must lie below"),
    ],
)
def test_order(thresholds: Thresholds, is_lower_better: bool, problem: str | None) -> None:
    found = order_problem(thresholds, is_lower_better=is_lower_better)
    assert found is None if problem is None else problem in (found or "")


def test_pinned_thresholds_may_drift_by_two_standard_errors() -> None:
    fresh = Thresholds(0.60, 0.70, 0.80, 0.90)
    assert drift_problem(Thresholds(0.60, 0.70, 0.80, 0.9199), fresh, 0.01) is None
    problem = drift_problem(Thresholds(0.60, 0.70, 0.80, 0.9203), fresh, 0.01)
    assert problem is not None
    assert "the gold threshold 0.9203 has drifted" in problem
    assert "sandmle calibrate" in problem


def failed(given: Ladder) -> list[str]:
    thresholds = compute_thresholds(given)
    return [margin.name for margin in gate(given, thresholds) if not margin.passed]


def test_a_good_task_passes_the_gate() -> None:
    assert failed(ladder(0.5, 0.79, 0.81, 0.9)) == []
    assert failed(ladder(2.0, 0.9, 0.8, 0.5, is_lower_better=True)) == []


@pytest.mark.parametrize(
    ("given_ladder", "names"),
    [
        (ladder(0.5, 0.8, 0.85, 0.9), ["silver over naive"]),
        (ladder(0.5, 0.6, 0.79, 0.9), ["honest over silver"]),
        # The way of 0.4 has its median at 0.12 and its smallest gap at 0.06.
        (ladder(0.5, 0.6, 0.85, 0.9, error=0.031), ["smallest gap of medals"]),
        (ladder(0.5, 0.6, 0.85, 0.9, error=0.041), ["median over dummy", "smallest gap of medals"]),
        (
            ladder(0.5, 0.6, 0.85, 0.9, error=0.11),
            ["reference over dummy", "median over dummy", "smallest gap of medals"],
        ),
    ],
)
def test_each_margin_of_the_gate(given_ladder: Ladder, names: list[str]) -> None:
    assert failed(given_ladder) == names


def test_a_reason_says_what_to_turn() -> None:
    given = ladder(0.5, 0.8, 0.85, 0.9)
    (margin,) = [m for m in gate(given, compute_thresholds(given)) if not m.passed]
    assert margin_problem(margin) == (
        "too easy: models on raw columns reach silver; turn a difficulty dial up "
        "(silver over naive: 0, least 0)"
    )
