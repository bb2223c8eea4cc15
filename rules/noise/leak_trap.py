"""Adds a column that gives a rule's score away for the early samples, and means nothing later.

As where a field was filled in after the outcome was known, until somebody noticed. With a split by
time it tells everything in train and nothing in test, so that trusting it loses.

Difficulty: rises with `share` and as `scale` falls: the column then looks the better, and costs the
more. At a scale of .8 and with a quarter of the samples in train, the earliest of all (ROC AUC of
the best raw model, and of careful features chosen by cross-validation): share .08 .82 and .998, .16
.79 and .97, .25 .65 and .48: where all of train is told, nothing in train betrays the trap.
"""

import numpy as np

from sandmle.runtime.scaling import fractions, standardize

DISTURBS = "columns"
PARAMETERS = {
    "name": {"$ref": "#/$defs/name"},
    "of": {
        "$ref": "#/$defs/rule",
        "description": "the rule that is given away; one that draws nothing at random, to be the "
        "same as the target's",
    },
    "over": {
        "$ref": "#/$defs/number_factor",
        "description": "the moments, those of the split by time",
        "examples": ["timestamp"],
    },
    "share": {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
        "description": "share of the samples, the earliest, for which the column tells the score",
    },
    "scale": {
        "type": "number",
        "minimum": 0,
        "maximum": 3,
        "description": "standard deviation of the noise over it, in those of the score",
    },
}


def leak_trap(
    rng: np.random.Generator,
    columns: dict[str, np.ndarray],
    *,
    name: str,
    of: np.ndarray,
    over: np.ndarray,
    share: float,
    scale: float = 0.5,
) -> dict[str, np.ndarray]:
    if name in columns:
        raise ValueError(f"there is a column {name!r} already")
    score = standardize(of)
    told = np.where(fractions(over) <= share, score, rng.permutation(score))
    return {**columns, name: np.round(told + rng.normal(0.0, scale, len(told)), 4)}
