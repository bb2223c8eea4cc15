"""What rules give on samples that were worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import pearsonr

from tests.vocabulary.calling import call, draw_factors, stream

DAYS = np.array([3.0, 1.0, 2.0, 5.0, 4.0, 6.0])
#: In order of time: 1, 9, 4, 5, 0, 8.
VALUES = np.array([4.0, 1.0, 9.0, 0.0, 5.0, 8.0])
HOUSES = np.array(["a", "a", "b", "a", "b", "b"])


def rule(kind: str, *, seed: int = 0, factors: dict[str, np.ndarray], **parameters: Any) -> Any:
    return call("hidden", {"kind": kind, **parameters}, factors=factors, seed=seed)


def over_days(kind: str, *, factors: dict[str, np.ndarray] | None = None, **use: Any) -> list[Any]:
    """What a rule about earlier samples gives, in order of time."""
    known = {"value": VALUES, "day": DAYS, "house": HOUSES, **(factors or {})}
    found: np.ndarray = rule(kind, factors=known, over="day", **use)
    return found[np.argsort(DAYS)].tolist()


def test_rules_about_earlier_samples_look_back_in_time() -> None:
    assert over_days("running_mean", of="value", window=2) == [1, 5, 6.5, 4.5, 2.5, 4]
    assert over_days("change_since", of="value") == [0, 8, -5, 1, -5, 8]
    assert over_days("change_since", of="value", unsigned=True) == [0, 8, 5, 1, 5, 8]
    assert over_days("previous_value", of="value", lag=2)[2:] == [1, 9, 4, 5]
    assert over_days("gap_days") == [1] * 6
    assert over_days("recency", of="value", rate=0.34) == [0, 0, -1, -2, -3, 0]


def test_each_group_has_a_history_of_its_own() -> None:
    # In order of time the houses are a, b, a, b, a, b.
    assert over_days("gap_days", group="house") == [2] * 6
    assert over_days("change_since", of="value", group="house") == [0, 0, 3, -4, -4, 3]
    assert over_days("running_mean", of="value", group="house", window=3) == pytest.approx(
        [1, 9, 2.5, 7, 5 / 3, 22 / 3]
    )


def test_the_last_event_counts_until_the_next() -> None:
    event = np.array([0.0, 1.0, 0.0, 1.0, 0.0, 0.0])  # on days 1 and 5
    found = over_days("last_value_before", factors={"e": event}, of="value", event="e", rate=0.34)
    assert found[1:] == [1, 1, 1, 1, 0]


def test_a_switch_stays_between_its_limits() -> None:
    pushed = np.array([0.1, 0.5, 0.9, 0.52, 0.2, 0.48, 0.8])
    found = rule(
        "hysteresis", factors={"x": pushed, "day": np.arange(7.0)}, of="x", over="day", band=0.4
    )
    assert (found > 0).tolist() == [False, False, True, True, False, False, True]


def test_orders_of_numbers() -> None:
    three = {"a": np.array([1.0, 2, 3]), "b": np.array([2.0, 1, 3]), "c": np.array([3.0, 1, 2])}
    assert rule("place_among", factors=three, of=["a", "b", "c"]).tolist() == [0, 2, 1]
    assert rule("runner_up", factors=three, of=["a", "b", "c"], place=1).tolist() == [2, 0, 0]
    # The first and third samples are each better than the other in one number and worse in one.
    assert rule("dominance", factors=three, of=["a", "c"]).tolist() == pytest.approx(
        [0, 1 / 3, 1 / 3]
    )
    assert (rule("ascending", factors=three, of=["a", "b", "c"]) >= 0).tolist() == [
        True,
        False,
        False,
    ]
    assert (rule("between", factors=three, of="b", left="a", right="c") > 0).tolist() == [
        True,
        False,
        False,
    ]


def test_the_same_from_both_ends_is_most_symmetric() -> None:
    rng = stream("symmetry", 0)
    left, right = rng.normal(size=(2, 50))
    found = rule("symmetry", factors={"l": left, "m": left.copy(), "r": right}, of=["l", "r", "m"])
    assert found == pytest.approx(np.zeros(50))
    assert rule("symmetry", factors={"l": left, "r": right}, of=["l", "r"]).max() < 0


def test_a_circle_closes() -> None:
    left = stream("circle", 0).normal(size=400)
    # Four standard deviations are a turn.
    right = left.copy()
    right[:200] += 4 * left.std()
    factors = {"l": left, "r": left}
    assert rule("cyclic_distance", factors=factors, left="l", right="r", turns=1).max() == 0
    assert (
        rule("cyclic_distance", factors={"l": left, "r": right}, left="l", right="r").min() >= -0.5
    )


def test_the_check_digit_of_an_article_number() -> None:
    # 4006381333931, a real EAN: the last digit checks the twelve before it.
    parts = {"x": np.array([400638.0]), "y": np.array([133393.0])}
    assert rule("checksum", factors=parts, of=["x", "y"], modulus=10, weights=[3, 1]).tolist() == [
        1
    ]


def test_peers_leave_the_sample_itself_out() -> None:
    factors = {"x": VALUES, "g": HOUSES}
    # a: 4, 1, 0; b: 9, 5, 8.
    assert rule("peers_mean", factors=factors, of="x", group="g").tolist() == [
        0.5,
        2,
        6.5,
        2.5,
        8.5,
        7,
    ]
    assert rule("level_frequency", factors={"g": np.array(["x", "y", "x"])}, of="g").tolist() == (
        pytest.approx([2 / 3, 1 / 3, 2 / 3])
    )


def test_the_nearest_other_sample_is_looked_up() -> None:
    factors = {"at": np.array([0.0, 1.0, 1.2, 5.0]), "x": np.array([7.0, 8.0, 9.0, 10.0])}
    assert rule("value_of_nearest", factors=factors, of="x", near=["at"]).tolist() == [8, 9, 8, 9]


def test_joined_rules() -> None:
    factors = draw_factors({"a": {"kind": "normal"}, "b": {"kind": "normal"}}, 1000)
    joined = {
        side: {"kind": "formula", "score": name} for side, name in (("left", "a"), ("right", "b"))
    }
    high = {name: values > np.median(values) for name, values in factors.items()}
    both = rule("both", factors=factors, **joined) > 0.5
    either = rule("either", factors=factors, **joined) > 0.5
    assert (both == (high["a"] & high["b"])).all()
    assert (either == (high["a"] | high["b"])).all()


def test_a_regime_follows_one_rule_in_each_level() -> None:
    factors = draw_factors(
        {"a": {"kind": "normal"}, "b": {"kind": "normal"}, "k": {"kind": "category", "levels": 4}},
        800,
    )
    rules = [{"kind": "formula", "score": name} for name in ("a", "b")]
    found = rule("regime", factors=factors, by="k", of=rules)
    for level in np.unique(factors["k"]):
        inside = factors["k"] == level
        ties = [pearsonr(found[inside], factors[name][inside])[0] for name in ("a", "b")]
        assert max(ties) > 0.9
        assert min(ties) < 0.2


def test_months_have_their_own_lengths() -> None:
    # Days 0, 31 and 60 of 2024 are the firsts of January, February and March.
    found = rule("month_position", factors={"t": np.array([0.0, 31.0, 60.0, 14.5])}, of="t")
    assert found[:3] == pytest.approx([1, 1, 1])
    assert found[3] < 0


def step_at(place: int, length: int = 40) -> np.ndarray:
    return np.where(np.arange(length) < place, 0.0, 1.0)


def test_series_say_where_and_how_they_change() -> None:
    assert rule(
        "change_point", factors={"s": np.stack([step_at(10), -step_at(30)])}, of="s"
    ).tolist() == [
        0.25,
        0.75,
    ]
    roof = np.minimum(np.arange(40.0), 39 - np.arange(40.0))
    turns = rule("slope_switch", factors={"s": np.stack([roof, -roof, np.arange(40.0)])}, of="s")
    assert (turns > 0).tolist() == [True, True, False]
    assert turns[:2] == pytest.approx([20 * 20] * 2), "rises of 20 and falls of 20"
    peaks = np.zeros((2, 40))
    peaks[0, [3, 10, 11, 30]] = 1
    peaks[1, 5] = 1
    assert rule("burst_count", factors={"s": peaks}, of="s").round().tolist() == [3, 1]
    alternating = np.tile([1.0, -1.0], 20)
    found = rule("lagged_dependency", factors={"s": np.stack([alternating, step_at(20)])}, of="s")
    assert found == pytest.approx([-39 / 40, 37 / 40])


def test_two_stretches_agree_where_a_series_stays_on_one_side() -> None:
    offset = np.array([2.0, -2.0, 0.0])
    moving = np.stack([np.full(40, offset[0]), np.full(40, offset[1]), np.linspace(-2, 2, 40)])
    for seed in range(5):
        found = rule("interval_pair", factors={"s": moving}, of="s", width=0.3, seed=seed)
        assert (found[:2] > 0).all()


def test_dips_are_as_many_as_asked_for() -> None:
    grid = np.arange(2000.0)
    for dips in (1, 2, 4):
        found = rule("dip", factors={"x": grid}, of="x", dips=dips, depth=2.0)
        is_low = found < (np.arange(2000) + 0.5) / 2000 - 1
        assert int((np.diff(is_low.astype(int)) == 1).sum()) == dips


def test_polynomials_turn_as_often_as_asked_for() -> None:
    for turns in (0, 1, 3, 5):
        found = rule("polynomial", factors={"x": np.arange(3000.0)}, of="x", turns=turns)
        steps = np.diff(found)
        rising = steps[np.abs(steps) > 1e-12] > 0
        assert int((rising[1:] != rising[:-1]).sum()) == turns


def test_the_first_test_that_applies_decides() -> None:
    factors = draw_factors({name: {"kind": "normal"} for name in "abc"}, 1000)
    alone = rule("decision_list", factors=factors, of=["a"]) > 0
    assert 0.35 < alone.mean() < 0.45
    first = rule("decision_list", factors=factors, of=["a", "b"])
    # Where the first test applies, the second number changes nothing.
    swapped = rule("decision_list", factors={**factors, "b": factors["c"]}, of=["a", "b"])
    decided = first == swapped
    assert 0.5 < decided.mean() < 0.7
    assert (first[decided] > 0).all()


def test_optima_differ_by_level_and_the_number_alone_says_little() -> None:
    factors = draw_factors({"a": {"kind": "normal"}, "k": {"kind": "category", "levels": 4}}, 2000)
    found = rule("own_optimum", factors=factors, of="a", level="k")
    best = [
        factors["a"][factors["k"] == k][found[factors["k"] == k].argmax()] for k in ("A01", "A02")
    ]
    assert abs(best[0] - best[1]) > 0.2
    assert abs(pearsonr(found, factors["a"])[0]) < 0.15
