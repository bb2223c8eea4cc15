"""Data as YAML text laid out for reading: on one line where it fits, a line an entry elsewhere."""

from __future__ import annotations

import json
import re
import textwrap
from typing import Any

from sandmle.spec.notes import NO_NOTES, Notes
from sandmle.spec.yaml_scalars import FORBIDDEN, is_text
from sandmle.spec.yaml_source import DataPath

WIDTH = 100

#: Lists of words that are no longer stand side by side where a line cannot hold them.
_SHORT = 24

#: Text that means itself without quotes, and such text inside {...} and [...].
_PLAIN = re.compile(r"[^\W\d][\w ./()+*%$°–—…;'\",?!&=<>|@~^-]*(?::(?=\w)[\w/.-]*)*(?<! )\Z")
_PLAIN_INLINE = re.compile(r"[^\W\d][\w ./()+*%$°–—…;'-]*(?<! )\Z")
#: Words that YAML 1.1, and so many a tool, reads as something else.
_SURPRISING = re.compile(r"(?i:y|n|yes|no|on|off|true|false|null|none|nan|inf)\Z")
#: Paragraphs of words with one space between them, which a folded block keeps as they are, and
#: lines that a literal block does.
_FOLDABLE = re.compile(r"[^\s]+(?: [^\s]+)*(?:\n+[^\s]+(?: [^\s]+)*)*\n?\Z")
_LITERAL = re.compile(r"[^\s][^\t\r\n]*(?:\n+[^\t\r\n]*[^\s])+\n?\Z")


def dump_data(data: dict[str, Any], notes: Notes = NO_NOTES) -> str:
    """YAML text of plain data, comments where `notes` say; yaml_source.parse_source reads it."""
    lines = [*notes.at(()).before, *_block(data, 0, (), notes)]
    return "".join(line + "\n" for line in lines)


def inline(value: Any) -> str:
    """YAML text of a value on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{inline(k)}: {inline(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(inline(item) for item in value) + "]"
    if isinstance(value, str):
        return _text(value, _PLAIN_INLINE)
    if isinstance(value, float):
        return repr(value)
    return json.dumps(value)


def _text(value: str, plain: re.Pattern[str]) -> str:
    """YAML text of a text: as it is where `plain` allows it, else in double quotes."""
    if plain.match(value) and not _SURPRISING.match(value) and is_text(value):
        return value
    quoted = json.dumps(value, ensure_ascii=False)
    return re.sub("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]", _escape, quoted)


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"


def entry_lines(key: str, value: Any, indent: int) -> list[str]:
    """The lines of one entry of a mapping whose keys stand `indent` spaces from the margin."""
    return _entry(f"{inline(key)}:", value, indent, (key,), NO_NOTES)


def _block(data: Any, indent: int, path: DataPath, notes: Notes) -> list[str]:
    """The lines of a collection, one entry after the other."""
    entries = (
        [(f"{inline(key)}:", key, value) for key, value in data.items()]
        if isinstance(data, dict)
        else [("-", index, value) for index, value in enumerate(data)]
    )
    lines: list[str] = []
    for head, step, value in entries:
        lines += _entry(head, value, indent, (*path, step), notes)
        if len(lines) and step == entries[0][1]:
            while lines[0] == "":
                del lines[0]
    return lines + [line and " " * indent + line for line in notes.at(path).end]


def _entry(head: str, value: Any, indent: int, path: DataPath, notes: Notes) -> list[str]:
    """The lines of one entry; `head` is its key or dash. Comments behind it stay where they fit."""
    note, margin = notes.at(path), " " * indent
    above = [line and margin + line for line in note.before]
    lines = _bare_entry(margin + head, value, indent, path, notes)
    if head == "-":
        # What stands above the first key of an item stands above its dash.
        first = next(n for n, line in enumerate(lines) if line.lstrip().startswith("-"))
        above += [line and margin + line.lstrip() for line in lines[:first]]
        lines = lines[first:]
    if note.after:
        behind = f"{lines[0]}  {note.after}"
        is_head = len(lines) == 1 or lines[0] == margin + head
        if is_head and len(behind) <= WIDTH:
            lines = [behind, *lines[1:]]
        else:
            above.append(margin + note.after)
    return above + lines


def _bare_entry(head: str, value: Any, indent: int, path: DataPath, notes: Notes) -> list[str]:
    """The lines of one entry without what stands around it; inside, comments are kept."""
    written = _text(value, _PLAIN) if isinstance(value, str) else inline(value)
    line = f"{head} {written}"
    deep = isinstance(value, (dict, list)) and bool(value)
    sections = deep and indent == 0 and any(isinstance(v, (dict, list)) for v in _items(value))
    hard_to_read = _mappings_inside(value) > 1 or _needs_quotes(value)
    must_open = sections or path in notes.holding or hard_to_read
    if isinstance(value, str) and (len(line) > WIDTH or "\n" in value):
        return _long_text(head, value, indent + 2) or [line]
    if len(line) <= WIDTH and not must_open:
        return [line]
    if not deep:
        return [line]
    if isinstance(value, list) and not must_open and all(map(_is_short, value)):
        return _side_by_side(head, value, indent + 2)
    inner = _block(value, indent + 2, path, notes)
    if head.endswith("-"):
        first = next(n for n, text in enumerate(inner) if text and text.lstrip()[0] != "#")
        return [*inner[:first], f"{head} {inner[first].lstrip()}", *inner[first + 1 :]]
    return [head, *inner]


def _items(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else value


def _mappings_inside(value: Any) -> int:
    """How many mappings a value holds; a line with two of them is hard to read."""
    if not isinstance(value, (dict, list)):
        return 0
    return sum(isinstance(item, dict) + _mappings_inside(item) for item in _items(value))


def _needs_quotes(value: Any) -> bool:
    """Whether a mapping has texts that need quotes only as they stand in braces."""
    return isinstance(value, dict) and any(
        isinstance(item, str) and _text(item, _PLAIN) == item != _text(item, _PLAIN_INLINE)
        for item in value.values()
    )


def _is_short(value: Any) -> bool:
    return not isinstance(value, (dict, list)) and len(inline(value)) <= _SHORT


def _side_by_side(head: str, items: list[Any], indent: int) -> list[str]:
    """A list in brackets over several lines, as many items in each as it holds."""
    lines, line = [], f"{head} ["
    for number, item in enumerate(items):
        end = "]" if number == len(items) - 1 else ","
        written = inline(item) + end
        if number and len(line) + 1 + len(written) > WIDTH:
            lines.append(line)
            line = " " * indent + written
        else:
            line += f" {written}" if number else written
    return [*lines, line]


def _long_text(head: str, value: str, indent: int) -> list[str]:
    """A text as a block over several lines; empty where no block keeps it as it is."""
    if FORBIDDEN.search(value):
        return []
    chomp, body = ("", value[:-1]) if value.endswith("\n") else ("-", value)
    if _FOLDABLE.match(value):
        wrapped: list[str] = []
        for paragraph in body.split("\n"):
            wrapped.extend([*_wrap(paragraph, indent), ""])
        return [f"{head} >{chomp}", *wrapped[:-1]]
    if _LITERAL.match(value):
        return [f"{head} |{chomp}", *(line and " " * indent + line for line in body.split("\n"))]
    return []


def _wrap(paragraph: str, indent: int) -> list[str]:
    """A paragraph broken at single spaces only, which is where folding puts spaces back."""
    return textwrap.wrap(
        paragraph,
        WIDTH,
        initial_indent=" " * indent,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
