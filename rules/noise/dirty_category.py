"""Spells a share of the entries of category columns in another way: case, spaces, a slip.

Difficulty: rises with `rate` and with the number of levels: every spelling is a level of its own to
a model that doesn't clean them.
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.columns import text_columns

DISTURBS = "columns"
TAKES = ["category"]
PARAMETERS = {
    "rate": {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
        "description": "share of entries",
        "examples": [0.1, 0.2],
    },
    "only": {"$ref": "#/$defs/columns", "description": "the category columns"},
}


def dirty_category(
    rng: np.random.Generator,
    columns: dict[str, np.ndarray],
    *,
    only: Sequence[str],
    rate: float = 0.3,
) -> dict[str, np.ndarray]:
    disturbed = dict(columns)
    for name in text_columns(columns, only):
        values = columns[name]
        variant, is_dirty = rng.integers(5, size=len(values)), rng.random(len(values)) < rate
        disturbed[name] = np.array(
            [
                _respelt(str(value), int(how)) if dirty else value
                for value, how, dirty in zip(values, variant, is_dirty, strict=True)
            ],
            dtype=str,
        )
    return disturbed


def _respelt(level: str, how: int) -> str:
    """One of five other spellings of a level."""
    middle = max(1, len(level) // 2)
    spellings = (
        level.upper() if level != level.upper() else level.lower(),
        level.title() if level != level.title() else level.swapcase(),
        f" {level}",
        f"{level} ",
        level.replace(" ", "_") if " " in level else f"{level[:middle]}-{level[middle:]}",
    )
    return spellings[how]
