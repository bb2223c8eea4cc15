"""No way leads to a score that is no number: not-a-numbers, nothing, extremes, single classes."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence, Set
from itertools import islice

from sandmle.build.auditing import Examined, Finding
from sandmle.build.evidence.answers import (
    by_sample,
    number_columns,
    only,
    partial_grader,
    read,
    written,
)
from sandmle.build.evidence.mutations import Mutation
from sandmle.build.evidence.mutations.judging import graded, is_taken, judged
from sandmle.build.evidence.mutations.lists import LISTS
from sandmle.build.evidence.uninformed import uninformed
from sandmle.grading import Grader

CLAIM = "no score is ever nan, and nothing but numbers passes for one"
COST = "deep"

#: Writings of what is no finite number.
NO_NUMBERS = (
    *("nan", "NaN", "-nan", "inf", "-inf", "Infinity", "1e309", "-1e309", "1e999999999"),
    *("", " ", "-", "NA", "N/A", "null", "None", "nil", "undefined", "#DIV/0!", "0/0", "1e", "0x1"),
)
#: Numbers to find the largest that is taken, and the smallest there is.
SIZES = ("1e308", "1e200", "1e100", "1e30", "1e15", "1e9", "1e5", "1000", "1", "0.5")
TINY = "5e-324"
#: Rows of answers that are looked at: whole samples, as many as fit.
MOST_ROWS = 300
#: Submissions that know nothing, for answers of one class and of two samples.
BASES = 6
#: How many faults are told.
TOLD = 5


def examine(task: Examined) -> Finding:
    """Puts what is no number, and extremes, into one row and into all."""
    grader = partial_grader(task.grader, MOST_ROWS)
    sample = only(task.prepared.dataset.public["sample_submission.csv"], grader)
    numbers = number_columns(sample, grader.perfect)
    faults, tried = [], 0
    for base in (sample, grader.perfect):
        best, crash = graded(base, grader)
        if best is None:
            faults.append(f"sample or answers: {crash}")
            continue
        for mutation in (*not_numbers(base, numbers), *extremes(base, grader, numbers)):
            tried += 1
            _, problem = judged(mutation, best, grader)
            faults += [f"{mutation.name}: {problem}"] if problem else []
    faults += poor_answers(task, grader)
    told = "; ".join(faults[:TOLD]) + (f"; {len(faults)} in all" if len(faults) > TOLD else "")
    return Finding(not faults, told or f"{tried} ways tried")


def not_numbers(content: bytes, numbers: Set[str]) -> Iterator[Mutation]:
    """One cell, and all cells of a column, that are no numbers or list something that is none."""
    header, *rows = read(content)
    for place in range(1, len(header)):
        for text in NO_NUMBERS:
            told = f"no number but {text!r} in {header[place]}"
            for name, cells in ((told, [text]), (f"{told}, all rows", [text] * len(rows))):
                mutation = changed(name, rows, header, place, cells)
                yield dataclasses.replace(mutation, is_wrong=mutation.column in numbers)
        for name, edit in LISTS.items():
            if name.startswith("upset"):
                cells = [edit(row[place], 0) for row in rows]
                told = f"{header[place]} {name}"
                yield changed(told, rows, header, place, cells[:1])
                yield changed(f"{told}, all rows", rows, header, place, cells)


def changed(
    name: str,
    rows: Sequence[Sequence[str]],
    header: Sequence[str],
    place: int,
    cells: Sequence[str],
) -> Mutation:
    """A submission with other cells in the first rows of a column."""
    filled = [
        [*row[:place], cell, *row[place + 1 :]] for row, cell in zip(rows, cells, strict=False)
    ]
    content = written([header, *filled, *rows[len(cells) :]])
    return Mutation(name, content, 1 if len(cells) == 1 else None, header[place])


def extremes(content: bytes, grader: Grader, numbers: Set[str]) -> Iterator[Mutation]:
    """Numbers as large and as small as the evaluator takes them: everywhere, in turns, once."""
    header, *rows = read(content)
    for place in range(1, len(header)):
        if header[place] not in numbers:
            continue
        taken = [
            size
            for size in (*SIZES, *(f"-{size}" for size in SIZES))
            if is_taken(changed("", rows, header, place, [size]).content, grader)
        ]
        largest = taken[0] if taken else "0"
        least = next((size for size in taken if size.startswith("-")), "0")
        turns = [largest, least, "0", TINY]
        for name, cells in {
            "largest": [largest] * len(rows),
            "smallest": [least] * len(rows),
            "tiny": [TINY] * len(rows),
            "in turns": [turns[row % 2] for row in range(len(rows))],
            "in turns with 0": [turns[row % 4] for row in range(len(rows))],
            "once": [largest],
            "but once": [largest] * (len(rows) - 1),
        }.items():
            yield changed(f"{largest} in {header[place]}, {name}", rows, header, place, cells)


def poor_answers(task: Examined, grader: Grader) -> Iterator[str]:
    """Answers that metrics may not be made for: all alike, and two samples alone."""
    header, *rows = read(grader.answers)
    samples = by_sample([header, *rows])
    alike = [sample for sample in samples if sample[0][1:] == samples[0][0][1:]]
    for name, kept in (("one answer", alike), ("two samples", samples[:2])):
        answers = written([header, *(row for sample in kept for row in sample)])
        poor = dataclasses.replace(grader, answers=answers)
        best, crash = graded(poor.perfect, poor)
        if best is None:
            yield f"the answers with {name}: {crash}"
            continue
        for title, content in islice(uninformed(task.prepared), BASES):
            _, problem = judged(Mutation("", only(content, poor)), best, poor)
            if problem:
                yield f"{title} with {name}: {problem}"
