"""A sound in which one word is said, in sine-wave speech: three sines follow its formants.

Each level of `word` is three vowels of its own, said by many voices, faster and slower, earlier and
later. Sine-wave speech after Remez et al. 1981; the vowels' formants are those of men in Peterson
and Barney 1952.

Difficulty: rises with the number of levels of `word`, with `mumbling`, `hiss` and `mains`, and as
`vowels` falls: a spectrum over the whole sound does not tell words of the same vowels.
"""

import numpy as np

from sandmle.runtime.scaling import stretch
from sandmle.runtime.waves import SOUND_RATE, recorded, sound_times, wav_files

WRITES = "files"
MODALITY = "audio"
PARAMETERS = {
    "word": {
        "$ref": "#/$defs/category_factor",
        "description": "the word that is said, each level another one",
    },
    "voice": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the height of the voice, from large to small speakers; at random "
        "where left out",
    },
    "pace": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as how fast the word is said; at random where left out",
    },
    "vowels": {
        "type": "integer",
        "minimum": 3,
        "maximum": 10,
        "description": "vowels that the words are made of; of few, words differ by their order",
        "examples": [6, 5, 4],
    },
    "mumbling": {
        "type": "number",
        "minimum": 0,
        "maximum": 0.5,
        "description": "how far formants stray from the vowels', as a share of them",
        "examples": [0.03, 0.06, 0.1],
    },
    "seconds": {"$ref": "#/$defs/seconds"},
    "bits": {"$ref": "#/$defs/bits"},
    "hiss": {"$ref": "#/$defs/hiss", "examples": [0.05, 0.1, 0.2]},
    "mains": {"$ref": "#/$defs/mains", "examples": [0, 0.2]},
}

#: The first three formants in hertz of: heed, hid, head, had, hod, hawed, hood, who'd, hud, heard.
_VOWEL_FORMANTS = (
    (270.0, 2290.0, 3010.0),
    (390.0, 1990.0, 2550.0),
    (530.0, 1840.0, 2480.0),
    (660.0, 1720.0, 2410.0),
    (730.0, 1090.0, 2440.0),
    (570.0, 840.0, 2410.0),
    (440.0, 1020.0, 2240.0),
    (300.0, 870.0, 2240.0),
    (640.0, 1190.0, 2390.0),
    (490.0, 1350.0, 1690.0),
)


def spoken_word(
    rng: np.random.Generator,
    *,
    word: np.ndarray,
    voice: np.ndarray | None = None,
    pace: np.ndarray | None = None,
    vowels: int = 4,
    mumbling: float = 0.06,
    seconds: float = 0.5,
    bits: int = 8,
    hiss: float = 0.1,
    mains: float = 0.0,
) -> list[bytes]:
    samples, time = len(word), sound_times(seconds)
    levels, level = np.unique(word, return_inverse=True)
    said = _vowels_of_words(rng, len(levels), vowels)[level]
    height = rng.random(samples) if voice is None else stretch(voice, 0.0, 1.0)
    fast = rng.random(samples) if pace is None else stretch(pace, 0.0, 1.0)
    length = seconds * (0.9 - 0.4 * fast)
    start = (seconds - length) * rng.random(samples)
    share = (time - start[:, None]) / length[:, None]
    # How far the voice has gone from the first vowel to the second, and from that to the third.
    glides = [np.clip(8.0 * (share - middle) + 0.5, 0.0, 1.0) for middle in (0.35, 0.65)]
    sound = np.zeros((samples, len(time)))
    for index, loud in enumerate((1.0, 0.6, 0.3)):
        formant = np.array(_VOWEL_FORMANTS)[said, index] * (0.88 + 0.24 * height[:, None])
        formant = formant * (1.0 + mumbling * rng.normal(0.0, 1.0, (samples, 3)))
        path = formant[:, :1]
        for step, glide in zip(np.diff(formant, axis=1).T, glides, strict=True):
            path = path + step[:, None] * glide
        turns = np.cumsum(path, axis=1) / SOUND_RATE + rng.random((samples, 1))
        sound += loud / 1.9 * np.sin(2 * np.pi * turns)
    buzz = 0.7 + 0.3 * np.sin(2 * np.pi * (90.0 + 90.0 * height[:, None]) * time)
    envelope = np.sqrt(np.sin(np.pi * np.clip(share, 0.0, 1.0)))
    return wav_files(recorded(rng, envelope * buzz * sound, hiss=hiss, mains=mains), bits=bits)


def _vowels_of_words(rng: np.random.Generator, words: int, vowels: int) -> np.ndarray:
    """Three vowels a word (words, 3), no two words alike and no vowel twice in a row."""
    kinds = rng.choice(len(_VOWEL_FORMANTS), vowels, replace=False)
    codes = np.array(
        [
            (first, second, third)
            for first in kinds
            for second in kinds
            for third in kinds
            if first != second != third
        ]
    )
    if words > len(codes):
        raise ValueError(f"{vowels} vowels make {len(codes)} words, not {words}")
    return codes[rng.choice(len(codes), words, replace=False)]
