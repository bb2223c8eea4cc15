"""Likeness: copies in other words are found, and other tasks are not taken for copies."""

from __future__ import annotations

import math

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from sandmle.resources import resource
from sandmle.spec.likeness import NEAR, distance, first_near, near_pairs
from sandmle.spec.load import load_spec, parse_spec
from sandmle.spec.outline import PARTS, Outline, outline
from sandmle.vocabulary import load_vocabulary

VOCABULARY = load_vocabulary()
TASKS = resource("specs") / "tasks"
HOTEL = (TASKS / "hotel-cancellation-weekday.yaml").read_text("utf-8")
SEED = "random_seed: " + str(yaml.safe_load(HOTEL)["random_seed"])


def outline_of(text: str) -> Outline:
    name = yaml.safe_load(text)["id"]
    return outline(parse_spec(text, file=f"{name}.yaml", vocabulary=VOCABULARY), VOCABULARY)


def changed(*pairs: tuple[str, str]) -> Outline:
    text = HOTEL
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return outline_of(text)


ORIGINAL = outline_of(HOTEL)

NUMBERS = st.floats(-1e6, 1e6).map(lambda number: round(number, 3))
DIALS = st.dictionaries(
    st.sampled_from(["a", "b", "c"]).map(lambda name: (name,)),
    st.lists(NUMBERS, max_size=3).map(tuple),
)
OUTLINES = st.fixed_dictionaries(dict.fromkeys(PARTS, DIALS)).map(
    lambda dials: Outline(("one",), dials)
)


@given(OUTLINES, OUTLINES)
def test_distance_is_one_of_two_sides(one: Outline, other: Outline) -> None:
    assert distance(one, one) == 0
    assert distance(one, other) == pytest.approx(distance(other, one))
    assert 0 <= distance(one, other) <= 1


def test_a_copy_in_other_words_is_the_same() -> None:
    copy = changed(
        ("hotel-cancellation-weekday", "clinic-no-show"),
        (SEED, "random_seed: 77"),
        ("{name: hospitality, entity: booking}", "{name: healthcare, entity: visit}"),
        ("lead_days", "waiting"),
        ("[web, phone, agency, walk-in]", "[ward, desk, letter, gate]"),
        ("cancelled", "missed"),
    )
    assert distance(ORIGINAL, copy) == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (  # the order of columns
            "  - {kind: column, name: lead_days, of: lead_days}\n"
            "  - {kind: column, name: room_rate, of: rate}\n",
            "  - {kind: column, name: room_rate, of: rate}\n"
            "  - {kind: column, name: lead_days, of: lead_days}\n",
        ),
        ("of: lead_days}", "of: lead_days, jitter: 0}"),  # a default that is written out
        ("log1p(lead_days)", "log1p( lead_days )"),
        ('of: booked\n        start: "2023-02-01"', 'start: "2023-02-01"\n        of: booked'),
        ("thresholds: {median: 0.51, ", "thresholds: {median: 0.52, "),
        ("guests: persons on the booking", "guests: how many come"),
    ],
)
def test_what_tells_nothing_counts_nothing(old: str, new: str) -> None:
    assert distance(ORIGINAL, changed((old, new))) == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("weights: [1.6, 1.0]", "weights: [1.7, 1.0]"),
        ("train: 160", "train: 170"),
        ("rate: 0.05", "rate: 0.055"),
        ("shape: 1.8, scale: 21", "shape: 1.9, scale: 20"),
    ],
)
def test_a_dial_turned_a_little_is_a_near_repeat(old: str, new: str) -> None:
    assert 0 < distance(ORIGINAL, changed((old, new))) <= NEAR


def test_rare_classes_differ_by_their_share() -> None:
    """A share of .06 and one of .04 are far apart, though the cuts of .94 and .96 are not."""
    rare, rarer = (
        changed(("prevalence: 0.3", f"prevalence: {share}"), ("0.7}", f"{1 - share}}}"))
        for share in (0.06, 0.04)
    )
    more = changed(("prevalence: 0.3", "prevalence: 0.32"), ("0.7}", "0.68}"))
    assert distance(ORIGINAL, more) < distance(rare, rarer)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[-0.6, -1, -0.8, -0.3, 0.6, 1.2, 0.9]", "[0.9, 1, -0.8, 0.3, -0.6, 1.2, -0.9]"),
        ("train: 160", "train: 60"),
        ("rate: 0.05", "rate: 0.1"),
        (
            "  - {kind: label_flip, rate: 0.05}\n",
            "  - {kind: label_flip, rate: 0.05}\n  - {kind: missing, rate: 0.1}\n",
        ),
    ],
)
def test_a_dial_turned_far_is_none(old: str, new: str) -> None:
    assert NEAR < distance(ORIGINAL, changed((old, new))) <= 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("metric: average_precision", "metric: roc_auc"),
        ("log1p(lead_days)", "sqrt(lead_days)"),
        ("log1p(lead_days)", "log1p(rate)"),
        ("lead_days: {kind: gamma, shape: 1.8, scale: 21}", "lead_days: {kind: count, mean: 21}"),
        ("{kind: column, name: lead_days,", "{kind: banded_column, name: lead_days,"),
    ],
)
def test_another_structure_is_another_task(old: str, new: str) -> None:
    assert distance(ORIGINAL, changed((old, new))) == math.inf


def test_the_shipped_corpus_has_no_near_repeats() -> None:
    drawn = {path.stem: outline(load_spec(path), VOCABULARY) for path in TASKS.glob("*.yaml")}
    assert near_pairs(drawn) == []


def test_pairs_are_found_in_a_crowd_nearest_first() -> None:
    drawn = {
        "original": ORIGINAL,
        "near": changed(("train: 160", "train: 170")),
        "same": changed((SEED, "random_seed: 24")),
        "other": changed(("metric: average_precision", "metric: roc_auc")),
    }
    assert [(pair.one, pair.other) for pair in near_pairs(drawn)] == [
        ("original", "same"),
        ("near", "same"),
        ("original", "near"),
    ]
    assert first_near(drawn["same"], drawn) == "original"
    assert first_near(drawn["other"], {"original": ORIGINAL}) is None


def test_a_formula_is_known_by_which_factors_stand_where_not_by_their_names() -> None:
    score = "log1p(lead_days)"
    twice = changed((score, "rate * (guests + rate)")).structure
    renamed = changed(
        (score, "price * (guests + price)"),
        ("  rate: {kind", "  price: {kind"),
        ("of: rate}", "of: price}"),
    ).structure
    assert renamed == twice
    assert changed((score, "rate * (guests + guests)")).structure != twice
