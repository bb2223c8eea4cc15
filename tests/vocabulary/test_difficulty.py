"""The dials that docstrings name turn the way they say: the best quick raw model falls."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, roc_auc_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC

from sandmle.runtime.labels import cut
from tests.vocabulary.calling import call, draw_factors, stream

TRAIN, TEST = 120, 500
NORMAL = {"kind": "normal"}
Use = dict[str, Any]


def normals(count: int) -> dict[str, Use]:
    return dict.fromkeys("abcdefg"[:count], NORMAL)


def levels(**counts: int) -> dict[str, Use]:
    return {name: {"kind": "category", "levels": count} for name, count in counts.items()}


POSITIVE = {"a": {"kind": "lognormal"}, "b": {"kind": "lognormal"}}
DAYS = {"day": {"kind": "integer", "low": 0, "high": 200}}
PROTOTYPE = {"kind": "nearest_prototype", "of": ["a", "b"], "classes": 3}
SPIRAL = {"kind": "spiral_sector", "across": "a", "along": "b"}
DOSE = {"kind": "dose_response", "dose": "a", "sensitivity": "b"}
DRIFTING = {"kind": "drifting_weights", "left": "a", "right": "b", "over": "day"}
EARLIER = {"kind": "previous_value", "of": "a", "over": "day"}
MOMENTS = {"day": {"kind": "timestamp"}}


def persistent(persistence: float) -> dict[str, Use]:
    walk = {"kind": "persistent", "over": "day", "persistence": persistence}
    return {**MOMENTS, "a": walk}


def grouped(between: float) -> dict[str, Use]:
    return {
        "site": {"kind": "group", "groups": 40},
        "a": {"kind": "grouped", "group": "site", "between": between},
    }


#: A rule and its factors.
Setting = tuple[Use, dict[str, Use]]


def rises(kind: str, low: int, high: int) -> tuple[Setting, Setting]:
    """A rule over few factors, and over many."""
    many = list("abcdefg")
    return (
        ({"kind": kind, "of": many[:low]}, normals(high)),
        ({"kind": kind, "of": many[:high]}, normals(high)),
    )


def series(persistence: float) -> dict[str, Use]:
    return {"s": {"kind": "autoregressive", "length": 48, "persistence": persistence}}


def groups(count: int, **more: float) -> dict[str, Use]:
    return {"site": {"kind": "group", "groups": count, **more}}


#: Rules that a regime chooses from.
CHOICE = [
    {"kind": "formula", "score": "a"},
    {"kind": "interval_band", "of": "b", "bands": 2},
    {"kind": "ascending", "of": ["c", "d", "e"]},
    {"kind": "polynomial", "of": "f", "turns": 3},
]
RULES: list[tuple[Setting, Setting]] = [
    (
        ({"kind": "parity", "of": ["a", "b"]}, normals(3)),
        ({"kind": "parity", "of": ["a", "b", "c"]}, normals(3)),
    ),
    (
        ({"kind": "periodic", "of": "a", "frequency": 2}, normals(1)),
        ({"kind": "periodic", "of": "a", "frequency": 6}, normals(1)),
    ),
    (
        ({"kind": "interval_band", "of": "a", "bands": 1}, normals(1)),
        ({"kind": "interval_band", "of": "a", "bands": 4}, normals(1)),
    ),
    (
        ({"kind": "distance_to_point", "of": ["a", "b"], "rings": 1}, normals(2)),
        ({"kind": "distance_to_point", "of": ["a", "b"], "rings": 3}, normals(2)),
    ),
    (
        ({"kind": "interactions", "of": ["a", "b", "c"], "share": 0.2}, normals(3)),
        ({"kind": "interactions", "of": ["a", "b", "c"], "share": 1}, normals(3)),
    ),
    (
        ({"kind": "ratio", "numerator": "a", "denominator": "b", "band": 0}, POSITIVE),
        ({"kind": "ratio", "numerator": "a", "denominator": "b", "band": 1}, POSITIVE),
    ),
    (
        ({"kind": "quorum", "of": ["a", "b", "c"], "test": "above"}, normals(3)),
        ({"kind": "quorum", "of": ["a", "b", "c"], "test": "inside"}, normals(3)),
    ),
    (({**DOSE, "window": 100}, normals(2)), ({**DOSE, "window": 1.2}, normals(2))),
    (({**PROTOTYPE, "prototypes": 1}, normals(2)), ({**PROTOTYPE, "prototypes": 4}, normals(2))),
    (({**SPIRAL, "twist": 0}, normals(2)), ({**SPIRAL, "twist": 0.4}, normals(2))),
    (
        ({"kind": "lookup", "of": "k"}, levels(k=12)),
        ({"kind": "lookup", "of": "k"}, levels(k=90)),
    ),
    (
        ({"kind": "nested_lookup", "outer": "k", "inner": "m"}, levels(k=3, m=3)),
        ({"kind": "nested_lookup", "outer": "k", "inner": "m"}, levels(k=10, m=10)),
    ),
    (
        ({"kind": "piecewise_regime", "regime": "k", "of": "a"}, normals(1) | levels(k=2)),
        ({"kind": "piecewise_regime", "regime": "k", "of": "a"}, normals(1) | levels(k=12)),
    ),
    (
        ({"kind": "rank_in_group", "of": "a", "group": "site"}, grouped(0.5)),
        ({"kind": "rank_in_group", "of": "a", "group": "site"}, grouped(4)),
    ),
    (
        ({"kind": "demean_in_group", "of": "a", "group": "site"}, grouped(0.5)),
        ({"kind": "demean_in_group", "of": "a", "group": "site"}, grouped(4)),
    ),
    (
        ({"kind": "seasonal", "of": "day", "period": 120}, DAYS),
        ({"kind": "seasonal", "of": "day", "period": 30}, DAYS),
    ),
    ((EARLIER, persistent(0.95)), (EARLIER, persistent(0))),
    (
        ({**DRIFTING, "turns": 0.25}, normals(2) | MOMENTS),
        ({**DRIFTING, "turns": 1}, normals(2) | MOMENTS),
    ),
    rises("decision_list", 2, 5),
    rises("ascending", 2, 5),
    rises("place_among", 3, 5),
    (
        ({"kind": "polynomial", "of": "a", "turns": 1}, normals(1)),
        ({"kind": "polynomial", "of": "a", "turns": 6}, normals(1)),
    ),
    (
        ({"kind": "dip", "of": "a", "dips": 1}, normals(1)),
        ({"kind": "dip", "of": "a", "dips": 4}, normals(1)),
    ),
    (
        ({"kind": "cyclic_distance", "left": "a", "right": "b", "turns": 0.4}, normals(2)),
        ({"kind": "cyclic_distance", "left": "a", "right": "b", "turns": 2}, normals(2)),
    ),
    (
        ({"kind": "checkerboard", "across": "a", "along": "b", "cells": 2}, normals(2)),
        ({"kind": "checkerboard", "across": "a", "along": "b", "cells": 4}, normals(2)),
    ),
    (
        ({"kind": "own_optimum", "of": "a", "level": "k"}, normals(1) | levels(k=2)),
        ({"kind": "own_optimum", "of": "a", "level": "k"}, normals(1) | levels(k=12)),
    ),
    (
        ({"kind": "hysteresis", "of": "a", "over": "day", "band": 0.2}, normals(1) | MOMENTS),
        ({"kind": "hysteresis", "of": "a", "over": "day", "band": 0.8}, normals(1) | MOMENTS),
    ),
    (
        ({"kind": "running_mean", "of": "a", "over": "day", "window": 2}, normals(1) | MOMENTS),
        ({"kind": "running_mean", "of": "a", "over": "day", "window": 6}, normals(1) | MOMENTS),
    ),
    (
        ({"kind": "recency", "of": "a", "over": "day", "rate": 0.5}, normals(1) | MOMENTS),
        ({"kind": "recency", "of": "a", "over": "day", "rate": 0.15}, normals(1) | MOMENTS),
    ),
    (
        ({"kind": "change_since", "of": "a", "over": "day"}, persistent(0)),
        ({"kind": "change_since", "of": "a", "over": "day"}, persistent(0.9)),
    ),
    (
        ({"kind": "peers_mean", "of": "b", "group": "site"}, normals(2) | groups(4)),
        ({"kind": "peers_mean", "of": "b", "group": "site"}, normals(2) | groups(90)),
    ),
    (
        ({"kind": "level_frequency", "of": "site"}, groups(10, unevenness=1)),
        ({"kind": "level_frequency", "of": "site"}, groups(120, unevenness=1)),
    ),
    (
        ({"kind": "runner_up", "of": ["a", "b", "c"], "place": 1}, normals(3)),
        ({"kind": "runner_up", "of": ["a", "b", "c"], "place": 2}, normals(3)),
    ),
    (
        ({"kind": "regime", "by": "k", "of": CHOICE[:2]}, normals(6) | levels(k=2)),
        ({"kind": "regime", "by": "k", "of": CHOICE}, normals(6) | levels(k=4)),
    ),
    (
        ({"kind": "slope_switch", "of": "s"}, series(0.95)),
        ({"kind": "slope_switch", "of": "s"}, series(0)),
    ),
]


@functools.cache
def models(many: bool) -> tuple[Any, ...]:
    quick = (
        LogisticRegression(max_iter=500),
        RandomForestClassifier(60, min_samples_leaf=2, random_state=0),
    )
    more = (SVC(random_state=0), KNeighborsClassifier(9))
    return quick + more if many else quick


def encoded(columns: list[np.ndarray]) -> np.ndarray:
    """Numbers as they are, categories one column a level."""
    return np.hstack(
        [
            values.reshape(len(values), -1)
            if values.dtype.kind == "f"
            else OneHotEncoder(sparse_output=False).fit_transform(values[:, None])
            for values in columns
        ]
    )


def best_score(
    features: np.ndarray, noisy: np.ndarray, truth: np.ndarray, *, many: bool = False
) -> float:
    """The best model's ROC AUC on the samples after TRAIN; accuracy for more than two classes."""
    scores = []
    for model in models(many):
        fitted = make_pipeline(StandardScaler(), model).fit(features[:TRAIN], noisy[:TRAIN])
        if truth.max() == 1:
            if isinstance(model, SVC):
                margin = fitted.decision_function(features[TRAIN:])
            else:
                margin = fitted.predict_proba(features[TRAIN:])[:, 1]
            scores.append(float(roc_auc_score(truth[TRAIN:], margin)))
        else:
            scores.append(float(accuracy_score(truth[TRAIN:], fitted.predict(features[TRAIN:]))))
    return max(scores)


def truth_of(rule: Use, factors: dict[str, np.ndarray], seed: int) -> np.ndarray:
    score = call("hidden", rule, factors=factors, seed=seed)
    labels: np.ndarray = score if score.dtype.kind == "i" else cut(score, [0.5])
    return labels


def rule_score(setting: Setting, seed: int, *, many: bool = False) -> float:
    rule, uses = setting
    factors = draw_factors(uses, TRAIN + TEST, seed * 100)
    truth = truth_of(rule, factors, seed)
    columns = [*factors.values(), *stream("distractors", seed).normal(size=(4, TRAIN + TEST))]
    noisy = call("noise", {"kind": "label_flip", "rate": 0.08}, truth, factors={}, seed=seed)
    return best_score(encoded(columns), noisy, truth, many=many)


@pytest.mark.parametrize(("low", "high"), RULES, ids=[low[0]["kind"] for low, _ in RULES])
def test_raw_models_fall_as_the_dial_of_a_rule_rises(low: Setting, high: Setting) -> None:
    assert np.mean([rule_score(low, seed) - rule_score(high, seed) for seed in range(2)]) > 0.05


@pytest.mark.slow
@pytest.mark.parametrize(("low", "high"), RULES, ids=[low[0]["kind"] for low, _ in RULES])
def test_strong_raw_models_fall_too(low: Setting, high: Setting) -> None:
    falls = [rule_score(low, s, many=True) - rule_score(high, s, many=True) for s in range(6)]
    assert np.mean(falls) > 0.05
    assert min(falls) > -0.05


@pytest.mark.parametrize("kind", ["sign_product", "weekday", "xor", "remainder", "most_extreme"])
def test_rules_without_dial_leave_room_between_raw_model_and_truth(kind: str) -> None:
    rules: dict[str, Setting] = {
        "sign_product": ({"kind": kind, "left": "a", "right": "b"}, normals(2)),
        "weekday": ({"kind": kind, "of": "day"}, DAYS),
        "most_extreme": ({"kind": kind, "of": ["a", "b", "c"]}, normals(3)),
        "remainder": (
            {"kind": kind, "of": ["day"], "modulus": 2},
            {"day": {"kind": "integer", "low": 1, "high": 40}},
        ),
        "xor": (
            {
                "kind": kind,
                "left": {"kind": "lookup", "of": "k"},
                "right": {"kind": "periodic", "of": "a"},
            },
            normals(1) | levels(k=6),
        ),
    }
    assert rule_score(rules[kind], 0) < 0.85


#: Noise on the columns x (of a) and y (of b), whose product decides; low, high.
COLUMN_NOISE: list[tuple[Use, Use]] = [
    ({"kind": "feature_jitter", "scale": 0}, {"kind": "feature_jitter", "scale": 1}),
    ({"kind": "missing", "rate": 0}, {"kind": "missing", "rate": 0.5}),
    ({"kind": "sentinel", "rate": 0}, {"kind": "sentinel", "rate": 0.4}),
    ({"kind": "distractors", "count": 0}, {"kind": "distractors", "count": 30}),
    ({"kind": "rounding", "step": 0.01}, {"kind": "rounding", "step": 2.5}),
    ({"kind": "censoring", "rate": 0}, {"kind": "censoring", "rate": 0.6}),
    (
        {"kind": "group_offset", "group": "site", "scale": 0},
        {"kind": "group_offset", "group": "site", "scale": 3},
    ),
    ({"kind": "drift", "over": "day", "slope": 0}, {"kind": "drift", "over": "day", "slope": 6}),
    (
        {"kind": "units", "only": ["x", "y"], "times": 1, "rate": 0.5},
        {"kind": "units", "only": ["x", "y"], "times": -1.5, "offset": 1, "rate": 0.5},
    ),
]


@pytest.mark.parametrize(
    ("low", "high"), COLUMN_NOISE, ids=[low["kind"] for low, _ in COLUMN_NOISE]
)
def test_raw_models_fall_as_noise_on_columns_rises(low: Use, high: Use) -> None:
    uses = {**normals(2), "site": {"kind": "group", "groups": 30}, **MOMENTS}
    falls = []
    for seed in range(2):
        factors = draw_factors(uses, TRAIN + TEST, seed * 100)
        truth = truth_of({"kind": "sign_product", "left": "a", "right": "b"}, factors, seed)
        table = {"x": factors["a"], "y": factors["b"]}
        scores = []
        for use in (low, high):
            shown = call("noise", use, dict(table), factors=factors, seed=seed)
            features = np.nan_to_num(encoded(list(shown.values())))
            scores.append(best_score(features, truth, truth))
        falls.append(scores[0] - scores[1])
    assert np.mean(falls) > 0.05


def test_outliers_mislead_linear_models() -> None:
    factors = draw_factors(normals(2), TRAIN + TEST)
    truth = truth_of({"kind": "formula", "score": "a + b"}, factors, 0)
    scores = []
    for rate in (0.0, 0.2):
        use = {"kind": "outliers", "rate": rate, "size": 30}
        table = {"x": factors["a"], "y": factors["b"]}
        shown = call("noise", use, table, factors=factors)
        model = LogisticRegression().fit(encoded(list(shown.values()))[:TRAIN], truth[:TRAIN])
        probability = model.predict_proba(encoded(list(shown.values()))[TRAIN:])[:, 1]
        scores.append(roc_auc_score(truth[TRAIN:], probability))
    assert scores[0] - scores[1] > 0.1


def test_dirty_categories_split_levels() -> None:
    factors = draw_factors({"k": {"kind": "category", "levels": 30}}, TRAIN + TEST)
    truth = truth_of({"kind": "lookup", "of": "k"}, factors, 0)
    scores = []
    for rate in (0.0, 0.8):
        use = {"kind": "dirty_category", "only": ["x"], "rate": rate}
        shown = call("noise", use, {"x": factors["k"]}, factors=factors)
        scores.append(best_score(encoded([shown["x"]]), truth, truth))
    assert scores[0] - scores[1] > 0.02


def test_label_noise_has_the_rate_asked_for() -> None:
    labels = stream("labels", 0).integers(0, 4, 20_000)
    flipped = call("noise", {"kind": "label_flip", "rate": 0.1}, labels, factors={})
    assert abs((flipped != labels).mean() - 0.1) < 0.01
    moved = call("noise", {"kind": "neighbour_flip", "rate": 0.2}, labels, factors={})
    assert abs((moved != labels).mean() - 0.2) < 0.01
    assert set(np.abs(moved - labels)) == {0, 1}
    numbers = labels.astype(float)
    noisy = call("noise", {"kind": "target_noise", "scale": 0.5}, numbers, factors={})
    assert abs((noisy - numbers).std() / numbers.std() - 0.5) < 0.02
