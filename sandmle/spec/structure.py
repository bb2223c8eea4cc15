"""Checks a spec's data against the schema."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Any

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend

from sandmle.errors import Problem
from sandmle.spec.messages import schema_problems
from sandmle.spec.schema import compose_schema, is_word
from sandmle.spec.yaml_source import Source
from sandmle.vocabulary import Vocabulary


def structure_problems(source: Source, vocabulary: Vocabulary) -> Iterator[Problem]:
    """The faults of a spec's data against the schema, in no particular order."""
    for error in _validator(vocabulary).iter_errors(source.data):
        yield from schema_problems(source, error)


def _whole(_checker: Any, value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _matches(_validator: Any, pattern: str, value: Any, _schema: Any) -> Iterator[ValidationError]:
    """The keyword `pattern`, where a closing $ means the very end, not before a last newline."""
    strict = re.sub(r"\$$", r"\\Z", pattern)
    if isinstance(value, str) and not re.search(strict, value):
        yield ValidationError(f"{value!r} does not match {pattern!r}")


def _all_of(
    validator: Any, branches: list[Any], value: Any, _schema: Any
) -> Iterator[ValidationError]:
    """The keyword `allOf`, with a short way through a choice among a hundred words.

    The branches of words that `kind` does not name have a false `if` and no `else`: nothing is
    found in them. That of the named word has a true one.
    """
    kind = value.get("kind") if isinstance(value, dict) else None
    for index, branch in enumerate(branches):
        word = None if kind is None else _word_of(branch)
        if word is None:
            yield from validator.descend(value, branch, schema_path=index)
        elif word == kind:
            chosen = branch["then"] if branch["if"] == is_word(kind) else branch
            yield from validator.descend(value, chosen, schema_path=index)


def _word_of(branch: Any) -> Any:
    """The word that a branch of a choice among words is for, None for any other branch."""
    try:
        word = branch["if"]["properties"]["kind"]["const"]
    except (KeyError, TypeError):
        return None
    return word if "then" in branch and "else" not in branch else None


@functools.lru_cache(maxsize=8)
def _validator(vocabulary: Vocabulary) -> Any:
    """Draft 2020-12, but 3.0 is no integer, as the loaded data keeps the difference."""
    schema = compose_schema(vocabulary)
    definitions = schema["$defs"]

    def reference(validator: Any, target: str, value: Any, _schema: Any) -> Iterator[Any]:
        """The keyword `$ref`: all lead to $defs, so none has to be resolved as an address."""
        yield from validator.descend(value, definitions[target.removeprefix("#/$defs/")])

    kind: Any = extend(  # type: ignore[no-untyped-call]
        Draft202012Validator,
        {"pattern": _matches, "allOf": _all_of, "$ref": reference},
        type_checker=Draft202012Validator.TYPE_CHECKER.redefine("integer", _whole),
    )
    return kind(schema)
