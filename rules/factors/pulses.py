"""A series that rests at 0 but for some pulses, each of a height and a length of its own.

Difficulty: rises with `count` for rules that remember (`leaky_sum`,
`two_phase_pressure`), since what earlier ones left adds to what later ones do.
"""

import numpy as np

YIELDS = "series"
PARAMETERS = {
    "length": {
        "type": "integer",
        "minimum": 8,
        "maximum": 512,
        "description": "steps a series",
        "examples": [32, 40],
    },
    "count": {
        "type": "integer",
        "minimum": 1,
        "maximum": 20,
        "description": "pulses a series, each in a stretch of as many steps",
        "examples": [1, 2, 3],
    },
}


def pulses(
    rng: np.random.Generator, samples: int, *, length: int = 40, count: int = 2
) -> np.ndarray:
    moment = np.arange(length)
    stretch = length / count
    series = np.zeros((samples, length))
    for number in range(count):
        begin = stretch * (number + rng.uniform(0.0, 0.25, (samples, 1)))
        last = begin + stretch * rng.uniform(0.3, 0.6, (samples, 1))
        height, rise = rng.uniform(0.4, 1.6, (samples, 1)), rng.uniform(-0.5, 0.5, (samples, 1))
        course = height * (1 + rise * (moment - begin) / stretch)
        series += np.where((moment >= begin) & (moment < last), course, 0.0)
    return series
