"""Every metric of the vocabulary against a reference, and what all of them have in common."""

from __future__ import annotations

import itertools
import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandmle.runtime.edit_distance import edit_distance
from tests.metrics import references
from tests.metrics.cases import ALL, CASES, Case, drawn, score, spoiled, traits
from tests.metrics.words import METRICS, metric

each_case = pytest.mark.parametrize(
    ("name", "case"), ALL, ids=[f"{name}-{case.of or ''}" for name, case in ALL]
)


def in_bounds(name: str, case: Case, value: float) -> bool:
    low, high = traits(name, case).get("BOUNDS", (None, None))
    return (low is None or value >= low - 1e-9) and (high is None or value <= high + 1e-9)


def test_every_metric_has_a_case() -> None:
    assert set(CASES) == set(METRICS)


@each_case
@pytest.mark.parametrize("seed", range(3))
def test_a_metric_says_what_its_reference_says(name: str, case: Case, seed: int) -> None:
    truth, factors = drawn(case, 60, seed)
    for share in (0.2, 0.6):
        prediction = spoiled(case, truth, share, seed)
        told = score(name, case, truth, prediction, factors)
        expected = case.reference(truth, prediction, **case.parameters, **factors)

        assert told == pytest.approx(float(expected), abs=1e-9)
        assert in_bounds(name, case, told)


@each_case
def test_perfect_is_best_and_lies_on_the_bound(name: str, case: Case) -> None:
    truth, factors = drawn(case, 60, 1)
    best = score(name, case, truth, truth, factors)
    greater = traits(name, case)["GREATER_IS_BETTER"]
    bound = case.best if case.best is not None else traits(name, case)["BOUNDS"][int(greater)]
    assert best == pytest.approx(bound, abs=1e-9)

    worse = score(name, case, truth, spoiled(case, truth, 0.8, 1), factors)
    assert worse < best if greater else worse > best


@each_case
def test_more_noise_is_worse_and_knowing_nothing_is_worse_still(name: str, case: Case) -> None:
    sign = 1 if traits(name, case)["GREATER_IS_BETTER"] else -1
    levels = []
    for share in (0.0, 0.15, 0.4, 0.7, 1.0):
        scores = []
        for seed in range(4):
            truth, factors = drawn(case, 120, seed)
            prediction = spoiled(case, truth, share, seed)
            scores.append(sign * score(name, case, truth, prediction, factors))
        levels.append(np.mean(scores))
    assert all(left >= right for left, right in itertools.pairwise(levels)), levels
    assert levels[0] > levels[-1]

    truth, factors = drawn(case, 120, 0)
    for constant in case.form.constants(truth):
        assert sign * score(name, case, truth, constant, factors) < levels[1]


@each_case
def test_the_order_of_rows_does_not_matter(name: str, case: Case) -> None:
    truth, factors = drawn(case, 60, 5)
    prediction = spoiled(case, truth, 0.5, 5)
    order = np.random.default_rng(6).permutation(60)
    moved = {key: values[order] for key, values in factors.items()}

    assert score(name, case, truth[order], prediction[order], moved) == pytest.approx(
        score(name, case, truth, prediction, factors), abs=1e-12
    )


@each_case
@pytest.mark.parametrize("rows", [1, 2, 40])
def test_any_rows_give_a_finite_score_without_a_warning(name: str, case: Case, rows: int) -> None:
    truth, factors = drawn(case, 40, 7)
    factors = {key: values[:rows] for key, values in factors.items()}
    some, same = truth[:rows], np.repeat(truth[:1], rows, axis=0)
    guess = spoiled(case, truth, 0.5, 7)[:rows]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for true in (some, same):
            for prediction in (true, *case.form.constants(true)):
                told = score(name, case, true, prediction, factors)
                assert math.isfinite(told)
                assert in_bounds(name, case, told)
        if traits(name, case)["PREDICTS"] != "tokens":
            assert math.isfinite(score(name, case, same, guess, factors))


NUMBERS = st.floats(-1e15, 1e15, allow_nan=False) | st.sampled_from([0.0, 1e-300, -1e-300, 1e15])
OF_NUMBERS = [
    name
    for name, word in METRICS.items()
    if word.traits.get("PREDICTS") == "number" and "".join(word.traits["TASKS"]) != "multi_target"
]


@pytest.mark.parametrize("name", OF_NUMBERS)
@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.floats(-1e6, 1e6), NUMBERS), min_size=2, max_size=20))
def test_any_numbers_give_a_finite_score(name: str, rows: list[tuple[float, float]]) -> None:
    truth, prediction = (np.array(values) for values in zip(*rows, strict=True))
    (case, *_) = CASES[name]
    value = score(name, case, truth, prediction, {})

    assert math.isfinite(value)
    assert in_bounds(name, case, value)


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
    area = np.mean(pairs)

    assert metric("roc_auc")(truth, prediction) == pytest.approx(area)
    assert metric("gini")(truth, prediction) == pytest.approx(2 * area - 1)
    assert metric("normalized_gini")(truth, prediction) == pytest.approx(2 * area - 1)
    assert metric("weighted_roc_auc")(truth, prediction, times=1.0) == pytest.approx(area)


@settings(max_examples=200, deadline=None)
@given(st.text("abc", max_size=80), st.text("abc", max_size=80))
def test_edit_distance_is_that_of_the_table(left: str, right: str) -> None:
    assert edit_distance(left, right) == references.edits(left, right)
    assert edit_distance(tuple(left), tuple(right)) == edit_distance(right, left)
