"""Columns and noise: each of them tells something, and each can be reached."""

from __future__ import annotations

from collections.abc import Iterator

from sandmle.errors import Problem
from sandmle.spec.draft import Draft
from sandmle.spec.identity import canonical_json
from sandmle.spec.references import factor_references, slots
from sandmle.spec.yaml_source import DataPath, value_at


def duplicate_column(draft: Draft) -> Iterator[Problem]:
    """No two observe words show the same in the same way under two names."""
    first: dict[str, DataPath] = {}
    for use, word in draft.uses:
        if word.folder != "observe":
            continue
        names = {
            slot.path[len(use.path)] for slot in slots(use, word) if slot.definitions == ("name",)
        }
        shown = {
            key: value
            for key, value in sorted(use.parameters.items())
            if key != "file" and (key not in names or not isinstance(value, str))
        }
        if not factor_references(use, word, draft.vocabulary):
            continue
        key = canonical_json([use.kind, shown])
        if key in first:
            index = first[key][1]
            message = f"shows the same as observe[{index}]; remove one, or let it show more"
            yield draft.source.at_value(use.path, message)
        first.setdefault(key, use.path)


def unreachable_columns(draft: Draft) -> Iterator[Problem]:
    """A table that is joined by a key has columns of use only where another table has the key."""
    elsewhere: dict[DataPath, set[str]] = {
        use.path: {reference.name for reference in factor_references(use, word, draft.vocabulary)}
        for use, word in draft.uses
        if word.folder == "observe"
    }
    for use, word in draft.uses:
        if word.traits.get("WRITES") != "table":
            continue
        for slot in slots(use, word):
            is_key = "category_factor" in slot.definitions and len(slot.path) == 3
            shown = any(slot.value in names for at, names in elsewhere.items() if at != use.path)
            if is_key and not shown:
                message = (
                    f"nothing else shows factor {slot.value!r}, so that the table's columns "
                    "can't be joined to any row"
                )
                yield draft.source.at_value(slot.path, message)


def idle_noise(draft: Draft) -> Iterator[Problem]:
    """Noise that is turned down to nothing is left out."""
    for use, word in draft.uses:
        if word.folder != "noise":
            continue
        dials = [name for name in word.parameters if name in ("rate", "scale", "count", "share")]
        given = [name for name in dials if use.parameters.get(name) == 0]
        others = use.parameters.get("categories", 0)
        if dials and given == dials and not others:
            place = (*use.path, given[0])
            written = value_at(draft.source.data, place)
            message = f"{use.kind} with {given[0]} {written} does nothing; remove it"
            yield draft.source.at_value(place, message)
