"""Whether a medal means skill: how often honest work wins another one when chance plays again."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import pandas as pd

from sandmle.build.ladder import score
from sandmle.build.prepare import Prepared
from sandmle.build.verdict import MODEL_SEED, TEST_DRAW
from sandmle.runtime.medals import above_median, medal
from sandmle.solvers.outputs import honest_answers
from sandmle.spec.model import Thresholds

#: Reruns of honest's solver, each with a random seed of its own.
RERUNS = 10
SAME = 3

#: A task is unreliable where honest's medal is another one in more than this share of the reruns.
MOST_FLIPS = 0.25

#: What a score may reach, from the lowest up; "none" is below the median.
REACHES = ("none", "median", "bronze", "silver", "gold")


def reached(value: float, thresholds: Thresholds, *, is_lower_better: bool) -> str:
    """The highest of REACHES that a score reaches."""
    limits = dataclasses.asdict(thresholds)
    won = medal(value, limits, is_lower_better=is_lower_better)
    if won is not None:
        return won
    better = above_median(value, limits, is_lower_better=is_lower_better)
    return "median" if better else "none"


def flip_rate(
    value: float, again: Sequence[float], thresholds: Thresholds, *, is_lower_better: bool
) -> float:
    """The share of the scores `again` that win another medal than the score `value`."""
    limits = dataclasses.asdict(thresholds)
    own = medal(value, limits, is_lower_better=is_lower_better)
    other = [medal(one, limits, is_lower_better=is_lower_better) != own for one in again]
    return round(sum(other) / len(other), 4)


def flip_problem(rate: float, cause: str) -> str | None:
    """Why a task is unreliable; None where it is not."""
    if rate <= MOST_FLIPS:
        return None
    again = {TEST_DRAW: "redrawn test sets", MODEL_SEED: "reruns with other random seeds"}[cause]
    return (
        f"unreliable: honest work wins another medal in {rate:.0%} of {again}, at most "
        f"{MOST_FLIPS:.0%}; add test rows, lower the noise, or turn a difficulty dial"
    )


def rerun(prepared: Prepared) -> tuple[float, ...]:
    """The scores of honest's solver under RERUNS other random seeds.

    One that answers the same under SAME of them has no chance in it, and is not run again.
    """
    scores: list[float] = []
    answers: list[pd.DataFrame] = []
    for table in honest_answers(prepared.competition, range(1, RERUNS + 1)):
        scores.append(score(prepared, table))
        answers.append(table)
        if len(answers) == SAME and all(answers[0].equals(other) for other in answers[1:]):
            return (scores[0],) * RERUNS
    return tuple(scores)
