"""A sound of clicks, one after the other: how many, how far apart, how even, how ringing.

What no factor sets is drawn at random for each sound.

Difficulty: rises with `hiss` and `mains`; a spectrum over the whole sound reads `ring`, and hardly
`count`, `gap` or `unevenness`.
"""

import numpy as np

from sandmle.runtime.scaling import stretch
from sandmle.runtime.waves import SOUND_RATE, placed, recorded, sound_times, wav_files

WRITES = "files"
MODALITY = "audio"
PARAMETERS = {
    "count": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the number of clicks, from 2 to 9",
        "examples": ["count", "integer", "uniform"],
    },
    "gap": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the time from one click to the next, from short to long",
        "examples": ["normal", "uniform"],
    },
    "unevenness": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as how much the times between the clicks differ",
    },
    "ring": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the frequency at which a click rings, from 400 to 3200 hertz",
    },
    "seconds": {"$ref": "#/$defs/seconds"},
    "bits": {"$ref": "#/$defs/bits"},
    "hiss": {"$ref": "#/$defs/hiss", "examples": [0.02, 0.05, 0.08]},
    "mains": {"$ref": "#/$defs/mains", "examples": [0, 0.2]},
}


def clicks(
    rng: np.random.Generator,
    *,
    count: np.ndarray | None = None,
    gap: np.ndarray | None = None,
    unevenness: np.ndarray | None = None,
    ring: np.ndarray | None = None,
    seconds: float = 0.5,
    bits: int = 8,
    hiss: float = 0.05,
    mains: float = 0.0,
) -> list[bytes]:
    given = [factor for factor in (count, gap, unevenness, ring) if factor is not None]
    if not given:
        raise ValueError("clicks show at least one of count, gap, unevenness and ring")
    samples = len(given[0])
    shares = [
        rng.random(samples) if factor is None else stretch(factor, 0.0, 1.0)
        for factor in (count, gap, unevenness, ring)
    ]
    wanted = np.rint(2 + 7 * shares[0]).astype(int)
    waves = np.zeros((samples, len(sound_times(seconds))))
    moment = np.arange(round(0.03 * SOUND_RATE))[None, :] / SOUND_RATE
    frequency = 400.0 * 8.0 ** shares[3][:, None]
    room = waves.shape[1] - moment.shape[1]
    # Nine clicks at the widest gap fill the sound.
    spacing = room / 8.5 * (0.4 + 0.55 * shares[1])
    jitter = 0.45 * shares[2][:, None] * rng.uniform(-1.0, 1.0, (samples, 9))
    places = spacing[:, None] * (np.arange(9) + jitter)
    places -= places[:, :1]
    last = np.take_along_axis(places, wanted[:, None] - 1, axis=1)[:, 0]
    first = np.maximum(room - last, 0.0) * rng.random(samples)
    for index in range(9):
        click = np.exp(-moment / 0.004) * np.sin(2 * np.pi * frequency * moment)
        starts = np.clip(np.floor(first + places[:, index]), 0, room).astype(int)
        placed(waves, click, starts, heard=1.0 * (index < wanted))
    return wav_files(recorded(rng, waves, hiss=hiss, mains=mains), bits=bits)
