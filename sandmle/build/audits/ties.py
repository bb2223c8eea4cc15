"""Ties gain nothing: neither the order of rows nor a kind reading of equal scores helps."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

import numpy as np

from sandmle.build.auditing import Examined, Finding
from sandmle.build.evidence.answers import by_sample, only, partial_grader, read, written
from sandmle.build.evidence.uninformed import uninformed
from sandmle.build.ladder import oriented
from sandmle.grading import Grader
from sandmle.runtime.table import decimals, sample_of

CLAIM = "ties gain nothing"
COST = "deep"

#: Numbers of different scores in submissions full of ties.
LEVELS = (1, 2, 3)
#: Ways to break the ties of one submission; their mean is what its ties are worth.
BREAKS = 30
#: Ties may gain so many standard errors of that mean: by luck hardly one task in a million does.
MOST_ERRORS = 6.0
#: What sums in another order may change, of a score and of 1.
ROUNDING = 5e-5
#: Rows of answers that are looked at: whole samples, as many as fit.
MOST_ROWS = 1000
#: How far numbers move off those of the sample submission, as a part of these.
WIDTH = 0.4
#: Submissions that know nothing, of which the order is changed.
BASES = 3


@dataclasses.dataclass(frozen=True)
class Scores:
    """Submissions of numbers around those of the sample submission.

    `constant` (rows, columns) is what that holds; `is_shared` says whether each of its rows sums
    to 1, as shares do.
    """

    keys: Sequence[str]
    header: Sequence[str]
    constant: np.ndarray
    is_shared: bool

    def content(self, offsets: np.ndarray) -> bytes:
        """The submission with each number moved by a part of itself, -1 to 1 times WIDTH."""
        if self.is_shared:
            offsets = (offsets - offsets.mean(axis=1, keepdims=True)) / 2
        width = np.where(self.constant == 0, 1.0, WIDTH * np.abs(self.constant))
        cells = (self.constant + width * offsets).tolist()
        rows = (
            [key, *map("{:.10g}".format, row)] for key, row in zip(self.keys, cells, strict=True)
        )
        return written([self.header, *rows])

    def levels(self, rng: np.random.Generator, count: int) -> np.ndarray:
        """Offsets (rows, columns) of few different sizes, drawn at random."""
        return np.asarray(rng.integers(0, count, self.constant.shape) / count)

    def noise(self, rng: np.random.Generator) -> np.ndarray:
        """Offsets (rows, columns) that are all different, drawn at random."""
        return np.asarray(rng.uniform(-1, 1, self.constant.shape))


def examine(task: Examined) -> Finding:
    """Sorts answers and submissions by the truth, and breaks the ties of rankings at random."""
    grader = partial_grader(task.grader, MOST_ROWS)
    sample, *others = (
        only(content, grader) for _, content in islice(uninformed(task.prepared), BASES)
    )
    rng = np.random.default_rng(0)
    scores = scores_around(sample)
    if scores:
        others.append(scores.content(scores.levels(rng, 2)))
    found = [*order_matters(grader, [sample, *others])]
    if scores and is_ranking(grader, scores, rng):
        found += kind_ties(grader, scores, rng)
    return Finding(not found, "; ".join(found) or "neither by their order nor by how they count")


def scores_around(sample: bytes) -> Scores | None:
    """Numbers around those of a sample submission; None where it holds others than numbers."""
    header, *rows = read(sample)
    columns = [decimals(column) for column in zip(*(row[1:] for row in rows), strict=True)]
    if any(column is None for column in columns):
        return None
    constant = np.array(columns).T
    is_shared = constant.shape[1] > 1 and bool(np.allclose(constant.sum(axis=1), 1, atol=0.01))
    return Scores([row[0] for row in rows], header, constant, is_shared)


def is_ranking(grader: Grader, scores: Scores, rng: np.random.Generator) -> bool:
    """Whether a submission scores the same where all its numbers are halfway to the constant."""
    offsets = scores.noise(rng)
    whole, half = (grader.grade(scores.content(part * offsets)).score for part in (1, 0.5))
    return whole is not None and half is not None and is_same(whole, half)


def is_same(one: float, other: float) -> bool:
    """Whether two scores differ by no more than rounding."""
    return abs(one - other) <= ROUNDING * max(1.0, abs(one))


def kind_ties(grader: Grader, scores: Scores, rng: np.random.Generator) -> Iterator[str]:
    """Submissions full of ties that score more than they do with the ties broken at random."""
    for count in LEVELS:
        tied = scores.levels(rng, count)
        parts = [0.0 * tied, *(scores.noise(rng) for _ in range(BREAKS))]
        graded = [
            grader.grade(scores.content(0.9 * tied + 0.1 / count * part)).score for part in parts
        ]
        score, *broken = (oriented(float(each or 0), grader.is_lower_better) for each in graded)
        error = float(np.std(broken, ddof=1)) / BREAKS**0.5
        if score - np.mean(broken) > MOST_ERRORS * error + ROUNDING * max(1.0, abs(score)):
            yield f"{count} different scores gain {score - np.mean(broken):.4g} by their ties"


def order_matters(grader: Grader, contents: Sequence[bytes]) -> Iterator[str]:
    """Submissions that score otherwise where rows of answers or of submissions are sorted."""
    scores = [grader.grade(content).score for content in contents]
    perfect = {row[0]: row[1:] for row in read(grader.perfect)[1:]}
    orders: dict[str, Callable[[Sequence[Sequence[str]]], object]] = {
        "ids": lambda sample: sample_of(sample[0][0]),
        "truth": lambda sample: by_value(perfect[sample[0][0]]),
    }
    for name, key in orders.items():
        for turned in (False, True):
            how = f"{name}, {'descending' if turned else 'ascending'}"
            answers = in_order(grader.answers, key, turned=turned)
            sorted_grader = dataclasses.replace(grader, answers=answers)
            for content, score in zip(contents, scores, strict=True):
                if score is None:
                    continue
                found = (
                    ("answers", sorted_grader.grade(content).score),
                    ("submission", grader.grade(in_order(content, key, turned=turned)).score),
                )
                for what, other in found:
                    if other is None or not is_same(score, other):
                        yield f"{score} becomes {other} with the {what} sorted by {how}"


def by_value(cells: Sequence[str]) -> tuple[float, ...] | tuple[str, ...]:
    """What rows are sorted by: numbers by their size, texts by their letters."""
    numbers = decimals(cells)
    return tuple(cells) if numbers is None else tuple(numbers.tolist())


def in_order(
    content: bytes, key: Callable[[Sequence[Sequence[str]]], object], *, turned: bool
) -> bytes:
    """A file with its samples in the order of a key, the rows of each as they are."""
    rows = read(content)
    samples = sorted(by_sample(rows), key=key, reverse=turned)  # type: ignore[arg-type]
    return written([rows[0], *(row for sample in samples for row in sample)])
