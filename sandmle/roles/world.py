"""The worlds that drafts pretend to come from: templates/domains/*.yaml, read and checked."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import jsonschema

from sandmle.errors import SpecError
from sandmle.resources import layers
from sandmle.spec.yaml_source import read_source


@dataclass(frozen=True)
class Measure:
    """Something that is known of an entity: its column, what it means, how it is drawn.

    `factor` is a factor's word use as a spec writes it: {kind: normal, mean: 74, scale: 9}.
    """

    name: str
    says: str
    factor: Mapping[str, Any]


@dataclass(frozen=True)
class World:
    """One domain.

    - `one`, `many`: what a sample is called.
    - `numbers`, `whole`, `flags`, `categories`, `moments`, `groups`, `grouped`: what may be known
      of it; a measure's factor may name other measures, as those in `grouped` name a group.
    - `shows`: for each carrier (image, series, rows, text, audio, graph) the parameters that
      observe words take from here, `says`, which tells solvers what it is, and `means`, which
      tells what columns of it mean, by parameter; for `text` also `filler`, a factor.
    - `targets`: for kinds of task, what may be asked: `name` (or `names`), `title`, `asks`, and
      `labels`, of which a task takes as many as it has classes. Of other kinds their own ASKS ask.
    - `stories`: Jinja templates over one, many, asks, sees, train.
    """

    name: str
    one: str
    many: str
    numbers: tuple[Measure, ...]
    whole: tuple[Measure, ...]
    flags: tuple[Measure, ...]
    categories: tuple[Measure, ...]
    moments: tuple[Measure, ...]
    groups: tuple[Measure, ...]
    grouped: tuple[Measure, ...]
    shows: Mapping[str, Mapping[str, Any]]
    targets: Mapping[str, tuple[Mapping[str, Any], ...]]
    stories: tuple[str, ...]

    def measures(self) -> Iterator[Measure]:
        """Everything that may be known of an entity."""
        for kind in MEASURES:
            yield from getattr(self, kind)


MEASURES = ("numbers", "whole", "flags", "categories", "moments", "groups", "grouped")
CARRIERS = ("image", "series", "rows", "text")

#: What shows a sample in domains that don't say it for themselves.
_ANYWHERE: Mapping[str, Mapping[str, Any]] = {
    "audio": {"file": "recordings/{id}.wav", "says": "a short recording"},
    "graph": {"file": "links.csv", "says": "a network of what is linked with what"},
}

_TEXT = {"type": "string", "minLength": 1}
_NAME = {"type": "string", "pattern": "^[a-z][a-z0-9_]*$"}


def levels_of(measure: Measure) -> int:
    """How many levels a category has; its factor names them, or says how many."""
    levels = measure.factor.get("levels", 2)
    return levels if isinstance(levels, int) else len(levels)


def world_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a domain file."""
    measure = {
        "type": "object",
        "required": ["name", "says", "factor"],
        "properties": {
            "name": _NAME,
            "says": _TEXT,
            "factor": {"type": "object", "required": ["kind"]},
        },
        "additionalProperties": False,
    }
    target = {
        "type": "object",
        "required": ["title", "asks"],
        "properties": {
            "name": _NAME,
            "names": {"type": "array", "items": _NAME, "minItems": 2},
            "title": _TEXT,
            "asks": _TEXT,
            "labels": {"type": "array", "items": _TEXT, "minItems": 2, "uniqueItems": True},
        },
        "additionalProperties": False,
    }
    means = {"type": "object", "additionalProperties": _TEXT}
    carrier = {
        "type": "object",
        "required": ["says"],
        "properties": {"says": _TEXT, "means": means},
    }
    properties = {
        "name": _TEXT,
        "entity": {
            "type": "object",
            "required": ["one", "many"],
            "properties": {"one": _TEXT, "many": _TEXT},
            "additionalProperties": False,
        },
        **{kind: {"type": "array", "items": measure, "minItems": 1} for kind in MEASURES},
        **dict.fromkeys((*CARRIERS, *_ANYWHERE), carrier),
        "targets": {"type": "object", "additionalProperties": {"type": "array", "items": target}},
        "stories": {"type": "array", "items": _TEXT, "minItems": 1},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A domain that drafts pretend to come from",
        "type": "object",
        "required": [name for name in properties if name not in _ANYWHERE],
        "properties": properties,
        "additionalProperties": False,
    }


@functools.lru_cache(maxsize=8)
def load_worlds(corpus: Path | None = None) -> Mapping[str, World]:
    """All domains by name: the shipped ones and, over them, those of `corpus`/templates/domains.

    Raises SpecError with every fault of the first file that has any.
    """
    paths: dict[str, Path] = {}
    for root in reversed(layers("templates", corpus)):
        paths |= {path.stem: path for path in sorted((root / "domains").glob("*.yaml"))}
    worlds = [load_world(paths[stem]) for stem in sorted(paths)]
    return MappingProxyType({world.name: world for world in worlds})


def load_world(path: Path) -> World:
    """One domain file. Raises SpecError with every fault at its line and column."""
    source = read_source(path)
    problems = list(source.problems)
    if not problems:
        for error in jsonschema.Draft202012Validator(world_schema()).iter_errors(source.data):
            problems.append(source.at_value(tuple(error.absolute_path), error.message))
    if problems:
        raise SpecError(problems)
    data = source.data
    shown = {name: data[name] for name in (*CARRIERS, *_ANYWHERE) if name in data}
    return World(
        name=data["name"],
        one=data["entity"]["one"],
        many=data["entity"]["many"],
        **{kind: tuple(Measure(**measure) for measure in data[kind]) for kind in MEASURES},
        shows={**_ANYWHERE, **shown},
        targets={task: tuple(entries) for task, entries in data["targets"].items()},
        stories=tuple(data["stories"]),
    )
