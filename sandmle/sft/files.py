"""Files of training examples: Parquet or JSON Lines, by the ending of their name.

Rows come one by one and go out in groups, so that no file is ever held whole. A file appears
complete or not at all.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandmle.writing import appearing

if TYPE_CHECKING:
    import pyarrow

Row = Mapping[str, Any]

#: Rows of a group: some ten megabytes of conversations at most.
_GROUP_ROWS = 100


def write_rows(path: Path, rows: Iterable[Row]) -> None:
    """Writes rows to `path`, which appears when all are written.

    Raises what `check_format` raises, and OSError where the file cannot be written.
    """
    check_format(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with appearing(path) as partial:
        _WRITERS[path.suffix](partial, rows)


def check_format(path: Path) -> None:
    """Says before any work whether a file of this name can be written here.

    Raises ValueError for another ending than .parquet and .jsonl, ModuleNotFoundError where Parquet
    needs a library that is not installed.
    """
    if path.suffix not in _WRITERS:
        endings = " or ".join(_WRITERS)
        raise ValueError(f"{path}: expected a name that ends in {endings}")
    if path.suffix == ".parquet":
        try:
            import pyarrow.parquet  # noqa: F401 - whether it is there
        except ModuleNotFoundError:
            raise ModuleNotFoundError(
                f"{path}: Parquet needs pyarrow: pip install 'sandmle[parquet]'; or give a name "
                "that ends in .jsonl"
            ) from None


def _write_parquet(path: Path, rows: Iterable[Row]) -> None:
    from pyarrow import Table
    from pyarrow.parquet import ParquetWriter

    plain, marked = _schema(json_marked=False), _schema(json_marked=True)
    with ParquetWriter(path, marked, compression="zstd") as writer:
        for group in _groups(rows):
            # Nested values of the type JSON are made of text by a cast, not from Python directly.
            writer.write_table(Table.from_pylist(group, schema=plain).cast(marked))


def _write_json_lines(path: Path, rows: Iterable[Row]) -> None:
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n")


_WRITERS: Mapping[str, Callable[[Path, Iterable[Row]], None]] = {
    ".parquet": _write_parquet,
    ".jsonl": _write_json_lines,
}


def _groups(rows: Iterable[Row]) -> Iterator[list[Row]]:
    iterator = iter(rows)
    while group := list(itertools.islice(iterator, _GROUP_ROWS)):
        yield group


def _schema(*, json_marked: bool) -> pyarrow.Schema:
    """The columns. Tools and arguments are JSON text; marked as such, `datasets` reads objects.

    As columns of their own, objects with different keys would each get the keys of all the others,
    as nulls that a chat template then writes out.
    """
    import pyarrow

    text, number = pyarrow.string(), pyarrow.float64()
    data = pyarrow.json_() if json_marked else text
    function = pyarrow.struct({"name": text, "arguments": data})
    call = pyarrow.struct({"id": text, "type": text, "function": function})
    message = pyarrow.struct(
        {
            "role": text,
            "content": text,
            "tool_calls": pyarrow.list_(call),
            "tool_call_id": text,
        }
    )
    return pyarrow.schema(
        {
            "messages": pyarrow.list_(message),
            "loss_mask": pyarrow.list_(pyarrow.int8()),
            "tools": data,
            "task": text,
            "modality": text,
            "task_type": text,
            "metric": text,
            "policy": text,
            "attempt": pyarrow.int32(),
            "medal": text,
            "score": number,
            "reward": number,
            "format": number,
            "turns": pyarrow.int32(),
            "tokens": pyarrow.int32(),
            "split": text,
            "source": text,
        }
    )
