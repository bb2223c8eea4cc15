"""Cells of a submission that list several entries, such as the boxes in a picture."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sandmle.errors import InvalidSubmission
from sandmle.runtime.table import Table, decimals, expected_number, shown

#: What a cell holds that lists nothing; an empty cell means the same, but may look forgotten.
NOTHING = "-"

#: Whole numbers from here on are refused; no count or place is so large.
TOO_LARGE = 10**9


@dataclass(frozen=True)
class Entries:
    """What the cells of one column list, all entries in one line.

    `noun` is what an entry is called. `fields` hold the text of each of its fields by name, each
    (entries,). `owners` (entries,) are the indices of the table's rows that list them, ascending,
    and `ranks` (entries,) their places in the list, counted from 0.
    """

    table: Table
    column: str
    noun: str
    fields: Mapping[str, Sequence[str]]
    owners: np.ndarray
    ranks: np.ndarray

    def numbers(self, field: str, low: float, high: float) -> np.ndarray:
        """A field as floats (entries,). Raises InvalidSubmission at the first that is no number
        from `low` to `high`."""
        texts = self.fields[field]
        values = decimals(texts)
        if values is not None and ((values >= low) & (values <= high)).all():
            return values
        misfits = ((place, expected_number(text, low, high)) for place, text in enumerate(texts))
        place, expected = next((place, expected) for place, expected in misfits if expected)
        raise self.misfit(place, field, expected)

    def whole_numbers(self, field: str) -> np.ndarray:
        """A field as integers from 0 (entries,). Raises InvalidSubmission at the first that is
        none, or is TOO_LARGE."""
        texts = self.fields[field]
        joined = " ".join(texts)
        if not texts:
            return np.zeros(0, dtype=np.int64)
        if joined.isascii() and joined.replace(" ", "").isdigit():
            # What is beyond the largest integer comes out as the largest integer.
            values = np.fromstring(joined, dtype=np.int64, sep=" ")
            if values.max() < TOO_LARGE:
                return values
        places = enumerate(texts)
        wrong = next(place for place, text in places if not is_whole_number(text))
        raise self.misfit(wrong, field, "a whole number")

    def indices(self, field: str, names: Sequence[str]) -> np.ndarray:
        """A field that holds names, each as one_word writes it, as their indices (entries,).

        Raises InvalidSubmission at the first that is none of `names`.
        """
        known = {one_word(name): index for index, name in enumerate(names)}
        found = [known.get(text, -1) for text in self.fields[field]]
        if -1 in found:
            few = ", ".join(list(known)[:8]) + (", ..." if len(known) > 8 else "")
            raise self.misfit(found.index(-1), field, f"one of {few}")
        return np.array(found, dtype=int)

    def refuse_repeats(self, field: str) -> None:
        """Raises InvalidSubmission at the first entry whose field stood in its row before."""
        seen: set[tuple[int, str]] = set()
        for place, entry in enumerate(zip(self.owners.tolist(), self.fields[field], strict=True)):
            if entry in seen:
                raise self.misfit(place, field, f"each {self.noun} once")
            seen.add(entry)

    def misfit(self, place: int, field: str, expected: str) -> InvalidSubmission:
        """Says that a field of the entry at `place` is not what was expected."""
        holds = "is" if len(self.fields) == 1 else f"has {field}"
        return self.fault(place, f"{holds} {shown(self.fields[field][place])}; expected {expected}")

    def fault(self, place: int, problem: str) -> InvalidSubmission:
        """Says what is wrong with the entry at `place`."""
        row = self.table.rows[self.owners[place]]
        number = self.ranks[place] + 1
        return InvalidSubmission(f"row {row}: {self.column!r} {self.noun} {number} {problem}")

    def by_row(self, values: np.ndarray) -> np.ndarray:
        """`values` (entries, ...) row by row: an object array (rows,) of arrays."""
        found = np.empty(len(self.table.ids), dtype=object)
        ends = np.cumsum(np.bincount(self.owners, minlength=len(found)))
        for row, (start, end) in enumerate(zip([0, *ends[:-1]], ends, strict=True)):
            found[row] = values[start:end]
        return found


def read_entries(
    table: Table, column: str, *, noun: str, fields: Sequence[str], most: int
) -> Entries:
    """What each cell of a column lists: `fields` separated by spaces, entry after entry.

    Raises InvalidSubmission at the first cell that holds more than `most` entries, or a last one
    that lacks fields.
    """
    size = len(fields)
    texts: list[str] = []
    counts = []
    for row, cell in zip(table.rows, table.columns[column], strict=True):
        parts = cell.split(None, most * size)
        if parts == [NOTHING]:
            parts = []
        if len(parts) > most * size:
            raise InvalidSubmission(
                f"row {row}: {column!r} holds more than {most} entries; "
                f"expected at most {most} of `{' '.join(fields)}`"
            )
        if len(parts) % size:
            raise InvalidSubmission(
                f"row {row}: {column!r} holds {len(parts)} values; "
                f"expected `{' '.join(fields)}` for every {noun}"
            )
        counts.append(len(parts) // size)
        texts += parts
    lengths = np.array(counts, dtype=int)
    starts = np.cumsum(lengths) - lengths
    return Entries(
        table=table,
        column=column,
        noun=noun,
        fields={field: texts[place::size] for place, field in enumerate(fields)},
        owners=np.repeat(np.arange(len(lengths)), lengths),
        ranks=np.arange(lengths.sum()) - np.repeat(starts, lengths),
    )


def is_whole_number(text: str) -> bool:
    """Whether a text holds digits alone, of a number that is not TOO_LARGE."""
    significant = text.lstrip("0")
    digits = len(str(TOO_LARGE)) - 1
    return text.isascii() and text.isdigit() and len(significant) <= digits


def list_cell(texts: Iterable[str]) -> str:
    """A cell that lists `texts`, separated by spaces.

    Raises ValueError where one could not be read back.
    """
    listed = list(texts)
    for text in listed:
        if text.split() != [text] or text == NOTHING:
            raise ValueError(f"{text!r} can't stand in a list that is separated by spaces")
    return " ".join(listed) or NOTHING


def one_word(name: str) -> str:
    """A name as it stands in a list: spaces become _."""
    return "_".join(name.split())
