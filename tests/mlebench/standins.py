"""Small stand-ins of what MLE-bench prepares, and of its package, in their layout."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

Rows = Sequence[Sequence[object]]


def table(rows: Rows) -> bytes:
    """The content of a CSV file, its header first."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def prepare(
    data: Path,
    name: str,
    *,
    answers: Rows,
    file: str = "answers.csv",
    leaderboard: Iterable[float] | None = (0.9, 0.8, 0.7, 0.6, 0.5),
    public: dict[str, bytes] | None = None,
) -> Path:
    """A prepared competition below the folder `data`, with a leaderboard beside it."""
    folder = data / name
    hidden, shown = folder / "prepared" / "private", folder / "prepared" / "public"
    hidden.mkdir(parents=True)
    shown.mkdir()
    (hidden / file).write_bytes(table(answers))
    (shown / "description.md").write_text(f"# {name}\n\nPredict what is asked for.\n")
    for path, content in (public or {}).items():
        (shown / path).write_bytes(content)
    if leaderboard is not None:
        write_leaderboard(folder, leaderboard)
    return folder


def write_leaderboard(folder: Path, scores: Iterable[float]) -> None:
    """A leaderboard.csv as MLE-bench's are: Kaggle's columns, the best team first."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [(number, "2020-01-01", score) for number, score in enumerate(scores, 1)]
    (folder / "leaderboard.csv").write_bytes(table([("teamId", "submissionDate", "score"), *rows]))


def write_config(folder: Path, name: str, *, answers: str, module: str, extra: str = "") -> None:
    """A config.yaml as MLE-bench's are, as far as grading goes."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.yaml").write_text(f"""\
id: {name}
name: {name}
competition_type: simple
awards_medals: true
prizes: null
description: mlebench/competitions/{name}/description.md
{extra}
dataset:
  answers: {name}/prepared/private/{answers}
  sample_submission: {name}/prepared/public/sample_submission.csv

grader:
  name: accuracy
  grade_fn: {module}:grade

preparer: mlebench.competitions.{name}.prepare:prepare
""")


def install_package(place: Path) -> Path:
    """A package `mlebench` below `place` with what sandmle uses of the real one: the names, the
    arguments and the results of mlebench/{utils,grade_helpers}.py. Returns its folder.
    """
    package = place / "mlebench"
    (package / "competitions").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "competitions" / "__init__.py").write_text("")
    (package / "utils.py").write_text(_UTILS)
    (package / "grade_helpers.py").write_text(_GRADE_HELPERS)
    return package


def add_competition(package: Path, name: str, grade: str, *, answers: str) -> Path:
    """A competition of the stand-in package, with the text of its grade.py."""
    folder = package / "competitions" / name
    write_config(folder, name, answers=answers, module=f"mlebench.competitions.{name}.grade")
    (folder / "grade.py").write_text(grade)
    return folder


_UTILS = """\
import importlib
import json

import pandas as pd


def read_csv(*args, **kwargs):
    try:
        return pd.read_csv(*args, **{"float_precision": "round_trip", **kwargs})
    except pd.errors.EmptyDataError:
        return pd.DataFrame()


def load_answers(path_to_answers):
    if path_to_answers.suffix == ".csv":
        return read_csv(path_to_answers)
    if path_to_answers.suffix == ".jsonl":
        with open(path_to_answers) as file:
            return [json.loads(line) for line in file]
    raise ValueError(f"Unsupported file format for answers: {path_to_answers}")


def import_fn(fn_import_string):
    module_name, fn_name = fn_import_string.split(":")
    return getattr(importlib.import_module(module_name), fn_name)
"""

_GRADE_HELPERS = """\
from mlebench.utils import import_fn


class Grader:
    def __init__(self, name, grade_fn):
        self.name = name
        self.grade_fn = import_fn(grade_fn)

    @staticmethod
    def from_dict(data):
        return Grader(**data)


class InvalidSubmissionError(Exception):
    pass
"""
