"""Kullback-Leibler divergence of the predicted shares from the true ones, averaged over rows.

The mean of the sum of p log(p / q), in nats. Predicted shares count as 1e-15 at least. 0 for a
perfect submission; the best constant one predicts the mean shares.
"""

import numpy as np
from scipy.special import rel_entr

PREDICTS = "probability"
TASKS = ["soft_labels"]
GREATER_IS_BETTER = False
BOUNDS = [0, 34.54]
PARAMETERS = {}


def kl_divergence(truth: np.ndarray, prediction: np.ndarray) -> float:
    # Divided again after the clip, so that the least possible stays 0.
    shares = np.clip(prediction, 1e-15, 1)
    shares = shares / shares.sum(axis=1, keepdims=True)
    return float(np.maximum(rel_entr(truth, shares).sum(axis=1), 0).mean())
