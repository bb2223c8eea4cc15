"""A column of passages that tell a name for each thing that may be asked, and one of questions.

Every level of a category is a thing that may be asked; the first name goes with the first level,
sorted by name, and so on. The sentences stand in any order, among filler.

Difficulty: rises with the number of `forms` and of `called`, the words by which a thing may go in
the passage; with `numbers`, which stand beside the names, it is up to the rule what matters.
"""

from collections.abc import Mapping, Sequence

import numpy as np

WRITES = "columns"
MODALITY = "text"
TASKS = ["extractive_qa"]
SAYS = "a short passage of text with a question"
MEANS = {
    "question": "a question on the text",
}
PARAMETERS = {
    "name": {"$ref": "#/$defs/name"},
    "of": {"$ref": "#/$defs/tokens_factor", "examples": ["slot_values"]},
    "asked": {
        "$ref": "#/$defs/category_factor",
        "description": "what is asked; without it no thing has a name and no question is shown",
        "examples": ["category"],
    },
    "question": {"$ref": "#/$defs/name", "description": "name of the column of questions"},
    "questions": {
        "type": "array",
        "items": {"type": "string", "minLength": 1},
        "minItems": 1,
        "description": "forms of a question; {thing} stands for the level",
    },
    "forms": {
        "type": "array",
        "items": {"type": "string", "minLength": 1},
        "minItems": 1,
        "description": "forms of a sentence: {name}, {thing}, {number} stand for what it tells",
    },
    "called": {
        "type": "object",
        "additionalProperties": {"type": "array", "items": {"type": "string"}, "minItems": 1},
        "description": "words by which the passage calls a level; its own name when left out",
    },
    "numbers": {
        "$ref": "#/$defs/numbers_factor",
        "description": "a number beside each name, shown from 10 to 99",
    },
    "filler": {
        "$ref": "#/$defs/text_factor",
        "description": "a text whose sentences stand around",
        "examples": ["document"],
    },
}


def passage(
    rng: np.random.Generator,
    *,
    name: str,
    of: np.ndarray,
    asked: np.ndarray | None = None,
    question: str = "question",
    questions: Sequence[str] = ("What is the {thing}?", "Which is the {thing} here?"),
    forms: Sequence[str] = (
        "The {thing} is {name} as written.",
        "It says that {name} is the {thing}.",
    ),
    called: Mapping[str, Sequence[str]] | None = None,
    numbers: np.ndarray | None = None,
    filler: np.ndarray | None = None,
) -> dict[str, np.ndarray]:
    levels = [""] if asked is None else [str(level) for level in np.unique(asked)]
    shown: np.ndarray = np.zeros((len(of), max(len(names) for names in of)), dtype=int)
    if numbers is not None:
        # Ranks over all samples spread evenly, so that hardly two numbers of a sample are equal.
        ranks = numbers.ravel().argsort(kind="stable").argsort(kind="stable")
        shown = 10 + (90 * ranks // numbers.size).reshape(numbers.shape)
    passages, asking = [], []
    for row, names in enumerate(of):
        told = []
        for place, value in enumerate(names):
            thing = levels[place % len(levels)]
            words = (called or {}).get(thing, [thing])
            form = str(rng.choice(forms))
            told.append(
                form.replace("{thing}", str(rng.choice(words)))
                .replace("{name}", value)
                .replace("{number}", str(shown[row, min(place, shown.shape[1] - 1)]))
            )
        if filler is not None:
            told += [f"{part.strip()}." for part in str(filler[row]).split(".") if part.strip()]
        passages.append(" ".join(told[at] for at in rng.permutation(len(told))))
        if asked is not None:
            asking.append(str(rng.choice(questions)).replace("{thing}", str(asked[row])))
    columns = {name: np.array(passages, dtype=str)}
    if asked is not None:
        columns[question] = np.array(asking, dtype=str)
    return columns
