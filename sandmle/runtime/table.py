"""The strict reader of submissions: text in, cells aligned by id out, or a reason."""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np

from sandmle.errors import InvalidSubmission

#: Larger submissions are refused unread.
MAX_BYTES = 10_000_000

#: A decimal number; stricter than float(), which takes '0_1', 'nan' and digits of any script.
#: Possessive, so that a long cell costs no more than its length.
NUMBER = re.compile(r"[+-]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?")

#: The characters of decimal numbers: what float() takes of these alone is a NUMBER.
PLAIN = re.compile(r"[0-9eE+.\n-]*+")


@dataclass(frozen=True)
class Table:
    """A CSV file's cells as text.

    `ids` are those of the first column, `columns` the other columns by name, and `rows` the
    number of each row in the file, counted from 1 below the header.
    """

    ids: Sequence[str]
    columns: Mapping[str, Sequence[str]]
    rows: Sequence[int]

    def numbers(self, column: str, low: float, high: float) -> np.ndarray:
        """A column as floats (rows,). Raises InvalidSubmission at the first that is no number
        from `low` to `high`."""
        texts = self.columns[column]
        values = decimals(texts)
        if values is not None and ((values >= low) & (values <= high)).all():
            return values
        misfits = ((place, expected_number(text, low, high)) for place, text in enumerate(texts))
        place, expected = next((place, expected) for place, expected in misfits if expected)
        found = f"holds {shown(texts[place])}" if texts[place].strip() else "is empty"
        raise InvalidSubmission(f"row {self.rows[place]}: {column!r} {found}; expected {expected}")

    def classes(self, column: str, classes: Sequence[str]) -> np.ndarray:
        """A column of class names as their indices (rows,). Raises InvalidSubmission at the
        first that is none of `classes`."""
        index = {name: position for position, name in enumerate(classes)}
        values = []
        for row, text in zip(self.rows, self.columns[column], strict=True):
            if text.strip() not in index:
                found = "is empty" if not text.strip() else f"holds {shown(text)}"
                known = ", ".join(classes[:8]) + (", ..." if len(classes) > 8 else "")
                raise InvalidSubmission(
                    f"row {row}: {column!r} {found}; expected one of the classes {known}"
                )
            values.append(index[text.strip()])
        return np.array(values)


def read_table(content: bytes, expected: Table | None = None) -> Table:
    """Reads a CSV file strictly.

    With `expected` the file must have the same columns in the same order and the same ids in any
    order; its rows come back in the order of `expected`, whose private columns, named with a _ in
    front, need not and must not be there and are added. Raises InvalidSubmission with the reason.
    """
    records = read_records(content)
    _, header = next(records, (0, []))
    if not header:
        raise InvalidSubmission("the file is empty")
    private = {} if expected is None else private_columns(expected)
    if expected is not None:
        check_header(header, ["id", *(name for name in expected.columns if name not in private)])
    found = read_rows(records, header, None if expected is None else frozenset(expected.ids))
    ids = list(found) if expected is None else expected.ids
    missing = [name for name in ids if name not in found]
    if not found:
        raise InvalidSubmission(f"there are no rows below the header; expected {len(ids)}")
    if missing:
        raise InvalidSubmission(
            f"{len(missing)} of {len(ids)} ids are missing, the first is {missing[0]!r}"
        )
    return Table(
        ids=ids,
        columns={
            name: [found[key][1][position] for key in ids]
            for position, name in enumerate(header)
            if position
        }
        | private,
        rows=[found[key][0] for key in ids],
    )


def submitted(answers: bytes) -> bytes:
    """The content of answers.csv without its private columns: a perfect submission."""
    rows = list(csv.reader(io.StringIO(answers.decode("utf-8"), newline="")))
    kept = [place for place, name in enumerate(rows[0]) if not name.startswith("_")]
    if len(kept) == len(rows[0]):
        return answers
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows([row[place] for place in kept] for row in rows)
    return text.getvalue().encode()


def private_columns(table: Table) -> dict[str, Sequence[str]]:
    """The columns that the answers hold beside what is submitted."""
    return {name: cells for name, cells in table.columns.items() if name.startswith("_")}


def sample_of(key: str) -> str:
    """The id of the sample that a row belongs to: its key, or what stands before the first _."""
    return key.split("_")[0]


def factor_values(key: Table, name: str, samples: int, *, kind: str) -> np.ndarray:
    """A factor that the answers hold for the metric: a value for each of `samples`, or of a series
    (samples, positions).

    `kind` is the factor's type. Where the answers have several rows a sample, with keys of one id,
    the first of each counts, but for a series.
    """
    if kind in ("series", "numbers"):
        return np.array([float(cell) for cell in key.columns[f"_{name}"]]).reshape(samples, -1)
    first: dict[str, int] = {}
    for row, identifier in enumerate(key.ids):
        first.setdefault(sample_of(identifier), row)
    rows = list(first.values()) if len(first) == samples else range(len(key.ids))
    cells = [key.columns[f"_{name}"][row] for row in rows]
    return np.array([float(cell) for cell in cells] if kind == "number" else cells)


def read_rows(
    records: Iterator[tuple[int, list[str]]], header: Sequence[str], known: Set[str] | None
) -> dict[str, tuple[int, list[str]]]:
    """The rows below the header with their numbers, by id.

    Raises InvalidSubmission at the first that has too few or too many fields, whose id is not
    among the `known`, or whose id has been there before.
    """
    found: dict[str, tuple[int, list[str]]] = {}
    for row, record in records:
        name = record[0]
        if len(record) != len(header):
            raise InvalidSubmission(
                f"row {row}: has {len(record)} fields; expected {len(header)}: {','.join(header)}"
            )
        if known is not None and name not in known:
            raise InvalidSubmission(f"row {row}: id {shown(name)} is not in the test set")
        if name in found:
            first, _ = found[name]
            raise InvalidSubmission(f"row {row}: id {shown(name)} is in row {first} too")
        found[name] = row, record
    return found


def read_records(content: bytes) -> Iterator[tuple[int, list[str]]]:
    """The rows of a CSV file with their numbers, the header being row 0; empty lines don't count.

    Raises InvalidSubmission where the content is no CSV text.
    """
    if len(content) > MAX_BYTES:
        raise InvalidSubmission(f"the file is larger than {MAX_BYTES} bytes")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise InvalidSubmission(f"line {line}: not UTF-8 text; save the file as UTF-8") from None
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise InvalidSubmission(f"line {line}: holds a NUL byte; save the file as plain text")
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    row = 0
    try:
        for record in reader:
            if record:
                yield row, record
                row += 1
    except csv.Error as error:
        raise InvalidSubmission(f"row {row}: not CSV: {error}; check the quotes") from None


def check_header(header: Sequence[str], expected: Sequence[str]) -> None:
    """Raises InvalidSubmission where the columns are not those expected, in their order."""
    if list(header) == list(expected):
        return
    wanted = f"expected the header {','.join(expected)}"
    missing = [name for name in expected if name not in header]
    extra = [name for name in header if name not in expected]
    if missing:
        found = f"; found {shown(','.join(header))}" if extra else ""
        raise InvalidSubmission(f"column {missing[0]!r} is missing{found}; {wanted}")
    if extra:
        raise InvalidSubmission(f"column {shown(extra[0])} is not expected; {wanted}")
    if len(header) != len(expected):
        raise InvalidSubmission(f"a column stands there twice; {wanted}")
    raise InvalidSubmission(f"the columns are in another order; {wanted}")


def decimals(texts: Sequence[str]) -> np.ndarray | None:
    """Decimal numbers as floats (texts,), padded or not; None where a text is none."""
    # float() takes padding too, but not all that strip() does.
    bare = [text.strip() for text in texts]
    if PLAIN.fullmatch("\n".join(bare)) is None:
        return None
    try:
        return np.array([float(text) for text in bare])
    except ValueError:
        return None


def expected_number(text: str, low: float, high: float) -> str:
    """What was expected of a text that is no number from `low` to `high`; empty where it is one."""
    bare = text.strip()
    if NUMBER.fullmatch(bare) is None:
        return "a number"
    return "" if low <= float(bare) <= high else f"{low:g} to {high:g}"


def shown(text: str) -> str:
    """Text from a submission as a reason quotes it: on one line, and short."""
    return repr(text if len(text) <= 40 else f"{text[:40]}...")
