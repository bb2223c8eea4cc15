"""What noise words do to columns and labels, read off what they leave."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import spearmanr

from tests.vocabulary.calling import call, draw_factors, stream

USES: dict[str, dict[str, Any]] = {
    "a": {"kind": "normal"},
    "b": {"kind": "normal"},
    "day": {"kind": "timestamp"},
    "kind": {"kind": "category", "levels": 3},
    "site": {"kind": "group", "groups": 12},
}
SHOWN = draw_factors(USES, 600)
TABLE = {"x": SHOWN["a"], "y": SHOWN["b"], "colour": SHOWN["kind"]}


def disturbed(**use: Any) -> dict[str, np.ndarray]:
    found: dict[str, np.ndarray] = call("noise", use, dict(TABLE), factors=SHOWN)
    return found


def test_a_trap_tells_the_score_early_and_nothing_later() -> None:
    rule = {"kind": "sign_product", "left": "a", "right": "b"}
    told = disturbed(kind="leak_trap", name="seen", of=rule, over="day", share=0.4)["seen"]
    early = SHOWN["day"] <= np.quantile(SHOWN["day"], 0.4)
    score = SHOWN["a"] * SHOWN["b"]
    assert spearmanr(told[early], score[early])[0] > 0.7
    assert abs(spearmanr(told[~early], score[~early])[0]) < 0.15
    assert abs(told[early].mean() - told[~early].mean()) < 0.3, "its values look the same"


def test_copies_stay_in_their_group() -> None:
    found = disturbed(kind="duplicates", group="site", rate=0.2)
    is_copy = found["x"] != TABLE["x"]
    assert 0.15 < is_copy.mean() < 0.25
    place = {value: index for index, value in enumerate(TABLE["x"])}
    source = np.array([place[value] for value in found["x"]])
    assert (SHOWN["site"][source] == SHOWN["site"]).all()
    assert all((found[name] == values[source]).all() for name, values in TABLE.items())


def test_a_shift_comes_at_one_moment() -> None:
    found = disturbed(kind="shift", over="day", share=0.4, step=2.0, only=["x"])
    moved = (found["x"] - TABLE["x"]) / TABLE["x"].std()
    late = SHOWN["day"] > np.quantile(SHOWN["day"], 0.4)
    assert np.allclose(moved, 2.0 * late)
    assert (found["y"] == TABLE["y"]).all()


def test_gaps_tell_the_level() -> None:
    gaps = {name: np.isnan(values) for name, values in disturbed(
        kind="gap_pattern", of="kind", only=["x", "y"]
    ).items() if name in "xy"}  # fmt: skip
    assert (gaps["x"] ^ gaps["y"]).all(), "each sample lacks one column"
    for level in np.unique(SHOWN["kind"]):
        assert len(set(gaps["x"][SHOWN["kind"] == level])) == 1


def test_mojibake_can_be_undone() -> None:
    words = np.array(["Zürich", "Rome", "Orléans"] * 100)
    found = call(
        "noise", {"kind": "mojibake", "only": ["t"], "rate": 0.3}, {"t": words}, factors={}
    )
    damaged = found["t"] != words
    assert 0.2 < damaged.mean() < 0.4
    assert {word.encode("latin-1").decode() for word in found["t"][damaged]} == {
        "Zürich",
        "Rómé",
        "Orléans",
    }


def test_one_class_is_mistaken_and_no_other() -> None:
    labels = stream("labels", 0).integers(0, 3, 9000)
    found = call("noise", {"kind": "class_flip", "rate": 0.2}, labels, factors={})
    assert (found[labels < 2] == labels[labels < 2]).all()
    assert set(found[labels == 2]) == {0, 2}
    assert abs((found[labels == 2] == 0).mean() - 0.2) < 0.02
    named = {"kind": "class_flip", "rate": 0.2, "mistaken": 0, "taken_for": 1}
    assert set(call("noise", named, labels, factors={})[labels == 0]) == {0, 1}


def test_entries_are_lost_more_often_where_a_factor_is_high() -> None:
    for kind, is_lost in (("missing", np.isnan), ("sentinel", lambda values: values == -999)):
        gaps = is_lost(disturbed(kind=kind, rate=0.3, by="b", only=["x"])["x"])
        high = SHOWN["b"] > np.median(SHOWN["b"])
        assert gaps[high].mean() > 2 * gaps[~high].mean()
        assert abs(gaps.mean() - 0.3) < 0.06


def test_whole_numbers_stay_whole_however_they_are_disturbed() -> None:
    table = {"stops": np.rint(SHOWN["a"] * 3 + 9), "load": SHOWN["b"]}
    for use in ({"kind": "feature_jitter", "scale": 0.3}, {"kind": "outliers", "rate": 0.2}):
        found: dict[str, np.ndarray] = call("noise", use, dict(table), factors=SHOWN)
        assert (found["stops"] != table["stops"]).any()
        assert (found["stops"] == np.rint(found["stops"])).all()
        assert (found["load"] != np.rint(found["load"])).all()


def test_whole_numbers_stay_within_their_range() -> None:
    digits = np.arange(len(SHOWN["a"])) % 10.0
    for use in ({"kind": "feature_jitter", "scale": 0.3}, {"kind": "outliers", "rate": 0.2}):
        found: dict[str, np.ndarray] = call("noise", use, {"digit": digits}, factors=SHOWN)
        assert (found["digit"] != digits).any()
        assert set(found["digit"]) <= set(digits)


def test_amounts_do_not_fall_below_nothing() -> None:
    table = {"rain": np.abs(SHOWN["a"]), "slope": SHOWN["b"]}
    for use in ({"kind": "feature_jitter", "scale": 0.3}, {"kind": "outliers", "rate": 0.2}):
        found: dict[str, np.ndarray] = call("noise", use, dict(table), factors=SHOWN)
        assert (found["rain"] != table["rain"]).any()
        assert found["rain"].min() >= 0 > found["slope"].min()


def test_flags_have_no_outliers() -> None:
    table = {"filtered": (SHOWN["a"] > 0).astype(float), "load": SHOWN["b"]}
    use = {"kind": "outliers", "rate": 0.2}
    found: dict[str, np.ndarray] = call("noise", use, dict(table), factors=SHOWN)
    assert (found["filtered"] == table["filtered"]).all()
    assert (found["load"] != table["load"]).any()
