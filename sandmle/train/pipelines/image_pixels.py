"""Pictures: I shrink them and fit a line on the pixels."""

from __future__ import annotations

from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression, Ridge

from sandmle.train.pipelines._parts import ids_of, read_files, submit
from sandmle.train.pipelines._pictures import read_pictures

files = read_files()
ids = ids_of(files)
pixels = read_pictures(ids, side=12).reshape(len(ids), -1)
parts = PCA(30, whiten=True, random_state=0).fit_transform(pixels)
submit(files, parts, LogisticRegression(C=0.1, max_iter=500), Ridge(alpha=10.0))
