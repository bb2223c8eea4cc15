"""Probabilities below which a metric looks no closer, measured against what it says itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sandmle.build.evidence.answers import Rows, read, written
from sandmle.grading import Grader

#: How a metric says the least probability that counts as it is.
FLOOR = re.compile(r"count as (1e-\d+) at least")
#: What is given to the truth of one row, in units of that: they must make a difference.
STEPS = (100, 10_000)


def hidden_floors(judging: str, grader: Grader) -> Iterator[str]:
    """What is wrong with the least probability that a metric says to take as it is."""
    said = FLOOR.search(judging)
    if said is None:
        return
    header, *rows = read(grader.perfect)
    for truth in ("0", "1"):
        wrong = next((row for row in rows if row[1] == truth and is_certain(row)), None)
        if wrong is None:
            continue
        scores = {
            grader.grade(written([header, *doubted(rows, wrong, float(said[1]) * step)])).score
            for step in STEPS
        }
        if len(scores) == 1:
            yield f"probabilities down to {said[1]} do not count as they are"


def is_certain(row: Sequence[str]) -> bool:
    """Whether one of several columns of an answer, or its only one, says something for certain."""
    return len(row) == 2 or "1" in row[1:]


def doubted(rows: Rows, wrong: Sequence[str], least: float) -> Rows:
    """The answers, but that one row gives next to no probability to what is true."""
    if len(wrong) == 2:
        moved = [wrong[0], repr(abs(float(wrong[1]) - 1 + least))]
    else:
        rest = (1 - least) / (len(wrong) - 2)
        moved = [wrong[0], *(repr(least if cell == "1" else rest) for cell in wrong[1:])]
    return [moved if row is wrong else row for row in rows]
