"""A table with where the sensors of a detector hang, to be joined by their numbers.

Difficulty: rises with `error`.
"""

import numpy as np

from sandmle.runtime.detectors import detector_places

WRITES = "table"
MODALITY = "signal"
FILE = "sensors.csv"
SAYS = "where the detector's sensors hang"
MEANS = {
    "sensor": "number of the sensor",
    "places": "the coordinate {column} of the sensor",
}
PARAMETERS = {
    "strings": {
        "type": "integer",
        "minimum": 2,
        "maximum": 6,
        "description": "rows of cables, and cables a row",
    },
    "depths": {"type": "integer", "minimum": 2, "maximum": 10, "description": "sensors a cable"},
    "reach": {
        "type": "number",
        "exclusiveMinimum": 0,
        "description": "half the width of the detector, in its unit of length",
    },
    "error": {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
        "description": "standard deviation of the coordinates' errors, as a share of `reach`",
        "examples": [0.01, 0.03],
    },
    "sensor": {"$ref": "#/$defs/name", "description": "name of the column of sensors' numbers"},
    "places": {
        "type": "array",
        "items": {"$ref": "#/$defs/name"},
        "minItems": 3,
        "maxItems": 3,
        "description": "names of the columns of coordinates",
    },
}


def detector_map(
    rng: np.random.Generator,
    *,
    strings: int = 4,
    depths: int = 6,
    reach: float = 500.0,
    error: float = 0.01,
    sensor: str = "sensor",
    places: tuple[str, str, str] = ("x", "y", "z"),
) -> dict[str, np.ndarray]:
    true = detector_places(strings, depths)
    coordinates = np.round(reach * (true + error * rng.standard_normal(true.shape)), 3)
    columns = {sensor: np.arange(len(coordinates))}
    return columns | {name: coordinates[:, axis] for axis, name in enumerate(places)}
