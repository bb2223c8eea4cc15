"""Mean angle between true and predicted directions, in radians.

The first column is the azimuth and the second the zenith, both in radians. From 0 for a perfect
submission to pi; a constant one scores about pi / 2 where directions are spread evenly.
Source: the score of the IceCube neutrino competition.
"""

import numpy as np

PREDICTS = "number"
TASKS = ["multi_target"]
GREATER_IS_BETTER = False
ASKS = {
    "names": ["azimuth", "zenith"],
    "title": "Where the signals of {{ many }} come from",
    "asks": "from which direction the signal of {{ one }} comes",
}
BOUNDS = [0, 3.1415926536]
TRUTH = "angle"
PARAMETERS = {}


def angular_error(truth: np.ndarray, prediction: np.ndarray) -> float:
    chord = np.linalg.norm(unit_vectors(truth) - unit_vectors(prediction), axis=1)
    # From the chord, not from the scalar product: exact for small angles.
    return float(np.mean(2 * np.arcsin(np.clip(chord / 2, 0, 1))))


def unit_vectors(angles: np.ndarray) -> np.ndarray:
    """Azimuth and zenith (rows, 2) as points on the unit sphere (rows, 3)."""
    azimuth, zenith = angles[:, 0], angles[:, 1]
    return np.column_stack(
        [np.cos(azimuth) * np.sin(zenith), np.sin(azimuth) * np.sin(zenith), np.cos(zenith)]
    )
