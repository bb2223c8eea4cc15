"""Sentences from which words are missing: where, and which, by the words that neighbour."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from math import log

from sandmle.solvers.elements.answers import most_frequent

#: What a pair of neighbours counts that was never seen.
UNSEEN_PAIR = 0.05


def is_part(shorter: Sequence[str], longer: Sequence[str]) -> bool:
    """Whether `longer` holds the words of `shorter` in their order."""
    rest = iter(longer)
    return all(word in rest for word in shorter)


def gap_size(inputs: Sequence[str], known: Sequence[str]) -> int:
    """How many words inputs have lost; 0 where inputs are not answers without some words."""
    sizes = [
        len(answer.split()) - len(text.split())
        for text, answer in zip(inputs, known, strict=True)
        if is_part(text.split(), answer.split())
    ]
    if len(sizes) < 0.8 * len(known):
        return 0
    return Counter(sizes).most_common(1)[0][0]


def insert_most_frequent(
    inputs: Sequence[str], known: Sequence[str], test: Sequence[str]
) -> list[str]:
    """The word that is lost most often, put into the middle of every sentence."""
    lost = Counter(word for answer in known for word in answer.split())
    lost.subtract(word for text in inputs for word in text.split())
    word = most_frequent(list(lost.elements()))
    found = []
    for text in test:
        words = text.split()
        words.insert(len(words) // 2, word)
        found.append(" ".join(words))
    return found


def fill_gaps(known: Sequence[str], test: Sequence[str], lost: int) -> list[str]:
    """Every sentence with the words that make its neighbours likeliest, one after the other."""
    sentences = [answer.split() for answer in known]
    pairs = Counter(pair for words in sentences for pair in pairwise(words))
    heads = Counter(word for words in sentences for word in words[:-1])
    vocabulary = sorted({word for words in sentences for word in words})

    def likelihood(before: str, after: str) -> float:
        seen = pairs[before, after] + UNSEEN_PAIR
        return log(seen / (heads[before] + UNSEEN_PAIR * len(vocabulary)))

    found = []
    for text in test:
        words = text.split()
        for _ in range(lost):
            _, at, word = max(
                (
                    likelihood(words[at - 1], word)
                    + likelihood(word, words[at])
                    - likelihood(words[at - 1], words[at]),
                    at,
                    word,
                )
                for at in range(1, len(words))
                for word in vocabulary
            )
            words.insert(at, word)
        found.append(" ".join(words))
    return found
