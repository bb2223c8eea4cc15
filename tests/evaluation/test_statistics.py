"""Intervals and p-values, beside other libraries' and beside what can be counted by hand."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from sandmle.evaluation.statistics import any_at, difference_intervals, intervals, p_values


def test_an_interval_is_close_to_the_normal_one_of_many_tasks() -> None:
    values = np.random.default_rng(1).beta(2, 3, size=(400, 1))
    low, high = intervals(values)[:, 0]
    error = stats.norm.ppf(0.975) * values.std() / 20
    assert low == pytest.approx(values.mean() - error, abs=0.1 * error)
    assert high == pytest.approx(values.mean() + error, abs=0.1 * error)


def test_an_interval_holds_the_truth_as_often_as_it_says() -> None:
    rng = np.random.default_rng(2)
    held = 0
    for _ in range(150):
        low, high = intervals(rng.random((60, 1)) ** 2)[:, 0]
        held += low <= 1 / 3 <= high
    assert 133 <= held <= 150  # 95% of 150, within three standard errors


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_all_tasks_alike_is_no_certainty(value: float) -> None:
    bounds = intervals(np.full((20, 1), value))[:, 0]
    exact = proportion_confint(20 * int(value), 20, method="beta")
    assert bounds == pytest.approx(exact)
    assert not math.isclose(*bounds)


def test_quantities_do_not_depend_on_their_neighbours() -> None:
    values = np.random.default_rng(3).random((30, 2))
    values[:, 1] = 0
    assert intervals(values)[:, 0] == pytest.approx(intervals(values[:, :1])[:, 0])


def test_one_task_has_no_interval() -> None:
    assert np.isnan(intervals(np.array([[0.5, 1.0]]))).all()
    assert np.isnan(difference_intervals(np.array([[0.5]]))).all()


def test_p_values_are_those_of_all_orders_of_the_pairs() -> None:
    rng = np.random.default_rng(4)
    first, second = rng.random((2, 8, 2))
    differences = first - second
    for column, found in enumerate(p_values(first, second)):
        observed = abs(differences[:, column].mean())
        orders = [
            abs(np.dot(signs, differences[:, column]) / 8)
            for signs in itertools.product((1, -1), repeat=8)
        ]
        assert found == pytest.approx(np.mean([one >= observed - 1e-12 for one in orders]))


def test_p_values_of_many_pairs_are_near_the_t_test_s() -> None:
    rng = np.random.default_rng(5)
    first = rng.normal(0.5, 0.1, (100, 1))
    second = first - rng.normal(0.0, 0.1, (100, 1))
    expected = stats.ttest_rel(first[:, 0], second[:, 0]).pvalue
    assert 0.1 < expected < 0.9
    assert p_values(first, second)[0] == pytest.approx(expected, abs=0.03)


def test_runs_that_are_the_same_do_not_differ() -> None:
    values = np.random.default_rng(6).random((40, 3))
    assert p_values(values, values) == pytest.approx([1, 1, 1])


@given(st.integers(1, 8).flatmap(lambda n: st.tuples(*map(st.just, [n]), st.integers(0, n))))
def test_any_at_k_is_the_share_of_all_choices_with_a_win(counts: tuple[int, int]) -> None:
    attempts, wins = counts
    outcomes = [number < wins for number in range(attempts)]
    for k in range(1, attempts + 1):
        choices = list(itertools.combinations(outcomes, k))
        assert any_at(attempts, wins, k) == pytest.approx(sum(map(any, choices)) / len(choices))
