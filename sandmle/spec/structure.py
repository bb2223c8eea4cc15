"""Checks a spec's data against the schema.

Each word use is checked against its own word's definition alone, which is many times faster than
the whole schema with a condition for every word, and says the same.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.exceptions import SchemaError, UnknownType
from jsonschema.validators import extend

from sandmle.errors import Problem, VocabularyError
from sandmle.spec.messages import schema_problems
from sandmle.spec.model import WordUse
from sandmle.spec.references import nested_rule, slots
from sandmle.spec.schema import head_schema, word_schema
from sandmle.spec.skeleton import Schema
from sandmle.spec.yaml_source import DataPath, Source
from sandmle.vocabulary import Vocabulary, Word


def structure_problems(source: Source, vocabulary: Vocabulary) -> Iterator[Problem]:
    """The faults of a spec's data against the schema, in no particular order."""
    validators = _validators(vocabulary)
    for error in validators.head.iter_errors(source.data):
        yield from schema_problems(source, error, ())
    for folder, use in word_uses(source.data):
        word = vocabulary.folder(folder).get(use.kind)
        if word is not None:
            yield from _word_problems(source, use, word, vocabulary, validators)


def word_uses(data: Any) -> Iterator[tuple[str, WordUse]]:
    """The word uses in a spec's data with their folders, skipping whatever is malformed."""
    if not isinstance(data, Mapping):
        return
    found: list[tuple[str, DataPath, Any]] = [
        ("metrics", ("dna", "metric"), _get(_get(data, "dna"), "metric"))
    ]
    for folder in ("factors", "observe", "noise"):
        for key, value in _entries(data.get(folder)):
            found.append((folder, (folder, key), value))
    hidden = data.get("hidden")
    found.append(("hidden", ("hidden", "rule"), _get(hidden, "rule")))
    for name, target in _entries(_get(hidden, "targets")):
        found.append(("hidden", ("hidden", "targets", name, "rule"), _get(target, "rule")))
    for folder, path, value in found:
        if isinstance(value, Mapping) and isinstance(value.get("kind"), str):
            parameters = {name: item for name, item in value.items() if name != "kind"}
            yield folder, WordUse(value["kind"], parameters, path)


def _get(value: Any, key: str) -> Any:
    return value.get(key) if isinstance(value, Mapping) else None


def _entries(value: Any) -> list[tuple[str | int, Any]]:
    if isinstance(value, Mapping):
        return list(value.items())
    return list(enumerate(value)) if isinstance(value, list) else []


def _word_problems(
    source: Source,
    use: WordUse,
    word: Word,
    vocabulary: Vocabulary,
    validators: _Validators,
) -> Iterator[Problem]:
    """The faults of one word use and of the rules nested in it."""
    data = {"kind": use.kind, **use.parameters}
    try:
        for error in validators.word(word).iter_errors(data):
            yield from schema_problems(source, error, use.path)
    except (SchemaError, UnknownType) as error:
        raise VocabularyError(f"{word.path}: PARAMETERS are not JSON Schema: {error}") from None
    for slot in slots(use, word):
        nested = nested_rule(slot) if slot.definitions == ("rule",) else None
        inner = vocabulary.folder("hidden").get(nested.kind) if nested else None
        if nested is not None and inner is not None:
            yield from _word_problems(source, nested, inner, vocabulary, validators)


def _whole(_checker: Any, value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _matches(_validator: Any, pattern: str, value: Any, _schema: Any) -> Iterator[ValidationError]:
    """The keyword `pattern`, where a closing $ means the very end, not before a last newline."""
    strict = re.sub(r"\$$", r"\\Z", pattern)
    if isinstance(value, str) and not re.search(strict, value):
        yield ValidationError(f"{value!r} does not match {pattern!r}")


#: Draft 2020-12, but 3.0 is no integer, as the loaded data keeps the difference.
SpecValidator: Any = extend(  # type: ignore[no-untyped-call]
    Draft202012Validator,
    {"pattern": _matches},
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine("integer", _whole),
)


class _Validators:
    """The validators of one vocabulary, with references written out; words' made when used."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        schema = head_schema(vocabulary)
        self._definitions: Schema = schema.pop("$defs")
        self._words: dict[tuple[str, str], Any] = {}
        self.head: Any = SpecValidator(self._inlined(schema))

    def word(self, word: Word) -> Any:
        """The validator of one word's uses."""
        key = (word.folder, word.name)
        if key not in self._words:
            self._words[key] = SpecValidator(self._inlined(word_schema(word)))
        return self._words[key]

    def _inlined(self, schema: Any) -> Any:
        """The schema with every reference replaced by what it refers to."""
        if isinstance(schema, list):
            return [self._inlined(item) for item in schema]
        if not isinstance(schema, dict):
            return schema
        if isinstance(schema.get("$ref"), str):
            name = schema["$ref"].removeprefix("#/$defs/")
            if name not in self._definitions:
                raise SchemaError(f"unknown reference {schema['$ref']!r}")
            own = {key: value for key, value in schema.items() if key != "$ref"}
            return self._inlined({**self._definitions[name], **own})
        return {key: self._inlined(value) for key, value in schema.items()}


@functools.lru_cache(maxsize=8)
def _validators(vocabulary: Vocabulary) -> _Validators:
    return _Validators(vocabulary)
