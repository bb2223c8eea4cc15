"""Neither the order of rows, nor that of ids, nor the rows before tell a label."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pandas as pd

from sandmle.build.auditing import Examined, Finding
from sandmle.build.evidence.associations import (
    association,
    parts_of,
    rank_deviations,
    run_deviations,
    serial_deviations,
)

CLAIM = "rows and ids are in no telling order"
COST = "cheap"

_ID = re.compile(r"[A-Za-z0-9]+")
_FIRST_ID = re.compile(r"^[A-Za-z0-9]+", re.MULTILINE)


def examine(task: Examined) -> Finding:
    """Compares labels with their places, in train, in test and wherever ids are listed."""
    found = []
    for where, rows in orders(task):
        for target, outcome in task.outcomes.items():
            places = np.arange(len(rows))
            found += [
                *rank_deviations(places, outcome[rows], f"{where}, {target}"),
                *serial_deviations(outcome[rows], f"row before by {where}, {target}"),
                *run_deviations(outcome[rows], f"{where}, {target}"),
            ]
    return association(found)


def orders(task: Examined) -> Iterator[tuple[str, np.ndarray]]:
    """Rows of train and of test in each order that a solver meets, but none of them twice."""
    competition = task.competition
    place = {name: row for row, name in enumerate(competition.ids)}
    for part, rows in parts_of(competition):
        by_id = np.array(sorted(rows, key=competition.ids.__getitem__))
        met = {rows.tobytes(), by_id.tobytes()}
        yield f"row order, {part}", rows
        yield f"id order, {part}", by_id
        for name, ids in listings(task):
            listed = np.array([place[each] for each in ids if each in place], dtype=int)
            order = listed[np.isin(listed, rows)]
            if len(order) > 2 and order.tobytes() not in met:
                met.add(order.tobytes())
                yield f"order in {name}, {part}", order


def listings(task: Examined) -> Iterator[tuple[str, list[str]]]:
    """The ids in the order in which files beside train.csv and test.csv name them first."""
    name = "sample_submission.csv"
    submission = task.prepared.dataset.public[name].decode()
    yield name, list(dict.fromkeys(_FIRST_ID.findall(submission)))
    competition = task.competition
    for name, table in competition.tables.items():
        yield f"{name}.csv", list(pd.unique(table[competition.identifier]))
    for path, text in task.shared_texts.items():
        if path.rpartition("/")[2].removesuffix(".csv") not in competition.tables:
            yield path, list(dict.fromkeys(_ID.findall(text)))
