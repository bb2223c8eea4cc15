"""What may happen to the rows, the columns and the ids of a submission."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import cycle, islice

import numpy as np

from sandmle.build.evidence.answers import Rows
from sandmle.build.evidence.mutations.mutation import LONG

#: Mutations of a table that leave it a submission, or that do so by what its cells hold.
HARMLESS = frozenset(
    {"shuffled", "upside down", "with the ids of two rows exchanged", "with a row a megabyte wide"}
)
#: What may happen to an id.
IDS: Mapping[str, Callable[[str], str]] = {
    "in upper case": str.upper,
    "padded": lambda name: f" {name} ",
    "followed by a tab": lambda name: f"{name}\t",
    "in quotes": lambda name: f"'{name}'",
    "in double quotes": lambda name: f'"{name}"',
    "with a letter of another alphabet": lambda name: f"а{name[1:]}",
    "in fullwidth letters": lambda name: "".join(chr(ord(char) + 0xFEE0) for char in name),
    "followed by nothing visible": lambda name: f"{name}\u200b",
    "as a file name": lambda name: f"{name}.png",
    "as a number": lambda name: f"{name}.0",
    "as a formula": lambda name: f"={name}",
    "one short": lambda name: name[:-1],
    "all empty": lambda name: "",
    "followed by a position": lambda name: f"{name}_0",
    "as a megabyte": lambda name: name + "x" * 2000,
}


def of_table(
    records: Rows, rng: np.random.Generator, private: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, Rows]]:
    """Mutations of a table and what they do; `private` are columns that a solver has not."""
    yield from of_rows(records, rng)
    yield from of_ids(records, rng)
    yield from of_columns(records)
    yield from of_titles(records[0], records[1:])
    for name, cells in {"_none": ["1"], **private}.items():
        added = islice(cycle(cells), len(records) - 1)
        table = [[*row, cell] for row, cell in zip(records, [name, *added], strict=True)]
        yield f"with a private column {name}", table
        yield f"with a column called {name}", [[*records[0][:-1], name], *records[1:]]


def of_rows(records: Rows, rng: np.random.Generator) -> Iterator[tuple[str, Rows]]:
    """Rows that are missing, repeated, moved, too short or too long."""
    header, rows = list(records[0]), [list(row) for row in records[1:]]
    one, other = (int(place) for place in rng.choice(len(rows), 2, replace=False))
    order = rng.permutation(len(rows))
    for name, changed in {
        "shuffled": [rows[place] for place in order],
        "upside down": rows[::-1],
        "without the first row": rows[1:],
        "without the last row": rows[:-1],
        "without a row": rows[:one] + rows[one + 1 :],
        "without every other row": rows[::2],
        "with a row twice": [*rows, rows[one]],
        "with all rows twice": rows + rows,
        "with a row in place of another": [*rows[:one], rows[other], *rows[one + 1 :]],
        "with a row of no sample": [*rows, ["none", *rows[0][1:]]],
        "with an empty row": [*rows[:one], ["" for _ in header], *rows[one:]],
        "with the header as a row": [header, *rows],
        "with the header last": [*rows, header],
        "with a row that ends early": [*rows[:one], rows[one][:-1], *rows[one + 1 :]],
        "with a row that goes on": [*rows[:one], [*rows[one], "0"], *rows[one + 1 :]],
        "with the ids of two rows exchanged": exchanged(rows, one, other),
        "with a row a megabyte wide": [[*rows[0], "0" * LONG], *rows[1:]],
    }.items():
        yield name, [header, *changed]


def of_ids(records: Rows, rng: np.random.Generator) -> Iterator[tuple[str, Rows]]:
    """Ids that are written otherwise, all of them or one."""
    header, *rows = records
    one = int(rng.integers(len(rows)))
    for name, edit in IDS.items():
        edited = [[edit(row[0]), *row[1:]] for row in rows]
        yield f"ids {name}", [header, *edited]
        yield f"one id {name}", [header, *rows[:one], edited[one], *rows[one + 1 :]]


def of_columns(records: Rows) -> Iterator[tuple[str, Rows]]:
    """Columns that are missing, repeated, moved or too many."""
    rows = records[1:]
    columns: list[Sequence[str]] = list(zip(*records, strict=True))
    for name, kept in {
        "without the ids": columns[1:],
        "with the ids last": [*columns[1:], columns[0]],
        "with columns backwards": columns[::-1],
        "with numbers in front": [("", *map(str, range(len(rows)))), *columns],
        "with an empty column": [*columns, [""] * len(records)],
        "with a column more": [*columns, ["more", *["1"] * len(rows)]],
        "with a column twice": [*columns, columns[-1]],
        "with the ids twice": [columns[0], *columns],
        "with a column called __proto__": [*columns, ["__proto__", *["1"] * len(rows)]],
        "with a hundred times the columns": columns * 100,
        "with ids alone": columns[:1],
    }.items():
        yield name, list(zip(*kept, strict=True))


def of_titles(header: Sequence[str], rows: Rows) -> Iterator[tuple[str, Rows]]:
    """Columns that are called otherwise, or left out."""
    for place, title in enumerate(header):
        before, after = header[:place], header[place + 1 :]
        for name in (title.upper(), f" {title}", f"{title} ", title[:-1], f"{title}\u200b", ""):
            if name != title:
                yield f"column {title} called {name!r}", [[*before, name, *after], *rows]
        if place:
            left = [[*row[:place], *row[place + 1 :]] for row in (header, *rows)]
            yield f"without column {title}", left


def exchanged(rows: Sequence[list[str]], one: int, other: int) -> list[list[str]]:
    """The rows with the ids of two of them exchanged."""
    changed = [list(row) for row in rows]
    changed[one][0], changed[other][0] = changed[other][0], changed[one][0]
    return changed
