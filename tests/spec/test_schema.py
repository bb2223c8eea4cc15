"""The JSON Schema: valid, closed, described, up to date, and saying what the fast check says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from jsonschema import Draft202012Validator

from sandmle.spec.layout import dump_data
from sandmle.spec.messages import schema_problems
from sandmle.spec.schema import (
    WORD_NOUNS,
    compose_schema,
    schema_text,
    word_schema,
    write_schema,
)
from sandmle.spec.structure import SpecValidator, structure_problems
from sandmle.spec.yaml_source import parse_source
from sandmle.vocabulary import load_vocabulary
from tests.spec.damage import FILES, damaged_specs

VOCABULARY = load_vocabulary()
SCHEMA = compose_schema(VOCABULARY)
WHOLE = SpecValidator(SCHEMA)
SHIPPED = Path(__file__).parents[2] / "sandmle" / "spec" / "schema.json"

SAMPLES = [path.read_text(encoding="utf-8") for path in FILES]


def test_it_is_a_valid_schema_of_its_draft() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_the_shipped_file_is_up_to_date() -> None:
    message = "renew it: sandmle schema -o sandmle/spec/schema.json"
    assert SHIPPED.read_text(encoding="utf-8") == schema_text(VOCABULARY), message


def test_it_is_written_whole(tmp_path: Path) -> None:
    write_schema(tmp_path / "schema.json", VOCABULARY)
    assert json.loads((tmp_path / "schema.json").read_text(encoding="utf-8")) == SCHEMA
    assert [path.name for path in tmp_path.iterdir()] == ["schema.json"]


def objects(schema: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every part of a schema that describes a mapping by its properties."""
    if isinstance(schema, dict):
        if "properties" in schema and isinstance(schema.get("type"), str):
            yield path, schema
        for key, value in schema.items():
            yield from objects(value, f"{path}/{key}")
    elif isinstance(schema, list):
        for index, value in enumerate(schema):
            yield from objects(value, f"{path}/{index}")


def test_unknown_keys_are_refused_everywhere() -> None:
    open_objects = [
        path
        for path, schema in objects(SCHEMA)
        if schema.get("additionalProperties") is not False and not path.endswith("/if")
    ]
    # A word is chosen by its kind; its own definition is closed.
    assert open_objects == [f"/$defs/{folder}" for folder in WORD_NOUNS]


def test_everything_that_an_editor_can_show_is_described() -> None:
    for path, schema in objects({**SCHEMA, "$defs": {}}):
        for name, fragment in schema["properties"].items():
            target = fragment.get("$ref", "").removeprefix("#/$defs/")
            described = fragment.get("description") or SCHEMA["$defs"].get(target, {}).get(
                "description"
            )
            assert described, f"{path}/{name}"


@pytest.mark.parametrize("folder", WORD_NOUNS)
def test_every_word_is_chosen_by_kind_and_shows_its_docstring(folder: str) -> None:
    choice = SCHEMA["$defs"][folder]
    words = VOCABULARY.folder(folder)
    assert choice["properties"]["kind"]["enum"] == sorted(words)
    for name, word in words.items():
        definition = SCHEMA["$defs"][f"{folder}.{name}"]
        assert definition == word_schema(word)
        assert definition["markdownDescription"] == word.docstring
        for parameter in word.parameters:
            assert parameter in definition["properties"]
        assert set(word.required) <= set(definition["required"])


def test_defaults_are_those_of_the_signature() -> None:
    properties = SCHEMA["$defs"]["factors.normal"]["properties"]
    assert properties["mean"]["default"] == 0.0
    assert properties["scale"]["default"] == 1.0
    assert "default" not in SCHEMA["$defs"]["noise.label_flip"]["properties"]["rate"]
    assert SCHEMA["$defs"]["noise.label_flip"]["properties"]["split"]["default"] == "train"


def told(text: str, *, whole: bool) -> set[str]:
    """What is said of a spec; without the remark in brackets, which the whole schema lacks."""
    source = parse_source(text, file="x.yaml")
    if source.data is None:
        return set()
    found = (
        (p for error in WHOLE.iter_errors(source.data) for p in schema_problems(source, error, ()))
        if whole
        else structure_problems(source, VOCABULARY)
    )
    return {str(problem).split(" (")[0] for problem in found}


@pytest.mark.parametrize("text", SAMPLES, ids=[path.stem for path in FILES])
def test_the_fast_check_says_what_the_whole_schema_says(text: str) -> None:
    assert told(text, whole=True) == told(text, whole=False)


@settings(max_examples=60)
@given(damaged_specs())
def test_the_fast_check_says_the_same_of_any_wrong_spec(data: dict[str, Any]) -> None:
    text = dump_data(data)
    assert told(text, whole=True) == told(text, whole=False)
