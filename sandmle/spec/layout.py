"""Data as YAML text laid out for reading: on one line where it fits, a line an entry elsewhere."""

from __future__ import annotations

import json
import re
import textwrap
from typing import Any

from sandmle.spec.yaml_scalars import FORBIDDEN, is_text

WIDTH = 100

#: Text that means itself without quotes, and such text inside {...} and [...].
_PLAIN = re.compile(r"[^\W\d][\w ./()+*%$°–—…;'\",?!&=<>|@~^-]*(?::(?=\w)[\w/.-]*)*(?<! )\Z")
_PLAIN_INLINE = re.compile(r"[^\W\d][\w ./()+*%$°–—…;'-]*(?<! )\Z")
#: Words that YAML 1.1, and so many a tool, reads as something else.
_SURPRISING = re.compile(r"(?i:y|n|yes|no|on|off|true|false|null|none|nan|inf)\Z")
#: Paragraphs of words with one space between them, which a folded block keeps as they are.
_FOLDABLE = re.compile(r"[^\s]+(?: [^\s]+)*(?:\n[^\s]+(?: [^\s]+)*)*\Z")


def dump_data(data: dict[str, Any]) -> str:
    """YAML text of plain data; yaml_source.parse_source gives it back."""
    return "".join(line + "\n" for line in _block(data, 0))


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


def _block(data: Any, indent: int) -> list[str]:
    """The lines of a collection, one entry after the other."""
    if isinstance(data, dict):
        return [line for k, value in data.items() for line in entry_lines(k, value, indent)]
    return [line for value in data for line in _entry(" " * indent + "-", value, indent)]


def entry_lines(key: str, value: Any, indent: int) -> list[str]:
    """The lines of one entry of a mapping whose keys stand `indent` spaces from the margin."""
    return _entry(" " * indent + f"{inline(key)}:", value, indent)


def _entry(head: str, value: Any, indent: int) -> list[str]:
    """The lines of one entry; `head` is its key or dash."""
    written = _text(value, _PLAIN) if isinstance(value, str) else inline(value)
    line = f"{head} {written}"
    deep = isinstance(value, (dict, list)) and bool(value)
    sections = deep and indent == 0 and any(isinstance(v, (dict, list)) for v in _items(value))
    if len(line) <= WIDTH and not sections:
        return [line]
    if isinstance(value, str) and _FOLDABLE.match(value) and not FORBIDDEN.search(value):
        wrapped = []
        for paragraph in value.split("\n"):
            wrapped.extend([*_wrap(paragraph, indent + 2), ""])
        return [f"{head} >-", *wrapped[:-1]]
    if not deep:
        return [line]
    inner = _block(value, indent + 2)
    if head.endswith("-"):
        return [f"{head} {inner[0].lstrip()}", *inner[1:]]
    return [head, *inner]


def _items(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else value


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
