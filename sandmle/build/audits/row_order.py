"""Neither the order of rows, nor that of ids, nor the row before tells a label."""

from __future__ import annotations

import numpy as np

from sandmle.build.associations import (
    association,
    outcomes,
    parts_of,
    rank_deviations,
    serial_deviations,
)
from sandmle.build.auditing import Examined, Finding

CLAIM = "rows and ids are in no telling order"
COST = "cheap"


def examine(task: Examined) -> Finding:
    """Compares labels with their places, in train and in test."""
    competition, found = task.competition, []
    for part, rows in parts_of(competition):
        ids = [competition.ids[row] for row in rows]
        by_id = np.argsort(np.argsort(ids))
        for target, outcome in outcomes(task.prepared.dataset, competition, rows):
            found += [
                *rank_deviations(np.arange(len(rows)), outcome, f"row order, {target}, {part}"),
                *rank_deviations(by_id, outcome, f"id order, {target}, {part}"),
                *serial_deviations(outcome, f"row before, {target}, {part}"),
            ]
    return association(found)
