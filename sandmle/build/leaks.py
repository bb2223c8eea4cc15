"""Checks that the public files give no answer away by what is not meant to hold it."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import PurePosixPath

import numpy as np
import pandas as pd
from scipy.stats import norm, rankdata
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from sandmle.build.ladder import csv_content, is_plain
from sandmle.build.prepare import sample_places
from sandmle.build.verdict import Audit
from sandmle.grading import Grader
from sandmle.runtime.dataset import Dataset
from sandmle.runtime.tables import owner_of
from sandmle.solvers.features import raw_column
from sandmle.solvers.models import indicators
from sandmle.solvers.reading import Competition
from sandmle.solvers.submitting import submission

#: An association with the label is a leak beyond this many standard deviations of chance, where
#: it is the only one that is looked at (see most_deviations).
MOST_DEVIATIONS = 4.0
#: Share of test rows that may stand in train too, where most rows differ.
MOST_DUPLICATES = 0.01
#: Depth of the tree on a single column that must not reach gold.
TREE_DEPTH = 3
#: Where training labels that are files lie.
LABEL_FILES = "train_clean/"
#: Files whose size is their content.
TEXTUAL = (".txt", ".csv", ".json", ".md")


def single_columns(dataset: Dataset, competition: Competition, grader: Grader) -> Audit:
    """No shallow tree on one column of the main table wins gold: it would be the answer."""
    if not is_plain(dataset):
        reason = "not looked at: the target is more than a number or a class"
        return Audit("no single column reaches gold", True, reason)
    winners, looked = [], 0
    for name in competition.frame:
        columns = raw_column(competition.frame[name])
        if columns.shape[1] != 1:
            continue
        looked += 1
        values = columns.fillna(columns.median()).fillna(0.0).to_numpy(float)
        predictions = {
            target: _tree(values, response, len(competition.classes), competition.train)
            for target, response in competition.responses().items()
        }
        grade = grader.grade(csv_content(submission(competition, predictions)))
        if grade.medal == "gold":
            winners.append(f"{name}: {grade.score}")
    detail = ", ".join(winners) or f"{looked} columns tried"
    return Audit("no single column reaches gold", not winners, detail)


def _tree(values: np.ndarray, response: np.ndarray, classes: int, train: int) -> np.ndarray:
    """A shallow tree's predictions for the rows after the first `train`."""
    if not classes:
        tree = DecisionTreeRegressor(max_depth=TREE_DEPTH, random_state=0)
        return np.asarray(tree.fit(values[:train], response).predict(values[train:]))[:, None]
    tree = DecisionTreeClassifier(max_depth=TREE_DEPTH, random_state=0)
    found = np.zeros((len(values) - train, classes))
    found[:, np.unique(response)] = tree.fit(values[:train], response).predict_proba(values[train:])
    return found


def order_of_rows(dataset: Dataset, competition: Competition) -> Audit:
    """Neither the order of rows, nor that of ids, nor the row before tells a label."""
    found = []
    for part, rows in _parts(competition):
        ids = [competition.ids[row] for row in rows]
        by_id = np.argsort(np.argsort(ids))
        for target, outcome in _outcomes(dataset, competition, rows):
            found += [
                *_deviations(np.arange(len(rows)), outcome, f"row order, {target}, {part}"),
                *_deviations(by_id, outcome, f"id order, {target}, {part}"),
                *_serial_deviations(outcome, f"row before, {target}, {part}"),
            ]
    return _association("rows and ids are in no telling order", found)


def sizes_of_files(dataset: Dataset, competition: Competition) -> Audit:
    """The sizes of files, one a sample, say nothing of the label."""
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
        for target, outcome in _outcomes(dataset, competition, rows):
            found += _deviations(values, outcome, f"size of {pattern}, {target}")
    return _association("sizes of files tell nothing", found)


def duplicates(dataset: Dataset, competition: Competition) -> Audit:
    """Test rows with all that belongs to them do not stand in train too.

    Tables without a column in which most values differ are let be: equal rows are normal there.
    """
    name = "test rows are not in train"
    columns = competition.frame.fillna("").assign(**_digests(dataset, competition))
    if not len(columns.columns) or (columns.nunique() < len(columns) / 2).all():
        return Audit(name, True, "not looked at: few different values")
    rows = pd.util.hash_pandas_object(columns, index=False).to_numpy()
    train, test = rows[: competition.train], rows[competition.train :]
    share = float(np.isin(test, train).mean())
    return Audit(name, bool(share <= MOST_DUPLICATES), f"{share:.1%} of the test rows")


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


def targets_in_public(competition: Competition) -> Audit:
    """No table but train.csv has a column named as a target."""
    found = [
        f"{name}.csv: {target}"
        for name, table in competition.tables.items()
        for target in competition.targets
        if target in table.columns
    ]
    return Audit(
        "targets stand in train.csv alone", not found, ", ".join(found) or "none elsewhere"
    )


def _parts(competition: Competition) -> Iterator[tuple[str, np.ndarray]]:
    """The rows of train.csv and of test.csv, as positions among all ids."""
    every = np.arange(len(competition.ids))
    yield "train", every[: competition.train]
    yield "test", every[competition.train :]


def _outcomes(
    dataset: Dataset, competition: Competition, rows: np.ndarray
) -> Iterator[tuple[str, np.ndarray]]:
    """Each target's labels of some rows: a column a class, or the ranks of numbers."""
    places = sample_places(dataset, competition.ids)[rows]
    if not is_plain(dataset):
        return
    for target, labels in dataset.labels.items():
        values = labels[places]
        classes = len(competition.classes)
        yield target, indicators(values, classes) if classes else rankdata(values)[:, None]


def _deviations(values: np.ndarray, outcome: np.ndarray, where: str) -> list[tuple[float, str]]:
    """Rank correlation of values with each column of an outcome, in its standard errors."""
    ranks = rankdata(values)
    scale = np.sqrt(len(ranks) - 1)
    return [(_correlation(ranks, column) * scale, where) for column in outcome.T]


def _serial_deviations(outcome: np.ndarray, where: str) -> list[tuple[float, str]]:
    """Correlation of each column with itself one row later, in its standard errors."""
    scale = np.sqrt(len(outcome) - 1)
    return [(_correlation(column[1:], column[:-1]) * scale, where) for column in outcome.T]


def _correlation(left: np.ndarray, right: np.ndarray) -> float:
    """The size of the correlation of two arrays, 0 where one does not vary."""
    if np.ptp(left) == 0 or np.ptp(right) == 0:
        return 0.0
    return abs(float(np.corrcoef(left, right)[0, 1]))


def most_deviations(tests: int) -> float:
    """The standard errors that the largest of several associations may lie from chance.

    All together they fail a task that leaks nothing as rarely as a single one does beyond
    MOST_DEVIATIONS (Sidak 1967).
    """
    alone = 2 * norm.sf(MOST_DEVIATIONS)
    return float(norm.isf((1 - (1 - alone) ** (1 / tests)) / 2))


def _association(name: str, found: list[tuple[float, str]]) -> Audit:
    """An audit that fails where the largest of several deviations is beyond chance."""
    if not found:
        return Audit(name, True, "nothing to look at")
    largest, where = max(found)
    return Audit(
        name,
        bool(largest <= most_deviations(len(found))),
        f"at most {largest:.1f} standard errors from chance ({where})",
    )
