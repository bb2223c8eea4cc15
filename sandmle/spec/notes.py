"""What stands in a spec beside its data: comments and blank lines, by the part they belong to.

A comment on lines of its own belongs to the entry below it, or to the end of a list or mapping
where its indentation says so; one behind something belongs to the entry that ends or starts there.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from sandmle.spec.yaml_source import DataPath, Source, value_at

_COMMENT = re.compile(r"(?:(?<=\s)|\A)#[^\r\n]*")
_BLOCK_HEAD = re.compile(r"[|>][-+0-9]*[ \t]+(#[^\r\n]*)")
#: Lines that tools look for at the top of a file.
_MODELINE = re.compile(r"#\s*(?:yaml-language-server:|-\*-|vim?:)")


@dataclass(frozen=True)
class Note:
    """What stands around one entry.

    `before` are the lines above it, comments or "" for a blank line; `after` is the comment behind
    it; `end` are the lines below the last entry of a list or mapping. The root's `before` is the
    head of the file.
    """

    before: tuple[str, ...] = ()
    after: str = ""
    end: tuple[str, ...] = ()


NOTHING = Note()


@dataclass(frozen=True)
class Notes:
    """The notes of a file by the path of the entry; the parts in `holding` have some inside."""

    by_path: Mapping[DataPath, Note] = field(default_factory=dict)
    holding: frozenset[DataPath] = frozenset()

    def at(self, path: DataPath) -> Note:
        """What stands around the entry at `path`."""
        return self.by_path.get(path, NOTHING)


NO_NOTES = Notes()


def read_notes(source: Source) -> Notes:
    """The comments and blank lines of YAML text without problems."""
    reader = _Reader(source)
    found = reader.read()
    holding: set[DataPath] = set()
    for path, note in found.items():
        if note.end:
            holding.add(path)
        if note.after or note.end or any(note.before):
            holding.update(path[:length] for length in range(len(path)))
    return Notes(found, frozenset(holding))


def comments(source: Source) -> list[str]:
    """The comments of YAML text without problems, in their order, whatever they belong to."""
    return [comment.text for comment in _Reader(source).comments()]


class _Comment(NamedTuple):
    """A comment at an offset of the text; `line` is where its line starts."""

    start: int
    line: int
    text: str


class _Reader:
    """Finds the notes of a source; `entries` holds the offsets where entries start, ascending."""

    def __init__(self, source: Source) -> None:
        self.source, self.text = source, source.text
        self.found: dict[DataPath, Note] = {}
        starts: dict[int, list[DataPath]] = {}
        for path in sorted((path for path in source.values if path), key=len):
            starts.setdefault(self._start(path), []).append(path)
        self.offsets = sorted(starts)
        #: The outermost and the innermost entry that starts at each offset.
        self.outer = {offset: paths[0] for offset, paths in starts.items()}
        self.inner = {offset: paths[-1] for offset, paths in starts.items()}

    def read(self) -> dict[DataPath, Note]:
        own: dict[DataPath, list[_Comment]] = {}
        for comment in self.comments():
            if self.text[comment.line : comment.start].strip():
                self._behind(comment)
                continue
            container, entry = self._place(comment)
            if entry is None:
                lines = self._lines([comment])
                note = self.found.get(container, NOTHING)
                self.found[container] = replace(note, end=(*note.end, *lines))
            else:
                own.setdefault(entry, []).append(comment)
        for offset, path in self.outer.items():
            inner = self.inner[offset]
            if inner != path and inner in own:
                note = self.found.get(inner, NOTHING)
                above = self._lines(own[inner])
                self.found[inner] = replace(note, before=(*above, *note.before))
            above = self._lines(own.get(path, []))
            if self._blank_above(self._line_start(offset)):
                above.append("")
            if offset == self.offsets[0]:
                above = self._head(above)
            if above:
                note = self.found.get(path, NOTHING)
                self.found[path] = replace(note, before=(*above, *note.before))
        return self.found

    def comments(self) -> Iterator[_Comment]:
        """The comments between scalars, and behind the heads of block texts."""
        covered = [place for path, place in self.source.values.items() if self._is_leaf(path)]
        spans = sorted([*covered, *self.source.keys.values()], key=lambda place: place.start)
        position = 0
        for start, end in [*((place.start, place.end) for place in spans), (len(self.text), -1)]:
            for match in _COMMENT.finditer(self.text, position, start):
                yield self._comment(match.start(), match[0])
            head = _BLOCK_HEAD.match(self.text, start)
            if head and end > start:
                yield self._comment(head.start(1), head[1])
            position = max(position, end)

    def _comment(self, start: int, text: str) -> _Comment:
        return _Comment(start, self._line_start(start), text.rstrip())

    def _behind(self, comment: _Comment) -> None:
        """Gives a comment to the entry that ends last before it in its line, or starts last."""
        ended = [
            (place.end, -len(path), path)
            for path, place in self.source.values.items()
            if path and comment.line < place.end <= comment.start and not self._is_block(path)
        ]
        index = bisect.bisect_left(self.offsets, comment.start) - 1
        started = self.offsets[index]
        path = self.inner[started]
        if ended and max(ended)[0] > started:
            path = max(ended)[2]
        note = self.found.get(path, NOTHING)
        earlier = (note.after,) if note.after else ()
        self.found[path] = replace(note, before=(*note.before, *earlier), after=comment.text)

    def _place(self, comment: _Comment) -> tuple[DataPath, DataPath | None]:
        """The list or mapping that a comment on its own line stands in, and the entry below it.

        The entry is None where the comment is at the end of that list or mapping.
        """
        index = bisect.bisect_left(self.offsets, comment.start)
        below = self._below(comment, self.offsets[index]) if index < len(self.offsets) else None
        above = self.inner[self.offsets[index - 1]] if index else ()
        flow = self._flow_around(comment.start)
        if flow is not None:
            inside = below is not None and below[: len(flow)] == flow and below != flow
            return (flow, below) if inside else self._end_of(flow)
        column = comment.start - comment.line
        least = self._column(below) if below is not None else -1
        if column <= least:
            return (), below
        for length in range(len(above), -1, -1):
            part = above[:length]
            closed = below is None or below[:length] != part or len(below) == length
            if closed and self._is_block(part) and self._entry_column(part) <= column:
                return part, None
        return (), below

    def _below(self, comment: _Comment, offset: int) -> DataPath:
        """The entry at an offset that a comment above it belongs to.

        It is the outermost, unless the comment stands below the dash of a list's item.
        """
        line = self._line_start(offset)
        dash_above = "-" not in self.text[line:offset] and not any(
            between.strip() == "-" for between in self.text[comment.start : line].splitlines()
        )
        is_item = self._is_block(self.outer[offset][:-1]) and self.text[offset] not in "[{"
        if isinstance(self.outer[offset][-1], int) and is_item and dash_above:
            return self.inner[offset]
        return self.outer[offset]

    def _end_of(self, path: DataPath) -> tuple[DataPath, DataPath | None]:
        """The end of a flow collection; an empty one has none, so that it stands above it."""
        is_empty = not any(other[:-1] == path for other in self.source.values if other)
        return ((), path) if is_empty and path else (path, None)

    def _flow_around(self, offset: int) -> DataPath | None:
        """The innermost list or mapping in brackets around an offset."""
        around = [
            path
            for path, place in self.source.values.items()
            if place.start < offset < place.end
            and not self._is_leaf(path)
            and not self._is_block(path)
        ]
        return max(around, key=len) if around else None

    def _head(self, above: list[str]) -> list[str]:
        """Gives what stands at the top to the file; the rest belongs to the first entry."""
        cut = max((n for n, line in enumerate(above) if not line), default=-1) + 1
        while cut < len(above) and _MODELINE.match(above[cut]):
            cut += 1
        if any(above[:cut]):
            self.found[()] = replace(self.found.get((), NOTHING), before=tuple(above[:cut]))
        return above[cut:]

    def _lines(self, comments: list[_Comment]) -> list[str]:
        lines: list[str] = []
        for comment in comments:
            lines += ["", comment.text] if self._blank_above(comment.line) else [comment.text]
        return lines

    def _blank_above(self, line: int) -> bool:
        above = self.text[self._line_start(line - 1) : line] if line else "x"
        return not above.strip()

    def _line_start(self, offset: int) -> int:
        return self.text.rfind("\n", 0, max(offset, 0)) + 1

    def _start(self, path: DataPath) -> int:
        place = self.source.keys.get(path) or self.source.values[path]
        return place.start

    def _column(self, path: DataPath) -> int:
        """The column, from 0, of an entry: of its key or its dash."""
        start = self._start(path)
        line = self._line_start(start)
        before = self.text[line:start]
        dash = before.find("-")
        return dash if dash >= 0 and not before.strip("- ") else start - line

    def _entry_column(self, path: DataPath) -> int:
        """The column, from 0, of the entries of a list or mapping without brackets."""
        start = self.source.values[path].start
        if self.text[start] == "-":
            return start - self._line_start(start)
        place = next(place for key, place in self.source.keys.items() if key[:-1] == path)
        return place.column - 1

    def _is_leaf(self, path: DataPath) -> bool:
        return not isinstance(value_at(self.source.data, path), (dict, list))

    def _is_block(self, path: DataPath) -> bool:
        """Whether a part is a list or a mapping without brackets."""
        return not self._is_leaf(path) and self.text[self.source.values[path].start] not in "[{"
