"""What the story says in numbers: rows, places, on which side of the usual they lie."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pandas as pd

from sandmle.build.evidence.described import Described

_ROUGHLY = re.compile(r"\b(about|around|almost|nearly|roughly|some|over|under)\s+$")

#: A difference from what is common, of which some are positive and some are negative.
_OF_A_MEAN = re.compile(
    r"\b(?:from|exceeds?|above or below|around|than) (?:[\w'-]+ ){0,3}(?:mean|average|usual)\b"
)


def wrong_counts(described: Described) -> Iterator[str]:
    """Numbers of training rows that the spec asks for and that groups, kept whole, did not give."""
    asked = described.task.prepared.spec.dna.train
    rows = described.task.competition.train
    story = _story(described)
    for found in re.finditer(rf"(?<![\w.-]){asked}(?![\w%]|[.-]\d)", story):
        if rows != asked and not _ROUGHLY.search(story[: found.start()]):
            yield f"the story says {asked} without `about`, and train.csv has {rows} rows"


def wrong_sides(described: Described) -> Iterator[str]:
    """Differences from a mean, or from what is usual, that all lie on one side of it."""
    found = _OF_A_MEAN.search(_story(described))
    prepared = described.task.prepared
    if found is None or prepared.spec.dna.task != "regression":
        return
    (target,) = (target.name for target in prepared.spec.targets)
    values = pd.to_numeric(pd.Series(described.cells("train.csv", target)), errors="coerce")
    if values.min() > 0 or values.max() < 0:
        yield f"{target} is said to be a difference {found[0]!r}, and all lie on one side of it"


def wrong_degrees(described: Described) -> Iterator[str]:
    """Places said to be in degrees that lie on no globe."""
    header = described.tables.get("train.csv", [])
    for target, most in (("latitude", 90.0), ("longitude", 180.0)):
        if target in header and re.search(r"\bdegrees\b", _story(described)):
            values = pd.to_numeric(pd.Series(described.cells("train.csv", target)), errors="coerce")
            if values.abs().max() > most:
                yield f"{target} reaches {values.abs().max():g} degrees"


def _story(described: Described) -> str:
    """Title and story, a space between words."""
    return " ".join(described.text.partition("\n## ")[0].split())
