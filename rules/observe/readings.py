"""A second table with the readings of each sample in order: a background and patterns over it.

Difficulty: falls with `strength`, the size of the patterns beside a background of unit variance.
Waves begin anywhere and jumps go either way, so the mean and single readings say little about
`frequency`, `change` and `bursts`.
"""

import numpy as np

from sandmle.runtime.scaling import stretch

WRITES = "rows"
MODALITY = "series"
MEANS = {
    "step": "{column} of the reading, counted from 0",
    "value": "the reading",
}
PARAMETERS = {
    "background": {"$ref": "#/$defs/series_factor"},
    "level": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the mean reading",
        "examples": ["normal", "uniform"],
    },
    "slope": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as a trend, down or up",
    },
    "frequency": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the frequency of a wave, from 2 waves to one in 5 readings",
    },
    "amplitude": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the height of the wave, from nothing to twice `strength`",
        "examples": ["normal", "uniform"],
    },
    "change": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the moment of a jump, from early to late",
    },
    "bursts": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the number of short peaks, from 0 to 8",
    },
    "strength": {
        "type": "number",
        "minimum": 0.1,
        "maximum": 10,
        "description": "size of each pattern, in standard deviations of the background",
        "examples": [8, 6, 5],
    },
    "step": {"$ref": "#/$defs/name", "description": "name of the column of moments"},
    "value": {"$ref": "#/$defs/name", "description": "name of the column of readings"},
    "centre": {"type": "number", "description": "reading that stands for 0"},
    "unit": {"type": "number", "exclusiveMinimum": 0, "description": "reading that stands for 1"},
}


def readings(
    rng: np.random.Generator,
    *,
    background: np.ndarray,
    level: np.ndarray | None = None,
    slope: np.ndarray | None = None,
    frequency: np.ndarray | None = None,
    amplitude: np.ndarray | None = None,
    change: np.ndarray | None = None,
    bursts: np.ndarray | None = None,
    strength: float = 1.5,
    step: str = "step",
    value: str = "value",
    centre: float = 0.0,
    unit: float = 1.0,
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    samples, length = background.shape
    moment = np.arange(length)
    pattern = np.zeros(background.shape)
    if level is not None:
        pattern += stretch(level, -1.0, 1.0)[:, None]
    if slope is not None:
        pattern += stretch(slope, -1.0, 1.0)[:, None] * np.linspace(-1, 1, length)
    if frequency is not None or amplitude is not None:
        pattern += _wave(rng, samples, length, frequency, amplitude)
    if change is not None:
        jump = stretch(change, 0.1 * length, 0.9 * length)[:, None] <= moment
        pattern += rng.choice([-1.0, 1.0], (samples, 1)) * (2.0 * jump - 1.0)
    if bursts is not None:
        wanted = np.rint(stretch(bursts, 0, min(8, length // 3)))[:, None]
        place = rng.random((samples, length // 3)).argsort(axis=1, kind="stable")
        pattern[:, 1 : 3 * (length // 3) : 3] += 2.0 * (place < wanted)
    shown = centre + unit * (background + strength * pattern)
    return np.repeat(np.arange(samples), length), {
        step: np.tile(moment, samples),
        value: shown.ravel(),
    }


def _wave(
    rng: np.random.Generator,
    samples: int,
    length: int,
    frequency: np.ndarray | None,
    amplitude: np.ndarray | None,
) -> np.ndarray:
    """A sine (samples, length) of any phase; what no factor sets is drawn at random."""
    fastest = length / 5
    if frequency is None:
        waves = rng.uniform(2.0, fastest, samples)
    else:
        waves = stretch(frequency, 2.0, fastest)
    height = np.ones(samples) if amplitude is None else stretch(amplitude, 0.0, 2.0)
    turns = waves[:, None] * np.arange(length) / length + rng.random((samples, 1))
    return height[:, None] * np.sin(2 * np.pi * turns)
