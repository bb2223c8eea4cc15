"""The files of a public folder: which sample each belongs to, and what its tables hold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

IMAGE_SUFFIXES = (".png", ".jpg", ".jpeg", ".bmp", ".gif")


def read_table(path: Path) -> pd.DataFrame:
    """A CSV file as text; only an empty cell is missing, so that a class may be called None."""
    return pd.read_csv(path, dtype=str, keep_default_na=False, na_values=[""])


def find_images(folder: Path, ids: Sequence[str]) -> dict[str, tuple[Path, ...]]:
    """One image a row, for every series of images that has all rows (see find_files)."""
    return find_files(folder, ids, IMAGE_SUFFIXES)


def find_files(
    folder: Path, ids: Sequence[str], suffixes: Sequence[str]
) -> dict[str, tuple[Path, ...]]:
    """One file a row, found by the id in its path, for every series of files that has all rows.

    A series is named by its paths, with `{id}` for the id: `slices/{id}_2.png`.
    """
    known = frozenset(ids)
    series: dict[str, dict[str, Path]] = {}
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() not in suffixes or not path.is_file():
            continue
        found_id = id_in_path(path.relative_to(folder).as_posix(), known)
        if found_id is not None:
            identifier, name = found_id
            series.setdefault(name, {})[identifier] = path
    return {
        name: tuple(found[identifier] for identifier in ids)
        for name, found in sorted(series.items(), key=lambda entry: (len(entry[0]), entry[0]))
        if len(found) == len(known)
    }


def id_in_path(path: str, known: frozenset[str]) -> tuple[str, str] | None:
    """The known id that a file, its name before some `_` or `-`, or a folder is.

    With the path in which `{id}` stands for it.
    """
    parts = path.split("/")
    for place, part in reversed(list(enumerate(parts))):
        stem = part.rsplit(".", 1)[0]
        for end in (len(stem), *(found.start() for found in re.finditer("[_-]", stem))):
            if stem[:end] in known:
                name = "/".join([*parts[:place], "{id}" + part[end:], *parts[place + 1 :]])
                return stem[:end], name
    return None


def find_tables(
    folder: Path, identifier: str, ids: Sequence[str]
) -> tuple[dict[str, pd.DataFrame], list[pd.DataFrame]]:
    """The CSV files beside the known ones: those with rows of test ids by stem, then others.

    Others are read as text: their rows are of something else, which a column of train.csv may name.
    Files of one sample each are left to find_files.
    """
    known = {"train.csv", "test.csv", "sample_submission.csv"}
    samples = frozenset(ids)
    found: dict[str, pd.DataFrame] = {}
    others = []
    for path in sorted(folder.rglob("*.csv")):
        if path.name in known or id_in_path(path.relative_to(folder).as_posix(), samples):
            continue
        if identifier not in pd.read_csv(path, nrows=0).columns:
            others.append(read_table(path))
            continue
        table = pd.read_csv(path, dtype={identifier: str})
        if set(table[identifier]) & set(ids):
            found[path.stem] = table
    return found, others


def joined(frame: pd.DataFrame, lookups: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """The frame with the columns of each table whose first column names its rows in the frame."""
    waiting = [table for table in lookups if table.iloc[:, 0].is_unique]
    while True:
        place = next((i for i, table in enumerate(waiting) if table.columns[0] in frame), None)
        if place is None:
            return frame
        table = waiting.pop(place)
        key = table.columns[0]
        new = [name for name in table.columns if name == key or name not in frame]
        frame = frame.merge(table[new], how="left", on=key)


def looked_up(table: pd.DataFrame, lookups: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """A table of several rows a sample with the columns of each table that its own columns name."""
    for lookup in lookups:
        key = lookup.columns[0]
        if key not in table.columns or not lookup[key].is_unique:
            continue
        for name in lookup.columns.difference(table.columns, sort=False):
            cells = table[key].astype(str).map(lookup.set_index(key)[name])
            numbers = pd.to_numeric(cells, errors="coerce")
            table = table.assign(**{name: cells if numbers.isna().any() else numbers})
    return table
