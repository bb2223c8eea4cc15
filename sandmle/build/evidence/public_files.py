"""Public files by the sample that they belong to."""

from __future__ import annotations

import base64
import bz2
import gzip
import io
import lzma
import re
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

import numpy as np

from sandmle.build.evidence.encodings import pixels
from sandmle.runtime.dataset import Dataset
from sandmle.runtime.tables import owner_of
from sandmle.solvers.reading import Competition

#: The tables that every task has.
TABLES = ("train.csv", "test.csv", "sample_submission.csv")
#: Files that are read as text.
TEXTUAL = (".txt", ".csv", ".tsv", ".json", ".jsonl", ".md", ".yaml", ".xml", ".html", "")
#: What broken archives raise, and those that ask for a password or an unknown method.
UNREADABLE = (
    OSError,
    EOFError,
    ValueError,
    RuntimeError,
    lzma.LZMAError,
    zipfile.BadZipFile,
    zlib.error,
)
#: Shorter lines of letters and digits are words.
_BASE64 = re.compile(rb"[A-Za-z0-9+/=]{64}[A-Za-z0-9+/=\s]*")


@dataclass(frozen=True)
class Series:
    """One file a sample: the same one of its files, where it has several.

    `rows` are places among the competition's ids, ascending; `paths` and `contents` go with them.
    `name` is the path of the first, with {id} for the id.
    """

    name: str
    rows: np.ndarray
    paths: tuple[str, ...]
    contents: tuple[bytes, ...]

    @property
    def is_text(self) -> bool:
        """Whether what the files say is their bytes."""
        return PurePosixPath(self.paths[0]).suffix.lower() in TEXTUAL


def sample_rows(dataset: Dataset, competition: Competition) -> dict[str, int]:
    """The row of each public file that belongs to one sample.

    An id stands in the file's name, or a cell of the main table names the file. Files that all
    training rows have and no test row, and so show labels, are left out.
    """
    places = {name: row for row, name in enumerate(competition.ids)}
    found = {}
    others = []
    for path in dataset.public:
        owner = None if path in TABLES else owner_of(path, places)
        if owner is None:
            others.append(path)
        else:
            found[path] = places[owner]
    found |= _named_in_cells(others, competition)
    by_folder: dict[str, set[int]] = defaultdict(set)
    for path, row in found.items():
        by_folder[_folder(path)].add(row)
    train = set(range(competition.train))
    return {path: row for path, row in found.items() if by_folder[_folder(path)] != train}


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _named_in_cells(paths: list[str], competition: Competition) -> dict[str, int]:
    """The rows whose cells are the path or the name of a file, of files that no id names."""
    if len(paths) <= len(TABLES):
        return {}
    names = {name: path for path in paths for name in (path, path.rpartition("/")[2])}
    found: dict[str, int] = {}
    for column in competition.frame:
        for row, cell in enumerate(competition.frame[column]):
            if cell in names:
                found.setdefault(names[cell], row)
    return found


def series_of(dataset: Dataset, competition: Competition) -> tuple[Series, ...]:
    """The public files of samples, as series."""
    by_row: dict[int, list[str]] = defaultdict(list)
    for path, row in sample_rows(dataset, competition).items():
        by_row[row].append(path)
    grouped: dict[tuple[int, str], dict[int, str]] = defaultdict(dict)
    for row in sorted(by_row):
        for place, path in enumerate(sorted(by_row[row])):
            grouped[place, PurePosixPath(path).suffix][row] = path
    return tuple(
        Series(
            name=without_id(next(iter(paths.values())), competition.ids[next(iter(paths))]),
            rows=np.array(list(paths)),
            paths=tuple(paths.values()),
            contents=tuple(dataset.public[path] for path in paths.values()),
        )
        for paths in grouped.values()
    )


def without_id(path: str, name: str) -> str:
    """The path with {id} for the id."""
    return path.replace(name, "{id}")


def shared_texts(dataset: Dataset, competition: Competition) -> Mapping[str, str]:
    """What public files say that belong to no one sample and are not the tables, by path.

    Archives and base64 are unpacked, also where it stands in a text, and of pictures their pixels;
    what is no text in the end reads as Latin-1.
    """
    owned = frozenset(competition.ids)
    return {
        path: unpacked(content).decode("latin-1")
        for path, content in dataset.public.items()
        if path not in TABLES and owner_of(path, owned) is None
    }


def unpacked(content: bytes) -> bytes:
    """What is packed in a file, all members of an archive one after the other, or the file."""
    try:
        if content.startswith(b"\x1f\x8b"):
            return unpacked(gzip.decompress(content))
        if content.startswith(b"BZh"):
            return unpacked(bz2.decompress(content))
        if content.startswith(b"\xfd7zXZ"):
            return unpacked(lzma.decompress(content))
        if content.startswith(b"PK"):
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                return b"\n".join(unpacked(archive.read(name)) for name in archive.namelist())
        if _BASE64.fullmatch(content):
            return unpacked(base64.b64decode(b"".join(content.split()), validate=True))
        if content.startswith(b"\x89PNG"):
            return pixels(content)
    except UNREADABLE:
        return content
    return b"\n".join([content, *map(unpacked, _BASE64.findall(content))])
