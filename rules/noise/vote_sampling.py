"""Shows the shares of a few votes, drawn from the true shares, as a panel of judges gives them.

Difficulty: rises as `votes` falls; with v votes a share p strays by sqrt(p * (1 - p) / v).
"""

import numpy as np

DISTURBS = "labels"
TASKS = ["soft_labels"]
PARAMETERS = {
    "votes": {
        "type": "integer",
        "minimum": 1,
        "maximum": 1000,
        "description": "votes a sample",
        "examples": [40, 24, 16],
    },
}


def vote_sampling(rng: np.random.Generator, labels: np.ndarray, *, votes: int) -> np.ndarray:
    shares = labels / labels.sum(axis=1, keepdims=True)
    return rng.multinomial(votes, shares) / votes
