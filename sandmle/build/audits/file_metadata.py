"""Pictures and sounds carry no notes, and are not encoded in a way, that goes with a label."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sandmle.build.auditing import Examined, Finding
from sandmle.build.evidence.associations import association, compared
from sandmle.build.evidence.encodings import Encoding
from sandmle.build.evidence.traits import Trait, level_traits, number_traits, together, traits

CLAIM = "how files are encoded tells nothing"
COST = "cheap"

#: Bytes of a note that are looked at, from either end.
MOST_BYTES = 64


def examine(task: Examined) -> Finding:
    """Compares labels with all that differs between the headers of a series of files."""
    found = []
    for series in task.series:
        said = task.encodings[series.name]
        keys = sorted({key for each in said for key in each})
        names, columns = together([trait for key in keys for trait in _of(key, said)])
        found += compared(columns, names, task.outcomes, series.rows, series.name)
    return association(found)


def _of(key: str, said: Sequence[Encoding]) -> list[Trait]:
    """What one header says: whether it is there, its number, or what its bytes are made of."""
    values = [each.get(key, b"") for each in said]
    if len(set(values)) < 2:
        return []
    found = level_traits(key, values)
    if not any(isinstance(value, bytes) for value in values):
        return [*found, *number_traits(key, np.array(values, float))]
    notes = [value if isinstance(value, bytes) else str(value).encode() for value in values]
    names, columns = traits([_ends(note).decode("latin-1") for note in notes])
    return [
        *found,
        *((f"{key}, {name}", column) for name, column in zip(names, columns.T, strict=True)),
    ]


def _ends(note: bytes) -> bytes:
    """A long note without what is in its middle."""
    return note if len(note) <= 2 * MOST_BYTES else note[:MOST_BYTES] + note[-MOST_BYTES:]
