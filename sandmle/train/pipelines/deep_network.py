"""A deep network learns any features by itself, so I train one on the numbers as they are."""

from __future__ import annotations

import warnings

from sklearn.neural_network import MLPClassifier, MLPRegressor

from sandmle.train.pipelines._parts import columns_of, read_files, submit

warnings.simplefilter("ignore")  # that it has not converged
files = read_files()
numbers = columns_of(files).select_dtypes("number")
options = {"hidden_layer_sizes": (32, 32, 32), "max_iter": 15, "random_state": 0}
submit(files, numbers.to_numpy(), MLPClassifier(**options), MLPRegressor(**options))
