"""One column that shows a short text as it is: a code, a written token, a sentence.

Difficulty: that of the text itself.
"""

import numpy as np

WRITES = "columns"
MODALITY = "text"
SAYS = "a short code"
MEANS = {
    "name": "a short code",
}
PARAMETERS = {
    "name": {"$ref": "#/$defs/name"},
    "of": {"$ref": "#/$defs/text_factor", "examples": ["code_string"]},
}


def text_column(rng: np.random.Generator, *, name: str, of: np.ndarray) -> dict[str, np.ndarray]:
    return {name: of.copy()}
