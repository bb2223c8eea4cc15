"""The files beside a competition's main table, each family reduced to its measures."""

from __future__ import annotations

import wave
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from PIL import Image, UnidentifiedImageError

from sandmle.seeds.columns import as_numbers, smoothness_of
from sandmle.seeds.competition import fault, read_table
from sandmle.seeds.model import Files

#: Files of a family that are opened.
_FILES_OPENED = 40

#: Tables of one folder beyond which they are one file a sample, not tables of their own.
_TABLES_ALONE = 20

_SUFFIXES = {
    "image": (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".tif", ".tiff", ".webp"),
    "audio": (".wav",),
    "document": (".txt", ".html", ".json"),
    "table": (".csv",),
}


def profile_files(files: Sequence[Path], identifier: str) -> tuple[Files, ...]:
    """One entry for each family of files, judged by a sample of it.

    `identifier` is the id column: a table that repeats its values holds several rows a sample.
    Raises SpecError where an image, a recording or a table cannot be read.
    """
    families = {
        kind: [path for path in files if path.suffix.lower() in suffixes]
        for kind, suffixes in _SUFFIXES.items()
    }
    found = []
    if families["image"]:
        found.append(_images(_spread(families["image"])))
    if families["audio"]:
        found.append(_recordings(_spread(families["audio"])))
    if families["document"]:
        found.append(_documents(_spread(families["document"])))
    if len(families["table"]) > _TABLES_ALONE:
        found.append(_series([read_table(path)[0] for path in _spread(families["table"])]))
    else:
        found.extend(_table(path, identifier) for path in families["table"])
    return tuple(found)


def _images(paths: Sequence[Path]) -> Files:
    sizes, channels = [], []
    for path in paths:
        try:
            with Image.open(path) as image:
                sizes.append(image.size)
                channels.append(len(image.getbands()))
        except (UnidentifiedImageError, OSError, Image.DecompressionBombError) as error:
            raise fault(path, f"is not an image that can be read: {type(error).__name__}") from None
    width, height = np.median(np.array(sizes), axis=0)
    return Files("image", width=int(width), height=int(height), channels=max(channels))


def _recordings(paths: Sequence[Path]) -> Files:
    lengths, channels = [], []
    for path in paths:
        try:
            with wave.open(str(path), "rb") as recording:
                lengths.append(recording.getnframes())
                channels.append(recording.getnchannels())
        except (wave.Error, EOFError, OSError) as error:
            raise fault(path, f"is not a recording that can be read: {error}") from None
    return Files("audio", length=int(np.median(lengths)), channels=max(channels))


def _documents(paths: Sequence[Path]) -> Files:
    words = [len(path.read_text(encoding="utf-8", errors="replace").split()) for path in paths]
    return Files("document", words=int(np.median(words)))


def _table(path: Path, identifier: str) -> Files:
    table, rows = read_table(path)
    names = [name for name in table.columns if name.lower() == identifier.lower()]
    if not names or table[names[0]].nunique() > rows / 2:
        return Files("table", columns=len(table.columns))
    return _series([part.drop(columns=names) for _, part in table.groupby(names[0], sort=False)])


def _series(parts: Sequence[pd.DataFrame]) -> Files:
    """Tables of one sample each, their rows in the order of the readings."""
    smoothness: list[list[float]] = []
    for part in parts[:_FILES_OPENED]:
        channels = [as_numbers(part[name]) for name in part.columns]
        # A counter or a clock rises by equal steps: it orders the readings and is none itself.
        readings = [c for c in channels if c is not None and len(set(np.diff(c).round(9))) > 1]
        smoothness.append([smoothness_of(reading[None, :]) for reading in readings])
    everything = [value for one in smoothness for value in one]
    return Files(
        "series",
        length=int(np.median([len(part) for part in parts])),
        channels=max(len(one) for one in smoothness),
        smoothness=round(float(np.mean(everything)), 2) if everything else 0.0,
    )


def _spread(paths: Sequence[Path]) -> list[Path]:
    """At most _FILES_OPENED of the paths, evenly spread."""
    step = max(1, len(paths) // _FILES_OPENED)
    return list(paths[::step][:_FILES_OPENED])
