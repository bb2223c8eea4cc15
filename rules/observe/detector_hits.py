"""A second table with the flashes of a detector that a particle lit: sensors, moments, brightness.

The particle flies straight through at the speed of light, from the direction that `azimuth` and
`zenith` give in radians; sensors near its way flash when its light reaches them, others by chance.
Show where the sensors hang with `detector_map`, of as many `strings` and `depths`.

Difficulty: rises with `noise` and `strays`, and with fewer sensors; numbers of sensors and moments
say little before the sensors' places are looked up.
"""

import numpy as np

from sandmle.runtime.detectors import detector_places

WRITES = "rows"
MODALITY = "signal"
FILE = "flashes.csv"
SAYS = "the flashes that a detector saw"
BESIDE = ["detector_map"]
MEANS = {
    "sensor": "number of the sensor that flashed",
    "when": "moment of the flash",
    "charge": "brightness of the flash",
}
PARAMETERS = {
    "azimuth": {
        "$ref": "#/$defs/number_factor",
        "description": "angle around the vertical of where the particle comes from, in radians",
        "examples": ["uniform"],
    },
    "zenith": {
        "$ref": "#/$defs/number_factor",
        "description": "angle from the vertical of where the particle comes from, in radians",
        "examples": ["uniform"],
    },
    "strings": {
        "type": "integer",
        "minimum": 2,
        "maximum": 6,
        "description": "rows of cables, and cables a row",
    },
    "depths": {"type": "integer", "minimum": 2, "maximum": 10, "description": "sensors a cable"},
    "most": {"type": "integer", "minimum": 6, "maximum": 40, "description": "flashes at the most"},
    "noise": {
        "type": "number",
        "minimum": 0,
        "maximum": 2,
        "description": "standard deviation of the moments, in half crossings of the detector",
        "examples": [0.03, 0.06],
    },
    "strays": {
        "type": "integer",
        "minimum": 0,
        "maximum": 10,
        "description": "flashes that come by chance",
        "examples": [0, 2],
    },
    "sensor": {"$ref": "#/$defs/name", "description": "name of the column of sensors' numbers"},
    "when": {"$ref": "#/$defs/name", "description": "name of the column of moments"},
    "charge": {"$ref": "#/$defs/name", "description": "name of the column of brightness"},
}


def detector_hits(
    rng: np.random.Generator,
    *,
    azimuth: np.ndarray,
    zenith: np.ndarray,
    strings: int = 4,
    depths: int = 6,
    most: int = 18,
    noise: float = 0.06,
    strays: int = 2,
    sensor: str = "sensor",
    when: str = "time",
    charge: str = "charge",
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    samples, places = len(azimuth), detector_places(strings, depths)
    source = np.column_stack(
        [np.cos(azimuth) * np.sin(zenith), np.sin(azimuth) * np.sin(zenith), np.cos(zenith)]
    )
    # A point of the way near the detector's middle; the particle flies from the source.
    point = rng.normal(0.0, 0.25, (samples, 3))
    apart = places - point[:, None, :]
    flown = -np.einsum("skx,sx->sk", apart, source)
    aside = np.sqrt(np.maximum((apart**2).sum(axis=2) - flown**2, 0.0))
    bright = np.exp(-3.0 * aside) * rng.lognormal(0.0, 0.3, aside.shape)
    number = min(most, len(places)) - strays
    near = np.argsort(-bright, axis=1)[:, :number]
    moments = flown + aside + rng.normal(0.0, noise, aside.shape)
    chance = rng.integers(0, len(places), (samples, strays))
    lit = np.concatenate([near, chance], axis=1)
    moments = np.take_along_axis(moments, lit, axis=1)
    charges = np.take_along_axis(bright, lit, axis=1)
    moments[:, number:] = rng.uniform(-1.5, 2.5, chance.shape)
    charges[:, number:] = rng.uniform(0.05, 0.4, chance.shape)
    order = np.argsort(moments, axis=1, kind="stable")
    columns = {
        sensor: np.take_along_axis(lit, order, axis=1).ravel(),
        when: np.rint(1000.0 * np.take_along_axis(moments, order, axis=1)).ravel() + 2000.0,
        charge: np.round(10.0 * np.take_along_axis(charges, order, axis=1), 2).ravel(),
    }
    return np.repeat(np.arange(samples), lit.shape[1]), columns
