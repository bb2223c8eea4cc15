"""A picture of a spectrum over time: a narrow line that drifts, among steady ones and noise.

Time runs down and frequency to the right. The line stands anywhere, so single pixels say little.
What no factor sets is drawn at random for each picture.

Difficulty: rises with `noise` and with the number of `steady` lines; pixel models read `brightness`
in part, `drift`, `pulses` and `wobble` hardly.
"""

import numpy as np

from sandmle.runtime.images import png_files
from sandmle.runtime.scaling import stretch

WRITES = "files"
MODALITY = "signal"
EXACT = True
FILE = "spectra/{id}.png"
SAYS = "a picture of a spectrum over time"
PARAMETERS = {
    "drift": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as how far the line moves from top to bottom, from left to right",
        "examples": ["normal", "uniform"],
    },
    "brightness": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as how bright the line is, from next to nothing on",
        "examples": ["normal", "uniform"],
    },
    "pulses": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as how often the line comes and goes, from 1 to 8 times",
    },
    "wobble": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as how far the line swings to both sides",
    },
    "steady": {
        "type": "integer",
        "minimum": 0,
        "maximum": 6,
        "description": "lines that stand still: radio stations, machines",
        "examples": [0, 1, 2],
    },
    "size": {"$ref": "#/$defs/size"},
    "noise": {"$ref": "#/$defs/grain", "examples": [0.05, 0.1]},
}


def spectrogram(
    rng: np.random.Generator,
    *,
    drift: np.ndarray | None = None,
    brightness: np.ndarray | None = None,
    pulses: np.ndarray | None = None,
    wobble: np.ndarray | None = None,
    steady: int = 1,
    size: tuple[int, int] = (32, 48),
    noise: float = 0.1,
) -> list[bytes]:
    given = [factor for factor in (drift, brightness, pulses, wobble) if factor is not None]
    if not given:
        raise ValueError("a spectrogram shows at least one of drift, brightness, pulses, wobble")
    samples, (width, height) = len(given[0]), size
    way, bright, often, swing = (
        (rng.random(samples) if factor is None else stretch(factor, 0.0, 1.0))[:, None]
        for factor in (drift, brightness, pulses, wobble)
    )
    share = np.linspace(0.0, 1.0, height)
    column = np.arange(width)
    turns = 2.0 * share + rng.random((samples, 1))
    reach = 0.7 * width * (way - 0.5)
    room = width - 6 - np.abs(reach) - 0.16 * width * swing
    middle = width / 2 + room * rng.uniform(-0.5, 0.5, (samples, 1))
    line = middle + reach * (share - 0.5) + 0.08 * width * swing * np.sin(2 * np.pi * turns)
    beats = 0.5 + 0.5 * np.cos(2 * np.pi * ((1.0 + 7.0 * often) * share + rng.random((samples, 1))))
    light = (0.1 + 0.8 * bright) * (beats if pulses is not None else 1.0)
    pixels = light[:, :, None] * np.exp(-((column - line[:, :, None]) ** 2) / 1.2)
    for _ in range(steady):
        place = rng.uniform(2, width - 3, (samples, 1, 1))
        strength = rng.uniform(0.2, 0.6, (samples, 1, 1))
        pixels = np.maximum(pixels, strength * np.exp(-((column - place) ** 2) / 1.2))
    return png_files(0.1 + pixels + rng.normal(0.0, noise, pixels.shape))
