"""What a word use refers to: the factors, formulas, nested words and columns in its parameters.

A word's fragments say which parameters are references ({"$ref": "#/$defs/number_factor"}), also
inside arrays, objects and alternatives; this module walks a use along them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sandmle.spec.formula import factor_names
from sandmle.spec.model import WordUse
from sandmle.spec.yaml_source import DataPath
from sandmle.vocabulary import Vocabulary, Word

_PREFIX = "#/$defs/"

#: How references are written, where not as a text.
_FORMS: Mapping[str, type | tuple[type, ...]] = {"rule": Mapping, "metric": (Mapping, str)}

#: The definitions that stand for a word inside a word, and the folders of such words.
NESTED: Mapping[str, str] = {"rule": "hidden", "metric": "metrics"}


@dataclass(frozen=True)
class Slot:
    """A value inside a word's parameters that is a reference.

    `definitions` are what it may be: `factor`, `number_factor`, ..., `formula`, `rule`, `metric`,
    `name` (a column that the word writes) or `column` (one that exists already); several only for
    alternatives such as a number or a category factor.
    """

    path: DataPath
    value: Any
    definitions: tuple[str, ...]

    @property
    def is_factor(self) -> bool:
        """Whether it names a factor."""
        return any(name.endswith("factor") for name in self.definitions)


@dataclass(frozen=True)
class Reference:
    """A factor that a word uses: where, its name, and the types that it may have there.

    `wanted` is empty where any type will do; a formula's own rules say which factors it takes.
    `offset` counts characters into the text at `path`; it is 0 outside formulas.
    """

    path: DataPath
    name: str
    wanted: tuple[str, ...]
    offset: int = 0


def slots(use: WordUse, word: Word) -> Iterator[Slot]:
    """The references in a word's own parameters, in their order; nested words are not entered."""
    for name, value in use.parameters.items():
        fragment = word.parameters.get(name)
        if fragment is not None:
            yield from _walk(value, fragment, (*use.path, name))
    if word.traits.get("DISTURBS") == "factor" and "factor" in use.parameters:
        takes = tuple(f"{kind}_factor" for kind in word.traits.get("TAKES", ()))
        yield Slot((*use.path, "factor"), use.parameters["factor"], takes or ("factor",))


def all_slots(use: WordUse, word: Word, vocabulary: Vocabulary) -> Iterator[Slot]:
    """The references of a word and of the words nested in it, outermost first.

    A nested word that is not a known one is given as a slot but not entered.
    """
    for slot in slots(use, word):
        yield slot
        nested = nested_use(slot)
        if nested is not None:
            inner = vocabulary.folder(NESTED[slot.definitions[0]]).get(nested.kind)
            if inner is not None:
                yield from all_slots(nested, inner, vocabulary)


def nested_use(slot: Slot) -> WordUse | None:
    """The rule or metric that a slot holds; None where it holds something else.

    It is {kind: ..., ...}; a metric may be a bare name too.
    """
    if slot.definitions not in [(name,) for name in NESTED]:
        return None
    if slot.definitions == ("metric",) and isinstance(slot.value, str):
        return WordUse(slot.value, {}, slot.path)
    if not isinstance(slot.value, Mapping) or not isinstance(slot.value.get("kind"), str):
        return None
    parameters = {name: value for name, value in slot.value.items() if name != "kind"}
    return WordUse(slot.value["kind"], parameters, slot.path)


def factor_references(use: WordUse, word: Word, vocabulary: Vocabulary) -> tuple[Reference, ...]:
    """The factors that a word uses, also in formulas and nested words, in order of appearance."""
    found: list[Reference] = []
    for slot in all_slots(use, word, vocabulary):
        if not isinstance(slot.value, str):
            continue
        if slot.definitions == ("formula",):
            for name, offset in factor_names(slot.value):
                found.append(Reference(slot.path, name, (), offset))
        elif slot.is_factor:
            any_type = "factor" in slot.definitions
            wanted = [name.removesuffix("_factor") for name in slot.definitions]
            found.append(Reference(slot.path, slot.value, () if any_type else tuple(wanted)))
    return tuple(found)


def _walk(value: Any, fragment: Mapping[str, Any], path: DataPath) -> Iterator[Slot]:
    """The references in a value, found along its schema fragment."""
    definitions = _definitions(fragment)
    if definitions:
        if isinstance(value, _FORMS.get(definitions[0], str)):
            yield Slot(path, value, definitions)
        return
    for option in (*fragment.get("anyOf", ()), *fragment.get("oneOf", ())):
        if _fits(value, option):
            yield from _walk(value, option, path)
    if isinstance(value, list):
        leading = fragment.get("prefixItems", ())
        for index, item in enumerate(value):
            inner = leading[index] if index < len(leading) else fragment.get("items", {})
            if isinstance(inner, Mapping):
                yield from _walk(item, inner, (*path, index))
    elif isinstance(value, Mapping):
        known = fragment.get("properties", {})
        for key, item in value.items():
            inner = known.get(key, fragment.get("additionalProperties", {}))
            if isinstance(inner, Mapping):
                yield from _walk(item, inner, (*path, key))


def _definitions(fragment: Mapping[str, Any]) -> tuple[str, ...]:
    """What a fragment refers to: one definition, several where all alternatives are texts."""
    target = fragment.get("$ref")
    if isinstance(target, str) and target.startswith(_PREFIX):
        return (target.removeprefix(_PREFIX),)
    options = [
        option
        for option in (*fragment.get("anyOf", ()), *fragment.get("oneOf", ()))
        if "$ref" in option
    ]
    found = tuple(name for option in options for name in _definitions(option))
    return found if len(found) > 1 and not NESTED.keys() & set(found) else ()


def _fits(value: Any, fragment: Mapping[str, Any]) -> bool:
    """Whether an alternative is meant for a value, by the JSON type alone."""
    if "$ref" in fragment:
        return isinstance(value, _FORMS.get(fragment["$ref"].removeprefix(_PREFIX), str))
    kinds = {"array": list, "object": Mapping, "string": str}
    return isinstance(value, kinds.get(fragment.get("type", ""), ()))
