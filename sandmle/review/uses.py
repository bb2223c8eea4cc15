"""What changed in one use of a word: its kind, its parameters, the words nested in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sandmle.review.alignment import align
from sandmle.review.values import list_change, same, same_formula, shown
from sandmle.spec.model import WordUse
from sandmle.spec.references import NESTED, Slot, nested_use, slots
from sandmle.spec.yaml_source import DataPath, dotted
from sandmle.vocabulary import Vocabulary, Word


@dataclass(frozen=True)
class Change:
    """One change of meaning. `where` is its place in the new spec, or in the old one if it went.

    `text` says it in words; `before` and `after` are plain data, None where there is none.
    """

    where: str
    text: str
    before: Any = None
    after: Any = None


def given(use: WordUse, word: Word) -> dict[str, Any]:
    """A use's parameters with the defaults of those left out, in the order of the word."""
    defaults = {
        name: fragment["default"]
        for name, fragment in word.parameters.items()
        if fragment.get("default") is not None
    }
    if word.traits.get("DISTURBS") == "labels":
        defaults["split"] = "train"
    return {**defaults, **use.parameters}


def described(use: WordUse, folder: str, vocabulary: Vocabulary, *, kind: bool = True) -> str:
    """A use in words: its kind, the factors that it looks at, and parameters that are given.

    Words nested in it are told in the same way.
    """
    word = vocabulary.word(folder, use.kind)
    factors: dict[str, None] = {}
    nested: dict[str, list[str]] = {}
    told: set[str | int] = {"file"}
    for slot in slots(use, word):
        name, inner = slot.path[len(use.path)], nested_use(slot)
        if slot.definitions != ("formula",):
            told.add(name)
        if slot.is_factor:
            factors[slot.value] = None
        elif inner is not None:
            inside = described(inner, NESTED[slot.definitions[0]], vocabulary)
            nested.setdefault(str(name), []).append(inside)
    others = [f"{name} {'; '.join(words)}" for name, words in nested.items()]
    others += [
        f"{name} {shown(value)}"
        for name, value in use.parameters.items()
        if name not in told and not same(value, word.parameters.get(name, {}).get("default"))
    ]
    parts = [use.kind] if kind else []
    parts += [f"of {', '.join(factors)}"] if factors else []
    listed = ", ".join(others)
    parts += [(f"({listed})" if parts else listed)] if others else []
    return " ".join(parts)


def use_changes(
    folder: str, old: WordUse, new: WordUse, subject: str, vocabulary: Vocabulary, dial: str = ""
) -> Iterator[Change]:
    """The changes from one use of a word to another, each beginning with `subject`.

    `dial` is a parameter that goes without its name: the subject says enough.
    """
    if old.kind != new.kind:
        told = " -> ".join(described(use, folder, vocabulary) for use in (old, new))
        yield Change(dotted(new.path), f"{subject} {told}", use_data(old), use_data(new))
        return
    word = vocabulary.word(folder, new.kind)
    walk = _Walk(subject, dial, _by_path(old, word), _by_path(new, word), vocabulary)
    before, after = given(old, word), given(new, word)
    for name in dict.fromkeys([*word.parameters, *after, *before]):
        places = (*old.path, name), (*new.path, name)
        yield from walk.entry(before, after, name, places, name)


@dataclass(frozen=True)
class _Walk:
    """A walk through the parameters of two uses of one word, with the references in both."""

    subject: str
    dial: str
    old_slots: Mapping[DataPath, Slot]
    new_slots: Mapping[DataPath, Slot]
    vocabulary: Vocabulary

    def entry(
        self, old: Any, new: Any, key: str, places: tuple[DataPath, DataPath], label: str
    ) -> Iterator[Change]:
        """One entry of two mappings, which may be in one of them only."""
        if key in old and key in new:
            yield from self.value(old[key], new[key], places, label)
        elif key in new:
            text = f"{label} {shown(new[key])} added"
            yield self.change(places[1], text, None, new[key])
        elif key in old:
            text = f"{label} {shown(old[key])} removed"
            yield self.change(places[0], text, old[key], None)

    def value(
        self, old: Any, new: Any, places: tuple[DataPath, DataPath], label: str
    ) -> Iterator[Change]:
        """Two values of one parameter, or of one place inside it."""
        nested = self.nested(*places)
        if nested is not None:
            subject = f"{self.subject}, {label}:"
            folder, before, after = nested
            yield from use_changes(folder, before, after, subject, self.vocabulary)
        elif self.is_formula(*places):
            if not same_formula(old, new):
                yield self.change(places[1], f'{label} "{old}" -> "{new}"', old, new)
        elif isinstance(old, Mapping) and isinstance(new, Mapping):
            for key in dict.fromkeys([*new, *old]):
                inner = (*places[0], key), (*places[1], key)
                yield from self.entry(old, new, key, inner, f"{label}.{key}")
        elif isinstance(old, (list, tuple)) and isinstance(new, (list, tuple)):
            yield from self.items(list(old), list(new), places, label)
        elif not same(old, new):
            bare = label == self.dial
            text = f"{'' if bare else f'{label} '}{shown(old)} -> {shown(new)}"
            yield self.change(places[1], text, old, new, bare=bare)

    def items(
        self, old: list[Any], new: list[Any], places: tuple[DataPath, DataPath], label: str
    ) -> Iterator[Change]:
        """Two lists: of plain values as a whole, of mappings item by item."""
        if same(old, new):
            return
        if not all(isinstance(item, Mapping) for item in (*old, *new)):
            yield self.change(places[1], f"{label} {list_change(old, new)}", old, new)
            return
        pairs, came, went = align(old, new, likeness)
        for i, j in pairs:
            inner = (*places[0], i), (*places[1], j)
            yield from self.value(old[i], new[j], inner, f"{label}[{j}]")
        for i in went:
            place = (*places[0], i)
            yield self.change(place, f"{label}[{i}] {shown(old[i])} removed", old[i], None)
        for j in came:
            place = (*places[1], j)
            yield self.change(place, f"{label}[{j}] {shown(new[j])} added", None, new[j])
        if [j for _, j in pairs] != sorted(j for _, j in pairs):
            yield self.change(places[1], f"{label} in another order", old, new)

    def change(
        self, place: DataPath, text: str, before: Any, after: Any, *, bare: bool = False
    ) -> Change:
        joint = "" if bare or self.subject.endswith(":") else ":"
        return Change(dotted(place), f"{self.subject}{joint} {text}", before, after)

    def nested(self, old: DataPath, new: DataPath) -> tuple[str, WordUse, WordUse] | None:
        """The folder of two words nested at places, and their uses."""
        slot, other = self.old_slots.get(old), self.new_slots.get(new)
        if slot is None or other is None:
            return None
        before, after = nested_use(slot), nested_use(other)
        if before is None or after is None:
            return None
        return NESTED[other.definitions[0]], before, after

    def is_formula(self, old: DataPath, new: DataPath) -> bool:
        found = [self.old_slots.get(old), self.new_slots.get(new)]
        return all(slot is not None and slot.definitions == ("formula",) for slot in found)


def _by_path(use: WordUse, word: Word) -> dict[DataPath, Slot]:
    whole = WordUse(use.kind, given(use, word), use.path)
    return {slot.path: slot for slot in slots(whole, word)}


def likeness(one: Mapping[str, Any], other: Mapping[str, Any]) -> float:
    """How alike two mappings in a list are: the share of entries that are the same."""
    keys = one.keys() | other.keys()
    alike = sum(key in one and key in other and same(one[key], other[key]) for key in keys)
    return alike / len(keys) if keys else 1.0


def use_data(use: WordUse) -> dict[str, Any]:
    """A use as plain data."""
    return {"kind": use.kind, **use.parameters}
