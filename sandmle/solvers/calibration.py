"""What predictions of held-out rows tell of how to turn predictions into better ones."""

from __future__ import annotations

import numpy as np

from sandmle.solvers.models import is_class
from sandmle.solvers.reading import Competition
from sandmle.solvers.submitting import calm
from sandmle.solvers.validation import ABSOLUTE, class_loss, number_loss

#: Shifts that are tried lie at so many quantiles of the held-out residuals.
SHIFTS = 39
#: Powers that probabilities are raised to: above 1 they become surer.
POWERS = (1.0, 0.6, 0.8, 1.25, 1.5, 2.0, 2.5, 3.0)


def best_shift(competition: Competition, truth: np.ndarray, prediction: np.ndarray) -> float:
    """What to add to numbers so that their held-out loss falls most; 0 where a mean is best."""
    name = competition.metric
    if not (competition.is_relative or "pinball" in name or ABSOLUTE.search(name)):
        return 0.0
    tried = [0.0, *np.quantile(truth - prediction, np.linspace(0.025, 0.975, SHIFTS))]
    return float(min(tried, key=lambda shift: number_loss(competition, truth, prediction + shift)))


def calibrate(response: np.ndarray, known: np.ndarray, final: np.ndarray) -> np.ndarray:
    """Class probabilities `final` (rows, classes), as sure as held-out ones should have been.

    `known` (training rows, classes) are held-out probabilities of `response`, NaN where there are
    none. An average of models is less sure than each of them.
    """
    rows = ~np.isnan(known[:, 0])
    if not is_class(response):
        return final
    best = min(
        POWERS,
        key=lambda power: class_loss(
            "log_loss", response[rows], calm(with_power(known[rows], power))
        ),
    )
    return with_power(final, best)


def with_power(probabilities: np.ndarray, power: float) -> np.ndarray:
    """Probabilities raised to a power, their sums 1 again."""
    raised = np.clip(probabilities, 1e-6, 1.0) ** power
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))
