"""A second table with the past events of each sample: when each happened, and its amount.

Days count back from today, which is day 0. What no factor sets is drawn at random for each sample,
so the rows' totals say little about it.

Difficulty: high for models that leave the second table out; rises where the factor shows in
`spread`, `last` or `recency`, which a mean over the rows hides.
"""

import numpy as np

from sandmle.runtime.scaling import stretch

WRITES = "rows"
MODALITY = "tabular"
MEANS = {
    "when": "day, counted back from today, which is day 0",
    "amount": "the {column} on that day",
}
PARAMETERS = {
    "count": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the number of events, from 2 to `most`",
    },
    "mean": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the middle of the amounts",
    },
    "spread": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the way from the smallest to the largest amount",
    },
    "last": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the latest event's amount",
        "examples": ["normal", "uniform"],
    },
    "recency": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the days since the latest event",
        "examples": ["normal", "uniform"],
    },
    "most": {"type": "integer", "minimum": 3, "maximum": 60, "description": "events at the most"},
    "days": {"type": "integer", "minimum": 10, "description": "days that the table looks back"},
    "largest": {
        "type": "number",
        "exclusiveMinimum": 0,
        "description": "about the largest amount",
    },
    "when": {"$ref": "#/$defs/name", "description": "name of the column of days"},
    "amount": {"$ref": "#/$defs/name", "description": "name of the column of amounts"},
}


def events(
    rng: np.random.Generator,
    *,
    count: np.ndarray,
    mean: np.ndarray | None = None,
    spread: np.ndarray | None = None,
    last: np.ndarray | None = None,
    recency: np.ndarray | None = None,
    most: int = 12,
    days: int = 180,
    largest: float = 100.0,
    when: str = "day",
    amount: str = "amount",
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    numbers = np.rint(stretch(count, 2, most)).astype(int)
    shares = [
        rng.random(len(count)) if factor is None else stretch(factor, 0.0, 1.0)
        for factor in (mean, spread, recency)
    ]
    moments, amounts = [], []
    for events, middle, width, gap in zip(numbers, *shares, strict=True):
        places = rng.random(events)
        places = (places - places.min()) / (places.max() - places.min())
        amounts.append(0.4 + 0.3 * middle + (0.1 + 0.5 * width) * (places - 0.5))
        latest = 1 + 0.4 * gap * days
        earlier = np.sort(rng.uniform(latest, days, events - 1))[::-1]
        moments.append(np.append(earlier, latest))
    if last is not None:
        for row, share in zip(amounts, stretch(last, 0.1, 0.9), strict=True):
            row[-1] = share
    return np.repeat(np.arange(len(count)), numbers), {
        when: -np.rint(np.concatenate(moments)),
        amount: np.round(largest * np.concatenate(amounts), 2),
    }
