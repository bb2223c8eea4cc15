"""Pictures: I measure brightness, contrast, edges and blobs, and grow a forest on that."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import gaussian_filter, label
from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor

from sandmle.train.pipelines._parts import ids_of, read_files, submit
from sandmle.train.pipelines._pictures import read_pictures

files = read_files()
pictures = read_pictures(ids_of(files), side=32)
count, within = len(pictures), (1, 2)
down, across = np.gradient(pictures, axis=within)
edges, angles = np.hypot(down, across), np.arctan2(down, across)
smooth = gaussian_filter(pictures, (0, 1.5, 1.5))
mean, spread = pictures.mean(axis=within), pictures.std(axis=within)
bright = pictures > (mean + spread)[:, None, None]
blobs = [np.bincount(label(picture)[0].ravel())[1:] for picture in bright]
sectors = ((angles + np.pi) / (2 * np.pi) * 8).astype(int).clip(0, 7)
columns = [
    *(mean, spread, pictures.min(axis=within), pictures.max(axis=within)),
    *np.quantile(pictures.reshape(count, -1), [0.05, 0.25, 0.5, 0.75, 0.95], axis=1),
    *(edges.mean(axis=within), edges.std(axis=within), edges.max(axis=within)),
    (edges > 0.1).mean(axis=within),
    np.array([len(sizes) for sizes in blobs]),
    np.array([sizes.max(initial=0) for sizes in blobs]),
    bright.mean(axis=within) * 1024 / [max(1, len(sizes)) for sizes in blobs],
    bright.mean(axis=within),
    *(smooth.std(axis=within), smooth.max(axis=within)),
    np.abs(pictures - smooth).mean(axis=within),
    np.abs(pictures - pictures[:, :, ::-1]).mean(axis=within),
    np.abs(pictures - pictures[:, ::-1]).mean(axis=within),
    *((edges * (sectors == sector)).sum(axis=within) for sector in range(8)),
    *pictures.reshape(count, 4, 8, 4, 8).mean(axis=(2, 4)).reshape(count, -1).T,
]
options = {"n_estimators": 40, "min_samples_leaf": 2, "max_features": 0.4, "random_state": 0}
submit(
    files,
    np.stack(columns, axis=1),
    ExtraTreesClassifier(**options),
    ExtraTreesRegressor(**options),
)
