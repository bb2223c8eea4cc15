"""A csv file a sample with what several sensors recorded of a shock: counts of a digitiser.

A weak first wave arrives, then a strong second one that dies away, over a tremor of the ground; all
sensors see the same, one after the other. A row is a moment, a column a sensor. What no factor sets
is drawn at random for each sample. All files have one size.

Difficulty: rises with `noise`; models of single counts read `strength` and `tremor` in part, `gap`,
`decay`, `pitch` and `bearing` hardly.
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.scaling import stretch

WRITES = "files"
MODALITY = "signal"
FILE = "shocks/{id}.csv"
SAYS = "what a few sensors recorded of a shock"
MEANS = {
    "sensors": "what the sensor {column} counted, moment by moment",
}
PARAMETERS = {
    "gap": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the time from the first wave to the second, from short to long",
        "examples": ["normal", "uniform"],
    },
    "strength": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the height of the waves, from two fifths to full",
    },
    "decay": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as how fast the second wave dies away",
        "examples": ["normal", "uniform"],
    },
    "pitch": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the frequency of the waves",
        "examples": ["normal", "uniform"],
    },
    "tremor": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the height of the ground's own slow wave",
    },
    "bearing": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the delay from sensor to sensor, from the last one being first to "
        "its being last",
    },
    "sensors": {
        "type": "array",
        "items": {"$ref": "#/$defs/name"},
        "minItems": 1,
        "maxItems": 6,
        "description": "names of the columns, a sensor each",
    },
    "length": {"type": "integer", "minimum": 64, "maximum": 600, "description": "rows a file"},
    "noise": {
        "type": "number",
        "minimum": 0,
        "maximum": 2,
        "description": "standard deviation of the noise, where the strongest wave has height 1",
        "examples": [0.01, 0.02, 0.03],
    },
}


def seismogram(
    rng: np.random.Generator,
    *,
    gap: np.ndarray,
    strength: np.ndarray | None = None,
    decay: np.ndarray | None = None,
    pitch: np.ndarray | None = None,
    tremor: np.ndarray | None = None,
    bearing: np.ndarray | None = None,
    sensors: Sequence[str] = ("sensor_1", "sensor_2"),
    length: int = 240,
    noise: float = 0.02,
) -> list[bytes]:
    samples = len(gap)
    loud, fading, fast, shaking, side = (
        (rng.random(samples) if factor is None else stretch(factor, 0.0, 1.0))[:, None]
        for factor in (strength, decay, pitch, tremor, bearing)
    )
    wait = length * stretch(gap, 0.06, 0.4)[:, None]
    first = length * rng.uniform(0.08, 0.3, (samples, 1))
    waves = 0.06 + 0.14 * fast  # turns a row
    slow, phase = rng.uniform(0.01, 0.03, (samples, 1)), rng.random((samples, 1))
    counts = np.empty((samples, length, len(sensors)), dtype=int)
    for index in range(len(sensors)):
        moment = np.arange(length) - 12.0 * (side - 0.5) * index
        early, late = moment - first, moment - first - wait
        shake = 0.4 * _shock_envelope(early, 0.015) * np.sin(2 * np.pi * (1.5 * waves * early))
        shake += _shock_envelope(late, 0.01 + 0.05 * fading) * np.sin(2 * np.pi * waves * late)
        ground = 0.4 * shaking * np.sin(2 * np.pi * (slow * moment + phase))
        heard = (0.4 + 0.6 * loud) * shake + ground + noise * rng.standard_normal(shake.shape)
        # Four digits each, so that no file is longer than another.
        counts[:, :, index] = np.clip(np.rint(5000 + 2500 * heard), 1000, 9999)
    return _digit_files(counts, sensors)


def _shock_envelope(since: np.ndarray, decay: float | np.ndarray) -> np.ndarray:
    """0 before, then a rise to about 1 within some rows and a fall at the rate `decay` a row."""
    passed = np.maximum(since, 0.0)
    return np.asarray((1.0 - np.exp(-passed / 3.0)) * np.exp(-decay * passed))


def _digit_files(counts: np.ndarray, names: Sequence[str]) -> list[bytes]:
    """A csv a sample of numbers of four digits, `counts` (samples, rows, columns)."""
    digits = counts[..., None] // np.array([1000, 100, 10, 1]) % 10 + ord("0")
    ends = np.full((*counts.shape, 1), ord(","))
    ends[:, :, -1] = ord("\n")
    head = (",".join(names) + "\n").encode()
    text = np.concatenate([digits, ends], axis=3).astype(np.uint8)
    return [head + sample.tobytes() for sample in text]
