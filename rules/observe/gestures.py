"""A second table with a stream of readings: a movement for each token, with rest between them.

Difficulty: rises with `noise`, and with the number of different tokens, whose movements are then
more alike. Movements take longer or shorter, so no moment by itself tells anything.
"""

from collections.abc import Sequence

import numpy as np

WRITES = "rows"
MODALITY = "series"
TASKS = ["sequence_labelling"]
FILE = "movements.csv"
SAYS = "a stream of readings of movements"
MEANS = {
    "channels": "reading of the movement, {column}",
    "step": "{column} of the reading, counted from 0",
}
PARAMETERS = {
    "of": {"$ref": "#/$defs/tokens_factor", "examples": ["token_sequence"]},
    "channels": {
        "type": "array",
        "items": {"$ref": "#/$defs/name"},
        "minItems": 1,
        "maxItems": 4,
        "description": "names of the columns of readings",
    },
    "step": {"$ref": "#/$defs/name", "description": "name of the column of moments"},
    "noise": {
        "type": "number",
        "minimum": 0,
        "maximum": 2,
        "description": "standard deviation of the readings' noise beside movements of about 1",
        "examples": [0.05, 0.1, 0.15],
    },
}

_SHORTEST_MOVEMENT = 7
_LONGEST_MOVEMENT = 11


def gestures(
    rng: np.random.Generator,
    *,
    of: np.ndarray,
    channels: Sequence[str] = ("across", "along"),
    step: str = "step",
    noise: float = 0.1,
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    known = sorted({token for tokens in of for token in tokens})
    width = len(channels)
    # A movement is a half wave and a whole one in each channel, ever different in size and sign.
    waves = rng.uniform(0.5, 1.2, (len(known), 2, width))
    waves *= rng.choice([-1.0, 1.0], waves.shape)
    movement = dict(zip(known, waves, strict=True))
    streams = []
    for tokens in of:
        parts = [np.zeros((int(rng.integers(2, 5)), width))]
        for token in tokens:
            turn = np.linspace(
                0, np.pi, int(rng.integers(_SHORTEST_MOVEMENT, _LONGEST_MOVEMENT + 1)) + 2
            )[1:-1]
            half, whole = movement[token]
            parts.append(np.sin(turn)[:, None] * half + np.sin(2 * turn)[:, None] * whole)
            parts.append(np.zeros((int(rng.integers(3, 6)), width)))
        streams.append(np.concatenate(parts))
    lengths = [len(stream) for stream in streams]
    readings = np.concatenate(streams)
    readings = np.round(readings + rng.normal(0.0, noise, readings.shape), 3)
    return np.repeat(np.arange(len(of)), lengths), {
        step: np.concatenate([np.arange(length) for length in lengths]),
        **{name: readings[:, at] for at, name in enumerate(channels)},
    }
