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
from sandmle.spec.schema import compose_schema
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
    """The keyword `allOf`, without the branches for words that `kind` does not name.

    Their `if` is false and they have no `else`: nothing is found in them, and there are a hundred
    of them for a rule.
    """
    kind = value.get("kind") if isinstance(value, dict) else None
    for index, branch in enumerate(branches):
        if kind is None or _word_of(branch) in (kind, None):
            yield from validator.descend(value, branch, schema_path=index)


def _word_of(branch: Any) -> Any:
    """The word that a branch of a choice among words (see schema) is for, None for any other."""
    condition = branch.get("if") if isinstance(branch, dict) and "else" not in branch else None
    parts = condition.get("properties") if isinstance(condition, dict) else None
    kind = parts.get("kind") if isinstance(parts, dict) else None
    return kind.get("const") if isinstance(kind, dict) else None


#: Draft 2020-12, but 3.0 is no integer, as the loaded data keeps the difference.
SpecValidator: Any = extend(  # type: ignore[no-untyped-call]
    Draft202012Validator,
    {"pattern": _matches, "allOf": _all_of},
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine("integer", _whole),
)


@functools.lru_cache(maxsize=8)
def _validator(vocabulary: Vocabulary) -> Any:
    return SpecValidator(compose_schema(vocabulary))
