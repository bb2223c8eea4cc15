"""A table: numbers as they are, categories as codes, and a forest on top."""

from __future__ import annotations

from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor

from sandmle.train.pipelines._parts import columns_of, read_files, submit

files = read_files()
table = columns_of(files)
for name in table.select_dtypes(exclude="number"):
    table[name] = table[name].astype("category").cat.codes
options = {"n_estimators": 40, "min_samples_leaf": 2, "random_state": 0}
submit(files, table.to_numpy(), ExtraTreesClassifier(**options), ExtraTreesRegressor(**options))
