"""Competition folders written from the data sets that scikit-learn ships, to profile at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from PIL import Image
from sklearn import datasets
from sklearn.model_selection import train_test_split

#: The competitions that write_example_competition knows.
EXAMPLES = ("breast-cancer", "diabetes", "digits", "wine")

_TEST_SHARE = 0.3


def write_example_competition(name: str, folder: Path) -> Path:
    """Writes one of EXAMPLES as a prepared competition below `folder`, and returns `folder`.

    The layout is MLE-bench's: prepared/public/ with train.csv, test.csv, sample_submission.csv,
    description.md and, for digits, images/. Raises KeyError for an unknown name.
    """
    writers: dict[str, Callable[[Path], None]] = {
        "breast-cancer": _write_breast_cancer,
        "diabetes": _write_diabetes,
        "digits": _write_digits,
        "wine": _write_wine,
    }
    writer = writers[name]
    public = folder / "prepared" / "public"
    public.mkdir(parents=True, exist_ok=True)
    writer(public)
    return folder


def write_tables(
    public: Path, table: pd.DataFrame, *, target: str, constant: dict[str, Any], evaluation: str
) -> None:
    """Splits `table` (with columns id and `target`) and writes the three tables and the
    description; `constant` is what the sample submission says on every row."""
    classes = table[target] if table[target].nunique() < 20 else None
    train, test = train_test_split(table, test_size=_TEST_SHARE, random_state=0, stratify=classes)
    train.to_csv(public / "train.csv", index=False)
    test.drop(columns=target).to_csv(public / "test.csv", index=False)
    test[["id"]].assign(**constant).to_csv(public / "sample_submission.csv", index=False)
    description = f"# {target}\n\n## Evaluation\n\n{evaluation}\n"
    (public / "description.md").write_text(description, encoding="utf-8")


def _write_breast_cancer(public: Path) -> None:
    data = datasets.load_breast_cancer(as_frame=True)
    table = data.data.assign(id=range(len(data.data)), benign=data.target)
    write_tables(
        public,
        table,
        target="benign",
        constant={"benign": 0.5},
        evaluation="Submissions are evaluated on the area under the ROC curve.",
    )


def _write_diabetes(public: Path) -> None:
    data = datasets.load_diabetes(as_frame=True, scaled=False)
    table = data.data.assign(id=range(len(data.data)), progression=data.target)
    write_tables(
        public,
        table,
        target="progression",
        constant={"progression": 150.0},
        evaluation="Submissions are scored by the root mean squared error.",
    )


def _write_wine(public: Path) -> None:
    data = datasets.load_wine(as_frame=True)
    names = np.array(["first", "second", "third"])
    table = data.data.assign(id=range(len(data.data)), cultivar=names[data.target])
    write_tables(
        public,
        table,
        target="cultivar",
        constant=dict.fromkeys(names.tolist(), 0.3333),
        evaluation="Submissions are evaluated using the multi-class logarithmic loss.",
    )


def _write_digits(public: Path) -> None:
    data = datasets.load_digits()
    (public / "images").mkdir(exist_ok=True)
    names = [f"{index:04d}" for index in range(len(data.images))]
    for name, pixels in zip(names, data.images, strict=True):
        image = Image.fromarray((pixels * 255 / 16).astype(np.uint8))
        image.save(public / "images" / f"{name}.png")
    write_tables(
        public,
        pd.DataFrame({"id": names, "digit": data.target}),
        target="digit",
        constant={"digit": 0},
        evaluation="The score is the accuracy of the predicted digits.",
    )
