"""Columns and files: what the observe words write, by names that do not collide."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sandmle.errors import Problem
from sandmle.spec.draft import Draft
from sandmle.spec.messages import suggestion
from sandmle.spec.model import WordUse
from sandmle.spec.references import slots
from sandmle.spec.yaml_source import DataPath, dotted
from sandmle.vocabulary import Word

#: Names that every compiled task uses itself.
RESERVED_COLUMNS = ("id",)
RESERVED_FILES = (
    "train.csv",
    "test.csv",
    "sample_submission.csv",
    "train_labels.csv",
    "answers.csv",
    "description.md",
)


def check_columns(draft: Draft) -> Iterator[Problem]:
    """No two columns of a table share a name, and none is called id or like a target."""
    taken: dict[tuple[str, str], str] = {}
    for target, path in draft.targets.items():
        if target in RESERVED_COLUMNS:
            place = path if len(path) > 1 else (*path, "target")
            yield draft.source.at_value(place, f"{target!r} is the name of the row's own column")
    for use, word in draft.sound_uses("observe"):
        table = "" if word.traits["WRITES"] == "columns" else str(use.parameters["file"])
        for path, name in named_columns(use, word):
            if name in RESERVED_COLUMNS:
                message = f"{name!r} is the name of the row's own column; choose another"
                yield draft.source.at_value(path, message)
            elif name in draft.targets:
                yield draft.source.at_value(path, f"{name!r} is the target's name; choose another")
            elif (table, name) in taken:
                message = f"column {name!r} is written by {taken[table, name]} already"
                yield draft.source.at_value(path, message)
            else:
                taken[table, name] = dotted(use.path)


def check_column_references(draft: Draft) -> Iterator[Problem]:
    """Noise words disturb, and the narrative explains, only columns that are there."""
    known = _main_columns(draft)
    if known is None:
        return
    for use, word in draft.uses:
        if word.folder != "noise":
            continue
        known |= {name for _, name in named_columns(use, word)}
        for slot in slots(use, word):
            if slot.definitions == ("column",) and draft.sound(*slot.path):
                yield from _unknown_column(draft, slot.path, slot.value, known)
    tables = [
        {name for _, name in named_columns(use, word)}
        for use, word in draft.uses
        if word.traits.get("WRITES") in ("rows", "table")
    ]
    if all(tables) and draft.sound("narrative", "columns"):
        known = known.union(RESERVED_COLUMNS, draft.targets, *tables)
        for name in draft.get("narrative", "columns"):
            yield from _unknown_column(draft, ("narrative", "columns", name), name, known)


def _unknown_column(draft: Draft, path: DataPath, name: str, known: set[str]) -> Iterator[Problem]:
    if name not in known:
        hint = suggestion(name, known) or f"; known are {', '.join(sorted(known))}"
        at = draft.source.at_key if path in draft.source.keys else draft.source.at_value
        yield at(path, f"unknown column {name!r}{hint}")


def _main_columns(draft: Draft) -> set[str] | None:
    """The columns that observe words write into the main table; None where they are not known."""
    columns = [
        {name for _, name in named_columns(use, word)}
        for use, word in draft.uses
        if word.traits.get("WRITES") == "columns"
    ]
    return set().union(*columns) if all(columns) and draft.knows_observers else None


def check_files(draft: Draft) -> Iterator[Problem]:
    """Files lie inside the task's folder, one for each sample where a sample has its own."""
    taken: dict[str, DataPath] = {}
    for use, word in draft.sound_uses("observe"):
        if word.traits["WRITES"] == "columns":
            continue
        path, file = (*use.path, "file"), str(use.parameters["file"])
        places = file.count("{id}")
        rest = file.replace("{id}", "").replace("{n}", "", 1)
        if "{" in rest or "}" in rest or ("{n}" in file and word.traits["WRITES"] != "files"):
            message = "the only placeholders are {id}, and {n} for several files a sample"
            yield draft.source.at_value(path, message)
        elif word.traits["WRITES"] == "files" and places != 1:
            message = f"{use.kind} writes a file a sample; put {{id}} once into its name"
            yield draft.source.at_value(path, message)
        elif word.traits["WRITES"] == "files" and ("{n}" in file) != _is_several(word):
            several = "several files a sample; put {n}" if _is_several(word) else "one; leave {n}"
            where = "into its name" if _is_several(word) else "out of its name"
            yield draft.source.at_value(path, f"{use.kind} writes {several} {where}")
        elif word.traits["WRITES"] in ("rows", "table") and places:
            message = f"{use.kind} writes one table for all samples; remove {{id}}"
            yield draft.source.at_value(path, message)
        elif file.lower() in RESERVED_FILES:
            yield draft.source.at_value(path, f"{file!r} is a file of every task; choose another")
        elif file.lower() in taken:
            other = taken[file.lower()]
            yield draft.source.at_value(path, f"{file!r} is written by {dotted(other)} too")
        else:
            taken[file.lower()] = use.path


def _is_several(word: Word) -> bool:
    """Whether a word writes several files a sample."""
    return bool(word.traits.get("SEVERAL", False))


def named_columns(use: WordUse, word: Word) -> Iterator[tuple[DataPath, str]]:
    """The columns that a word writes, by the names given or those that it takes itself."""
    defaults = {
        name: _as_list(fragment["default"])
        for name, fragment in word.parameters.items()
        if fragment.get("default") is not None
    }
    for slot in slots(WordUse(use.kind, {**defaults, **use.parameters}, use.path), word):
        if slot.definitions == ("name",) and isinstance(slot.value, str):
            yield slot.path, slot.value


def _as_list(default: Any) -> Any:
    """A default as YAML would give it."""
    return list(default) if isinstance(default, tuple) else default
