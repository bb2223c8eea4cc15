"""What can be counted in texts: lengths, characters, tokens, and which of two comes first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pandas as pd
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

#: Most columns of token counts, and most tokens whose mutual order is looked at.
MOST_TOKENS = 300
MOST_ORDERED = 40
#: Most words of which two texts of a row are compared.
MOST_COMPARED = 80


def tfidf_columns(texts: Sequence[str], *, most: int) -> pd.DataFrame:
    """The usual bag of words: tf-idf of the most frequent single words."""
    vectorizer = TfidfVectorizer(max_features=most, token_pattern=r"(?u)\b\w+\b", min_df=2)
    return _vectorized(vectorizer, texts, "tf-idf of")


def token_columns(texts: Sequence[str]) -> pd.DataFrame:
    """Presence of words and pairs of neighbouring words, and counts of short runs of characters."""
    words = CountVectorizer(
        max_features=MOST_TOKENS, token_pattern=r"(?u)\S+", ngram_range=(1, 2), min_df=4
    )
    characters = CountVectorizer(
        max_features=MOST_TOKENS, analyzer="char", ngram_range=(1, 3), min_df=4, lowercase=False
    )
    tidy = [re.sub(r"([^\w\s])", r" \1 ", text.lower()) for text in texts]
    return pd.concat(
        [_vectorized(words, tidy, "count of"), _vectorized(characters, texts, "characters")],
        axis=1,
    )


def _vectorized(vectorizer: CountVectorizer, texts: Sequence[str], name: str) -> pd.DataFrame:
    try:
        counts = vectorizer.fit_transform(texts)
    except ValueError:  # scikit-learn's answer when no token is frequent enough
        return pd.DataFrame(index=pd.RangeIndex(len(texts)))
    columns = [f"{name} {token!r}" for token in vectorizer.get_feature_names_out()]
    return pd.DataFrame(counts.toarray().astype(float), columns=columns)


def text_columns(texts: Sequence[str]) -> pd.DataFrame:
    """Lengths, shares of kinds of characters, numbers in the text, repetition."""
    rows = [_measure(text) for text in texts]
    return pd.DataFrame(rows).astype(float)


def _measure(text: str) -> dict[str, float]:
    words = text.split()
    lengths = [len(word) for word in words] or [0]
    numbers = [float(found) for found in re.findall(r"\d+(?:\.\d+)?", text)]
    lowered = [word.strip(".,;:!?").lower() for word in words]
    size = max(len(text), 1)
    return {
        "characters": len(text),
        "words": len(words),
        "mean word": sum(lengths) / len(lengths),
        "longest word": max(lengths),
        "shortest word": min(lengths),
        "distinct words": len(set(lowered)),
        "repeated words": len(lowered) - len(set(lowered)),
        "most repeated word": max((lowered.count(word) for word in set(lowered)), default=0),
        "repeats next to each other": sum(left == right for left, right in pairwise(lowered)),
        "sentences": len(re.findall(r"[.!?]+", text)),
        "upper case": sum(map(str.isupper, text)),
        "capitalised words": sum(word[:1].isupper() for word in words),
        "shouted words": sum(len(word) > 1 and word.isupper() for word in words),
        "digits": sum(map(str.isdigit, text)),
        "numbers": len(numbers),
        "first number": numbers[0] if numbers else 0.0,
        "last number": numbers[-1] if numbers else 0.0,
        "sum of numbers": sum(numbers),
        "largest number": max(numbers, default=0.0),
        "vowels": sum(letter in "aeiouAEIOU" for letter in text),
        "vowel share": sum(letter in "aeiouAEIOU" for letter in text) / size,
        "commas": text.count(","),
        "exclamations": text.count("!"),
        "questions": text.count("?"),
        "other signs": len(re.findall(r"[^\w\s.,!?]", text)),
    }


def order_columns(texts: Sequence[str]) -> pd.DataFrame:
    """Where frequent words stand, from 0 to 1, and for each two of them which comes first.

    The order is 1 where the first of the two comes first, -1 where the other does, 0 where not
    both occur.
    """
    split = [re.findall(r"\w+", text.lower()) for text in texts]
    shares: dict[str, int] = {}
    for words in split:
        for word in set(words):
            shares[word] = shares.get(word, 0) + 1
    frequent = [word for word, count in shares.items() if count >= len(texts) / 12]
    chosen = sorted(frequent, key=lambda word: (-shares[word], word))[:MOST_ORDERED]
    place = np.full((len(texts), len(chosen)), np.nan)
    for row, words in enumerate(split):
        first = {word: index for index, word in reversed(list(enumerate(words)))}
        for column, word in enumerate(chosen):
            if word in first:
                place[row, column] = first[word] / max(len(words) - 1, 1)
    found = {
        f"place of {word!r}": np.nan_to_num(place[:, column], nan=-1.0)
        for column, word in enumerate(chosen)
    }
    for left in range(len(chosen)):
        for right in range(left + 1, len(chosen)):
            sign = np.nan_to_num(np.sign(place[:, right] - place[:, left]))
            if np.abs(sign).mean() > 1 / 20:
                found[f"{chosen[left]!r} before {chosen[right]!r}"] = sign
    return pd.DataFrame(found, index=pd.RangeIndex(len(texts)))


def compared_columns(left: Sequence[str], right: Sequence[str]) -> pd.DataFrame:
    """Two texts of a row beside each other: what they have in common, by words, their beginnings
    and threes of letters, and how much more the first has of all that is measured."""
    parts = {
        "words": (re.compile(r"\w+"), 99),
        "beginnings": (re.compile(r"\w+"), 4),
        "threes": (re.compile(r"(?=(\w\w\w))"), 99),
    }
    found: dict[str, list[float]] = {}
    for name, (pattern, size) in parts.items():
        pairs = [
            [{part[:size] for part in pattern.findall(text.lower())} for text in pair]
            for pair in zip(left, right, strict=True)
        ]
        common = [len(one & other) for one, other in pairs]
        found[f"{name} in common"] = [float(count) for count in common]
        found[f"share of {name} in common"] = [
            count / max(len(one | other), 1)
            for count, (one, other) in zip(common, pairs, strict=True)
        ]
    measured = pd.DataFrame([_measure(text) for text in left]) - pd.DataFrame(
        [_measure(text) for text in right]
    )
    return pd.concat([pd.DataFrame(found), measured.add_prefix("more ")], axis=1).astype(float)


def compared_words(left: Sequence[str], right: Sequence[str]) -> pd.DataFrame:
    """How much more often the first of two texts of a row has each frequent word."""
    counter = CountVectorizer(max_features=MOST_COMPARED, token_pattern=r"(?u)\w+", min_df=4)
    both = _vectorized(counter, [*left, *right], "more of")
    first, second = both.iloc[: len(left)], both.iloc[len(left) :].reset_index(drop=True)
    return first - second


def edge_words(texts: Sequence[str]) -> pd.DataFrame:
    """The first and the last word of each text, as categories."""
    split = [re.findall(r"\w+", text.lower()) or [""] for text in texts]
    return pd.DataFrame(
        {"first word": [words[0] for words in split], "last word": [words[-1] for words in split]}
    )
