"""The colour of the cell that two numbers fall in on a board of cells with even numbers of samples.

Difficulty: rises steeply with `cells` (share of the way from chance to the true feature that the
best raw model covers on 150 rows: 2 .50, 3 .27, 4 .03).
"""

import numpy as np

from sandmle.runtime.scaling import fractions

YIELDS = "number"
DRAFTED = False
PARAMETERS = {
    "across": {"$ref": "#/$defs/number_factor"},
    "along": {"$ref": "#/$defs/number_factor"},
    "cells": {
        "type": "integer",
        "minimum": 2,
        "maximum": 8,
        "description": "cells on each side of the board; two make a sign_product",
        "examples": [2, 3, 4],
    },
}


def checkerboard(
    rng: np.random.Generator, *, across: np.ndarray, along: np.ndarray, cells: int = 3
) -> np.ndarray:
    return np.sin(np.pi * cells * fractions(across)) * np.sin(np.pi * cells * fractions(along))
