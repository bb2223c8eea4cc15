"""Columns to CSV files, under names that give nothing away."""

import csv
import io
import re
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from sandmle.runtime.table import sample_of


def random_ids(rng: np.random.Generator, count: int) -> np.ndarray:
    """Different tokens (count,) that say nothing; no word, and nothing that reads as a number."""
    letters = "bcdfghjkmnpqrstvwxz"
    characters = f"{letters}23456789"
    ids: dict[str, None] = {}
    while len(ids) < count:
        picks = rng.integers(0, [len(letters), *[len(characters)] * 7], (count, 8))
        ids.update(dict.fromkeys("".join(characters[pick] for pick in row) for row in picks))
    return np.array(list(ids)[:count])


def join_columns(*parts: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """All columns in one table. Raises ValueError where two of `parts` write the same column."""
    columns: dict[str, np.ndarray] = {}
    for part in parts:
        for name, values in part.items():
            if name in columns:
                raise ValueError(f"two words write the column {name!r}")
            columns[name] = values
    return columns


def shuffle_columns(
    rng: np.random.Generator, columns: Mapping[str, np.ndarray]
) -> dict[str, np.ndarray]:
    """The same columns in random order."""
    names = list(columns)
    return {names[index]: columns[names[index]] for index in rng.permutation(len(names))}


def csv_bytes(columns: Mapping[str, np.ndarray], rows: np.ndarray | None = None) -> bytes:
    """A CSV file of `columns`, or of some of their rows (indices, in this order).

    Floats get six significant digits; NaN and None become empty.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    chosen = (values if rows is None else np.asarray(values)[rows] for values in columns.values())
    writer.writerows(zip(*(cells(values) for values in chosen), strict=True))
    return text.getvalue().encode()


def cells(values: np.ndarray) -> list[str]:
    """One column as text."""
    return [cell(value) for value in values]


def cell(value: object) -> str:
    """One value as text."""
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        # Adding 0 turns -0.0 into 0.0.
        return "" if np.isnan(value) else f"{value + 0.0:.6g}"
    return "" if value is None else str(value)


def sample_files(
    pattern: str, contents: Sequence[bytes | Sequence[bytes]], ids: np.ndarray
) -> dict[str, bytes]:
    """The files of every sample, named by its id: `pattern` holds {id}.

    Where it holds {n} too, a sample has several files, counted from 1.
    """
    files: dict[str, bytes] = {}
    for name, content in zip(ids, contents, strict=True):
        path = pattern.replace("{id}", name)
        several: Sequence[bytes] = (content,) if isinstance(content, bytes) else content
        for number, part in enumerate(several, 1):
            files[path.replace("{n}", str(number))] = part
    return dict(sorted(files.items()))


def owner_of(path: str, ids: Collection[str]) -> str | None:
    """The sample that a file belongs to: the one of `ids` that stands in its path, if any does."""
    stem = path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    parts = [stem, *re.split(r"[^A-Za-z0-9]+", path)]
    return next((part for part in parts if part in ids), None)


def submitted_columns(columns: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """What a solver submits of the columns of answers.csv: all that have no _ in front."""
    return {name: values for name, values in columns.items() if not name.startswith("_")}


def factor_columns(
    factors: Mapping[str, np.ndarray], ids: np.ndarray, keys: np.ndarray
) -> dict[str, np.ndarray]:
    """Factors that the metric looks at, as private columns of answers.csv.

    `factors` hold a value a sample with one of the `ids`, or one for each position (samples,
    positions); `keys` are those of the rows: an id, or one with a _ and more behind, such as the
    position.
    """
    place = {name: index for index, name in enumerate(ids)}
    rows = [place[sample_of(key)] for key in keys]
    return {
        f"_{name}": values[rows]
        if values.ndim == 1
        else values[rows, [int(key.rsplit("_", 1)[1]) for key in keys]]
        for name, values in factors.items()
    }


def sample_rows(
    rng: np.random.Generator,
    samples: np.ndarray,
    columns: Mapping[str, np.ndarray],
    *,
    ids: np.ndarray,
    order: np.ndarray,
) -> bytes:
    """A CSV file with several rows a sample, beside its id.

    `samples` (rows,) says whose each row is. Samples stand in `order`, each one's rows together
    and in the order in which they come.
    """
    rank = np.argsort(order)
    rows = np.argsort(rank[samples], kind="stable")
    return csv_bytes(join_columns({"id": ids[samples]}, shuffle_columns(rng, columns)), rows)
