"""A text: I weigh its words and pairs of words by how rare they are and fit a line on them."""

from __future__ import annotations

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression, Ridge

from sandmle.train.pipelines._parts import columns_of, read_files, submit

files = read_files()
texts = columns_of(files).select_dtypes(exclude="number").fillna("")
joined = texts.agg(" ".join, axis=1)
weights = TfidfVectorizer(ngram_range=(1, 2), min_df=2, max_features=600, sublinear_tf=True)
submit(
    files,
    weights.fit_transform(joined).toarray(),
    LogisticRegression(C=10.0, max_iter=500),
    Ridge(alpha=0.5),
)
