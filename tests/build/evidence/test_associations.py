"""How far associations may lie from chance."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sandmle.build.evidence.associations import (
    MOST_DEVIATIONS,
    Deviation,
    association,
    likelihood_ratio,
    most_deviations,
    standard_errors,
)


def test_the_more_is_looked_at_the_farther_chance_may_go() -> None:
    assert most_deviations(1) == pytest.approx(MOST_DEVIATIONS)
    # Six classes, in train and test, by three tests: statsmodels' multipletests(method="sidak")
    # takes 1.76e-6 for 6.33e-5 in 36 tests, which is 4.78 standard errors to both sides.
    assert most_deviations(36) == pytest.approx(4.78, abs=0.005)


def test_the_largest_association_counts_for_all() -> None:
    found = [Deviation(4.5, "one"), Deviation(2.0, "other", tests=35)]
    assert association(found).passed
    assert not association(found[:1]).passed
    assert "one" in association(found).evidence
    assert association([]).passed


@given(st.integers(0, 1000))
def test_standard_errors_are_those_of_a_correlation(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values, outcome = rng.normal(size=(40, 3)), rng.normal(size=(40, 2))
    expected = [
        [abs(stats.pearsonr(left, right).statistic) * np.sqrt(39) for right in outcome.T]
        for left in values.T
    ]
    assert standard_errors(values, outcome) == pytest.approx(np.array(expected), abs=1e-6)


@given(st.integers(0, 1000))
def test_the_likelihood_ratio_of_two_flags(seed: int) -> None:
    rng = np.random.default_rng(seed)
    flags, classes = rng.random((60, 2)) < 0.4, rng.random((60, 2)) < 0.3
    counted = [
        [
            stats.chi2_contingency(
                [[(a & b).sum(), (a & ~b).sum()], [(~a & b).sum(), (~a & ~b).sum()]],
                correction=False,
                lambda_="log-likelihood",
            ).statistic
            for b in classes.T
        ]
        for a in flags.T
    ]
    found = likelihood_ratio(flags.astype(float), classes.astype(float))
    assert found == pytest.approx(np.array(counted), abs=1e-8)


def test_rare_flags_of_rare_classes_are_farther_from_chance_than_they_look() -> None:
    # 9 of 20 where 2 are expected: the exact (hypergeometric) chance is that of 4.1 to 4.2
    # standard errors, and a correlation says 5.4.
    flag, rare = np.zeros((500, 1)), np.zeros((500, 1))
    flag[:20], rare[11:61] = 1, 1
    chance = stats.hypergeom.sf(8, 500, 50, 20)
    assert stats.norm.isf(chance / 2) == pytest.approx(4.15, abs=0.1)
    assert standard_errors(flag, rare)[0, 0] == pytest.approx(4.2, abs=0.1)
