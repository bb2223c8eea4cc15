"""Filling in a word's parameters, from what its own schema fragments say they take.

A fragment's `examples` are the values that suit a draft, the easiest first; for a factor they name
factor words that suit, for a list of factors their lengths say how many, and for a nested rule or
metric those that may stand there (without any, drafts leave the word to authors). Without examples
a value is drawn from the `enum`, or between `minimum` and `maximum`; a column is called as its
parameter; optional parameters without examples are left out. So a new word is drafted without a
line of code here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sandmle.roles.chance import pick
from sandmle.vocabulary import Word

_PREFIX = "#/$defs/"

#: The definition that stands for a factor of any type; those of one type end in it.
_FACTOR = "factor"


class UnfillableError(Exception):
    """A parameter that can't be filled: it says which, and why."""


@dataclass(frozen=True)
class Slot:
    """A place for a factor in a word's parameters.

    `path` leads to it through objects and lists; `type` is number, category, text, ..., or factor
    for any; `suits` are factor words that it wants, empty for any. `owner` is its word.
    """

    path: tuple[str | int, ...]
    type: str
    suits: tuple[str, ...]
    required: bool
    owner: Word

    @property
    def name(self) -> str:
        """The name of the parameter, or of the list, that holds the factor."""
        return next(str(step) for step in reversed(self.path) if isinstance(step, str))


@dataclass(frozen=True)
class Filler:
    """Fills in words. `factor` and `rule` give what stands in slots for them.

    `difficulty` in [0, 1] says how far down their examples values are taken from. `factor` gets the
    slot and returns a factor's name; `rule` gets the names of rules that suit and returns a use of
    one. Both may raise UnfillableError.
    """

    rng: np.random.Generator
    difficulty: float
    factor: Callable[[Slot], str]
    rule: Callable[[Sequence[str]], dict[str, Any]]

    def fill(self, word: Word, offers: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """A use of `word`: {kind: ..., parameters}.

        `offers` are parameters to take as they are; an object or a list among them may be
        partial, its gaps are filled. Raises UnfillableError where a parameter can't be.
        """
        offers = offers or {}
        use: dict[str, Any] = {"kind": word.name}
        if "file" in offers and word.traits.get("WRITES") != "columns":
            use["file"] = offers["file"]
        for name, fragment in word.parameters.items():
            required = name in word.required
            if name in offers or required or _is_drawn(fragment):
                use[name] = self._value((name,), fragment, offers.get(name), required, word)
        return use

    def _value(
        self,
        path: tuple[str | int, ...],
        fragment: Mapping[str, Any],
        offer: Any,
        required: bool,
        word: Word,
    ) -> Any:
        definition = definition_of(fragment)
        if definition in ("rule", "metric") and offer is not None:
            return offer
        if definition == "rule":
            return self.rule([example["kind"] for example in fragment.get("examples", ())])
        if definition == "name" and offer is None:
            return _column_name(path)
        if _is_factor(definition) and offer is None:
            return self.factor(_slot(path, definition, fragment, required, word))
        if isinstance(offer, Mapping):
            return self._object(path, fragment, offer, word)
        items = fragment.get("items")
        if isinstance(items, Mapping) and holds_reference(items):
            return self._list(path, fragment, offer, required, word)
        if offer is not None:
            return offer
        if fragment.get("type") == "object":
            return self._object(path, fragment, {}, word)
        return self._plain(path, fragment, word)

    def _object(
        self,
        path: tuple[str | int, ...],
        fragment: Mapping[str, Any],
        offer: Mapping[str, Any],
        word: Word,
    ) -> dict[str, Any]:
        required = fragment.get("required", ())
        return {
            name: self._value((*path, name), inner, offer.get(name), True, word)
            for name, inner in fragment.get("properties", {}).items()
            if name in offer or name in required or _is_drawn(inner)
        }

    def _list(
        self,
        path: tuple[str | int, ...],
        fragment: Mapping[str, Any],
        offer: Sequence[Any] | None,
        required: bool,
        word: Word,
    ) -> list[Any]:
        """A list of factors, rules or objects; as many as offered, else as many as suit."""
        offers = list(offer) if offer is not None else [None] * self._length(fragment)
        return [
            self._value((*path, index), fragment["items"], item, required, word)
            for index, item in enumerate(offers)
        ]

    def _length(self, fragment: Mapping[str, Any]) -> int:
        examples = fragment.get("examples")
        if examples:
            return len(self._graded(examples))
        least = max(1, fragment.get("minItems", 1))
        return int(self.rng.integers(least, min(least + 1, fragment.get("maxItems", least)) + 1))

    def _graded(self, examples: Sequence[Any]) -> Any:
        """An example about as hard as wanted."""
        place = self.difficulty * (len(examples) - 1) + self.rng.uniform(-0.5, 0.5)
        return examples[int(np.clip(round(place), 0, len(examples) - 1))]

    def _plain(self, path: tuple[str | int, ...], fragment: Mapping[str, Any], word: Word) -> Any:
        if fragment.get("examples"):
            return self._graded(fragment["examples"])
        if fragment.get("enum"):
            return pick(self.rng, fragment["enum"])
        if "default" in fragment:
            return fragment["default"]
        if "minimum" in fragment and "maximum" in fragment:
            low, high = fragment["minimum"], fragment["maximum"]
            if fragment.get("type") == "integer":
                return int(self.rng.integers(low, high, endpoint=True))
            return round(float(self.rng.uniform(low, high)), 2)
        raise UnfillableError(f"nothing says what {word.name}.{'.'.join(map(str, path))} should be")


def plain_filler(rng: np.random.Generator, difficulty: float) -> Filler:
    """A filler that has no factors and no rules to give: what is not offered is plain data."""

    def nothing(*_slot: object) -> Any:
        raise UnfillableError("no factor and no rule stands here by itself")

    return Filler(rng, difficulty, factor=nothing, rule=nothing)


def factor_slots(word: Word, offers: Mapping[str, Any] | None = None) -> Iterator[Slot]:
    """The places for factors in a word's parameters.

    A list has as many places as `offers` has entries for it, else as few as it may have, but one.
    """
    for name, fragment in word.parameters.items():
        offer = (offers or {}).get(name)
        yield from _slots((name,), fragment, offer, name in word.required, word)


def factors_read(word: Word) -> int:
    """How many factors a rule looks at where it is easiest: as many as its shortest lists hold,
    and two for each rule nested in it.
    """
    shortest = {
        name: [None] * max(len((fragment.get("examples") or [()])[0]), fragment.get("minItems", 1))
        for name, fragment in word.parameters.items()
        if isinstance(fragment.get("items"), Mapping) and holds_reference(fragment["items"])
    }
    nested = sum(
        len(shortest.get(name, [None]))
        for name, fragment in word.parameters.items()
        if "rule" in _references(fragment)
    )
    return sum(slot.required for slot in factor_slots(word, shortest)) + 2 * nested


def has_definition(word: Word, definition: str) -> bool:
    """Whether any parameter of the word refers to `definition` (rule, formula, name, ...)."""
    return any(definition in _references(fragment) for fragment in word.parameters.values())


def _slots(
    path: tuple[str | int, ...],
    fragment: Mapping[str, Any],
    offer: Any,
    required: bool,
    word: Word,
) -> Iterator[Slot]:
    definition = definition_of(fragment)
    if _is_factor(definition):
        yield _slot(path, definition, fragment, required, word)
    for name, inner in fragment.get("properties", {}).items():
        known = offer.get(name) if isinstance(offer, Mapping) else None
        needed = required and name in fragment.get("required", ())
        yield from _slots((*path, name), inner, known, needed, word)
    if isinstance(fragment.get("items"), Mapping):
        entries = offer if isinstance(offer, Sequence) else [None] * fragment.get("minItems", 1)
        for index, entry in enumerate(entries):
            yield from _slots((*path, index), fragment["items"], entry, required, word)


def _slot(
    path: tuple[str | int, ...],
    definition: str,
    fragment: Mapping[str, Any],
    required: bool,
    word: Word,
) -> Slot:
    suits = tuple(fragment.get("examples", ()))
    return Slot(path, definition.removesuffix("_factor"), suits, required, word)


def _column_name(path: tuple[str | int, ...]) -> str:
    """step for the parameter step, columns_2 for the second of a list of columns."""
    return "_".join(str(step + 1) if isinstance(step, int) else step for step in path[:2])


def _is_factor(definition: str) -> bool:
    return definition == _FACTOR or definition.endswith(f"_{_FACTOR}")


def definition_of(fragment: Mapping[str, Any]) -> str:
    """What a fragment refers to (number_factor, rule, name, ...), empty where it is plain data.

    Of alternatives it is the first that refers to anything.
    """
    options = (fragment, *fragment.get("anyOf", ()))
    found = next((option["$ref"] for option in options if "$ref" in option), "")
    return str(found).removeprefix(_PREFIX)


def _references(fragment: Any) -> set[str]:
    """Every definition that a fragment refers to, at any depth."""
    if isinstance(fragment, Mapping):
        found = {definition_of(fragment)} if "$ref" in fragment else set()
        return found.union(*(_references(value) for value in fragment.values()))
    if isinstance(fragment, (list, tuple)):
        return set().union(*(_references(value) for value in fragment))
    return set()


def holds_reference(fragment: Mapping[str, Any]) -> bool:
    """Whether a fragment refers to factors, rules or the like, at any depth."""
    return bool(_references(fragment) - {"name", "column"})


def _is_drawn(fragment: Mapping[str, Any]) -> bool:
    """Whether a draft sets a parameter that it could leave out: plain data with examples."""
    return "examples" in fragment and not _references(fragment)
