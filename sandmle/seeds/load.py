"""Seed files: strict YAML to a frozen Seed and back."""

from __future__ import annotations

import io
import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import jsonschema

from sandmle.errors import Problem, SpecError
from sandmle.seeds.model import (
    COLUMN_KINDS,
    FILE_KINDS,
    METRIC_SOURCES,
    SPLIT_KINDS,
    VERSION,
    Column,
    Correlation,
    Files,
    Seed,
    SeedMetric,
    SeedSplit,
    SeedTarget,
    Sizes,
    Submission,
)
from sandmle.spec.yaml_source import DataPath, read_source
from sandmle.vocabulary import Vocabulary, load_vocabulary, modalities
from sandmle.writing import write_whole

_SHARE = {"type": "number", "minimum": 0, "maximum": 1}
_COUNT = {"type": "integer", "minimum": 0}
_POSITIVE = {"type": "integer", "minimum": 1}
_SHAPE = {
    "magnitude": {"type": "integer", "description": "power of ten of the typical absolute value"},
    "skewness": {"type": "number", "description": "third standardised moment"},
}
_NAME = {"type": "string", "pattern": r"^[a-z]+_[0-9]+$"}
_PARAMETERS = {"type": "object", "minProperties": 1}

#: Texts that stand in YAML without quotes.
_PLAIN = re.compile(r"(?!(true|false|null)\b)[A-Za-z][A-Za-z0-9_-]*", re.IGNORECASE)


def _closed(required: tuple[str, ...], properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "required": list(required),
        "properties": properties,
        "additionalProperties": False,
    }


def seed_schema(vocabulary: Vocabulary) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a seed file; tasks, modalities, targets and submissions
    are those of the vocabulary."""
    tasks = vocabulary.folder("tasks")
    target = {
        "name": _NAME,
        "kind": {
            "enum": sorted({kind for word in tasks.values() for kind in word.traits["YIELDS"]})
        },
        "missing": _SHARE,
        "shares": {"type": "array", "items": _SHARE, "minItems": 2},
        "classes": _POSITIVE,
        **_SHAPE,
    }
    column = {
        "name": _NAME,
        "kind": {"enum": list(COLUMN_KINDS)},
        "missing": _SHARE,
        "cardinality": _COUNT,
        "balance": _SHARE,
        **_SHAPE,
        "whole": {"type": "boolean"},
        "words": _COUNT,
        "length": _POSITIVE,
        "smoothness": {"type": "number", "minimum": -1, "maximum": 1},
        "dependence": _SHARE,
        "rank_correlation": _SHARE,
    }
    files = {
        "kind": {"enum": list(FILE_KINDS)},
        **dict.fromkeys(
            ("count", "width", "height", "channels", "length", "words", "columns", "nodes"), _COUNT
        ),
        "smoothness": {"type": "number", "minimum": -1, "maximum": 1},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Structural DNA of a real task",
        **_closed(
            ("seed", "modality", "task", "metric", "submission", "targets"),
            {
                "seed": {"const": VERSION},
                "modality": {"enum": list(modalities(vocabulary))},
                "task": {"enum": sorted(tasks)},
                "metric": _closed(
                    ("name", "known_from"),
                    {
                        "name": {"type": "string", "pattern": "^[a-z][a-z0-9_]*$"},
                        "parameters": _PARAMETERS,
                        "known_from": {"enum": list(METRIC_SOURCES)},
                    },
                ),
                "sizes": _closed(("train", "test"), {"train": _POSITIVE, "test": _POSITIVE}),
                "submission": _closed(
                    ("shape", "columns"),
                    {
                        "shape": {"enum": sorted(vocabulary.folder("submissions"))},
                        "columns": _POSITIVE,
                        "parameters": _PARAMETERS,
                    },
                ),
                "targets": {
                    "type": "array",
                    "minItems": 1,
                    "items": _closed(("name", "kind"), target),
                },
                "columns": {"type": "array", "items": _closed(("name", "kind"), column)},
                "correlation": _closed(
                    ("mean", "strongest"), {"mean": _SHARE, "strongest": _SHARE}
                ),
                "files": {"type": "array", "items": _closed(("kind",), files)},
                "split": _closed(("kind",), {"kind": {"enum": list(SPLIT_KINDS)}}),
                "benchmark": {"type": "string", "minLength": 1},
                "simplified": {"type": "string", "minLength": 1},
            },
        ),
    }


def load_seed(path: Path, vocabulary: Vocabulary | None = None) -> Seed:
    """Reads a seed file; its stem is the seed's name.

    `vocabulary` is the shipped one where left out. Raises SpecError with every fault of the file
    at its line and column.
    """
    schema = seed_schema(vocabulary or load_vocabulary())
    source = read_source(path)
    problems = list(source.problems)
    if source.data is not None:
        for error in jsonschema.Draft202012Validator(schema).iter_errors(source.data):
            place: DataPath = tuple(error.absolute_path)
            if error.validator == "additionalProperties":
                unknown = sorted(set(error.instance) - set(error.schema["properties"]))
                allowed = ", ".join(error.schema["properties"])
                message = f"unknown key; expected one of {allowed}"
                problems.extend(source.at_key((*place, key), message) for key in unknown)
            else:
                problems.append(source.at_value(place, error.message))
    if problems:
        raise SpecError(problems)
    data = source.data
    return Seed(
        name=path.stem,
        modality=data["modality"],
        task=data["task"],
        metric=SeedMetric(**data["metric"]),
        sizes=Sizes(**data["sizes"]) if "sizes" in data else None,
        submission=Submission(**data["submission"]),
        targets=tuple(_target(target) for target in data["targets"]),
        columns=tuple(Column(**column) for column in data.get("columns", ())),
        correlation=Correlation(**data["correlation"]) if "correlation" in data else None,
        files=tuple(Files(**files) for files in data.get("files", ())),
        split=SeedSplit(**data["split"]) if "split" in data else None,
        benchmark=data.get("benchmark"),
        simplified=data.get("simplified"),
    )


def dump_seed(seed: Seed, path: Path) -> None:
    """Writes the seed to `path`, whole or not at all; a line for each column.

    Raises SpecError where the folder of `path` cannot be written.
    """
    text = _text(seed)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)
    except OSError as error:
        message = f"cannot be written: {error.strerror}"
        raise SpecError([Problem(str(path), 1, 1, "", message)]) from None


def _target(data: dict[str, Any]) -> SeedTarget:
    shares = tuple(data["shares"]) if "shares" in data else None
    return SeedTarget(**{**data, "shares": shares})


def _text(seed: Seed) -> str:
    """The seed as YAML, an entry a line, without what does not apply."""
    out = io.StringIO()
    out.write("# The structural DNA of a real task: counts, shares and shapes, nothing it says.\n")
    out.write(f"seed: {VERSION}\n")
    facts = asdict(seed)
    facts.pop("name")
    for key, value in facts.items():
        if isinstance(value, str):
            out.write(f"{key}: {_scalar(value)}\n")
        elif isinstance(value, dict):
            out.write(f"{key}: {_flow(value)}\n")
        elif value:
            out.write(f"{key}:\n")
            out.writelines(f"  - {_flow(entry)}\n" for entry in value)
    return out.getvalue()


def _flow(entry: dict[str, Any]) -> str:
    told = {key: value for key, value in entry.items() if value not in (None, {})}
    if told.get("missing") == 0:
        del told["missing"]
    return "{" + ", ".join(f"{key}: {_scalar(value)}" for key, value in told.items()) + "}"


def _scalar(value: Any) -> str:
    """A value in flow style; texts are quoted where YAML would read them as something else."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return _flow(value)
    if isinstance(value, (tuple, list)):
        return "[" + ", ".join(map(_scalar, value)) + "]"
    if isinstance(value, str):
        return value if _PLAIN.fullmatch(value) else json.dumps(value, ensure_ascii=False)
    return f"{value:g}" if isinstance(value, float) else str(value)
