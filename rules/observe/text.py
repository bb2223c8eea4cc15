"""One column of documents: filler in which words are planted as often as factors say.

Planted words take the place of filler words, so a text's length says nothing of them.

Difficulty: rises with the number of synonyms in `words` (each is then rarer) and with the length
of the filler.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sandmle.runtime.scaling import stretch

WRITES = "columns"
MODALITY = "text"
EXACT = True
PARAMETERS = {
    "name": {"$ref": "#/$defs/name"},
    "filler": {"$ref": "#/$defs/text_factor"},
    "mentions": {
        "type": "array",
        "description": "words that are mentioned more often where a number is larger",
        "items": {
            "type": "object",
            "required": ["words", "count"],
            "additionalProperties": False,
            "properties": {
                "words": {
                    "type": "array",
                    "items": {"type": "string", "minLength": 1},
                    "minItems": 1,
                    "description": "synonyms, one of which is drawn for each mention",
                },
                "count": {"$ref": "#/$defs/number_factor", "examples": ["uniform"]},
                "most": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": 20,
                    "description": "mentions where the number is largest; 6 when left out",
                    "examples": [14, 12, 9],
                },
            },
        },
    },
    "tone": {
        "type": "object",
        "description": "a number shown as the share of good among good and bad words",
        "required": ["of", "good", "bad"],
        "additionalProperties": False,
        "properties": {
            "of": {"$ref": "#/$defs/number_factor"},
            "good": {"type": "array", "items": {"type": "string"}, "minItems": 1},
            "bad": {"type": "array", "items": {"type": "string"}, "minItems": 1},
            "words": {
                "type": "integer",
                "minimum": 1,
                "maximum": 20,
                "description": "good and bad words together; 6 when left out",
            },
        },
    },
    "topic": {
        "type": "object",
        "description": "a category shown by words that only its level has",
        "required": ["of", "words"],
        "additionalProperties": False,
        "properties": {
            "of": {"$ref": "#/$defs/category_factor"},
            "words": {
                "type": "array",
                "items": {"type": "string"},
                "minItems": 2,
                "description": "dealt out in turn to the levels, sorted by name",
            },
            "count": {
                "type": "integer",
                "minimum": 1,
                "maximum": 20,
                "description": "topic words a text; 3 when left out",
            },
        },
    },
    "length": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the share of the filler that is kept, from 40% to all",
        "examples": ["normal", "uniform"],
    },
}


def text(
    rng: np.random.Generator,
    *,
    name: str,
    filler: np.ndarray,
    mentions: Sequence[Mapping[str, Any]] = (),
    tone: Mapping[str, Any] | None = None,
    topic: Mapping[str, Any] | None = None,
    length: np.ndarray | None = None,
) -> dict[str, np.ndarray]:
    samples = len(filler)
    kept = np.ones(samples) if length is None else stretch(length, 0.4, 1.0)
    planted: list[list[str]] = [[] for _ in range(samples)]
    for mention in mentions:
        counts = np.rint(stretch(mention["count"], 0, mention.get("most", 6))).astype(int)
        for words, number in zip(planted, counts, strict=True):
            words.extend(rng.choice(mention["words"], number))
    if tone is not None:
        total = tone.get("words", 6)
        counts = np.rint(stretch(tone["of"], 0, total)).astype(int)
        for words, good in zip(planted, counts, strict=True):
            words.extend(rng.choice(tone["good"], good))
            words.extend(rng.choice(tone["bad"], total - good))
    if topic is not None:
        levels, level = np.unique(topic["of"], return_inverse=True)
        for words, position in zip(planted, level, strict=True):
            own = topic["words"][position :: len(levels)]
            words.extend(rng.choice(own, topic.get("count", 3)))
    documents = [
        _plant(rng, document.split(), share, words)
        for document, share, words in zip(filler, kept, planted, strict=True)
    ]
    return {name: np.array(documents, dtype=str)}


def _plant(rng: np.random.Generator, words: list[str], share: float, planted: list[str]) -> str:
    """The first `share` of a document's words, some of which the planted ones replace."""
    words = words[: max(2, round(share * len(words)))]
    free = [at for at, word in enumerate(words) if word.islower() and not word.endswith(".")]
    places = rng.permutation(free)[: len(planted)]
    for at, word in zip(places, rng.permutation(planted), strict=False):
        words[at] = str(word)
    document = " ".join(words)
    return document if document.endswith(".") else f"{document}."
