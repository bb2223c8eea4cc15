"""What a description says of task, metric and format, and what the files' looks say without it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

#: What a submission of each format holds.
PREDICTED_BY_FORMAT: Mapping[str, str] = {
    "class_probabilities": "probability",
    "estimate": "number",
    "label": "label",
    "label_columns": "label",
    "label_probabilities": "probability",
    "long_probabilities": "probability",
    "number": "number",
    "positions": "number",
    "probability": "probability",
    "tags": "label",
    "top_k": "probability",
}

#: What metrics want to be given, by words of their names; for descriptions that state no format.
PREDICTED_BY_METRIC: Mapping[str, str] = {
    "auc|log_loss|brier|average_precision|likelihood|divergence": "probability",
    "accuracy|f1|f_beta|kappa|matthews|exact|jaccard": "label",
    "mae|mse|mape|r2|rms|absolute|squared|pearson|spearman|pinball": "number",
}

#: Stands where no tag applies.
NO_TAG = "-"

#: How lines such as `Metric: rmse` are looked for.
STATED = re.IGNORECASE | re.MULTILINE

#: More distinct values than this in an all-number target mean regression, not classes.
MOST_CLASSES = 20


def stated_word(description: str, what: str) -> str:
    """The name on the description's line `Metric: ...`, or Task, or Format; "" without the line."""
    found = re.search(rf"^\W*{what}\W*:\W*(\w[\w -]*)", description, STATED)
    return re.sub(r"\W+", "_", found[1].strip().lower()) if found else ""


def stated_metric(description: str) -> str:
    """The metric's name; the inner one of `Metric: per_column (of = roc_auc)`."""
    line = re.search(r"^\W*metric\W*:(.*)$", description, STATED)
    inner = re.findall(r"\bof = (\w+)", line[1]) if line else []
    return inner[-1] if inner else stated_word(description, "metric")


def stated_choices(description: str, what: str) -> dict[str, str]:
    """What the same line puts in brackets: `Format: run_lengths (order = columns)`."""
    line = re.search(rf"^\W*{what}\W*:(.*)$", description, STATED)
    return dict(re.findall(r"(\w+) = ([\w.-]+)", line[1])) if line else {}


def stated_numbers(description: str, what: str) -> dict[str, float]:
    """Those of them that are numbers: `Metric: f_beta (beta = 2.0)`."""
    return {
        name: float(value)
        for name, value in stated_choices(description, what).items()
        if re.fullmatch(r"-?\d+(\.\d+)?", value)
    }


def guess_format(
    metric: str, labels: pd.DataFrame, sample: pd.DataFrame, ids: Sequence[str]
) -> str:
    """The submission's format by its looks, where the description states none."""
    if not set(sample.iloc[:, 0]) <= set(ids):
        return "long_probabilities" if len(labels.columns) else "positions"
    if not len(labels.columns):
        return ""
    shown = sample.iloc[:, 1:]
    predicts = guess_predicts(metric, labels, shown)
    if predicts == "number":
        return "number"
    if list(shown.columns) == list(labels.columns):
        if predicts == "label" and has_tags(labels):
            return "tags"
        kind = {"label": ("label", "label_columns")}
        return kind.get(predicts, ("probability", "label_probabilities"))[len(shown.columns) > 1]
    is_list = shown.iloc[:, 0].str.contains(" ").any()
    return "top_k" if len(shown.columns) == 1 and is_list else "class_probabilities"


def guess_predicts(metric: str, labels: pd.DataFrame, sample: pd.DataFrame) -> str:
    """What a submission holds, by the metric's name, else by the looks of labels and sample."""
    for words, predicts in PREDICTED_BY_METRIC.items():
        if re.search(words, metric):
            return predicts
    numbers = labels.apply(pd.to_numeric, errors="coerce")
    if list(sample.columns) != list(labels.columns):
        return "probability"
    if numbers.isna().to_numpy().any():
        return "label"
    is_whole = bool((numbers % 1 == 0).to_numpy().all())
    if not is_whole or len(np.unique(numbers)) > MOST_CLASSES:
        return "number"
    shown = sample.apply(pd.to_numeric, errors="coerce")
    return "label" if bool((shown % 1 == 0).to_numpy().all()) else "probability"


def has_tags(labels: pd.DataFrame) -> bool:
    """Whether the one column holds lists of names: fewer names than lists, some in each other."""
    cells = labels.iloc[:, 0].dropna()
    names = {name for cell in cells for name in cell.split()}
    return len(labels.columns) == 1 and len(names) < cells.nunique()


def tag_columns(labels: pd.DataFrame) -> pd.DataFrame:
    """A column of space-separated names as a column a name, of 0 and 1."""
    listed = labels.iloc[:, 0].fillna("").str.split()
    names = sorted({name for row in listed for name in row} - {NO_TAG})
    return pd.DataFrame(
        {name: ["1" if name in row else "0" for row in listed] for name in names},
        index=labels.index,
    )


def find_classes(
    form: str, predicts: str, labels: pd.DataFrame, columns: Sequence[str], description: str
) -> tuple[str, ...]:
    """The classes' names in order; nothing where targets are no classes."""
    if predicts not in ("probability", "label"):
        return ()
    if form == "class_probabilities" and len(labels.columns) > 1:
        return tuple(columns)
    return ordered_classes(labels, description)


def ordered_classes(labels: pd.DataFrame, description: str) -> tuple[str, ...]:
    """The distinct labels: numbers ascending, names in the order that the description has."""
    found = sorted(set(labels.fillna("").to_numpy().ravel()))
    if all(re.fullmatch(r"-?\d+(\.\d+)?", name) for name in found):
        return tuple(sorted(found, key=float))
    about = description.partition("## Target")[2] or description
    places = [re.search(rf"[`\"']{re.escape(name)}[`\"']", about) for name in found]
    if all(places):
        order = {name: place.start() for name, place in zip(found, places, strict=True) if place}
        return tuple(sorted(found, key=order.__getitem__))
    return tuple(found)
