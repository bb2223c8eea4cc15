"""A written token as it is read aloud, in English words.

Difficulty: rises with the kinds of tokens, and with `sense`, by which the same figures are read in
several ways: only what stands around a token tells which.
"""

import re

import numpy as np

from sandmle.runtime.spelling import ONES, cardinal_words, ordinal_words, year_words

YIELDS = "text"
TASKS = ["seq2seq"]
PARAMETERS = {
    "of": {"$ref": "#/$defs/text_factor", "examples": ["written_amount"]},
    "sense": {
        "$ref": "#/$defs/category_factor",
        "description": "decides how bare figures are read: the first of its levels by name as an "
        "amount, the second as a year where they are four, the third digit by digit",
    },
    "joined": {"type": "boolean", "description": "whether hundreds are followed by and"},
    "zero": {"type": "string", "description": "how a zero among digits is read"},
    "month_first": {"type": "boolean", "description": "may fifth instead of the fifth of may"},
}

_SPOKEN_UNITS = {
    "km": "kilometres",
    "kg": "kilograms",
    "mm": "millimetres",
    "ml": "millilitres",
    "m": "metres",
    "g": "grams",
    "l": "litres",
    "h": "hours",
    "min": "minutes",
    "MB": "megabytes",
    "%": "percent",
}
_SPOKEN_MONEY = {"$": ("dollars", "cents"), "£": ("pounds", "pence"), "€": ("euros", "cents")}
_SPOKEN_ABBREVIATIONS = {
    "Dr.": "doctor",
    "Mr.": "mister",
    "Mrs.": "missus",
    "Prof.": "professor",
    "Ltd.": "limited",
    "Ave.": "avenue",
    "Rd.": "road",
    "approx.": "approximately",
    "vs.": "versus",
}
_SPOKEN_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip


def read_aloud(
    rng: np.random.Generator,
    *,
    of: np.ndarray,
    sense: np.ndarray | None = None,
    joined: bool = True,
    zero: str = "oh",
    month_first: bool = False,
) -> np.ndarray:
    senses = np.zeros(len(of), dtype=int)
    if sense is not None:
        senses = np.unique(sense, return_inverse=True)[1]
    return np.array(
        [
            _read_figures(str(token), int(way), joined, zero)
            if str(token).isdigit()
            else _read_marked(str(token), joined, zero, month_first)
            for token, way in zip(of, senses, strict=True)
        ],
        dtype=str,
    )


def _read_figures(token: str, way: int, joined: bool, zero: str) -> str:
    """Figures alone, in the way that the sense of the sample asks for."""
    if way == 1 and len(token) == 4 and token[0] != "0":
        return year_words(int(token))
    if way == 2 or token[0] == "0":
        return _digit_by_digit(token, zero)
    return cardinal_words(int(token), joined=joined)


def _read_marked(token: str, joined: bool, zero: str, month_first: bool) -> str:
    """A token in which a sign or a letter tells how it is read."""
    if token in _SPOKEN_ABBREVIATIONS:
        return _SPOKEN_ABBREVIATIONS[token]
    if re.fullmatch(r"[A-Z]{2,4}", token):
        return " ".join(token.lower())
    if found := re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)", token):
        year, month, day = (int(part) for part in found.groups())
        name, counted = _SPOKEN_MONTHS[month - 1], ordinal_words(day)
        spoken = f"{name} {counted}" if month_first else f"the {counted} of {name}"
        return f"{spoken} {year_words(year)}"
    if found := re.fullmatch(r"(\d{1,2}):(\d\d)", token):
        return f"{cardinal_words(int(found[1]))} {cardinal_words(int(found[2]))}"
    if found := re.fullmatch(r"([$£€])([\d,]+)(?:\.(\d\d))?", token):
        whole, part = _SPOKEN_MONEY[found[1]]
        spoken = f"{_read_number(found[2], joined, zero)} {whole}"
        return f"{spoken} and {cardinal_words(int(found[3]))} {part}" if found[3] else spoken
    if found := re.fullmatch(r"(\d+)(?:st|nd|rd|th)", token):
        return ordinal_words(int(found[1]), joined=joined)
    if re.fullmatch(r"\d+(-\d+)+", token):
        return _digit_by_digit(token.replace("-", ""), zero)
    if found := re.fullmatch(r"([\d,.]+) ?(\D*)", token):
        unit = _SPOKEN_UNITS.get(found[2], found[2])
        return f"{_read_number(found[1], joined, zero)} {unit}".strip()
    return token.lower()


def _read_number(text: str, joined: bool, zero: str) -> str:
    whole, _, part = text.replace(",", "").partition(".")
    spoken = cardinal_words(int(whole), joined=joined)
    return f"{spoken} point {_digit_by_digit(part, zero)}" if part else spoken


def _digit_by_digit(digits: str, zero: str) -> str:
    return " ".join(zero if digit == "0" else ONES[int(digit)] for digit in digits)
