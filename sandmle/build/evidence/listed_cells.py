"""Cells that any public file gives to the test rows, in a column or beside the id."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from sandmle.build.auditing import Examined

#: Words that are looked at on either side of an id.
BEFORE, BEHIND = 3, 6
#: Of so many ids one stands in any file that names ids.
SOME = 20
#: Texts of longer words, in letters each, list no labels.
MOST_LETTERS = 64

_WORD = re.compile(r"[A-Za-z0-9_.+/=-]+")


def listed_cells(task: Examined) -> Iterator[tuple[str, np.ndarray]]:
    """Columns of text (test rows,), in the order of test.csv, with where each is from.

    Of test.csv and what its columns name, of the first row of each id in other tables and in the
    sample submission, and of other files the words near each id, or by their places in the file.
    """
    competition = task.competition
    test = competition.ids[competition.train :]
    for name, cells in competition.frame[competition.train :].items():
        yield f"column {name}", cells.fillna("").to_numpy(str)
    for name, table in competition.tables.items():
        yield from _of_table(f"{name}.csv", table, competition.identifier, test)
    content = task.prepared.dataset.public["sample_submission.csv"]
    if content.count(b"\n") == len(test) + 1:
        submission = pd.read_csv(io.BytesIO(content), dtype=str, keep_default_na=False)
        yield from _of_table("sample_submission.csv", submission, submission.columns[0], test)
    for path, text in task.shared_texts.items():
        if path.rpartition("/")[2].removesuffix(".csv") not in competition.tables:
            yield from _of_text(path, text, test)


def _of_table(
    name: str, table: pd.DataFrame, identifier: str, test: Sequence[str]
) -> Iterator[tuple[str, np.ndarray]]:
    """The columns of a table, as they stand in the first row of each id."""
    by_id = table.drop_duplicates(identifier).set_index(identifier).reindex(list(test))
    for column, cells in by_id.items():
        yield f"{name}, column {column}", cells.astype(object).fillna("").astype(str).to_numpy(str)


def _of_text(path: str, text: str, test: Sequence[str]) -> Iterator[tuple[str, np.ndarray]]:
    """Words of a text: near the ids if it names them, or in its columns, or one after the other."""
    if any(name in text for name in test[:SOME]):
        words = _WORD.findall(text)
        places = {word: place for place, word in reversed(list(enumerate(words)))}
        known = [places.get(name, -1) for name in test]
        is_id = frozenset(test)
        for step in (*range(-BEFORE, 0), *range(1, BEHIND + 1)):
            cells = np.array([_near(words, place, step, is_id) for place in known])
            yield f"{path}, word {step:+d} from the id", cells
        return
    by_id = np.argsort(np.argsort(test))
    for name, rows in _in_a_row(text, len(test)):
        for column in range(min(BEHIND, min(map(len, rows), default=0))):
            cells = np.array([row[column] for row in rows])
            yield f"{path}, {name} by {name}", cells
            yield f"{path}, {name} by {name} in the order of ids", cells[by_id]


def _in_a_row(text: str, count: int) -> Iterator[tuple[str, list[list[str]]]]:
    """A text's lines, or its words, if there are as many as are wanted, or one more: a header."""
    lines = text.splitlines()
    if len(lines) - count in (0, 1):
        yield "line", [_WORD.findall(line) for line in lines[-count:]]
    elif len(text) < count * MOST_LETTERS:
        words = _WORD.findall(text)
        if len(words) - count in (0, 1):
            yield "word", [[word] for word in words[-count:]]


def _near(words: Sequence[str], place: int, step: int, ids: frozenset[str]) -> str:
    """The word some steps from an id, "" where there is none or another id comes first."""
    if place < 0 or not 0 <= place + step < len(words):
        return ""
    between = words[min(place + step, place + 1) : max(place, place + step + 1)]
    return (
        "" if any(word in ids for word in between if word != words[place]) else words[place + step]
    )
