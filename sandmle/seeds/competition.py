"""A prepared competition folder in MLE-bench's layout, read with care: other people wrote it."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import yaml

from sandmle.errors import Problem, SpecError

#: Rows read of a table; the structure of the first so many rows stands for all of them.
ROWS_READ = 100_000

#: Files looked at below the folder; a family of files is judged by the first of them.
FILES_LISTED = 200_000


@dataclass(frozen=True)
class Competition:
    """The public half of a competition, its columns sorted by what they are for.

    Tables hold text cells, NaN where empty. `test` is None where the folder has no test.csv.
    `identifier` is the id column of the submission, `targets` are columns of `train`, `outputs`
    the submission's columns to predict. `grader` is config.yaml's name for the metric, or "".
    """

    folder: Path
    train: pd.DataFrame
    test: pd.DataFrame | None
    submission: pd.DataFrame
    train_rows: int
    test_rows: int
    identifier: str
    targets: tuple[str, ...]
    outputs: tuple[str, ...]
    description: str
    grader: str
    files: tuple[Path, ...]


@dataclass(frozen=True)
class Outline:
    """What a competition says of itself: its description, and the columns of its tables by file."""

    description: str
    tables: Mapping[str, tuple[str, ...]]


def read_outline(folder: Path) -> Outline:
    """Reads description.md and the headers of the tables at the top of `folder`, or of its
    prepared/public/.

    Raises SpecError where there is no description.
    """
    public = _public_folder(folder)
    description = _read_text(public / "description.md")
    if not description.strip():
        raise fault(public / "description.md", "not found, or empty; it says what is asked")
    tables = [path for path in _list_files(public) if path.parent == public]
    return Outline(
        description, {path.name: _header(path) for path in tables if path.suffix == ".csv"}
    )


def read_competition(folder: Path, *, targets: Sequence[str] = ()) -> Competition:
    """Reads train.csv, sample_submission.csv and, where they are, test.csv, description.md,
    config.yaml and other files of `folder` or of its prepared/public/. `targets` are believed to be
    columns of train.csv where the files leave open which are.

    Raises SpecError naming the file and, where it can, the line that is wrong.
    """
    public = _public_folder(folder)
    files = _list_files(public)
    train_path = _find_table(public, files, "train")
    submission_path = _find_table(public, files, "samplesubmission")
    if train_path is None:
        raise fault(public / "train.csv", "not found; a competition folder holds train.csv")
    if submission_path is None:
        raise fault(public / "sample_submission.csv", "not found; it tells the columns to predict")
    test_path = _find_table(public, files, "test")
    train, train_rows = read_table(train_path)
    submission, submission_rows = read_table(submission_path)
    test, test_rows = read_table(test_path) if test_path else (None, submission_rows)
    if len(submission.columns) < 2:
        raise fault(
            submission_path, "expected an id column and at least one column to predict", line=1
        )
    identifier, *outputs = map(str, submission.columns)
    known = {train_path, submission_path, test_path}
    return Competition(
        folder=public,
        train=train,
        test=test,
        submission=submission,
        train_rows=train_rows,
        test_rows=test_rows,
        identifier=identifier,
        targets=_find_targets(train_path, train, test, identifier, outputs, targets),
        outputs=tuple(outputs),
        description=_read_text(public / "description.md"),
        grader=_read_grader(folder, public),
        files=tuple(path for path in files if path not in known),
    )


def fault(path: Path, message: str, *, line: int = 1) -> SpecError:
    """The error of one fault in one file, to be raised."""
    return SpecError([Problem(str(path), line, 1, "", message)])


def read_table(path: Path) -> tuple[pd.DataFrame, int]:
    """The first ROWS_READ rows of a csv as text cells, and the number of rows of the whole.

    Raises SpecError where the file is no csv, has no rows, or names a column twice.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            header = next(csv.reader(file), [])
        twice = sorted({name for name in header if header.count(name) > 1})
        if twice:
            raise fault(path, f"two columns are called {twice[0]!r}")
        table = pd.read_csv(
            path, dtype="object", nrows=ROWS_READ, encoding="utf-8-sig", index_col=False
        )
        rows = len(table)
        if rows == ROWS_READ:
            chunks = pd.read_csv(path, usecols=[0], dtype="object", chunksize=ROWS_READ)
            rows = sum(len(chunk) for chunk in chunks)
    except OSError as error:
        raise fault(path, f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise fault(path, "is not UTF-8 text") from None
    except (pd.errors.EmptyDataError, pd.errors.ParserError, csv.Error, ValueError) as error:
        line = re.search(r"in line (\d+)", str(error))
        reason = " ".join(str(error).split())
        raise fault(path, f"is not a csv: {reason}", line=int(line[1]) if line else 1) from None
    if not rows:
        raise fault(path, "has no rows below its header")
    return table, rows


def _header(path: Path) -> tuple[str, ...]:
    """The columns of a csv, none where it can't be read as one."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            return tuple(next(csv.reader(file), ()))
    except (OSError, UnicodeDecodeError, csv.Error):
        return ()


def _public_folder(folder: Path) -> Path:
    if not folder.is_dir():
        raise fault(folder, "is not a folder; expected a prepared competition folder")
    for public in (folder / "prepared" / "public", folder / "public"):
        if public.is_dir():
            return public
    return folder


def _list_files(folder: Path) -> tuple[Path, ...]:
    """Every visible file below `folder`, in a fixed order, without private answers."""

    def walk() -> Iterator[Path]:
        for root, folders, names in os.walk(folder):
            folders[:] = sorted(
                name for name in folders if not name.startswith(".") and name != "private"
            )
            yield from (Path(root, name) for name in sorted(names) if not name.startswith("."))

    return tuple(path for path, _ in zip(walk(), range(FILES_LISTED), strict=False))


def _find_table(folder: Path, files: tuple[Path, ...], name: str) -> Path | None:
    """The csv at the top of `folder` called `name`, however it is spelt (sampleSubmission.csv)."""
    for path in files:
        spelling = re.sub(r"[^a-z]", "", path.stem.lower())
        if path.parent == folder and path.suffix.lower() == ".csv" and spelling == name:
            return path
    return None


def _find_targets(
    path: Path,
    train: pd.DataFrame,
    test: pd.DataFrame | None,
    identifier: str,
    outputs: list[str],
    believed: Sequence[str],
) -> tuple[str, ...]:
    """The submission's columns where train has them, else the one column that test lacks, else
    those that are believed to be targets.
    """
    if all(output in train.columns for output in outputs):
        return tuple(outputs)
    shown = set() if test is None else set(test.columns)
    hidden = [str(name) for name in train.columns if name not in shown and name != identifier]
    if len(hidden) == 1:
        return (hidden[0],)
    if believed and set(believed) <= set(hidden):
        return tuple(believed)
    raise fault(
        path,
        f"cannot tell the target: sample_submission.csv asks for {', '.join(outputs[:5])}, "
        f"and {len(hidden)} columns of train.csv are not in test.csv",
    )


def _read_text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


def _read_grader(folder: Path, public: Path) -> str:
    """The grader's name in config.yaml, which lies beside or above the public half."""
    above = (public.parent, public.parent.parent) if public.name == "public" else ()
    for place in (folder, public, *above):
        path = place / "config.yaml"
        if not path.is_file():
            continue
        try:
            config = yaml.safe_load(_read_text(path))
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            raise fault(path, "is not YAML", line=mark.line + 1 if mark else 1) from None
        grader = config.get("grader") if isinstance(config, dict) else None
        name = grader.get("name") if isinstance(grader, dict) else None
        return name if isinstance(name, str) else ""
    return ""
