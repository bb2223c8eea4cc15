"""How scores, medals and rungs look, wherever they are shown."""

from __future__ import annotations

#: Outcomes in a terminal.
COLOURS = {
    "gold": "bold yellow",
    "silver": "bright_white",
    "bronze": "dark_orange3",
    "median": "bright_black",
    "none": "bright_black",
    "invalid": "red",
}

#: Rungs in a terminal.
LEVELS = {"dummy": "bright_black", "naive": "blue", "honest": "green", "reference": "cyan"}


def number(score: float) -> str:
    """A score as people read it: four decimals, fewer of large ones."""
    if abs(score) >= 10:
        return f"{score:.4g}"
    return f"{round(score, 4) + 0.0:.4f}"  # adding 0 turns -0.0 into 0.0
