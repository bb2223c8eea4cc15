"""ROC AUC of all rows and of every subgroup against the rest, the worst subgroups weighing most.

The mean of four parts: the area over all rows, and the power means over subgroups of the area
within the subgroup, of its negative against all other positive rows, and of its positive against
all other negative rows. A subgroup is all rows of one value in `by`; the lower `power`, the more
the worst subgroup counts. 1 for a perfect submission, 0.5 for a constant one.
Source: Borkan and others, Nuanced metrics for measuring unintended bias, 2019; Jigsaw used -5.
"""

import numpy as np

from sandmle.runtime.agreement import rank_auc

PREDICTS = "probability"
TASKS = ["binary"]
GREATER_IS_BETTER = True
BOUNDS = [0, 1]
PARAMETERS = {
    "by": {
        "$ref": "#/$defs/category_factor",
        "description": "whose levels are the subgroups",
        "examples": ["category", "group"],
    },
    "power": {
        "type": "number",
        "minimum": -20,
        "maximum": -0.5,
        "description": "of the mean over subgroups; the lower, the more the worst one counts",
        "examples": [-5.0],
    },
}


def bias_auc(
    truth: np.ndarray, prediction: np.ndarray, *, by: np.ndarray, power: float = -5.0
) -> float:
    positive = truth == 1
    parts = []
    for kind in ("within", "negative", "positive"):
        areas = []
        for level in np.unique(by):
            inside = by == level
            rows = {
                "within": inside,
                "negative": inside ^ positive,
                "positive": inside == positive,
            }[kind]
            if 0 < positive[rows].sum() < rows.sum():
                # An area of 0 has no negative power.
                areas.append(max(rank_auc(truth[rows], prediction[rows]), 1e-9))
        parts.append(np.mean(np.power(areas, power)) ** (1 / power) if areas else 0.5)
    return float(np.mean([rank_auc(truth, prediction), *parts]))
