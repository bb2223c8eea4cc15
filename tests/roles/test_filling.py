"""Filling in words: every parameter follows from what the word says of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sandmle.roles.filling import Filler, Slot, UnfillableError, factor_slots, has_definition
from sandmle.vocabulary import Word

NUMBER = {"$ref": "#/$defs/number_factor"}


def word(parameters: Mapping[str, Any], *, optional: tuple[str, ...] = ()) -> Word:
    return Word(
        folder="hidden",
        name="made_up",
        path=Path("made_up.py"),
        summary="",
        docstring="",
        parameters=parameters,
        required=tuple(name for name in parameters if name not in optional),
        traits={"YIELDS": "number"},
        digest="",
    )


def filler(seed: int = 0, difficulty: float = 0.5) -> Filler:
    def factor(slot: Slot) -> str:
        return "_".join(map(str, (slot.type, *slot.path)))

    rng = np.random.default_rng(seed)
    return Filler(
        rng, difficulty, factor=factor, rule=lambda suits: {"kind": "inner", "among": suits}
    )


def test_examples_come_before_enum_before_bounds() -> None:
    use = filler().fill(
        word(
            {
                "example": {"type": "number", "minimum": 0, "maximum": 99, "examples": [7]},
                "choice": {"enum": ["only"]},
                "whole": {"type": "integer", "minimum": 3, "maximum": 3},
                "share": {"type": "number", "minimum": 0.25, "maximum": 0.25},
            }
        )
    )
    assert use == {"kind": "made_up", "example": 7, "choice": "only", "whole": 3, "share": 0.25}


def test_examples_are_taken_as_far_down_as_the_difficulty_says() -> None:
    dial = word({"dial": {"type": "integer", "examples": [1, 2, 3, 4, 5]}})
    easy, middle, hard = (
        {filler(seed, difficulty).fill(dial)["dial"] for seed in range(30)}
        for difficulty in (0.0, 0.5, 1.0)
    )
    assert easy == {1}
    assert middle == {3}
    assert hard == {5}


def test_optional_parameters_are_left_out_unless_they_have_examples() -> None:
    optional = {
        "silent": {"type": "number", "minimum": 0, "maximum": 1},
        "dial": {"type": "number", "examples": [2]},
        "extra": {**NUMBER, "examples": ["timestamp"]},
    }
    assert filler().fill(word(optional, optional=tuple(optional))) == {"kind": "made_up", "dial": 2}


def test_a_parameter_that_nothing_bounds_is_refused_by_name() -> None:
    with pytest.raises(UnfillableError, match=r"made_up\.step"):
        filler().fill(word({"step": {"type": "number", "exclusiveMinimum": 0}}))


def test_offers_are_taken_and_their_gaps_filled() -> None:
    parameters = {
        "mentions": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["words", "count"],
                "properties": {"words": {"type": "array"}, "count": NUMBER, "most": {}},
            },
        },
        "name": {"$ref": "#/$defs/name"},
    }
    use = filler().fill(word(parameters), {"mentions": [{"words": ["a"]}], "name": "note"})
    assert use["mentions"] == [{"words": ["a"], "count": "number_mentions_0_count"}]
    assert use["name"] == "note"


def test_the_length_of_a_list_of_factors_follows_its_examples() -> None:
    three = {"type": "array", "items": NUMBER, "examples": [["a", "b", "c"]]}
    assert len(filler().fill(word({"of": three}))["of"]) == 3
    free = {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 9}
    lengths = {len(filler(seed).fill(word({"of": free}))["of"]) for seed in range(20)}
    assert lengths == {2, 3}
    assert len(filler().fill(word({"of": free}), {"of": [None] * 7})["of"]) == 7


def test_nested_rules_are_chosen_among_their_examples() -> None:
    inside = {"$ref": "#/$defs/rule", "examples": [{"kind": "ratio"}, {"kind": "parity"}]}
    rules = {"type": "array", "items": inside, "minItems": 2, "maxItems": 2}
    use = filler().fill(word({"of": rules, "when": {"$ref": "#/$defs/rule"}}))
    assert use["of"] == [{"kind": "inner", "among": ["ratio", "parity"]}] * 2
    assert use["when"] == {"kind": "inner", "among": []}


def test_slots_say_where_what_and_whether_needed() -> None:
    made = word(
        {
            "over": {**NUMBER, "examples": ["timestamp"]},
            "topic": {
                "type": "object",
                "required": ["of"],
                "properties": {"of": {"$ref": "#/$defs/category_factor"}},
            },
        },
        optional=("topic",),
    )
    over, topic = factor_slots(made)
    assert (over.name, over.type, over.suits, over.required) == (
        "over",
        "number",
        ("timestamp",),
        True,
    )
    assert (topic.path, topic.type, topic.required) == (("topic", "of"), "category", False)


def test_definitions_are_found_at_any_depth() -> None:
    nested = word({"of": {"type": "array", "items": {"$ref": "#/$defs/rule"}}})
    assert has_definition(nested, "rule")
    assert not has_definition(nested, "formula")
