"""Cutting scores into classes: by quantile, with ties together and no class empty."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandmle.runtime.labels import class_index, cut, label_columns, settle, train_only


@pytest.mark.parametrize("quantiles", [[0.65], [0.25, 0.5, 0.75], [0.1, 0.2, 0.9]])
def test_classes_have_the_shares_asked_for(quantiles: list[float]) -> None:
    scores = np.random.default_rng(0).normal(size=1000)
    labels = cut(scores, quantiles)
    shares = np.diff([0.0, *quantiles, 1.0])

    assert np.bincount(labels) / 1000 == pytest.approx(shares)
    for lower in range(len(quantiles)):
        assert scores[labels == lower].max() < scores[labels == lower + 1].min()


@settings(max_examples=200)
@given(
    st.lists(st.integers(-5, 5), min_size=2, max_size=60),
    st.lists(st.floats(0.01, 0.99), min_size=1, max_size=4, unique=True).map(sorted),
)
def test_ties_stay_together_and_no_class_is_empty(
    values: list[int], quantiles: list[float]
) -> None:
    scores = np.array(values, dtype=float)
    if len(set(values)) <= len(quantiles):
        with pytest.raises(ValueError, match="different scores, too few"):
            cut(scores, quantiles)
        return
    labels = cut(scores, quantiles)

    assert set(labels) == set(range(len(quantiles) + 1))
    for value in set(values):
        assert len(set(labels[scores == value])) == 1
    order = np.argsort(scores, kind="stable")
    assert (np.diff(labels[order]) >= 0).all()


def test_a_discrete_score_is_cut_where_it_comes_nearest() -> None:
    scores = np.repeat([0.0, 1.0, 2.0], [50, 30, 20])

    assert np.bincount(cut(scores, [0.65])).tolist() == [50, 50]
    assert np.bincount(cut(scores, [0.66])).tolist() == [80, 20]


def test_rounding_keeps_six_digits_at_any_scale() -> None:
    values = np.array([1.23456789e-9, 123456789.0, -0.1 - 0.2, 0.0])

    assert settle(values).tolist() == [1.23457e-9, 123457000.0, -0.3, 0.0]


def test_rounding_hides_the_last_bits() -> None:
    values = np.random.default_rng(0).normal(size=1000)

    assert np.array_equal(settle(values), settle(values * (1 + 1e-15)))


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_score_that_is_not_finite_is_refused(bad: float) -> None:
    with pytest.raises(ValueError, match="not finite"):
        settle(np.array([1.0, bad]))


def test_class_indices_are_checked() -> None:
    found = class_index(np.array([0.0, 2.0, 1.0]), 3)

    assert found.tolist() == [0, 2, 1]
    assert found.dtype.kind == "i"
    for bad in (-1.0, 3.0, 0.5):
        with pytest.raises(ValueError, match="one of 0 to 2"):
            class_index(np.array([bad]), 3)


def test_what_is_no_number_stays_as_it_is() -> None:
    texts, classes = np.array(["a", "b"]), np.array([0, 1])
    masks = np.zeros((2, 3, 3), dtype=bool)
    for values in (texts, classes, masks):
        assert settle(values) is values


def test_arrays_of_numbers_keep_six_decimals() -> None:
    assert settle(np.array([[0.12345678, 1234.5678901]])).tolist() == [[0.123457, 1234.56789]]


def test_labels_of_any_form_are_disturbed_in_train_only() -> None:
    train = np.array([True, False])
    noisy, labels = np.ones((2, 2)), np.zeros((2, 2))
    assert train_only(train, noisy, labels).tolist() == [[1, 1], [0, 0]]
    longer = train_only(train, np.array(["much longer", "x"]), np.array(["a", "b"]))
    assert longer.tolist() == ["much longer", "b"]


def test_a_table_shows_classes_by_name_and_arrays_by_position() -> None:
    shares = np.array([[0.25, 0.75]])
    assert list(label_columns({"votes": shares}, ["no", "yes"])) == ["no", "yes"]
    assert list(label_columns({"level": shares}, [])) == ["level_0", "level_1"]
    assert label_columns({"kind": np.array([1, 0])}, ["no", "yes"])["kind"].tolist() == [
        "yes",
        "no",
    ]
