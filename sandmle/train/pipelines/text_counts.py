"""A text: I count its words, and let a forest find those that matter."""

from __future__ import annotations

from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor
from sklearn.feature_extraction.text import CountVectorizer

from sandmle.train.pipelines._parts import columns_of, read_files, submit

files = read_files()
texts = columns_of(files).select_dtypes(exclude="number").fillna("")
counts = CountVectorizer(min_df=2, max_features=400).fit_transform(texts.agg(" ".join, axis=1))
options = {"n_estimators": 60, "min_samples_leaf": 2, "max_features": 0.3, "random_state": 0}
submit(files, counts.toarray(), ExtraTreesClassifier(**options), ExtraTreesRegressor(**options))
