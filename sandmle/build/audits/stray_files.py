"""Every public file is one that the spec tells of: nothing was left lying there."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Sequence

from sandmle.build.auditing import Examined, Finding
from sandmle.build.evidence.public_files import TABLES
from sandmle.runtime.tables import owner_of

CLAIM = "public files are those of the spec"
COST = "cheap"

#: The table of training labels, where they stand in one of their own.
LABELS = "train_labels.csv"
#: Evidence names so many files.
MOST_NAMED = 3


def examine(task: Examined) -> Finding:
    """Looks for files, in memory and on disk, that neither an observe word nor a label writes."""
    prepared, competition = task.prepared, task.competition
    root = os.path.join(prepared.public, "")
    present = set(prepared.dataset.public) | {
        os.path.join(folder, name)[len(root) :].replace(os.sep, "/")
        for folder, _, names in os.walk(root)
        for name in names
    }
    expected = {*TABLES, LABELS, "description.md"}
    for use in prepared.spec.observe:
        expected |= set(_written(use.parameters.get("file", ""), competition.ids, present))
    train = frozenset(competition.ids[: competition.train])
    strays = [path for path in sorted(present - expected) if owner_of(path, train) is None]
    named = ", ".join(strays[:MOST_NAMED])
    more = f" and {len(strays) - MOST_NAMED} more" if len(strays) > MOST_NAMED else ""
    return Finding(not strays, named + more or "none beside them")


def _written(pattern: str, ids: Sequence[str], present: set[str]) -> Iterator[str]:
    """The paths that an observe word may write; of numbered ones as many as there are."""
    for number in itertools.count(1):
        paths = {pattern.replace("{id}", name).replace("{n}", str(number)) for name in ids}
        yield from paths
        if "{n}" not in pattern or paths.isdisjoint(present):
            return
