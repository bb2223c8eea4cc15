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


#: Draft 2020-12, but 3.0 is no integer, as the loaded data keeps the difference.
SpecValidator: Any = extend(  # type: ignore[no-untyped-call]
    Draft202012Validator,
    {"pattern": _matches},
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine("integer", _whole),
)


@functools.lru_cache(maxsize=8)
def _validator(vocabulary: Vocabulary) -> Any:
    return SpecValidator(compose_schema(vocabulary))
