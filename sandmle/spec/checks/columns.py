"""Columns and files: what the observe words write, by names that do not collide."""

from __future__ import annotations

from collections.abc import Iterator

from sandmle.errors import Problem
from sandmle.spec.draft import Draft
from sandmle.spec.model import WordUse
from sandmle.spec.references import slots
from sandmle.spec.yaml_source import DataPath
from sandmle.vocabulary import Word

#: Names that every compiled task uses itself.
RESERVED_COLUMNS = ("id",)
RESERVED_FILES = (
    "train.csv",
    "test.csv",
    "sample_submission.csv",
    "answers.csv",
    "description.md",
)


def check_columns(draft: Draft) -> Iterator[Problem]:
    """No two columns of a table share a name, and none is called id or like a target."""
    taken: dict[tuple[str, str], str] = {}
    for name, path in draft.targets.items():
        where = path if path[-1] == name else (*path, "target")
        if name in RESERVED_COLUMNS:
            yield draft.source.at_value(where, f"{name!r} is the name of the row's own column")
        taken["", name] = "the target's name"
    for use, word in draft.sound_uses("observe"):
        table = "" if word.traits["WRITES"] == "columns" else str(use.parameters["file"])
        for path, name in named_columns(use, word):
            where = f"observe[{use.path[1]}]"
            if name in RESERVED_COLUMNS:
                message = f"{name!r} is the name of the row's own column; choose another"
                yield draft.source.at_value(path, message)
            elif ("", name) in taken and taken["", name] == "the target's name":
                yield draft.source.at_value(path, f"{name!r} is the target's name; choose another")
            elif (table, name) in taken:
                message = f"column {name!r} is written by {taken[table, name]} already"
                yield draft.source.at_value(path, message)
            else:
                taken[table, name] = where


def check_files(draft: Draft) -> Iterator[Problem]:
    """Files lie inside the task's folder, one for each sample where a sample has its own."""
    taken: dict[str, DataPath] = {}
    for use, word in draft.sound_uses("observe"):
        if word.traits["WRITES"] == "columns":
            continue
        path, file = (*use.path, "file"), str(use.parameters["file"])
        places = file.count("{id}")
        rest = file.replace("{id}", "")
        if "{" in rest or "}" in rest:
            yield draft.source.at_value(path, "the only placeholder is {id}")
        elif word.traits["WRITES"] == "files" and places != 1:
            message = f"{use.kind} writes a file a sample; put {{id}} once into its name"
            yield draft.source.at_value(path, message)
        elif word.traits["WRITES"] == "rows" and places:
            message = f"{use.kind} writes one table for all samples; remove {{id}}"
            yield draft.source.at_value(path, message)
        elif file.lower() in RESERVED_FILES:
            yield draft.source.at_value(path, f"{file!r} is a file of every task; choose another")
        elif file.lower() in taken:
            other = taken[file.lower()]
            yield draft.source.at_value(path, f"{file!r} is written by {other[0]}[{other[1]}] too")
        else:
            taken[file.lower()] = use.path


def named_columns(use: WordUse, word: Word) -> Iterator[tuple[DataPath, str]]:
    """The columns that a word's parameters name, with their places."""
    for slot in slots(use, word):
        if slot.definitions == ("name",) and isinstance(slot.value, str):
            yield slot.path, slot.value
