"""Made up words are different, of their alphabet, and the same for the same numbers."""

from __future__ import annotations

import unicodedata

import numpy as np
import pytest

from sandmle.runtime.alphabets import SYLLABLES, made_up_words, vocabulary_of


@pytest.mark.parametrize("alphabet", SYLLABLES)
def test_words_are_different_and_in_their_alphabet(alphabet: str) -> None:
    words = made_up_words(np.random.default_rng(0), 300, alphabet)
    assert len(set(words)) == 300
    letters = {unicodedata.name(letter).split(" ")[0].lower() for letter in "".join(words)}
    assert letters == {alphabet}
    assert words == made_up_words(np.random.default_rng(0), 300, alphabet)


def test_what_cannot_be_made_up_is_refused() -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match="at most"):
        made_up_words(rng, 10**6)
    with pytest.raises(ValueError, match="no alphabet 'runes'"):
        made_up_words(rng, 3, "runes")


def test_given_words_are_kept() -> None:
    assert vocabulary_of(np.random.default_rng(0), ("a", "b"), "latin") == ["a", "b"]
