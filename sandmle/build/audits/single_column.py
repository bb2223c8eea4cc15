"""No shallow tree on one column of the main table wins gold: it would be the answer."""

from __future__ import annotations

import numpy as np
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from sandmle.build.auditing import Examined, Finding
from sandmle.build.ladder import csv_content, is_plain
from sandmle.solvers.features import raw_column
from sandmle.solvers.submitting import submission

CLAIM = "no single column reaches gold"
COST = "cheap"

#: Depth of the tree on a single column that must not reach gold.
TREE_DEPTH = 3


def examine(task: Examined) -> Finding:
    """Fits a tree on each column alone and submits what it predicts."""
    competition = task.competition
    if not is_plain(task.prepared.dataset):
        return Finding(True, "not looked at: the target is more than a number or a class")
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
        grade = task.grader.grade(csv_content(submission(competition, predictions)))
        if grade.medal == "gold":
            winners.append(f"{name}: {grade.score}")
    return Finding(not winners, ", ".join(winners) or f"{looked} columns tried")


def _tree(values: np.ndarray, response: np.ndarray, classes: int, train: int) -> np.ndarray:
    """A shallow tree's predictions for the rows after the first `train`."""
    if not classes:
        tree = DecisionTreeRegressor(max_depth=TREE_DEPTH, random_state=0)
        return np.asarray(tree.fit(values[:train], response).predict(values[train:]))[:, None]
    tree = DecisionTreeClassifier(max_depth=TREE_DEPTH, random_state=0)
    found = np.zeros((len(values) - train, classes))
    found[:, np.unique(response)] = tree.fit(values[:train], response).predict_proba(values[train:])
    return found
