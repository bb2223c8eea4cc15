"""The labels of the test rows stand in no public file, whatever they are called and written as."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from sandmle.build.auditing import Examined, Finding
from sandmle.build.evidence.associations import association, rank_deviations
from sandmle.build.evidence.disclosure import (
    LEAST_VALUES,
    telling_rows,
    tells_classes,
    tells_numbers,
    told_by_bytes,
)
from sandmle.build.evidence.encodings import pixels
from sandmle.build.evidence.listed_cells import listed_cells
from sandmle.build.ladder import is_plain
from sandmle.build.prepare import sample_places

CLAIM = "test labels are in no public file"
COST = "cheap"

#: Share of the answers' lines, or of its cells, that are a copy of it.
MOST_COPIED = 0.5
#: Lines of an id, times those that answers.csv has of it, of a file that could be its copy.
MOST_LINES = 2
#: Different answers that cells must hold to be no coincidence.
FEWEST_ANSWERS = 10
#: Evidence names so many finds.
MOST_NAMED = 3
#: Numbers as programs keep them in memory.
_PACKED = ("i1", "<i2", "<i4", "<i8", "<f4", "<f8")


def examine(task: Examined) -> Finding:
    """Looks for the answers as they are, and for cells and bytes that are the labels recoded."""
    found = list(
        dict.fromkeys(
            [*_copies(task), *_cells(task), *_bytes(task), *_rows_of_bytes(task), *_sample(task)]
        )
    )
    return Finding(not found, "; ".join(found[:MOST_NAMED]) or "none found")


def _copies(task: Examined) -> Iterator[str]:
    """Files that hold answers.csv, most of its lines, or all its labels in a row."""
    answers = task.grader.answers.partition(b"\n")[2].strip()
    for path, content in task.prepared.dataset.public.items():
        if len(content) >= len(answers) and answers in content:
            yield f"{path} holds answers.csv"
    lines = set(answers.decode("latin-1").splitlines())
    expected = Counter(map(_first_cell, lines))
    rows = list(_rows(task))
    for path, text in task.shared_texts.items():
        # A table that counts the rows of each id holds any answer, and so tells none.
        held = Counter(map(_first_cell, text.splitlines()))
        copied = [
            line
            for line in lines.intersection(text.splitlines())
            if held[_first_cell(line)] <= MOST_LINES * expected[_first_cell(line)]
        ]
        if len(copied) >= MOST_COPIED * len(lines):
            yield f"{path} holds lines of answers.csv"
        elif any(row in text for row in rows):
            yield f"{path} holds the labels in a row"


def _first_cell(line: str) -> str:
    """What stands before the first comma of a line: the id, in answers.csv."""
    return line.partition(",")[0]


def _rows(task: Examined) -> Iterator[str]:
    """All test labels in a row, by the order of test.csv or of the ids, as text or packed."""
    test = task.competition.ids[task.competition.train :]
    for labels in _labels(task).values():
        for order in (np.arange(len(test)), np.argsort(test)):
            ordered = labels[order]
            if ordered.dtype.kind in "if":
                yield from (ordered.astype(form).tobytes().decode("latin-1") for form in _PACKED)


def _labels(task: Examined) -> Mapping[str, np.ndarray]:
    """The test labels, in the order of test.csv, of each target that is numbers or classes."""
    if not is_plain(task.prepared.dataset):
        return {}
    places = sample_places(task.prepared.dataset, task.competition.ids)
    test = places[task.competition.train :]
    return {name: labels[test] for name, labels in task.prepared.dataset.labels.items()}


def _cells(task: Examined) -> Iterator[str]:
    """Columns of any table and any text, test row by test row, that are a target."""
    labels = _labels(task)
    answers = {} if labels else _answers(task)
    for where, cells in listed_cells(task):
        for target, values in labels.items():
            told = _told(cells, values)
            if told is not None:
                yield f"{where} tells {target}{told}"
        for target, texts in answers.items():
            same = (cells == texts) & (texts != "")
            if same.mean() >= MOST_COPIED and len(set(texts[same])) >= FEWEST_ANSWERS:
                yield f"{where} is {target}"


def _told(cells: np.ndarray, values: np.ndarray) -> str | None:
    """How cells tell a target's labels, "" where they are its classes, None where they don't."""
    is_class = values.dtype.kind == "i"
    if is_class or len(np.unique(values)) < LEAST_VALUES * len(values):
        return "" if tells_classes(cells, values) else None
    told = tells_numbers(cells, values)
    return None if told is None else f" ({told})"


def _answers(task: Examined) -> dict[str, np.ndarray]:
    """The columns of a perfect submission by test row, where each has one of its own."""
    test = list(task.competition.ids[task.competition.train :])
    if task.grader.answers.count(b"\n") != len(test) + 1:
        return {}
    table = pd.read_csv(io.BytesIO(task.grader.perfect), dtype=str, keep_default_na=False)
    by_id = table.set_index(table.columns[0])
    if not by_id.index.isin(test).all():
        return {}
    return {str(name): column.to_numpy(str) for name, column in by_id.loc[test].items()}


def _bytes(task: Examined) -> Iterator[str]:
    """Files of samples in which a byte or pixel, its last bit, or a class by name is the label."""
    labels = _labels(task)
    if not labels:
        return
    rows = telling_rows(labels.values())
    for series in task.series:
        place = {row - task.competition.train: index for index, row in enumerate(series.rows)}
        chosen = [row for row in rows if row in place]
        contents = [series.contents[place[row]] for row in chosen]
        if "width" in task.encodings[series.name][0]:
            contents = [pixels(content) for content in contents]
        for target, values in labels.items():
            names = task.competition.classes if values.dtype.kind == "i" else ()
            told = told_by_bytes(contents, values[chosen], names)
            if told is not None:
                yield f"{told} of {series.name} tells {target}"


def _rows_of_bytes(task: Examined) -> Iterator[str]:
    """Files of which the last bytes, one a test row, are a target: digits, numbers or pixels."""
    test = task.competition.ids[task.competition.train :]
    public = task.prepared.dataset.public
    for path, text in task.shared_texts.items():
        for content in {public[path].strip(), text.encode("latin-1")}:
            cells = np.frombuffer(content[-len(test) :], np.uint8).astype(str)
            for target, values in _labels(task).items():
                if len(cells) < len(test) or values.dtype.kind != "i":
                    continue
                if any(tells_classes(cells, each) for each in (values, values[np.argsort(test)])):
                    yield f"the last bytes of {path} tell {target}"


def _sample(task: Examined) -> Iterator[str]:
    """A sample submission that goes with the labels: it is to say the same of every row."""
    competition = task.competition
    table = pd.read_csv(
        io.BytesIO(task.prepared.dataset.public["sample_submission.csv"]),
        dtype=str,
        keep_default_na=False,
    )
    test = list(competition.ids[competition.train :])
    if not is_plain(task.prepared.dataset) or sorted(table.iloc[:, 0]) != sorted(test):
        return
    found = []
    for name, cells in table.set_index(table.columns[0]).loc[test].items():
        level = np.unique(cells.to_numpy(str), return_inverse=True)[1]
        for target, outcome in task.outcomes.items():
            if np.ptp(level):
                where = f"sample_submission.csv, {name}, {target}"
                found += rank_deviations(level, outcome[competition.train :], where)
    finding = association(found)
    if not finding.passed:
        yield finding.evidence
