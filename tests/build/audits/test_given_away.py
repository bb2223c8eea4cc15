"""A description that names the rule, a hidden factor, the noise or an answer is found out."""

from __future__ import annotations

import dataclasses

import pytest

from sandmle.build.audits.given_away import formulas, kinds
from sandmle.build.prepare import Prepared
from sandmle.spec.model import WordUse
from tests.build.audits.planting import caught, found, passes
from tests.build.audits.tasks import SHAPES, holds, task


def telling(prepared: Prepared, story: str) -> Prepared:
    """The task with another story, in its spec and in its description."""
    path = prepared.public / "description.md"
    text = path.read_text()
    path.write_text(text.replace(prepared.spec.narrative.story, story))
    narrative = dataclasses.replace(prepared.spec.narrative, story=story)
    spec = dataclasses.replace(prepared.spec, narrative=narrative)
    return dataclasses.replace(prepared, spec=spec)


@pytest.mark.parametrize("shape", SHAPES)
def test_sound_descriptions(shape: str) -> None:
    holds("given_away", shape)


@pytest.mark.parametrize(
    ("story", "evidence"),
    [
        ("Damage goes by sign_product.", "rule sign_product"),
        ("Damage goes by the sign product of two columns.", "rule sign_product"),
        ("It is the Sign-Product that counts.", "rule sign_product"),
        ("Mind the label_flip in what is recorded.", "noise label_flip"),
        ("Records suffer from a label flip now and then.", "noise label_flip"),
        ("What counts is the crack width times the axle load.", "what it reckons: What counts"),
        ("Half of them fail: we cut at the 0.5 quantile.", "where it cuts: 0.5"),
        ("The worst 50% need repair.", "where it cuts: 0.5"),
        ("It all depends on `crack`, which nobody measured.", "factor crack"),
        ("Only `load` and its friends matter.", "factor load"),
    ],
)
def test_stories_that_tell(story: str, evidence: str, prepared: Prepared) -> None:
    assert evidence in caught("given_away", telling(prepared, story))


@pytest.mark.parametrize(
    "story",
    [
        "Which segments crack under their load before the winter?",
        "A flip of the coin says what is labelled; the product is a sign.",
        "A crack is wider under a load, three times out of ten.",
        "Half a million segments, 0.55 m wide, of which 150% more are looked at than before.",
        "The columns `crack_width` and `axle_load` come from a van.",
    ],
)
def test_ordinary_words_tell_nothing(story: str, prepared: Prepared) -> None:
    passes("given_away", telling(prepared, story))


def test_a_rule_of_one_word(prepared: Prepared) -> None:
    for kind, story, is_told in (
        ("parity", "The workshop calls it parity.", True),
        ("between", "Segments lie between two junctions.", False),
        ("between", "It is between two marks of `crack_width`.", True),
    ):
        rule = WordUse(kind, {}, ("hidden", "rule"))
        target = dataclasses.replace(prepared.spec.targets[0], rule=rule)
        spec = dataclasses.replace(prepared.spec, targets=(target,))
        told = telling(dataclasses.replace(prepared, spec=spec), story)
        assert found("given_away", told).passed != is_told, story
        telling(told, prepared.spec.narrative.story)


def test_a_formula(prepared: Prepared) -> None:
    easy = task("numbers")
    rule = easy.spec.targets[0].rule
    target = dataclasses.replace(prepared.spec.targets[0], rule=rule)
    spec = dataclasses.replace(prepared.spec, targets=(target,))
    told = telling(dataclasses.replace(prepared, spec=spec), "Damage is crack*load, they say.")
    assert "formula crack * load" in caught("given_away", told)


def test_an_id_of_the_test_set(prepared: Prepared) -> None:
    shown = prepared.dataset.ids[~prepared.dataset.train][3]
    assert f"id {shown}" in caught("given_away", telling(prepared, f"Segment {shown} is broken."))


def test_words_within_words_and_formulas_within_lists() -> None:
    inner = {"kind": "ratio", "numerator": "crack"}
    use = WordUse("gate", {"rules": [inner, {"kind": "formula", "score": "crack / load"}]}, ())
    assert list(kinds(use)) == ["gate", "ratio", "formula"]
    assert list(formulas(use, frozenset({"crack"}))) == ["crack / load"]
