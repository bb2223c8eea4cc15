"""A second table with a row for each of a sample's items, named a, b, c: what the item does.

Each item takes what the one before it, by a number, has made; what is made goes by a name that no
other sample has. Words at the beginning tell roughly how early an item is.

Difficulty: rises with the number of `forms`, the sentences in which taking and making are told, and
with `haze`, which makes the words at the beginning say less.
"""

from collections.abc import Sequence
from string import ascii_lowercase

import numpy as np

from sandmle.runtime.alphabets import made_up_words

WRITES = "rows"
MODALITY = "text"
TASKS = ["ordering"]
FILE = "steps.csv"
SAYS = "a list of items told in a sentence each"
MEANS = {
    "item": "name of the item",
    "text": "what is said of the item",
}
PARAMETERS = {
    "of": {"$ref": "#/$defs/numbers_factor", "examples": ["item_values"]},
    "item": {"$ref": "#/$defs/name", "description": "name of the column of the items' names"},
    "text": {"$ref": "#/$defs/name", "description": "name of the column of texts"},
    "forms": {
        "type": "array",
        "items": {"type": "string", "minLength": 1},
        "minItems": 1,
        "description": "sentences; {verb}, {taken} and {made} stand for what they tell",
        "examples": [
            ["{verb} {taken} to get {made}"],
            ["{verb} {taken} to get {made}", "{verb} out {made} from {taken}"],
        ],
    },
    "verbs": {
        "type": "array",
        "items": {"type": "string", "minLength": 1},
        "minItems": 2,
        "description": "words at the beginning, from early to late",
    },
    "haze": {
        "type": "number",
        "minimum": 0,
        "maximum": 4,
        "description": "how far those words stray, in places of their list",
        "examples": [1.5, 2.0, 3.0],
    },
    "alphabet": {
        "enum": ["latin", "cyrillic", "greek", "devanagari", "tamil"],
        "description": "letters of the names of what is made",
    },
}


def item_steps(
    rng: np.random.Generator,
    *,
    of: np.ndarray,
    item: str = "item",
    text: str = "text",
    forms: Sequence[str] = ("{verb} {taken} to get {made}", "{verb} out {made} from {taken}"),
    verbs: Sequence[str] = ("open", "read", "clean", "sort", "join", "plot", "save"),
    haze: float = 2.0,
    alphabet: str = "latin",
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    samples, items = of.shape
    rank = of.argsort(axis=1, kind="stable").argsort(axis=1, kind="stable")
    names = made_up_words(rng, 900, alphabet)
    early = rank / max(items - 1, 1) * (len(verbs) - 1) + haze * rng.normal(size=of.shape)
    chosen = np.clip(np.rint(early), 0, len(verbs) - 1).astype(int)
    texts = []
    for row in range(samples):
        own = rng.choice(len(names), items + 1, replace=False)
        for place, verb in zip(rank[row], chosen[row], strict=True):
            texts.append(
                str(rng.choice(forms))
                .replace("{verb}", verbs[verb])
                .replace("{taken}", names[own[place]])
                .replace("{made}", names[own[place + 1]])
            )
    return np.repeat(np.arange(samples), items), {
        item: np.tile(np.array(list(ascii_lowercase[:items])), samples),
        text: np.array(texts, dtype=str),
    }
