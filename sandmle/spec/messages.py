"""JSON Schema's faults in an author's words, at their places, with suggestions."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from sandmle.errors import Problem
from sandmle.spec.yaml_source import DataPath, Source

_TYPE_NAMES: Mapping[str, str] = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "object": "a mapping of keys to values",
    "array": "a list",
    "null": "nothing",
}


def schema_problems(source: Source, error: Any) -> Iterator[Problem]:
    """One fault that jsonschema found, as problems at their places."""
    path: DataPath = tuple(error.absolute_path)
    if "propertyNames" in error.absolute_schema_path:
        message = f"{shown(error.instance)} is not a good name: {_message(error).split('; got')[0]}"
        yield source.at_key((*path, str(error.instance)), message)
    elif error.validator == "additionalProperties":
        known = error.schema.get("properties", {})
        for key in error.instance:
            if key not in known:
                hint = suggestion(key, known) or f"; known are {', '.join(known)}"
                yield source.at_key((*path, key), f"unknown key {key!r}{hint}")
    elif error.validator == "required":
        # jsonschema gives an error for each missing key, named only in its message.
        key = next(key for key in error.validator_value if error.message.startswith(repr(key)))
        told = error.schema.get("properties", {}).get(key, {}).get("description", "")
        yield source.at_key(path, f"missing key {key!r}" + (f" ({told})" if told else ""))
    elif error.validator in ("anyOf", "oneOf"):
        yield from _alternatives(source, error)
    else:
        yield source.at_value(path, _message(error))


def _alternatives(source: Source, error: Any) -> Iterator[Problem]:
    """A value that fits no alternative: the faults of the one whose type it has, if one has."""
    branches: dict[Any, list[Any]] = {}
    for inner in error.context or ():
        branches.setdefault(inner.schema_path[0], []).append(inner)
    meant = [inner for inner in branches.values() if not any(map(_is_of_other_type, inner))]
    if len(meant) == 1:
        for inner in meant[0]:
            yield from schema_problems(source, inner)
        return
    types: list[str] = []
    for inner in filter(_is_of_other_type, error.context or ()):
        allowed = inner.validator_value
        types.extend([allowed] if isinstance(allowed, str) else allowed)
    path = tuple(error.absolute_path)
    yield source.at_value(path, _type_message(error.instance, list(dict.fromkeys(types))))


def _is_of_other_type(error: Any) -> bool:
    """Whether an alternative fails because it is meant for another type of value."""
    return error.validator == "type" and not error.path


def _message(error: Any) -> str:
    """What is wrong and what was expected, for a fault of one value."""
    value, limit = error.instance, error.validator_value
    keyword = str(error.validator)
    if keyword == "type":
        return _type_message(value, limit)
    if keyword == "enum":
        return _enum_message(value, limit, error.schema.get("title"))
    if keyword == "const":
        told = error.schema.get("description")
        return f"expected {shown(limit)}{f' ({told})' if told else ''}; got {shown(value)}"
    if keyword == "pattern":
        expected = f"expected text that matches {limit}"
        return f"{error.schema.get('patternErrorMessage', expected)}; got {shown(value)}"
    plain = _PLAIN_MESSAGES.get(keyword)
    return plain(value, limit) if plain else error.message


#: Messages of the keywords that need no more than the value and the limit.
_PLAIN_MESSAGES: Mapping[str, Callable[[Any, Any], str]] = {
    "minimum": lambda value, limit: f"{value} is too small; at least {limit}",
    "maximum": lambda value, limit: f"{value} is too large; at most {limit}",
    "exclusiveMinimum": lambda value, limit: f"{value} is too small; more than {limit}",
    "exclusiveMaximum": lambda value, limit: f"{value} is too large; less than {limit}",
    "multipleOf": lambda value, limit: f"{value} is not a multiple of {limit}",
    "minLength": lambda value, limit: f"has {len(value)} characters; at least {limit}",
    "maxLength": lambda value, limit: f"has {len(value)} characters; at most {limit}",
    "minItems": lambda value, limit: f"has {len(value)} items; at least {limit}",
    "maxItems": lambda value, limit: f"has {len(value)} items; at most {limit}",
    "minProperties": lambda value, limit: f"has {len(value)} keys; at least {limit}",
    "maxProperties": lambda value, limit: f"has {len(value)} keys; at most {limit}",
    "uniqueItems": lambda value, _limit: f"holds {shown(_repeated(value))} twice",
}


def _type_message(value: Any, wanted: str | Sequence[str]) -> str:
    names = [wanted] if isinstance(wanted, str) else list(wanted)
    expected = " or ".join(_TYPE_NAMES.get(name, name) for name in names) or "something else"
    hint = ""
    if "string" in names and isinstance(value, (bool, int, float)):
        hint = "; put it in quotes"
    elif "boolean" in names and value in ("yes", "no", "on", "off"):
        hint = "; yes, no, on and off are text in YAML 1.2"
    elif "integer" in names and isinstance(value, float) and value.is_integer():
        hint = f"; write {int(value)}"
    elif isinstance(value, str) and re.fullmatch(r"[0-9]+(_[0-9]+)+", value):
        hint = f"; write {value.replace('_', '')}"
    return f"expected {expected}; got {shown(value)}{hint}"


def _enum_message(value: Any, known: Sequence[Any], noun: str | None) -> str:
    names = [name for name in known if isinstance(name, str)]
    hint = suggestion(value, names) if isinstance(value, str) else ""
    what = (
        f"unknown {noun} {shown(value)}"
        if noun
        else f"expected one of the known values; got {shown(value)}"
    )
    listed = ", ".join(str(name) for name in known)
    return what + (hint or f"; known are {listed}")


def _repeated(values: Sequence[Any]) -> Any:
    return next(value for index, value in enumerate(values) if value in values[:index])


def shown(value: Any) -> str:
    """A value as a message quotes it, shortly."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return repr(value if len(value) <= 40 else value[:37] + "...")
    if isinstance(value, Mapping):
        return "a mapping"
    return "a list" if isinstance(value, list) else str(value)


def suggestion(name: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?` where a known name is close, else nothing."""
    close = difflib.get_close_matches(name, list(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""


def a_task(kind: str | None) -> str:
    """A kind of task as a sentence names it: an ordinal task."""
    return f"{'an' if str(kind)[0] in 'aeio' else 'a'} {kind} task"
