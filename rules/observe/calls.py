"""A sound in which several callers may be heard, one over the other, each with a call of its own.

A caller is silent in a share of the sounds, where its factor is lowest, and the louder the higher
the factor is in the others.

Difficulty: rises with the number of `callers`, with `hiss` and `mains`, and as their pitches near
each other; `steady` tones mislead models of a spectrum over the whole sound.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from sandmle.runtime.scaling import fractions
from sandmle.runtime.waves import SOUND_RATE, placed, recorded, sound_times, wav_files

WRITES = "files"
MODALITY = "audio"
PARAMETERS = {
    "callers": {
        "type": "array",
        "minItems": 1,
        "maxItems": 8,
        "description": "who may be heard",
        "items": {
            "type": "object",
            "properties": {
                "level": {
                    "$ref": "#/$defs/number_factor",
                    "description": "shown as whether and how loud the caller is heard",
                },
                "pitch": {
                    "type": "number",
                    "minimum": 100,
                    "maximum": 3500,
                    "description": "of the call, in hertz",
                    "examples": [500, 1200, 2200],
                },
                "rise": {
                    "type": "number",
                    "minimum": -2,
                    "maximum": 2,
                    "default": 0,
                    "description": "octaves from the begin of a note to its end",
                },
                "notes": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": 8,
                    "default": 1,
                    "description": "how many notes the call has",
                },
            },
            "required": ["level", "pitch"],
            "additionalProperties": False,
        },
    },
    "silent": {
        "type": "number",
        "minimum": 0,
        "maximum": 0.95,
        "description": "share of the sounds in which a caller is not heard",
    },
    "steady": {
        "type": "integer",
        "minimum": 0,
        "maximum": 6,
        "description": "tones of any pitch that sound all the time: insects, machines",
        "examples": [0, 1, 2],
    },
    "seconds": {"$ref": "#/$defs/seconds"},
    "bits": {"$ref": "#/$defs/bits"},
    "hiss": {"$ref": "#/$defs/hiss", "examples": [0.1, 0.2, 0.4]},
    "mains": {"$ref": "#/$defs/mains", "examples": [0, 0.2]},
}


def calls(
    rng: np.random.Generator,
    *,
    callers: Sequence[Mapping[str, object]],
    silent: float = 0.6,
    steady: int = 1,
    seconds: float = 0.5,
    bits: int = 8,
    hiss: float = 0.2,
    mains: float = 0.0,
) -> list[bytes]:
    samples = len(np.asarray(callers[0]["level"]))
    waves = np.zeros((samples, len(sound_times(seconds))))
    length = int(0.45 * waves.shape[1])
    share = np.arange(length) / length
    for caller in callers:
        notes = int(str(caller.get("notes", 1)))
        within = share * notes % 1.0
        octaves = float(str(caller.get("rise", 0.0))) * (within - 0.5)
        frequency = float(str(caller["pitch"])) * 2.0**octaves
        own = 2.0 ** rng.normal(0.0, 0.06, (samples, 1))
        turns = own * np.cumsum(frequency) / SOUND_RATE
        call = np.sin(np.pi * within) ** 2 * np.sin(2 * np.pi * (turns + rng.random((samples, 1))))
        rank = fractions(np.asarray(caller["level"]))
        loud = np.where(rank > silent, 0.35 + 0.65 * (rank - silent) / (1.0 - silent), 0.0)
        starts = rng.integers(0, waves.shape[1] - length, samples)
        placed(waves, call, starts, heard=loud)
    time = sound_times(seconds)
    for _ in range(steady):
        pitch = 200.0 * 15.0 ** rng.random((samples, 1))
        height = rng.uniform(0.05, 0.5, (samples, 1))
        waves += height * np.sin(2 * np.pi * (pitch * time + rng.random((samples, 1))))
    return wav_files(recorded(rng, waves / len(callers) ** 0.5, hiss=hiss, mains=mains), bits=bits)
