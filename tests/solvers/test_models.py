"""Models against those of scikit-learn, and the selection of features against doing it by hand."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import ExtraTreesRegressor, RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import Ridge

from sandmle.solvers.models import (
    extra_trees,
    forest,
    forest_of_classes,
    forward_selection,
    forward_selections,
    straight_lines,
)

TRAIN = 60


def drawn(outputs: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Training features, numbers to learn, and test features."""
    rng = np.random.default_rng(4)
    features = rng.normal(size=(TRAIN + 40, 12))
    noise = rng.normal(size=(TRAIN, outputs))
    numbers = (features[:TRAIN, [0]] * features[:TRAIN, [1]] + noise).squeeze()
    return features[:TRAIN], numbers, features[TRAIN:]


@pytest.mark.parametrize("outputs", [1, 3])
def test_trees_of_numbers_are_those_of_scikit_learn(outputs: int) -> None:
    known, response, unknown = drawn(outputs)
    options = {"n_estimators": 20, "min_samples_leaf": 2, "max_features": 0.5, "random_state": 3}
    for model, other in ((forest, RandomForestRegressor), (extra_trees, ExtraTreesRegressor)):
        expected = other(**options).fit(known, response).predict(unknown).reshape(len(unknown), -1)
        found = model(known, response, 0, unknown, trees=20, random_seed=3)
        assert np.allclose(found, expected, atol=1e-12)


def test_forests_of_classes_are_those_of_scikit_learn() -> None:
    known, numbers, unknown = drawn()
    response = 2 * np.digitize(numbers, [-0.5, 0.5])  # classes 1 and 3 are not there
    other = RandomForestClassifier(50, min_samples_leaf=2, random_state=0).fit(known, response)
    expected = np.zeros((len(unknown), 5))
    expected[:, [0, 2, 4]] = other.predict_proba(unknown)
    exact = forest_of_classes(known, response, 5, unknown)
    assert np.allclose(exact, expected, atol=1e-12)
    quick = forest(known, response, 5, unknown)
    assert np.allclose(quick.sum(axis=1), 1)
    assert np.abs(quick - exact).mean() < 0.01


def test_straight_lines_are_ridge_regression() -> None:
    known, response, unknown = drawn(3)
    expected = Ridge(1.0).fit(known, response).predict(unknown)
    assert np.allclose(straight_lines(known, response, unknown), expected)


def by_hand(features: np.ndarray, response: np.ndarray, count: int) -> list[int]:
    """Forward selection by fitting every larger set of columns anew."""
    chosen: list[int] = []
    for _ in range(count):
        errors = {}
        for column in set(range(features.shape[1])) - set(chosen):
            shown = np.column_stack([np.ones(len(features)), features[:, [*chosen, column]]])
            fitted = shown @ np.linalg.lstsq(shown, response, rcond=None)[0]
            errors[column] = float(((response - fitted) ** 2).sum())
        chosen.append(min(errors, key=errors.__getitem__))
    return chosen


def test_selection_takes_what_lowers_the_error_most() -> None:
    known, response, _ = drawn(2)
    assert forward_selection(known, response, 4) == by_hand(known, response, 4)


def test_selections_on_parts_of_the_rows_look_at_no_others() -> None:
    known, response, _ = drawn(2)
    parts = np.ones((3, TRAIN))
    parts[0, :20], parts[1, 40:] = 0.0, 0.0
    found = forward_selections(known, response, parts, 4)
    assert found[0] == by_hand(known[20:], response[20:], 4)
    assert found[1] == by_hand(known[:40], response[:40], 4)
    assert found[2] == forward_selection(known, response, 4)


def test_selection_ends_where_nothing_is_left_to_explain() -> None:
    features = np.zeros((10, 3))
    features[:5, 1] = 1.0
    response = features[:, [1]]
    assert forward_selection(features, response, 3) == [1]
    assert forward_selection(features, np.zeros((10, 1)), 3) == [0]
