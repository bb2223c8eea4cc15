"""Several rows for every id: I sum them up by mean, spread, extremes and trend, and grow trees."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor

from sandmle.train.pipelines._parts import columns_of, ids_of, read_files, submit

files = read_files()
ids = ids_of(files)
parts = [columns_of(files).select_dtypes("number")]
given = {"train.csv", "test.csv", "sample_submission.csv"}
tables = [path for path in sorted(Path("data").glob("*.csv")) if path.name not in given]
for path in tables:
    table = pd.read_csv(path, dtype={"id": str})
    numbers = table.select_dtypes("number").groupby(table["id"])
    summary = numbers.agg(["mean", "std", "min", "max", "first", "last", "skew"])
    changes = table.select_dtypes("number").groupby(table["id"]).diff().abs()
    rough = changes.groupby(table["id"]).agg(["mean", "max", "std"])
    summary["rows"] = table.groupby("id").size()
    parts += [part.reindex(ids).reset_index(drop=True) for part in (summary, rough)]
if not tables:
    raise FileNotFoundError("there is no table with several rows for every id")
for number, part in enumerate(parts):
    part.columns = [f"{number} {name}" for name in part.columns]
options = {"n_estimators": 50, "min_samples_leaf": 2, "max_features": 0.4, "random_state": 0}
submit(
    files,
    pd.concat(parts, axis=1).fillna(0.0),
    ExtraTreesClassifier(**options),
    ExtraTreesRegressor(**options),
)
