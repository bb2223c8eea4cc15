"""A built task and what its description.md says: sections, files, columns, the example."""

from __future__ import annotations

import csv
import functools
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sandmle.build.auditing import Examined

CODE = re.compile(r"`([^`\n]+)`")
BULLET = re.compile(r"^- `([^`]+)`: (.*)$", re.MULTILINE)
EXAMPLE = re.compile(r"^```csv\n(.*?)^```", re.MULTILINE | re.DOTALL)

#: A row of the table of columns: name, meaning, and the files that it stands in where that is told.
_ROW = re.compile(r"^\| `([^`]+)` \| ((?:[^|\\]|\\.)*?) ?\|(?: (.*?) \|)?$", re.MULTILINE)


@dataclass(frozen=True)
class ToldColumn:
    """What is told of a column; no `files` where all columns stand in the main tables."""

    name: str
    meaning: str
    files: tuple[str, ...]


@dataclass(frozen=True)
class Described:
    """A task and what its description.md says: the whole text, and its sections by heading."""

    task: Examined
    text: str

    @property
    def public(self) -> Mapping[str, bytes]:
        """The public files."""
        return self.task.prepared.dataset.public

    def section(self, heading: str) -> str:
        """What stands below a heading of the second level, up to the next one."""
        found = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", self.text, re.MULTILINE | re.DOTALL)
        return found[1] if found else ""

    def header(self, path: str) -> list[str]:
        """The columns of a public CSV file."""
        line, _, _ = self.public[path].partition(b"\n")
        return next(csv.reader([line.decode()]), [])

    def cells(self, path: str, column: str) -> list[str]:
        """The entries of a column of a public CSV file that are not empty."""
        rows = csv.DictReader(io.StringIO(self.public[path].decode(), newline=""))
        return [row[column] for row in rows if row.get(column)]

    def matching(self, path: str) -> Iterator[re.Match[str]]:
        """The public files that a path stands for, whose `{id}` they tell."""
        pattern = re.escape(path).replace(r"\{id\}", r"(?P<id>[^/]+?)").replace(r"\{n\}", r"\d+")
        for name in self.public:
            match = re.fullmatch(pattern + (".*" if path.endswith("/") else ""), name)
            if match:
                yield match

    @functools.cached_property
    def files(self) -> Mapping[str, str]:
        """What is said of each path."""
        return dict(BULLET.findall(self.section("Files")))

    @functools.cached_property
    def columns(self) -> tuple[ToldColumn, ...]:
        """The table of columns."""
        return tuple(
            ToldColumn(name, meaning.replace(r"\|", "|").strip(), tuple(CODE.findall(files)))
            for name, meaning, files in _ROW.findall(self.section("Columns"))
        )

    @functools.cached_property
    def tables(self) -> Mapping[str, list[str]]:
        """The headers of the CSV files; of those that samples have of their own, in a folder each
        kind, one stands for all.
        """
        paths = {
            path.rpartition("/")[0] or path: path for path in self.public if path.endswith(".csv")
        }
        return {path: self.header(path) for path in paths.values()}


def example_rows(described: Described) -> list[list[str]]:
    """The header and the rows of the example of a submission."""
    example = EXAMPLE.search(described.text)
    return list(csv.reader(io.StringIO(example[1], newline=""))) if example else [[]]
