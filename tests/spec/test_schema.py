"""The JSON Schema: valid, closed, described, and up to date."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from sandmle.resources import resource
from sandmle.spec.schema import (
    WORD_NOUNS,
    compose_schema,
    schema_text,
    word_schema,
    write_schema,
)
from sandmle.spec.yaml_source import read_source
from sandmle.vocabulary import load_vocabulary

VOCABULARY = load_vocabulary()
SCHEMA = compose_schema(VOCABULARY)
SHIPPED = Path(__file__).parents[2] / "sandmle" / "spec" / "schema.json"


def test_it_is_a_valid_schema_of_its_draft() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_the_shipped_file_is_up_to_date() -> None:
    message = "renew it: sandmle schema -o sandmle/spec/schema.json"
    assert SHIPPED.read_text(encoding="utf-8") == schema_text(VOCABULARY), message


def test_editors_find_no_fault_in_the_shipped_specs() -> None:
    validator = Draft202012Validator(SCHEMA)
    for path in sorted((resource("specs") / "tasks").glob("*.yaml")):
        assert [error.message for error in validator.iter_errors(read_source(path).data)] == []


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
    # Whoever drafts may tell more of where a spec comes from. A word is chosen by its kind; its
    # own definition is closed.
    words = [f"/$defs/{folder}" for folder in WORD_NOUNS]
    assert open_objects == ["/properties/provenance", *words]


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
