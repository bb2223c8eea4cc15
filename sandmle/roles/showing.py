"""The observe words of a draft: one for a factor, for several in a code, for all on a carrier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sandmle.roles.chance import pick
from sandmle.roles.filling import Filler, Slot, UnfillableError, factor_slots
from sandmle.vocabulary import Vocabulary, Word


def column_use(filler: Filler, vocabulary: Vocabulary, name: str, kind: str) -> dict[str, Any]:
    """A column that shows the factor `name`: by the word that suits its `kind`, else the plainest.

    Raises UnfillableError where the vocabulary shows no factor of any type as a column.
    """
    words = [
        (word, slots[0])
        for word in vocabulary.folder("observe").values()
        if word.traits["WRITES"] == "columns" and "name" in word.parameters
        if len(slots := list(factor_slots(word))) == 1
    ]
    suiting = [(word, slot) for word, slot in words if kind in slot.suits]
    plain = [(word, slot) for word, slot in words if slot.type == "factor"]
    if not suiting and not plain:
        raise UnfillableError("no observe word shows a factor of any type as a column")
    word, slot = (suiting or plain)[0]
    return filler.fill(word, {"name": name, slot.name: name})


def code_words(vocabulary: Vocabulary) -> list[tuple[Word, Slot]]:
    """Observe words that join several factors of any type into one column, with their slot."""
    found = []
    for word in vocabulary.folder("observe").values():
        slots = list(factor_slots(word))
        is_list = bool(slots) and all(slot.path[0] == slots[0].path[0] for slot in slots)
        if is_list and len(slots) > 1 and slots[0].type == "factor":
            found.append((word, slots[0]))
    return found


def code_use(
    filler: Filler, vocabulary: Vocabulary, name: str, factors: Sequence[str]
) -> dict[str, Any]:
    """A column `name` of codes that join `factors`, by one of code_words."""
    word, slot = pick(filler.rng, code_words(vocabulary))
    return filler.fill(word, {"name": name, slot.name: list(factors)})


def carrier_use(
    filler: Filler,
    carrier: Word,
    offers: Mapping[str, Any],
    channels: Mapping[tuple[str | int, ...], str],
) -> dict[str, Any]:
    """A use of `carrier` whose `channels`, by path, show factors.

    `offers` are the parameters that it takes from the domain; of lists and objects with channels
    only those parts are kept whose channel shows something.
    """
    holding = {slot.path[0] for slot in factor_slots(carrier)}
    given = {
        name: value
        for name, value in offers.items()
        if name in (*carrier.parameters, "file") and name not in holding
    }
    for path in sorted(channels, key=str):
        first, *rest = path
        if not rest:
            given[str(first)] = channels[path]
        elif isinstance(rest[0], int):
            entries = offers.get(str(first), ())
            entry = dict(entries[rest[0]]) if rest[0] < len(entries) else {}
            for step in rest[1:]:
                entry[str(step)] = channels[path]
            given.setdefault(str(first), []).append(entry if rest[1:] else channels[path])
        else:
            given[str(first)] = {**offers.get(str(first), {}), str(rest[0]): channels[path]}
    return filler.fill(carrier, given)
