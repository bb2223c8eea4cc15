"""A table: boosted trees win competitions, so I boost trees on the columns as they come."""

from __future__ import annotations

from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor

from sandmle.train.pipelines._parts import columns_of, read_files, submit

files = read_files()
table = columns_of(files)
for name in table.select_dtypes(exclude="number"):
    table[name] = table[name].astype("category").cat.codes
options = {"n_estimators": 40, "max_depth": 3, "subsample": 0.7, "random_state": 0}
submit(
    files,
    table[list(table.columns)].to_numpy(),
    GradientBoostingClassifier(**options),
    GradientBoostingRegressor(**options),
)
