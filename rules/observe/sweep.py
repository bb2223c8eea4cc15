"""A sound of whistles that rise or fall: by how much, how high, how long and how many.

Whistles stand anywhere in the sound and at any height where no factor sets it, so that a spectrum
over the whole sound does not tell a rise from a fall.

Difficulty: rises with `hiss` and `mains`, and with `variation`, which lets the whistles of one
sound differ; raw spectra say next to nothing about `slope`.
"""

import numpy as np

from sandmle.runtime.scaling import stretch
from sandmle.runtime.waves import SOUND_RATE, placed, recorded, sound_times, wav_files

WRITES = "files"
MODALITY = "audio"
PARAMETERS = {
    "slope": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the way of the pitch, from an octave down to an octave up",
        "examples": ["normal", "uniform"],
    },
    "height": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the middle of the pitch, from 300 to 1200 hertz",
        "examples": ["normal", "uniform"],
    },
    "duration": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the length of a whistle, from a third to the whole of its room",
    },
    "number": {"type": "integer", "minimum": 1, "maximum": 4, "description": "whistles a sound"},
    "variation": {
        "type": "number",
        "minimum": 0,
        "maximum": 2,
        "description": "standard deviation of the slopes within a sound, in octaves",
        "examples": [0, 0.1],
    },
    "seconds": {"$ref": "#/$defs/seconds"},
    "bits": {"$ref": "#/$defs/bits"},
    "hiss": {"$ref": "#/$defs/hiss", "examples": [0.05, 0.1, 0.2]},
    "mains": {"$ref": "#/$defs/mains", "examples": [0, 0.2]},
}


def sweep(
    rng: np.random.Generator,
    *,
    slope: np.ndarray,
    height: np.ndarray | None = None,
    duration: np.ndarray | None = None,
    number: int = 1,
    variation: float = 0.0,
    seconds: float = 0.5,
    bits: int = 8,
    hiss: float = 0.1,
    mains: float = 0.0,
) -> list[bytes]:
    samples = len(slope)
    waves = np.zeros((samples, len(sound_times(seconds))))
    room = waves.shape[1] // number
    middle = rng.random(samples) if height is None else stretch(height, 0.0, 1.0)
    extent = rng.random(samples) if duration is None else stretch(duration, 0.0, 1.0)
    lengths = np.floor(room * (0.35 + 0.6 * extent))
    moment = np.arange(int(0.95 * room) + 1)
    for index in range(number):
        octaves = stretch(slope, -1.0, 1.0) + rng.normal(0.0, 1.0, samples) * variation
        # Zeros stand where the whistle is over: a shorter one leaves more of its room free.
        share = np.minimum(moment / lengths[:, None], 1.0)
        frequency = 300.0 * 4.0 ** middle[:, None] * 2.0 ** (octaves[:, None] * (share - 0.5))
        turns = np.cumsum(frequency, axis=1) / SOUND_RATE + rng.random((samples, 1))
        whistle = np.sin(np.pi * share) ** 2 * np.sin(2 * np.pi * turns)
        starts = index * room + np.floor(rng.random(samples) * (room - lengths)).astype(int)
        placed(waves, whistle, np.minimum(starts, waves.shape[1] - len(moment)))
    return wav_files(recorded(rng, waves, hiss=hiss, mains=mains), bits=bits)
