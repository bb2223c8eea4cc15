"""Standard models on the columns as they come: what one gets without looking at the data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from sandmle.solvers.features import raw_features
from sandmle.solvers.models import Model, plain_models
from sandmle.solvers.reading import Competition
from sandmle.solvers.submitting import submission
from sandmle.solvers.validation import held_out, loss

FOLDS = 3


def candidates(competition: Competition) -> Iterator[tuple[str, pd.DataFrame]]:
    """Each standard model's name and submission."""
    features = raw_features(competition)
    for name, model in models_for(competition).items():
        yield name, submission(competition, predict(competition, features, model))


def solve(competition: Competition) -> pd.DataFrame:
    """The submission of the standard model that does best in cross-validation."""
    features = raw_features(competition)
    known = features[: competition.train]

    def mean_loss(model: Model) -> float:
        responses = competition.responses().values()
        predictions = (
            held_out(competition, model, known, response, count=FOLDS) for response in responses
        )
        return float(
            np.mean(
                [
                    loss(competition, response, prediction)
                    for response, prediction in zip(responses, predictions, strict=True)
                ]
            )
        )

    best = min(models_for(competition).values(), key=mean_loss)
    return submission(competition, predict(competition, features, best))


def models_for(competition: Competition) -> Mapping[str, Model]:
    """The standard models by name."""
    return plain_models(len(competition.targets), random_seed=competition.random_seed)


def predict(competition: Competition, features: np.ndarray, model: Model) -> dict[str, np.ndarray]:
    """One model's predictions of each target for the test rows, with their spread if asked for."""
    known, unknown = features[: competition.train], features[competition.train :]
    found = {}
    for target, response in competition.responses().items():
        values = model(known, response, len(competition.classes), unknown)
        if competition.format == "estimate":
            errors = held_out(competition, model, known, response, count=FOLDS)[:, 0] - response
            values = np.column_stack([values, np.full(len(values), np.nanstd(errors))])
        found[target] = values
    return found
