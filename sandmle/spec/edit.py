"""Edits of YAML text by tools: one value changes, every other byte stays.

A value's span in the text is known from parsing, so an edit replaces exactly that span; nothing
is loaded and written out again, which would lose layout that no library keeps in full. Every edit
is read again and compared with what was meant before it is given back.
"""

from __future__ import annotations

import codecs
import copy
import dataclasses
import re
from pathlib import Path
from typing import Any

from sandmle.errors import SpecError
from sandmle.spec.layout import entry_lines, inline
from sandmle.spec.model import Thresholds
from sandmle.spec.yaml_source import DataPath, Source, dotted, parse_source, read_source
from sandmle.writing import write_whole

MEDALS = tuple(field.name for field in dataclasses.fields(Thresholds))


def write_thresholds(path: Path, thresholds: Thresholds) -> None:
    """Writes thresholds into a spec file, whole or not at all; every other byte stays.

    Raises SpecError where the file cannot be read as YAML.
    """
    replace_text(path, set_thresholds(read_source(path).text, thresholds))


def replace_text(path: Path, text: str) -> None:
    """Gives a file another text, whole or not at all; a byte order mark stays."""
    mark = codecs.BOM_UTF8 if path.read_bytes().startswith(codecs.BOM_UTF8) else b""
    write_whole(path, mark + text.encode())


def set_thresholds(text: str, thresholds: Thresholds) -> str:
    """A spec's text with these thresholds, in place of those it has or before the narrative.

    The layout of thresholds that stand there stays, comments too. Raises SpecError where the text
    is not valid YAML.
    """
    values = dataclasses.asdict(thresholds)
    source = _parse(text)
    given = source.data.get("thresholds") if isinstance(source.data, dict) else None
    if not isinstance(given, dict) or set(given) != set(MEDALS):
        return set_value(text, ("thresholds",), values, before="narrative")
    for medal in MEDALS:
        text = set_value(text, ("thresholds", medal), values[medal])
    return text


def set_value(text: str, path: DataPath, value: Any, *, before: str | None = None) -> str:
    """YAML text in which the value at `path` is `value`, plain data.

    A key that is missing is added to its mapping: in front of the key `before` where that is
    there, else at the end. Raises SpecError where the text is not valid YAML, KeyError where
    `path` leads through something that is not there, and ValueError where the layout around it
    does not allow the edit.
    """
    source = _parse(text)
    wanted = _changed(source.data, path, value)
    if path in source.values:
        edited = _replaced(source, path, value)
    else:
        edited = _added(source, path, value, before)
    found = parse_source(edited, file="")
    if found.problems or found.data != wanted:
        raise ValueError(f"{dotted(path)} cannot be edited in this layout")
    return edited


def _parse(text: str) -> Source:
    source = parse_source(text, file="<text>")
    if source.problems:
        raise SpecError(source.problems)
    return source


def _changed(data: Any, path: DataPath, value: Any) -> Any:
    """A copy of the data with the value at `path` changed, or added to a mapping."""
    if not path:
        return copy.deepcopy(value)
    changed: Any = copy.deepcopy(data)
    parent = changed
    for step in path[:-1]:
        parent = parent[step]
    if not isinstance(parent, dict) and path[-1] not in range(len(parent or ())):
        raise KeyError(f"{dotted(path)}: there is nothing to change")
    parent[path[-1]] = value
    return changed


def _replaced(source: Source, path: DataPath, value: Any) -> str:
    """The text with an existing value replaced, on one line."""
    place = source.values[path]
    head, old, tail = (
        source.text[: place.start],
        source.text[place.start : place.end],
        source.text[place.end :],
    )
    if re.search(r":[ \r\n]*\Z", head) and path in source.keys:
        # Between the key and its value is nothing but space: the new value joins the key's line.
        head = head.rstrip() + " "
    # A block text's span ends with its line breaks.
    return head + inline(value) + old[len(old.rstrip("\r\n")) :] + tail


def _added(source: Source, path: DataPath, value: Any, before: str | None) -> str:
    """The text with a new key in the mapping at `path[:-1]`."""
    parent, key = path[:-1], str(path[-1])
    start = source.values[parent].start
    siblings = [where for where in source.keys if where[:-1] == parent]
    follower = (*parent, before or "")
    position = siblings.index(follower) if follower in siblings else len(siblings)
    if source.text[start] == "{":
        return _added_inline(source, siblings, position, start, f"{inline(key)}: {inline(value)}")
    column = source.keys[siblings[0]].column - 1
    newline = "\r\n" if "\r\n" in source.text else "\n"
    lines = newline.join(entry_lines(key, value, column)) + newline
    if position == 0:
        at = source.keys[siblings[0]].start
        return source.text[:at] + lines.lstrip() + " " * column + source.text[at:]
    end = source.values[siblings[position - 1]].end
    if source.text[end - 1] != "\n":
        end = source.text.find("\n", end) + 1 or len(source.text)
    head = source.text[:end]
    return head + ("" if head.endswith("\n") else newline) + lines + source.text[end:]


def _added_inline(
    source: Source, siblings: list[DataPath], position: int, start: int, entry: str
) -> str:
    """The text with an entry put into a mapping in braces that starts at `start`."""
    if not siblings:
        at, entry = start + 1, entry
    elif position < len(siblings):
        at, entry = source.keys[siblings[position]].start, f"{entry}, "
    else:
        at, entry = source.values[siblings[-1]].end, f", {entry}"
    return source.text[:at] + entry + source.text[at:]
