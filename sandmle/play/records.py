"""Frozen dataclasses to plain JSON data and back, strictly.

A key too many, a key too few or a value of another type is refused with its place.
"""

from __future__ import annotations

import dataclasses
import functools
import sys
import types
import typing
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Literal, TypeVar, Union, cast

Record = TypeVar("Record")


def to_data(record: Any) -> dict[str, Any]:
    """A dataclass as nested dictionaries and lists that JSON can carry.

    What is no dataclass in it has to be JSON data already. `dataclasses.asdict` would copy every
    text, which takes four times as long.
    """
    return {name: _data(getattr(record, name)) for name in _names(cast(Hashable, type(record)))}


def _data(value: Any) -> Any:
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, (tuple, list)):
        return [_data(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _data(item) for key, item in value.items()}
    return to_data(value) if dataclasses.is_dataclass(value) else value


@functools.cache
def _names(kind: Hashable) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(cast(Any, kind)))


def from_data(kind: type[Record], data: Any, where: str = "") -> Record:
    """The dataclass `kind` from what `to_data` made of it.

    Raises ValueError naming the place (`steps.0.turn`) and what was expected there.
    """
    if not isinstance(data, Mapping):
        raise _expected("an object", data, where)
    hints = _hints(cast(Hashable, kind))
    unknown = sorted(data.keys() - hints.keys())
    missing = sorted(hints.keys() - data.keys())
    if unknown or missing:
        faults = [f"unknown key {name!r}" for name in unknown]
        faults += [f"missing key {name!r}" for name in missing]
        raise ValueError(f"{where + ': ' if where else ''}{'; '.join(faults)}")
    return kind(
        **{name: read_value(hint, data[name], _join(where, name)) for name, hint in hints.items()}
    )


@functools.cache
def _hints(kind: Hashable) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def read_value(hint: Any, data: Any, where: str = "") -> Any:
    """The value of a field whose type is `hint`, from JSON data.

    Raises ValueError naming the place and what was expected there.
    """
    origin, arguments, is_record = _form(hint)
    if hint is Any:
        return data
    if is_record:
        return from_data(hint, data, where)
    if origin in (Union, types.UnionType):
        if data is None:
            return None
        (inner,) = (choice for choice in arguments if choice is not type(None))
        return read_value(inner, data, where)
    if origin is Literal:
        if data not in arguments:
            raise _expected(f"one of {', '.join(map(repr, arguments))}", data, where)
        return data
    if origin in (tuple, Sequence):
        if not isinstance(data, list):
            raise _expected("a list", data, where)
        return tuple(read_value(arguments[0], item, _join(where, i)) for i, item in enumerate(data))
    if origin is Mapping:
        if not isinstance(data, Mapping):
            raise _expected("an object", data, where)
        return {
            key: read_value(arguments[1], item, _join(where, key)) for key, item in data.items()
        }
    return _scalar(hint, data, where)


@functools.cache
def _form(hint: Hashable) -> tuple[Any, tuple[Any, ...], bool]:
    """A type's origin and arguments, and whether it is a dataclass; looked up once a type."""
    is_record = isinstance(hint, type) and dataclasses.is_dataclass(hint)
    return typing.get_origin(hint), typing.get_args(hint), is_record


def _scalar(hint: Any, data: Any, where: str) -> Any:
    if hint is float and type(data) in (int, float) and abs(data) <= sys.float_info.max:
        return float(data)
    if hint in (str, int, bool) and type(data) is hint:
        return data
    raise _expected("a finite number" if hint is float else f"a {hint.__name__}", data, where)


def _join(where: str, name: str | int) -> str:
    return f"{where}.{name}" if where else str(name)


def _expected(what: str, data: Any, where: str) -> ValueError:
    return ValueError(f"{where + ': ' if where else ''}expected {what}, got {data!r:.60}")
