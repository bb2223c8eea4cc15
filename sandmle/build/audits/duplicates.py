"""Test rows with all that belongs to them do not stand in train too."""

from __future__ import annotations

import hashlib
from collections import defaultdict

import numpy as np
import pandas as pd

from sandmle.build.auditing import Examined, Finding
from sandmle.runtime.dataset import Dataset
from sandmle.runtime.tables import owner_of
from sandmle.solvers.reading import Competition

CLAIM = "test rows are not in train"
COST = "cheap"

#: Share of test rows that may stand in train too, where most rows differ.
MOST_DUPLICATES = 0.01

#: Where training labels that are files lie.
LABEL_FILES = "train_clean/"


def examine(task: Examined) -> Finding:
    """Compares the rows of train and test, with their files and their rows in second tables.

    Tables without a column in which most values differ are let be: equal rows are normal there.
    """
    competition = task.competition
    columns = competition.frame.fillna("").assign(**_digests(task.prepared.dataset, competition))
    if not len(columns.columns) or (columns.nunique() < len(columns) / 2).all():
        return Finding(True, "not looked at: few different values")
    rows = pd.util.hash_pandas_object(columns, index=False).to_numpy()
    train, test = rows[: competition.train], rows[competition.train :]
    share = float(np.isin(test, train).mean())
    return Finding(bool(share <= MOST_DUPLICATES), f"{share:.1%} of the test rows")


def _digests(dataset: Dataset, competition: Competition) -> dict[str, list[str]]:
    """For each row a digest of its files, and one of its rows in each second table."""
    files: dict[str, bytes] = defaultdict(bytes)
    place = {name: row for row, name in enumerate(competition.ids)}
    for name in sorted(dataset.public):
        owner = owner_of(name, place)
        if owner is not None and not name.startswith(LABEL_FILES):
            files[owner] += hashlib.sha256(dataset.public[name]).digest()
    found = {}
    if any(name in files for name in competition.ids):
        found["files of the row"] = [files[name].hex() for name in competition.ids]
    for table, content in competition.tables.items():
        rows = pd.util.hash_pandas_object(content.drop(columns=competition.identifier), index=False)
        grouped = rows.groupby(content[competition.identifier]).agg(lambda part: hash(tuple(part)))
        found[f"rows in {table}"] = [str(grouped.get(name, "")) for name in competition.ids]
    return found
