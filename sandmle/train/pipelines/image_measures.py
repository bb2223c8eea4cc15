"""Pictures: I measure brightness, contrast, edges and blobs, and grow a forest on that."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import gaussian_filter, label
from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor

from sandmle.train.pipelines._parts import ids_of, read_files, submit
from sandmle.train.pipelines._pictures import read_pictures

files = read_files()
pictures = read_pictures(ids_of(files), side=32)
rows = []
for picture in pictures:
    down, across = np.gradient(picture)
    edges = np.hypot(down, across)
    smooth = gaussian_filter(picture, 1.5)
    bright = picture > picture.mean() + picture.std()
    blobs, count = label(bright)
    sizes = np.bincount(blobs.ravel())[1:] if count else np.zeros(1)
    angles, _ = np.histogram(np.arctan2(down, across), 8, (-np.pi, np.pi), weights=edges)
    rows.append(
        [
            *(picture.mean(), picture.std(), picture.min(), picture.max()),
            *np.quantile(picture, [0.05, 0.25, 0.5, 0.75, 0.95]),
            *(edges.mean(), edges.std(), edges.max(), (edges > 0.1).mean()),
            *(count, sizes.max(), sizes.mean(), bright.mean()),
            *(smooth.std(), smooth.max(), np.abs(picture - smooth).mean()),
            np.abs(picture - picture[:, ::-1]).mean(),
            np.abs(picture - picture[::-1]).mean(),
            *angles,
            *picture.reshape(4, 8, 4, 8).mean(axis=(1, 3)).ravel(),
        ]
    )
options = {"n_estimators": 80, "min_samples_leaf": 2, "max_features": 0.4, "random_state": 0}
submit(files, rows, ExtraTreesClassifier(**options), ExtraTreesRegressor(**options))
