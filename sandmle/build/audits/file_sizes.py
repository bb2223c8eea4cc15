"""The sizes of files, one a sample, say nothing of the label."""

from __future__ import annotations

from collections import defaultdict
from pathlib import PurePosixPath

import numpy as np

from sandmle.build.associations import association, outcomes, rank_deviations
from sandmle.build.auditing import Examined, Finding
from sandmle.runtime.tables import owner_of

CLAIM = "sizes of files tell nothing"
COST = "cheap"

#: Files whose size is their content.
TEXTUAL = (".txt", ".csv", ".json", ".md")


def examine(task: Examined) -> Finding:
    """Compares labels with the sizes of each kind of files."""
    dataset, competition = task.prepared.dataset, task.competition
    place = {name: row for row, name in enumerate(competition.ids)}
    sizes: dict[str, dict[int, int]] = defaultdict(dict)
    for name, content in dataset.public.items():
        owner = owner_of(name, place)
        if owner is not None and PurePosixPath(name).suffix not in TEXTUAL:
            sizes[name.replace(owner, "*")][place[owner]] = len(content)
    found = []
    for pattern, by_row in sizes.items():
        rows = np.array(sorted(by_row))
        values = np.array([by_row[row] for row in rows])
        for target, outcome in outcomes(dataset, competition, rows):
            found += rank_deviations(values, outcome, f"size of {pattern}, {target}")
    return association(found)
