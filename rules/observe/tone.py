"""A sound of one note: its pitch, and how loud, bright, wavering and lasting it is.

What no factor sets is drawn at random for each sound.

Difficulty: rises with `hiss` and `mains`; models of raw spectra read `pitch` and `brightness` in
part, `wobble` and `decay` hardly.
"""

import numpy as np

from sandmle.runtime.scaling import stretch
from sandmle.runtime.waves import partials, recorded, sound_times, wav_files

WRITES = "files"
MODALITY = "audio"
PARAMETERS = {
    "pitch": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the note's frequency, from 200 to 1200 hertz",
        "examples": ["normal", "uniform"],
    },
    "loudness": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the height of the wave, from a quarter to full",
    },
    "brightness": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the strength of the overtones, from dull to bright",
        "examples": ["normal", "uniform"],
    },
    "wobble": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the speed of a vibrato, from 4 to 14 hertz",
    },
    "decay": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as how fast the note dies away, from held to plucked",
        "examples": ["normal", "uniform"],
    },
    "seconds": {"$ref": "#/$defs/seconds"},
    "bits": {"$ref": "#/$defs/bits"},
    "hiss": {"$ref": "#/$defs/hiss", "examples": [0.05, 0.1, 0.2]},
    "mains": {"$ref": "#/$defs/mains", "examples": [0, 0.2]},
}


def tone(
    rng: np.random.Generator,
    *,
    pitch: np.ndarray,
    loudness: np.ndarray | None = None,
    brightness: np.ndarray | None = None,
    wobble: np.ndarray | None = None,
    decay: np.ndarray | None = None,
    seconds: float = 0.5,
    bits: int = 8,
    hiss: float = 0.1,
    mains: float = 0.0,
) -> list[bytes]:
    samples, time = len(pitch), sound_times(seconds)
    shares = [
        rng.random(samples) if factor is None else stretch(factor, 0.0, 1.0)
        for factor in (loudness, brightness, wobble, decay)
    ]
    loud, bright, waver, fading = (share[:, None] for share in shares)
    frequency = 200.0 * 6.0 ** stretch(pitch, 0.0, 1.0)[:, None]
    swing = np.sin(2 * np.pi * ((4.0 + 10.0 * waver) * time + rng.random((samples, 1))))
    phase = 2 * np.pi * (frequency * time + rng.random((samples, 1))) + 2.0 * swing
    overtones = (0.1 + 0.7 * bright) ** np.arange(3)
    envelope = np.exp(-(0.2 + 7.0 * fading) * time / seconds) * np.minimum(1.0, time / 0.01)
    waves = (0.25 + 0.75 * loud) * envelope * partials(phase, overtones)
    return wav_files(recorded(rng, waves, hiss=hiss, mains=mains), bits=bits)
