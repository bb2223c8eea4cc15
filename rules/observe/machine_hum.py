"""The sound of a turning machine: its speed, its load, a throb, and the knock of a worn bearing.

The knock comes `ratio` times a turn, so at another rate in each sound; how loud a bearing rubs says
nothing. What no factor sets is drawn at random for each sound.

Difficulty: rises with `hiss` and `mains`; raw spectra read `speed` and `load` in part, `throb` and
`wear` hardly.
"""

import numpy as np

from sandmle.runtime.scaling import stretch
from sandmle.runtime.waves import partials, recorded, sound_times, wav_files

WRITES = "files"
MODALITY = "audio"
PARAMETERS = {
    "speed": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as turns a second, from 25 to 75",
        "examples": ["normal", "uniform"],
    },
    "load": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the strength of the overtones",
        "examples": ["normal", "uniform"],
    },
    "throb": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as how deeply the loudness rises and falls",
    },
    "wear": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as how the rubbing knocks, from evenly to in strokes",
        "examples": ["normal", "uniform"],
    },
    "ratio": {
        "type": "number",
        "minimum": 0.2,
        "maximum": 8,
        "description": "knocks a turn",
        "examples": [1, 3.58],
    },
    "seconds": {"$ref": "#/$defs/seconds"},
    "bits": {"$ref": "#/$defs/bits"},
    "hiss": {"$ref": "#/$defs/hiss", "examples": [0.05, 0.1, 0.2]},
    "mains": {"$ref": "#/$defs/mains", "examples": [0, 0.2]},
}


def machine_hum(
    rng: np.random.Generator,
    *,
    speed: np.ndarray,
    load: np.ndarray | None = None,
    throb: np.ndarray | None = None,
    wear: np.ndarray | None = None,
    ratio: float = 3.58,
    seconds: float = 0.5,
    bits: int = 8,
    hiss: float = 0.1,
    mains: float = 0.0,
) -> list[bytes]:
    samples, time = len(speed), sound_times(seconds)
    shares = [
        rng.random(samples) if factor is None else stretch(factor, 0.0, 1.0)
        for factor in (load, throb, wear)
    ]
    heavy, deep, worn = (share[:, None] for share in shares)
    turns = stretch(speed, 25.0, 75.0)[:, None] * time + rng.random((samples, 1))
    overtones = (0.25 + 0.65 * heavy) ** np.arange(6)
    beat = np.sin(
        2 * np.pi * (rng.uniform(4.0, 9.0, (samples, 1)) * time + rng.random((samples, 1)))
    )
    hum = (1.0 + 0.8 * deep * beat) / 1.8 * partials(2 * np.pi * turns, overtones)
    # What rubs hisses, all the time where nothing is worn and in strokes where all is, as loud on
    # average; each stroke takes about a tenth of the time to the next.
    stroke = np.exp(12.0 * (np.cos(2 * np.pi * ratio * turns) - 1.0))
    stroke /= np.sqrt((stroke**2).mean(axis=1, keepdims=True))
    rubbing = rng.uniform(0.05, 0.2, (samples, 1)) * (1.0 - worn + worn * stroke)
    ringing = rng.standard_normal(stroke.shape)
    waves = 0.8 * hum + rubbing * ringing
    return wav_files(recorded(rng, waves, hiss=hiss, mains=mains), bits=bits)
