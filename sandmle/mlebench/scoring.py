"""A competition graded by one of our metrics, along its rule in competitions.yaml."""

from __future__ import annotations

import functools
import importlib.util
import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from sandmle.errors import InvalidSubmission
from sandmle.mlebench.cells import check_width, match_rows, read_cells, require_columns
from sandmle.mlebench.forms import FORMS, Graded
from sandmle.mlebench.known import Rule
from sandmle.resources import resource


def score(rule: Rule, submission: bytes, answers: Path) -> float:
    """The score of a submission's content against a file of answers.

    Rounded to 5 decimals, or to a whole number, as MLE-bench rounds. Raises InvalidSubmission with
    what to mend, ValueError naming the file where the answers are not as the rule has them.
    """
    truth = read_answers(rule, answers)
    columns = graded_columns(rule, truth)
    check_width(submission)
    cells = read_cells(submission)
    require_columns(cells, [rule.identifier, *columns])
    cells = match_rows(cells, truth, rule.identifier, more_rows=rule.more_rows)
    counts = _counting(rule, truth)
    truth, cells = truth[counts], cells[counts]
    graded = Graded(truth[list(rule.truth or columns)], cells[columns], truth, rule)
    groups = None if rule.by is None else truth[rule.by]
    found = metric_function(rule.metric, groups)(*FORMS[rule.form](graded))
    return float(round(found)) if rule.whole else round(float(found), 5)


def read_answers(rule: Rule, path: Path, *, rows: int | None = None) -> pd.DataFrame:
    """The answers as cells of text, or their first rows.

    Raises ValueError naming the file where they lack a column.
    """
    try:
        cells = read_cells(path, rows=rows)
        require_columns(cells, rule.wanted)
    except InvalidSubmission as error:
        raise ValueError(f"{path}: not the answers as MLE-bench prepares them: {error}") from None
    return cells


def graded_columns(rule: Rule, answers: pd.DataFrame) -> list[str]:
    """The columns that are graded: those of the rule, or all of the answers but the id."""
    if rule.columns is not None:
        return list(rule.columns)
    return [str(name) for name in answers.columns if name != rule.identifier]


def metric_function(
    use: Mapping[str, Any], groups: pd.Series[str] | None = None
) -> Callable[[Any, Any], float]:
    """The metric of a use, `{kind: ..., parameters}`, as a function of truth and prediction.

    A parameter `of` is another metric, by its use or its name; `groups` are the values of the
    parameter `by`, where the metric takes one.
    """
    function = _word(str(use["kind"]))
    given = {name: value for name, value in use.items() if name not in ("kind", "of")}
    if "of" in use:
        inner = use["of"]
        given["of"] = metric_function(inner if isinstance(inner, Mapping) else {"kind": inner})
    if "by" in inspect.signature(function).parameters and groups is not None:
        given["by"] = groups.to_numpy()
    return functools.partial(function, **given)


@functools.cache
def _word(name: str) -> Callable[..., float]:
    """The function of a shipped metric, imported from its file: no corpus may override it."""
    path = resource("rules") / "metrics" / f"{name}.py"
    specification = importlib.util.spec_from_file_location(f"metric_{name}", path)
    if specification is None or specification.loader is None:
        raise FileNotFoundError(f"{path}: there is no such metric; install sandmle again")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    found: Callable[..., float] = getattr(module, name)
    return found


def _counting(rule: Rule, answers: pd.DataFrame) -> Any:
    """Which rows of the answers count, bool (rows,)."""
    counts = pd.Series(True, index=answers.index)
    for column, texts in rule.where.items():
        counts &= answers[column].isin(texts)
    if rule.latest is not None:
        known = answers[answers[rule.latest.known] != ""]
        times = known[rule.latest.order].astype(float).sort_values(kind="stable")
        of_each = times.groupby(known[rule.latest.group]).tail(rule.latest.rows)
        counts &= answers.index.isin(of_each.index)
    return counts.to_numpy()
