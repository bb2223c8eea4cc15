"""Thresholds out of reach or within anyone's, and answers that are not those of the rows."""

from __future__ import annotations

import numpy as np

from sandmle.bench.faults.fault import fault, mild_fault
from sandmle.bench.faults.planting import (
    answers,
    content,
    with_answers,
    with_evaluator,
    with_limits,
)
from sandmle.bench.faults.samples import generator
from sandmle.build.auditing import Examined
from sandmle.build.ladder import csv_content, noise_free_answers, oriented

#: Compares each row's prediction with the truth of the row before.
_MISALIGNED = """\
_aligned = score_of


def score_of(truth, prediction, factors):
    return _aligned(np.roll(truth, 1, axis=0), prediction, factors)
"""

#: Refuses certainty.
_UNCERTAIN = """\
_numbers = Table.numbers


def _uncertain(self, column, low, high):
    return _numbers(self, column, low + 0.01, high - 0.01)


_read_answers = read_answers


def read_answers(answers):
    Table.numbers = _numbers
    found = _read_answers(answers)
    Table.numbers = _uncertain
    return found
"""

#: The F1 of the best of the classes that are predicted at all, in place of the mean of all.
_KIND_F1 = """\
def macro_f1(truth, prediction, **settings):
    scores = []
    for label in np.unique(prediction):
        hits = np.sum((truth == label) & (prediction == label))
        scores.append(2 * hits / (np.sum(truth == label) + np.sum(prediction == label)))
    return float(max(scores))
"""


def rows_shuffled(task: Examined, *, share: float) -> Examined:
    """Answers of a share of the rows that are those of other rows."""
    rng, table = generator(), answers(task)
    chosen = np.flatnonzero(rng.random(len(table)) < share)
    columns = table.columns[1:]
    table.loc[chosen, columns] = table.loc[rng.permutation(chosen), columns].to_numpy()
    return with_answers(task, content(table))


def rows_off_by_one(task: Examined) -> Examined:
    """Answers one row too low: a header was counted."""
    table = answers(task)
    for name in table.columns[1:]:
        table[name] = np.roll(table[name], 1)
    return with_answers(task, content(table))


def classes_swapped(task: Examined, *, one: str, other: str) -> Examined:
    """Answers in which two classes have each other's names."""
    table = answers(task)
    target = table.columns[-1]
    swapped = table[target].replace({one: other, other: one})
    return with_answers(task, content(table.assign(**{target: swapped})))


def gold_beyond_the_truth(task: Examined, *, share: float) -> Examined:
    """Gold beyond what the noise-free truth scores, by a share of the way from the median there."""
    score = task.grader.grade(csv_content(noise_free_answers(task.prepared))).score
    limits = task.grader.thresholds
    if score is None or limits is None:
        raise ValueError(f"{task.prepared.spec.id}: no score of the truth")
    return with_limits(task, gold=round(score + share * (score - limits.median), 4))


def nearly_constant(task: Examined, *, reference: float, constant: float) -> Examined:
    """Thresholds from a reference that is hardly better than a constant."""
    way = reference - constant
    return with_limits(
        task,
        median=round(constant + 0.3 * way, 4),
        bronze=round(constant + 0.55 * way, 4),
        silver=round(constant + 0.75 * way, 4),
        gold=round(constant + 0.9 * way, 4),
    )


def median_at_a_constant(task: Examined, *, beyond: float) -> Examined:
    """A median that the best constant reaches, by a share of what it scores."""
    score = _best_constant(task)
    lower = task.grader.is_lower_better
    worse = oriented(oriented(score, lower) - beyond * abs(score), lower)
    return with_limits(task, median=round(worse, 4))


def _best_constant(task: Examined) -> float:
    """What the best of the constants scores that stand in the answers."""
    table = answers(task)
    target = table.columns[-1]
    cells = sorted(set(table[target]))
    numbers = [] if len(cells) < 20 else [f"{table[target].astype(float).median():.6g}"]
    graded = [
        task.grader.grade(content(table.assign(**{target: cell}))).score
        for cell in numbers or cells
    ]
    lower = task.grader.is_lower_better
    found = [oriented(score, lower) for score in graded if score is not None]
    return oriented(max(found), lower)


FAULTS = (
    fault(
        "perfect_submission", "gold beyond the best score", "right-whale", with_limits, gold=1.001
    ),
    mild_fault(
        "perfect_submission",
        "gold below an error of nothing",
        "club-form",
        with_limits,
        gold=-0.001,
    ),
    fault(
        "perfect_submission",
        "direction turned",
        "bat-survey",
        with_evaluator,
        code="IS_LOWER_BETTER = False\n",
    ),
    fault(
        "perfect_submission",
        "rows compared with the next",
        "fabric-weave",
        with_evaluator,
        code=_MISALIGNED,
    ),
    mild_fault(
        "perfect_submission",
        "certainty refused",
        "helpdesk-escalation",
        with_evaluator,
        code=_UNCERTAIN,
    ),
    fault(
        "noise_free_truth",
        "answers of other rows",
        "hotel-cancellation-weekday",
        rows_shuffled,
        share=1.0,
    ),
    fault("noise_free_truth", "answers one row too low", "alloy-strength", rows_off_by_one),
    mild_fault(
        "noise_free_truth",
        "a third of the answers of other rows",
        "rent-letters",
        rows_shuffled,
        share=0.35,
    ),
    fault(
        "noise_free_truth",
        "two classes swapped",
        "fabric-weave",
        classes_swapped,
        one="satin",
        other="twill",
    ),
    mild_fault(
        "noise_free_truth", "masks of other rows", "kidney-bodies", rows_shuffled, share=0.3
    ),
    mild_fault(
        "noise_free_truth",
        "gold beyond the truth",
        "dose-finding",
        gold_beyond_the_truth,
        share=0.05,
    ),
    fault("uninformed_submissions", "median below a half", "right-whale", with_limits, median=0.49),
    mild_fault(
        "uninformed_submissions",
        "median at the largest class",
        "bench-notes",
        median_at_a_constant,
        beyond=0.01,
    ),
    mild_fault(
        "uninformed_submissions",
        "median at the median",
        "club-form",
        median_at_a_constant,
        beyond=0.01,
    ),
    mild_fault(
        "uninformed_submissions",
        "reference hardly better than chance",
        "narrowband-drift",
        nearly_constant,
        reference=0.53,
        constant=0.5,
    ),
    fault(
        "uninformed_submissions", "F1 of the best class", "gym-lapse", with_evaluator, code=_KIND_F1
    ),
    fault(
        "uninformed_submissions", "median at a full mask", "kidney-bodies", with_limits, median=0.05
    ),
)
