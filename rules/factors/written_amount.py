"""A token as it is written: an amount, a date, a time, an abbreviation, or a plain word.

Difficulty: rises with the number of `kinds`, each of which is then seen more rarely, and falls with
`plain`, the share of words that are read as they stand.
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.spelling import IRREGULAR_ORDINALS, cardinal_words

YIELDS = "text"
PARAMETERS = {
    "kinds": {
        "type": "array",
        "items": {
            "enum": [
                "cardinal",
                "decimal",
                "money",
                "measure",
                "date",
                "time",
                "ordinal",
                "percent",
                "year",
                "digits",
                "letters",
                "abbreviation",
            ]
        },
        "minItems": 1,
        "uniqueItems": True,
        "description": "what is written, beside plain words",
        "examples": [
            ["cardinal", "measure", "ordinal", "abbreviation"],
            ["cardinal", "money", "measure", "date", "letters"],
            ["cardinal", "decimal", "money", "measure", "date", "time", "ordinal", "digits"],
        ],
    },
    "plain": {
        "type": "number",
        "minimum": 0,
        "maximum": 0.9,
        "description": "share of plain words",
        "examples": [0.4, 0.3, 0.2],
    },
    "words": {
        "type": "array",
        "items": {"type": "string", "pattern": "^\\S+$"},
        "minItems": 2,
        "description": "the plain words",
    },
    "units": {
        "type": "array",
        "items": {"enum": ["km", "kg", "mm", "ml", "m", "g", "l", "h", "min", "MB"]},
        "minItems": 1,
        "description": "the units of measures",
    },
    "currencies": {
        "type": "array",
        "items": {"enum": ["$", "£", "€"]},
        "minItems": 1,
        "description": "the signs of money",
    },
    "most": {
        "type": "integer",
        "minimum": 20,
        "maximum": 999999,
        "description": "the largest amount",
    },
}


def written_amount(
    rng: np.random.Generator,
    samples: int,
    *,
    kinds: Sequence[str] = ("cardinal", "money", "measure", "date", "letters"),
    plain: float = 0.3,
    words: Sequence[str] = (
        "the", "a", "of", "at", "road", "house", "paid", "about", "left", "gate",
        "train", "market", "and", "near", "rain", "letter", "bought", "before", "old", "desk",
    ),
    units: Sequence[str] = ("km", "kg", "mm", "ml"),
    currencies: Sequence[str] = ("$", "£"),
    most: int = 9999,
) -> np.ndarray:  # fmt: skip
    chosen = rng.choice(np.array(kinds, dtype=str), samples)
    is_plain = rng.random(samples) < plain
    written = []
    for kind, stays in zip(chosen, is_plain, strict=True):
        if stays:
            written.append(str(rng.choice(words)))
        else:
            written.append(_write_amount(rng, str(kind), units, currencies, most))
    return np.array(written, dtype=str)


def _write_amount(
    rng: np.random.Generator,
    kind: str,
    units: Sequence[str],
    currencies: Sequence[str],
    most: int,
) -> str:
    """One token of a kind. Amounts are as often short as long."""
    amount = int(np.exp(rng.uniform(np.log(2), np.log(most + 1))))
    small = int(rng.integers(2, 100))
    if kind == "cardinal":
        return f"{amount:,}" if amount >= 10_000 else str(amount)
    if kind == "decimal":
        return f"{small}.{rng.integers(1, 100)}"
    if kind == "money":
        cents = f".{rng.integers(10, 100)}" if rng.random() < 0.5 else ""
        return f"{rng.choice(currencies)}{amount}{cents}"
    if kind == "measure":
        return f"{small} {rng.choice(units)}"
    if kind == "date":
        day, month = rng.integers(1, 29), rng.integers(1, 13)
        return f"{rng.integers(1950, 2030)}-{month:02d}-{day:02d}"
    if kind == "time":
        return f"{rng.integers(1, 13)}:{rng.integers(10, 60)}"
    if kind == "ordinal":
        return f"{small}{_ordinal_ending(small)}"
    if kind == "percent":
        return f"{small}%"
    if kind == "year":
        return str(rng.integers(1100, 2000))
    if kind == "digits":
        return f"0{rng.integers(100, 1000)}-{rng.integers(1000, 10000)}"
    if kind == "letters":
        letters = rng.choice(list("ABCDEFGHIKLMNOPRSTUV"), int(rng.integers(2, 4)))
        return "".join(str(letter) for letter in letters)
    return str(rng.choice(["Dr.", "Mr.", "Mrs.", "Prof.", "Ltd.", "Ave.", "Rd.", "approx.", "vs."]))


def _ordinal_ending(number: int) -> str:
    last = cardinal_words(number).split(" ")[-1]
    return {"one": "st", "two": "nd", "three": "rd"}.get(
        last if last in IRREGULAR_ORDINALS else "", "th"
    )
