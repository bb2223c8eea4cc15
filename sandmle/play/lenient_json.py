"""JSON as language models write it: with the slips that leave no doubt of its sense.

Those are raw line breaks within strings, escapes that JSON does not know (a regular expression's
`\\d`), strings within single or triple quotes, True, False and None, trailing commas, comments, and
closing brackets that are missing at the very end. A string that does not end is no value.
"""

from __future__ import annotations

import json
import re
from typing import Any

#: Arrays and objects within each other at the most; arguments of tools have two or three.
_MAX_DEPTH = 32

_STANDARD = json.JSONDecoder(strict=False)  # not strict: line breaks may stand in strings

_BLANK = re.compile(r"(?:\s|//[^\n]*|#[^\n]*)*")
_SCALAR = re.compile(r"-?[\w.+]+(?:(?<=[eE])-\d+)?")
_NAME = re.compile(r"[A-Za-z_]\w*")
_QUOTES = ('"""', "'''", '"', "'")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "\n": ""}
_WORDS = {"true": True, "True": True, "false": False, "False": False, "null": None, "None": None}


def read_json(text: str, start: int = 0) -> tuple[Any, int]:
    """The value that begins at `start`, and where it ends. Takes time linear in what it reads.

    Raises ValueError saying what was expected, and where.
    """
    start = _blank(text, start)
    try:
        return _STANDARD.raw_decode(text, start)
    except (ValueError, RecursionError):
        return _value(text, start, 0)


def unescape(text: str) -> str:
    """The text that a string's source stands for; unknown escapes are left as they are."""
    plain = _ESCAPE.sub(_unescaped, text)
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # joins pairs


def _unescaped(found: re.Match[str]) -> str:
    kind = found[1]
    if len(kind) > 1:
        return chr(int(kind[1:], 16))
    if kind in "\"'\\/":
        return kind
    return _ESCAPES.get(kind, found[0])


def _blank(text: str, position: int) -> int:
    found = _BLANK.match(text, position)
    return found.end() if found else position


def _value(text: str, position: int, depth: int) -> tuple[Any, int]:
    if depth > _MAX_DEPTH:
        raise _expected(f"at most {_MAX_DEPTH} levels", position)
    opening = text[position : position + 1]
    if opening == "{":
        return _object(text, position + 1, depth)
    if opening == "[":
        return _array(text, position + 1, depth)
    if opening and opening in "\"'":
        return _string(text, position)
    found = _SCALAR.match(text, position)
    if found is None:
        raise _expected("a value", position)
    word = found[0]
    if word in _WORDS:
        return _WORDS[word], found.end()
    try:
        return json.loads(word), found.end()
    except ValueError:
        raise _expected("a value", position) from None


def _object(text: str, position: int, depth: int) -> tuple[dict[str, Any], int]:
    data: dict[str, Any] = {}
    while True:
        position = _blank(text, position)
        if position == len(text) and data:
            return data, position
        if text.startswith("}", position):
            return data, position + 1
        if text.startswith(("'", '"'), position):
            key, position = _string(text, position)
        elif found := _NAME.match(text, position):
            key, position = found[0], found.end()
        else:
            raise _expected("a key or }", position)
        position = _blank(text, position)
        if not text.startswith(":", position):
            raise _expected("a colon", position)
        data[key], position = _value(text, _blank(text, position + 1), depth + 1)
        position = _after_item(text, position, "}")


def _array(text: str, position: int, depth: int) -> tuple[list[Any], int]:
    items: list[Any] = []
    while True:
        position = _blank(text, position)
        if position == len(text) and items:
            return items, position
        if text.startswith("]", position):
            return items, position + 1
        item, position = _value(text, position, depth + 1)
        items.append(item)
        position = _after_item(text, position, "]")


def _after_item(text: str, position: int, closing: str) -> int:
    """Where the next item, the closing bracket or the text's end is."""
    position = _blank(text, position)
    if text.startswith(",", position):
        return position + 1
    if position == len(text) or text.startswith(closing, position):
        return position
    raise _expected(f"a comma or {closing}", position)


def _string(text: str, position: int) -> tuple[str, int]:
    quotes = next(quotes for quotes in _QUOTES if text.startswith(quotes, position))
    start = end = position + len(quotes)
    if len(quotes) == 3 and text.find(quotes, start) < 0:
        quotes, start = quotes[:1], position + 1  # an empty string, and what follows it
        end = start
    while True:
        end = text.find(quotes, end)
        if end < 0:
            raise _expected(f"an end of the string: {quotes}", position)
        if not _is_escaped(text, start, end):
            return unescape(text[start:end]), end + len(quotes)
        end += 1


def _is_escaped(text: str, start: int, end: int) -> bool:
    """Whether an odd number of backslashes stands before `end`."""
    before = end
    while before > start and text[before - 1] == "\\":
        before -= 1
    return (end - before) % 2 == 1


def _expected(what: str, position: int) -> ValueError:
    return ValueError(f"expected {what} at character {position + 1}")
