"""A number for every token of a sequence: its own, and what its neighbours add to it.

Each kind of token has a number of its own, and each pair of kinds one for each distance up to
`reach`, which fades with the distance. All are drawn at random.

Difficulty: rises with `share`, which models of single tokens miss, and slowly with `reach` and with
the number of kinds.
"""

import numpy as np

YIELDS = "numbers"
PARAMETERS = {
    "of": {
        "$ref": "#/$defs/tokens_factor",
        "description": "sequences of one length",
        "examples": ["strand"],
    },
    "reach": {
        "type": "integer",
        "minimum": 1,
        "maximum": 8,
        "description": "how many tokens away neighbours count, to both sides",
        "examples": [1, 2],
    },
    "share": {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
        "description": "share of the variance that comes from the neighbours",
        "examples": [0.5, 0.65, 0.8],
    },
}


def neighbour_scores(
    rng: np.random.Generator, *, of: np.ndarray, reach: int = 1, share: float = 0.6
) -> np.ndarray:
    lengths = {len(tokens) for tokens in of}
    if len(lengths) > 1:
        raise ValueError(f"sequences of one length are needed, not of {sorted(lengths)}")
    kinds, flat = np.unique([token for tokens in of for token in tokens], return_inverse=True)
    kind = flat.reshape(len(of), -1)
    own = rng.normal(0.0, 1.0, len(kinds))[kind]
    around = np.zeros(kind.shape)
    for distance in range(1, reach + 1):
        before, after = rng.normal(0.0, 1.0 / distance, (2, len(kinds), len(kinds)))
        around[:, distance:] += before[kind[:, distance:], kind[:, :-distance]]
        around[:, :-distance] += after[kind[:, :-distance], kind[:, distance:]]
    parts = [(values - values.mean()) / (values.std() or 1.0) for values in (own, around)]
    return (1 - share) ** 0.5 * parts[0] + share**0.5 * parts[1]
