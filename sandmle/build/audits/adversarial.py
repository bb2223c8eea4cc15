"""Nothing that can be measured tells test rows from train rows, unless the spec splits them so."""

from __future__ import annotations

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import roc_auc_score

from sandmle.build.auditing import Examined, Finding
from sandmle.solvers.features import measure, pairs, standardised

CLAIM = "no model tells test rows from train rows"
COST = "deep"

#: ROC AUC of telling them apart that chance alone does not reach (in no good task of 216).
MOST_TOLD = 0.65
TREES = 200
#: Of so many measures each two are looked at together, too.
MOST_PAIRED = 16


def examine(task: Examined) -> Finding:
    """Lets a forest on all that the solvers measure tell them, each row by the trees without it.

    Adversarial validation, as competitors call it.
    """
    split = task.prepared.spec.dna.split
    if split.kind != "random":
        return Finding(True, f"not looked at: the split is by {split.kind}")
    measured = measure(task.competition)
    plain = measured.plain.to_numpy(float)
    parts = [plain, measured.groups.to_numpy(float), measured.details.to_numpy(float)]
    if 2 <= plain.shape[1] <= MOST_PAIRED:
        parts.append(pairs(standardised(plain)))
    features = np.concatenate(parts, axis=1)
    if not features.shape[1]:
        return Finding(True, "nothing to look at")
    is_test = np.arange(len(features)) >= task.competition.train
    forest = RandomForestClassifier(
        TREES, min_samples_leaf=3, oob_score=True, random_state=0, n_jobs=1
    )
    forest.fit(features.astype(np.float32), is_test)
    told = roc_auc_score(is_test, forest.oob_decision_function_[:, 1])
    return Finding(bool(told <= MOST_TOLD), f"ROC AUC {told:.3f} from {features.shape[1]} measures")
