"""Names of files say no more than whose they are, and come in no telling order."""

from __future__ import annotations

import numpy as np

from sandmle.build.auditing import Examined, Finding
from sandmle.build.evidence.associations import (
    Deviation,
    association,
    compared,
    rank_deviations,
    serial_deviations,
)
from sandmle.build.evidence.public_files import Series, without_id
from sandmle.build.evidence.traits import Trait, together, traits

CLAIM = "names of files tell nothing"
COST = "cheap"


def examine(task: Examined) -> Finding:
    """Compares labels with what paths hold beside the id, who has a file, and in which order.

    The order is that in which the task lists its files, where it isn't that of the ids.
    """
    competition = task.competition
    every = np.arange(len(competition.ids))
    owned: list[Trait] = [("count of files", np.zeros(len(every)))]
    found = []
    for series in task.series:
        owned[0][1][series.rows] += 1
        owned.append((f"a file {series.name}", np.isin(every, series.rows)))
        rests = [
            without_id(path, competition.ids[row])
            for path, row in zip(series.paths, series.rows, strict=True)
        ]
        names, columns = traits(rests)
        where = f"names of {series.name}"
        found += compared(columns, names, task.outcomes, series.rows, where)
        found += _order(task, series)
    names, columns = together(owned)
    return association([*found, *compared(columns, names, task.outcomes, every, "all rows")])


def _order(task: Examined, series: Series) -> list[Deviation]:
    """How the labels go with the order in which the files are listed."""
    place = {path: index for index, path in enumerate(task.prepared.dataset.public)}
    order = series.rows[np.argsort([place[path] for path in series.paths])]
    ids = [task.competition.ids[row] for row in order]
    if ids == sorted(ids):
        return []
    return [
        deviation
        for target, outcome in task.outcomes.items()
        for deviation in (
            *rank_deviations(np.arange(len(order)), outcome[order], f"order of files, {target}"),
            *serial_deviations(outcome[order], f"file before, {target}"),
        )
    ]
