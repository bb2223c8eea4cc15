"""I look at no feature: everybody gets the most frequent class, or the mean."""

from __future__ import annotations

import numpy as np
from sklearn.dummy import DummyClassifier, DummyRegressor

from sandmle.train.pipelines._parts import ids_of, read_files, submit

files = read_files()
submit(files, np.zeros((len(ids_of(files)), 1)), DummyClassifier(), DummyRegressor())
