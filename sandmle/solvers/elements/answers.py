"""Answers that are written: what a competition's texts are, and a submission of texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from sandmle.solvers.reading import Competition

#: How an empty answer is written.
NO_ANSWER = "-"
#: Random submissions: the luck of a single one would move thresholds.
ANSWER_DRAWS = 4


def known_answers(competition: Competition) -> list[str]:
    """The training rows' answers, "" where there is none."""
    column = competition.labels[competition.targets[0]].fillna("")
    return ["" if answer == NO_ANSWER else str(answer) for answer in column]


def shown_texts(competition: Competition) -> dict[str, list[str]]:
    """Every feature column of all N rows as text."""
    return {
        str(name): competition.frame[name].fillna("").astype(str).tolist()
        for name in competition.frame
    }


def answer_submission(competition: Competition, answers: Sequence[str]) -> pd.DataFrame:
    """The submission of one answer for each test row."""
    (column,) = competition.columns
    return pd.DataFrame(
        {
            competition.identifier: competition.ids[competition.train :],
            column: [answer or NO_ANSWER for answer in answers],
        }
    )


def constant_answers(competition: Competition) -> Iterator[tuple[str, pd.DataFrame]]:
    """Submissions that look at nothing: no answer, the most frequent, the shortest, random ones."""
    known = known_answers(competition)
    rows = len(competition.ids) - competition.train
    constants = {
        "most frequent answer": most_frequent(known),
        "no answer": "",
        "shortest answer": min(known, key=lambda answer: (len(answer), answer)),
    }
    for name, answer in constants.items():
        yield name, answer_submission(competition, [answer] * rows)
    for seed in range(ANSWER_DRAWS):
        drawn = np.random.default_rng(seed).integers(0, len(known), rows)
        yield "random answer", answer_submission(competition, [known[at] for at in drawn])


def most_frequent(values: Sequence[str]) -> str:
    """The most frequent value, of equally frequent ones the first by name."""
    counts = Counter(values)
    return min(counts, key=lambda value: (-counts[value], value))
