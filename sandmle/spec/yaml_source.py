"""Strict YAML: a file's text to plain data, and where in the file every key and value stands.

A subset of YAML 1.2 with its core schema (https://yaml.org/spec/1.2.2/#103-core-schema), so that
`no` is text and `1_000` too. What can surprise or harm is refused: duplicate keys, anchors and
aliases, tags, merge keys, directives, several documents, numbers that are not finite.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from sandmle.errors import Problem, SpecError
from sandmle.spec.yaml_scalars import FORBIDDEN, is_text, plain_value

#: Larger or deeper files are refused before they can cost anything.
MAX_BYTES = 256 * 1024
MAX_DEPTH = 32

#: A place in the data: mapping keys and list indices from the root.
DataPath = tuple[str | int, ...]

_PARSER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

#: What libyaml says, and what an author should look for.
_HINTS = {
    "cannot start any token": "indent with spaces, not tabs, and quote text that starts with a "
    "special character",
    "mapping values are not allowed": "quote text that holds ': ', or check the indentation",
    "could not find expected ':'": "a key needs a ':' and a space after it",
    "did not find expected ',' or '}'": "a '}' or a ',' is missing, or text needs quotes",
    "did not find expected ',' or ']'": "a ']' or a ',' is missing, or text needs quotes",
    "did not find expected key": "check the indentation, and quote text that holds ': ' or quotes",
    "did not find expected '-' indicator": "check the indentation of the list",
    "unexpected end of stream": "a closing quote is missing",
}


class Place(NamedTuple):
    """Where something stands: line and column from 1, and its span of characters in the text."""

    line: int
    column: int
    start: int
    end: int


@dataclass(frozen=True)
class Source:
    """A YAML file's data with the places of its parts.

    `keys` holds the place of each mapping key and `values` that of each value, by path from the
    root. A block collection's span ends with its last value. `problems` are the faults of the
    YAML itself; `data` is what could be read in spite of them, None after a syntax error.
    """

    file: str
    text: str
    data: Any
    keys: Mapping[DataPath, Place]
    values: Mapping[DataPath, Place]
    problems: tuple[Problem, ...]

    def at_value(self, path: DataPath, message: str, *, offset: int | None = None) -> Problem:
        """A problem with the value at `path`, or with the nearest thing around it that exists.

        `offset` counts characters into a text; it moves the column where the text stands in
        the file as it is.
        """
        place = self._nearest(path, self.values)
        column = place.column
        if offset is not None and path in self.values:
            column += self._shift(path, place, offset)
        return Problem(self.file, place.line, column, dotted(path), message)

    def at_key(self, path: DataPath, message: str) -> Problem:
        """A problem with the key at `path` itself."""
        place = self.keys.get(path) or self._nearest(path, self.values)
        return Problem(self.file, place.line, place.column, dotted(path), message)

    def _nearest(self, path: DataPath, places: Mapping[DataPath, Place]) -> Place:
        while path and path not in places:
            path = path[:-1]
        return places.get(path, Place(1, 1, 0, 0))

    def _shift(self, path: DataPath, place: Place, offset: int) -> int:
        """How many columns after the value's start its character number `offset` stands."""
        raw, value = self.text[place.start : place.end], value_at(self.data, path)
        if raw == value:
            return offset
        if raw[1:-1] == value:
            return offset + 1
        return 0


def dotted(path: DataPath) -> str:
    """The path as messages write it: `observe[2].of`."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def value_at(data: Any, path: DataPath) -> Any:
    """The part of `data` at `path`. Raises KeyError or IndexError where there is none."""
    for step in path:
        data = data[step]
    return data


def display_path(path: Path) -> str:
    """The path as messages show it: relative to the current folder where it lies below it."""
    absolute = os.path.abspath(path)
    relative = os.path.relpath(absolute)
    return absolute if relative.startswith("..") else relative


def read_source(path: Path) -> Source:
    """Reads and parses a file.

    Raises SpecError where it cannot be read, is too large, or is not UTF-8; other faults are in
    the result's `problems`.
    """
    file = display_path(path)
    try:
        with open(path, "rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except OSError as error:
        reason = error.strerror or str(error)
        raise SpecError([Problem(file, 1, 1, "", f"cannot be read: {reason}")]) from None
    return decode_source(raw, file=file)


def decode_source(raw: bytes, *, file: str) -> Source:
    """Parses a file's bytes. Raises SpecError where they are too many, or not UTF-8."""
    if len(raw) > MAX_BYTES:
        message = f"larger than {MAX_BYTES // 1024} KiB; is this the right file?"
        raise SpecError([Problem(file, 1, 1, "", message)])
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode("utf-8-sig")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        message = f"byte 0x{raw[error.start]:02x} is not UTF-8; save the file as UTF-8"
        raise SpecError([Problem(file, line, column, "", message)]) from None
    return parse_source(text, file=file)


def parse_source(text: str, *, file: str) -> Source:
    """Parses YAML text; every fault is among the result's `problems`, sorted by place."""
    if len(text) > MAX_BYTES:
        problem = Problem(file, 1, 1, "", f"larger than {MAX_BYTES // 1024} KiB")
        return Source(file, text, None, {}, {}, (problem,))
    forbidden = FORBIDDEN.search(text)
    if forbidden:
        line = text.count("\n", 0, forbidden.start()) + 1
        column = forbidden.start() - text.rfind("\n", 0, forbidden.start())
        message = f"character U+{ord(forbidden[0]):04X} is not allowed; write it as an escape"
        problem = Problem(file, line, column, "", f"{message} in double quotes")
        return Source(file, text, None, {}, {}, (problem,))
    composer = _Composer(file, text)
    data = composer.document()
    problems = tuple(sorted(composer.problems))
    return Source(file, text, data, composer.keys, composer.values, problems)


class _TooDeepError(Exception):
    """Nesting beyond MAX_DEPTH; ends the parse."""


class _Composer:
    """Builds data and places from libyaml's events."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.events: Iterator[Any] = yaml.parse(text, Loader=_PARSER)
        self.problems: list[Problem] = []
        self.keys: dict[DataPath, Place] = {}
        self.values: dict[DataPath, Place] = {}

    def document(self) -> Any:
        """The data of the only document, None where there is none or its syntax is broken."""
        try:
            return self._document()
        except yaml.MarkedYAMLError as error:
            self._syntax(error)
        except _TooDeepError:
            pass
        return None

    def _document(self) -> Any:
        next(self.events)
        event = next(self.events)
        if isinstance(event, yaml.StreamEndEvent):
            self.problems.append(Problem(self.file, 1, 1, "", "the file is empty"))
            return None
        if event.version or event.tags:
            self._add(event, (), "directives ('%...') are not allowed")
        data = self._value(next(self.events), ())
        if data is None and not self.problems:
            self.problems.append(Problem(self.file, 1, 1, "", "the file is empty"))
        next(self.events)
        event = next(self.events)
        if isinstance(event, yaml.DocumentStartEvent):
            self._add(event, (), "a second document starts here; one file holds one")
        return data

    def _syntax(self, error: yaml.MarkedYAMLError) -> None:
        said = " ".join(part for part in (error.problem, error.context) if part)
        hint = next((hint for phrase, hint in _HINTS.items() if phrase in said), None)
        message = f"not valid YAML: {said}" + (f" ({hint})" if hint else "")
        mark = error.problem_mark or error.context_mark
        opened = error.context_mark
        if mark and opened and "flow" in (error.context or "") and mark.line > opened.line:
            # A missing bracket is noticed only where the next entry cannot be read.
            message += f"; noticed in line {mark.line + 1}"
            mark = opened
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        self.problems.append(Problem(self.file, line, column, "", message))

    def _add(self, event: Any, path: DataPath, message: str) -> None:
        mark = event.start_mark
        where = dotted(path)
        self.problems.append(Problem(self.file, mark.line + 1, mark.column + 1, where, message))

    def _value(self, event: Any, path: DataPath) -> Any:
        """The value that starts with `event`; consumes its events and records its place."""
        mark = event.start_mark
        self.values[path] = Place(mark.line + 1, mark.column + 1, mark.index, event.end_mark.index)
        if isinstance(event, yaml.AliasEvent):
            self._add(event, path, f"aliases are not allowed; write the value of *{event.anchor}")
            return None
        if event.anchor is not None:
            self._add(event, path, f"anchors are not allowed; remove &{event.anchor}")
        if event.tag is not None:
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            self._add(event, path, f"tags are not allowed; remove {tag}")
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event, path)
        if len(path) >= MAX_DEPTH:
            self._add(event, path[:3], f"nested deeper than {MAX_DEPTH} levels")
            raise _TooDeepError
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(event, path)
        return self._mapping(event, path)

    def _scalar(self, event: Any, path: DataPath) -> Any:
        if event.style:
            return event.value
        try:
            return plain_value(event.value)
        except ValueError as error:
            self._add(event, path, str(error))
            return None

    def _sequence(self, start: Any, path: DataPath) -> list[Any]:
        items: list[Any] = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            items.append(self._value(event, (*path, len(items))))
        self._close(start, event, path, (*path, len(items) - 1) if items else None)
        return items

    def _mapping(self, start: Any, path: DataPath) -> dict[str, Any]:
        found: dict[str, Any] = {}
        last = None
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            key = self._key(event, path)
            if key is None:
                self._skip(next(self.events))
                continue
            here = (*path, key)
            if key in found:
                first = self.keys[here].line
                self._add(event, here, f"duplicate key {key!r}; it stands in line {first} already")
                self._skip(next(self.events))
                continue
            mark = event.start_mark
            self.keys[here] = Place(
                mark.line + 1, mark.column + 1, mark.index, event.end_mark.index
            )
            found[key] = self._value(next(self.events), here)
            last = here
        self._close(start, event, path, last)
        return found

    def _key(self, event: Any, path: DataPath) -> str | None:
        """The key that starts with `event`, None (and a problem) where it is not plain text."""
        if not isinstance(event, yaml.ScalarEvent):
            self._add(event, path, "a key must be text, not a list, a mapping or an alias")
            self._skip(event)
            return None
        if event.anchor is not None or event.tag is not None:
            self._add(event, path, "anchors and tags are not allowed, on keys either")
        if not event.style and event.value == "<<":
            self._add(event, path, "merge keys ('<<') are not allowed; write the values out")
            return None
        if not event.style and not is_text(event.value):
            shown = event.value or "an empty key"
            self._add(event, path, f"a key must be text; put {shown} in quotes")
            return None
        return str(event.value)

    def _skip(self, event: Any) -> None:
        """Consumes the rest of the node that starts with `event`."""
        depth = 0
        while True:
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
            if depth == 0:
                return
            event = next(self.events)

    def _close(self, start: Any, end: Any, path: DataPath, last: DataPath | None) -> None:
        """Ends a collection's span: after its bracket, or with its last value where it has none."""
        place = self.values[path]
        stop = self.values[last].end if last and not start.flow_style else end.end_mark.index
        self.values[path] = place._replace(end=stop)
