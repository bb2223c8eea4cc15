"""What the pipelines share: reading a competition, and submitting a model's predictions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class Files:
    """The tables of a competition; `form` is the word on the description's line `Format:`."""

    train: pd.DataFrame
    test: pd.DataFrame
    sample: pd.DataFrame
    targets: list[str]
    form: str


def read_files() -> Files:
    """Reads data/."""
    train, test, sample = (
        pd.read_csv(f"data/{name}.csv", dtype={"id": str})
        for name in ("train", "test", "sample_submission")
    )
    found = re.search(r"^Format: (\w+)", Path("data/description.md").read_text(), re.MULTILINE)
    targets = [name for name in train.columns if name not in test.columns]
    return Files(train, test, sample, targets, found[1] if found else "")


def columns_of(files: Files) -> pd.DataFrame:
    """The feature columns of train and test together, train first, without the ids."""
    features = [name for name in files.test.columns if name != "id"]
    return pd.concat([files.train[features], files.test[features]], ignore_index=True)


def ids_of(files: Files) -> list[str]:
    """The ids of train and test, train first."""
    return [*files.train["id"], *files.test["id"]]


def submit(files: Files, features: Any, classifier: Any, regressor: Any) -> None:
    """Fits a model for each target on features (train and test rows, columns); writes predictions.

    Raises ValueError where the submission's format is beyond it.
    """
    values = np.nan_to_num(np.asarray(features, dtype=float))
    known, unknown = values[: len(files.train)], values[len(files.train) :]
    answer = pd.DataFrame({"id": files.test["id"]})
    for target in files.targets:
        labels = files.train[target]
        if files.form == "number":
            answer[target] = regressor.fit(known, labels).predict(unknown)
        elif files.form in ("label", "label_columns"):
            answer[target] = classifier.fit(known, labels.astype(str)).predict(unknown)
        elif files.form in ("probability", "label_probabilities"):
            answer[target] = classifier.fit(known, labels).predict_proba(unknown)[:, -1]
        elif files.form == "class_probabilities":
            shares = classifier.fit(known, labels.astype(str)).predict_proba(unknown)
            answer[list(classifier.classes_)] = shares
        else:
            raise ValueError(f"I don't know how to write a submission of {files.form}")
    answer.to_csv("submission.csv", index=False)
    print(f"{len(answer)} rows, {values.shape[1]} features")
