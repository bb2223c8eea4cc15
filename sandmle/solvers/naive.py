"""Standard models on the columns as they come: what one gets without looking at the data."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from sandmle.solvers.features import raw_features
from sandmle.solvers.models import plain_models
from sandmle.solvers.reading import Competition, read_competition
from sandmle.solvers.submitting import submission, write_submission
from sandmle.solvers.validation import held_out, loss

FOLDS = 3


def candidates(competition: Competition) -> Iterator[tuple[str, pd.DataFrame]]:
    """Each standard model's name and submission."""
    features = raw_features(competition)
    for name in plain_models(len(competition.targets)):
        yield name, submission(competition, predict(competition, features, name))


def solve(folder: Path) -> pd.DataFrame:
    """The submission of the standard model that does best in cross-validation."""
    competition = read_competition(folder)
    features = raw_features(competition)
    known = features[: competition.train]
    models = plain_models(len(competition.targets))

    def mean_loss(name: str) -> float:
        responses = competition.responses().values()
        predictions = (
            held_out(competition, models[name], known, response, count=FOLDS)
            for response in responses
        )
        return float(
            np.mean(
                [
                    loss(competition, response, prediction)
                    for response, prediction in zip(responses, predictions, strict=True)
                ]
            )
        )

    best = min(models, key=mean_loss)
    return submission(competition, predict(competition, features, best))


def predict(competition: Competition, features: np.ndarray, name: str) -> dict[str, np.ndarray]:
    """One model's predictions of each target for the test rows, with their spread if asked for."""
    known, unknown = features[: competition.train], features[competition.train :]
    model, found = plain_models(len(competition.targets))[name], {}
    for target, response in competition.responses().items():
        values = model(known, response, len(competition.classes), unknown)
        if competition.format == "estimate":
            errors = held_out(competition, model, known, response, count=FOLDS)[:, 0] - response
            values = np.column_stack([values, np.full(len(values), np.nanstd(errors))])
        found[target] = values
    return found


def main() -> None:
    """`python naive.py [FOLDER [SUBMISSION]]`."""
    write_submission(solve, sys.argv[1:])


if __name__ == "__main__":
    main()
