"""Nested frozen dataclasses as a JSON Schema, and back from data that fits it.

A field's metadata (`minimum`, `exclusiveMinimum`, `maximum`, `description`) goes into its schema.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from typing import Any, Literal, TypeVar, Union

Record = TypeVar("Record")

_TYPES: Mapping[Any, str] = {str: "string", int: "integer", float: "number", bool: "boolean"}


def bounded(default: Any, **bounds: float) -> Any:
    """A field with a default, and with bounds for its schema."""
    return dataclasses.field(default=default, metadata=bounds)


def schema_of(kind: Any) -> dict[str, Any]:
    """The schema of a dataclass: no other keys, and those without a default are required."""
    hints = typing.get_type_hints(kind)
    fields = dataclasses.fields(kind)
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            field.name: _schema(hints[field.name]) | dict(field.metadata) for field in fields
        },
        "required": [field.name for field in fields if _is_required(field)],
    }


def _is_required(field: dataclasses.Field[Any]) -> bool:
    return field.default is field.default_factory is dataclasses.MISSING


def _schema(hint: Any) -> dict[str, Any]:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if dataclasses.is_dataclass(hint):
        return schema_of(hint)
    if origin in (Union, types.UnionType):
        (inner,) = (choice for choice in arguments if choice is not type(None))
        return {"anyOf": [_schema(inner), {"type": "null"}]}
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin is tuple:
        return {"type": "array", "items": _schema(arguments[0]), "uniqueItems": True}
    return {"type": _TYPES[hint]}


def from_plain(kind: type[Record], data: Mapping[str, Any]) -> Record:
    """The dataclass of data that fits its schema; what is left out takes its default."""
    hints = typing.get_type_hints(kind)
    return kind(**{name: _value(hints[name], value) for name, value in data.items()})


def _value(hint: Any, data: Any) -> Any:
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return from_plain(hint, data)
    if typing.get_origin(hint) in (Union, types.UnionType):
        choices = (choice for choice in typing.get_args(hint) if choice is not type(None))
        return None if data is None else _value(next(choices), data)
    if typing.get_origin(hint) is tuple:
        return tuple(_value(typing.get_args(hint)[0], item) for item in data)
    return float(data) if hint is float else data
