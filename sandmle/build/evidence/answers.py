"""Answers and submissions as rows of cells, and graders for a part of the answers."""

from __future__ import annotations

import csv
import dataclasses
import io
from collections.abc import Sequence

from sandmle.grading import Grader
from sandmle.runtime.table import decimals, sample_of

#: A CSV file's rows, the header first.
Rows = Sequence[Sequence[str]]


def read(content: bytes) -> list[list[str]]:
    """The rows of a sound CSV file."""
    return list(csv.reader(io.StringIO(content.decode(), newline="")))


def written(rows: Rows) -> bytes:
    """Rows as a CSV file."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def private_cells(answers: bytes) -> dict[str, list[str]]:
    """The columns of the answers that a solver does not submit."""
    columns = zip(*read(answers), strict=True)
    return {name: list(cells) for name, *cells in columns if name.startswith("_")}


def number_columns(*submissions: bytes) -> frozenset[str]:
    """The columns that hold nothing but numbers in all of some submissions."""
    found = []
    for header, *rows in map(read, submissions):
        columns = zip(header, zip(*rows, strict=True), strict=True)
        found.append({name for name, cells in columns if decimals(cells) is not None})
    return frozenset.intersection(*map(frozenset, found))


def by_sample(rows: Rows) -> list[list[Sequence[str]]]:
    """The rows below the header, those of a sample together."""
    samples: dict[str, list[Sequence[str]]] = {}
    for row in rows[1:]:
        samples.setdefault(sample_of(row[0]), []).append(row)
    return list(samples.values())


def partial_grader(grader: Grader, most: int) -> Grader:
    """The grader for the first samples alone, two at least, with `most` rows of answers if they
    have no more: it does the same in less time."""
    rows = read(grader.answers)
    if len(rows) <= most + 1:
        return grader
    kept: list[Sequence[str]] = []
    for place, sample in enumerate(by_sample(rows)):
        if place >= 2 and len(kept) + len(sample) > most:
            break
        kept += sample
    return dataclasses.replace(grader, answers=written([rows[0], *kept]))


def only(content: bytes, grader: Grader) -> bytes:
    """The rows of a submission that a grader knows."""
    keys = {row[0] for row in read(grader.perfect)}
    return written([row for row in read(content) if row[0] in keys])
