"""References: what a word's parameters refer to, along their fragments."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from sandmle.spec.model import WordUse
from sandmle.spec.references import (
    Reference,
    Slot,
    all_slots,
    factor_references,
    nested_use,
    slots,
)
from sandmle.vocabulary import Word, load_vocabulary

VOCABULARY = load_vocabulary()


def word(parameters: Mapping[str, Any], folder: str = "observe", **traits: Any) -> Word:
    return Word(
        folder=folder,
        name="made",
        path=Path("made.py"),
        summary="",
        docstring="",
        parameters=MappingProxyType(dict(parameters)),
        required=(),
        traits=MappingProxyType(traits),
        digest="",
    )


def ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}


def found(fragment: Mapping[str, Any], value: Any) -> list[tuple[Any, ...]]:
    use = WordUse("made", {"p": value}, ("observe", 0))
    return [
        (slot.path[2:], slot.value, slot.definitions) for slot in slots(use, word({"p": fragment}))
    ]


@pytest.mark.parametrize(
    ("fragment", "value", "expected"),
    [
        (ref("factor"), "a", [(("p",), "a", ("factor",))]),
        ({**ref("number_factor"), "description": "x"}, "a", [(("p",), "a", ("number_factor",))]),
        ({"type": "string"}, "a", []),
        (
            {"type": "array", "items": ref("number_factor")},
            ["a", "b"],
            [(("p", 0), "a", ("number_factor",)), (("p", 1), "b", ("number_factor",))],
        ),
        (
            {"type": "array", "prefixItems": [ref("name")], "items": ref("factor")},
            ["x", "a"],
            [(("p", 0), "x", ("name",)), (("p", 1), "a", ("factor",))],
        ),
        (
            {"type": "object", "properties": {"of": ref("factor"), "k": {"type": "string"}}},
            {"of": "a", "k": "b"},
            [(("p", "of"), "a", ("factor",))],
        ),
        (
            {"type": "object", "additionalProperties": ref("formula")},
            {"x": "a + b"},
            [(("p", "x"), "a + b", ("formula",))],
        ),
        (
            {"anyOf": [ref("number_factor"), ref("category_factor")]},
            "a",
            [(("p",), "a", ("number_factor", "category_factor"))],
        ),
        ({"anyOf": [{"type": "number"}, ref("number_factor")]}, 3, []),
        (
            {"anyOf": [{"type": "number"}, ref("number_factor")]},
            "a",
            [(("p",), "a", ("number_factor",))],
        ),
        (
            {"oneOf": [{"type": "array", "items": ref("column")}, {"type": "integer"}]},
            ["x"],
            [(("p", 0), "x", ("column",))],
        ),
        (ref("rule"), {"kind": "xor"}, [(("p",), {"kind": "xor"}, ("rule",))]),
        (ref("rule"), "xor", []),
        (ref("factor"), 3, []),
        ({"type": "array", "items": ref("factor")}, "a", []),
    ],
)
def test_slots_are_found_along_the_fragment(
    fragment: Mapping[str, Any], value: Any, expected: list[Any]
) -> None:
    assert found(fragment, value) == expected


def test_noise_on_a_factor_refers_to_it() -> None:
    use = WordUse("made", {"factor": "a"}, ("noise", 0))
    made = word({}, "noise", DISTURBS="factor", TAKES=["number", "series"])
    assert list(slots(use, made)) == [
        Slot(("noise", 0, "factor"), "a", ("number_factor", "series_factor"))
    ]
    made = word({}, "noise", DISTURBS="factor")
    assert next(slots(use, made)).definitions == ("factor",)


def test_nested_uses_and_formulas_are_entered() -> None:
    rule = {
        "left": {"kind": "formula", "score": "a + 2 * b"},
        "right": {"kind": "parity", "of": ["c", "d"]},
    }
    use = WordUse("xor", rule, ("hidden", "rule"))
    assert factor_references(use, VOCABULARY.word("hidden", "xor"), VOCABULARY) == (
        Reference(("hidden", "rule", "left", "score"), "a", (), 0),
        Reference(("hidden", "rule", "left", "score"), "b", (), 8),
        Reference(("hidden", "rule", "right", "of", 0), "c", ("number",)),
        Reference(("hidden", "rule", "right", "of", 1), "d", ("number",)),
    )


def test_any_factor_will_do_for_a_plain_reference() -> None:
    use = WordUse("column", {"name": "x", "of": "a"}, ("observe", 0))
    (reference,) = factor_references(use, VOCABULARY.word("observe", "column"), VOCABULARY)
    assert reference == Reference(("observe", 0, "of"), "a", ())


def test_unknown_nested_uses_are_not_entered() -> None:
    use = WordUse("xor", {"left": {"kind": "nonsense", "of": "a"}, "right": {}}, ("hidden",))
    slots_found = list(all_slots(use, VOCABULARY.word("hidden", "xor"), VOCABULARY))
    assert [slot.path[-1] for slot in slots_found] == ["left", "right"]
    assert nested_use(slots_found[1]) is None


def test_every_reference_of_the_vocabulary_is_one_that_is_resolved() -> None:
    known = {"name", "column", "factor", "formula", "rule", "metric"}
    types = {str(word.traits["YIELDS"]) for word in VOCABULARY.folder("factors").values()}
    known |= {f"{kind}_factor" for kind in types}

    def targets(fragment: Any) -> set[str]:
        if isinstance(fragment, Mapping):
            own = {fragment["$ref"]} if "$ref" in fragment else set()
            return own.union(*(targets(value) for value in fragment.values()))
        if isinstance(fragment, (list, tuple)):
            return set().union(*(targets(value) for value in fragment))
        return set()

    for words in VOCABULARY.words.values():
        for name, made in words.items():
            wrong = targets(made.parameters) - {f"#/$defs/{target}" for target in known}
            assert not wrong, name
