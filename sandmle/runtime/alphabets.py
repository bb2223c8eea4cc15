"""Words that nobody knows, in the letters of several alphabets."""

from collections.abc import Sequence

import numpy as np

#: Letters that begin a syllable, and those that end it, by alphabet.
SYLLABLES = {
    "latin": ("bdfghjklmnprstvz", "aeiou"),
    "cyrillic": ("бвгджзклмнпрстфхчш", "аеиоуюя"),
    "greek": ("βγδζθκλμνξπρστφχ", "αεηιουω"),
    "devanagari": ("कखगचजटडतदनपबमरलवसह", "ािीुेो"),
    "tamil": ("கசடதநபமயரலவழளன", "ாிீுெொ"),
}


def made_up_words(rng: np.random.Generator, count: int, alphabet: str = "latin") -> list[str]:
    """So many different words of two or three syllables, in no order.

    Raises ValueError where the alphabet is unknown or has fewer words than wanted.
    """
    if alphabet not in SYLLABLES:
        raise ValueError(f"no alphabet {alphabet!r}; there are {sorted(SYLLABLES)}")
    beginnings, ends = SYLLABLES[alphabet]
    syllables = [beginning + end for beginning in beginnings for end in ends]
    size = len(syllables)
    drawn = rng.permutation(size**2)
    if count > len(drawn):
        raise ValueError(f"{count} words, but at most {len(drawn)} can be made up")
    words = []
    for number in drawn[:count]:
        word = syllables[number // size] + syllables[number % size]
        words.append(word + str(rng.choice(list(beginnings))) if rng.random() < 0.5 else word)
    return words


def vocabulary_of(rng: np.random.Generator, words: int | Sequence[str], alphabet: str) -> list[str]:
    """The words themselves, or so many made up ones."""
    return made_up_words(rng, words, alphabet) if isinstance(words, int) else list(words)
