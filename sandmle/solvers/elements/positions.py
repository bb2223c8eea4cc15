"""Answers for numbers at every position of a sequence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.linear_model import Ridge

from sandmle.solvers.elements.sequences import (
    Sequences,
    crossed_features,
    own_features,
    read_sequences,
    surrounding_features,
)
from sandmle.solvers.reading import Competition
from sandmle.solvers.validation import ABSOLUTE

#: Share of the training samples that are held out to choose a model.
HELD_OUT_SAMPLES = 0.25
ROUNDS = 80
DRAWN_SAMPLES = 4

#: Fits on (features of known positions, their labels) and predicts the positions of other features.
PositionModel = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def predict_positions(competition: Competition, rung: str) -> Iterator[tuple[str, pd.DataFrame]]:
    """The submissions of one rung; naive looks at each position alone."""
    sequences = read_sequences(competition)
    found = {"dummy": position_constants, "naive": own_models, "honest": surrounding_models}
    for name, predictions in found[rung](competition, sequences):
        yield name, positions_table(competition, predictions)


def position_constants(
    competition: Competition, sequences: Sequences
) -> Iterator[tuple[str, dict[str, np.ndarray]]]:
    """The average, of each position and of all, the median, and labels of random samples."""
    test = len(competition.ids) - competition.train
    for average in (np.mean, np.median):
        for by, axis in ((" of each position", 0), ("", None)):
            yield (
                f"{average.__name__}{by}",
                {
                    target: np.broadcast_to(average(values, axis=axis), (test, values.shape[1]))
                    for target, values in sequences.labels.items()
                },
            )
    rng = np.random.default_rng(0)
    for _ in range(DRAWN_SAMPLES):
        drawn = rng.integers(0, competition.train, test)
        yield "random", {target: values[drawn] for target, values in sequences.labels.items()}


def own_models(
    competition: Competition, sequences: Sequences
) -> Iterator[tuple[str, dict[str, np.ndarray]]]:
    """Standard models of what a position shows by itself."""
    features = own_features(sequences)
    everyone = np.ones(competition.train, dtype=bool)
    trees = partial(position_trees, random_seed=competition.random_seed)
    for name, model in (("trees", trees), ("linear", position_linear)):
        yield (
            name,
            {
                target: predict_samples(model, features, values, everyone)[competition.train :]
                for target, values in sequences.labels.items()
            },
        )


def surrounding_models(
    competition: Competition, sequences: Sequences
) -> Iterator[tuple[str, dict[str, np.ndarray]]]:
    """What does best on held-out samples of a linear model, trees and their mean; then each."""
    features = surrounding_features(sequences)
    crossed = crossed_features(sequences, features)
    random_seed = competition.random_seed
    order = np.random.default_rng(random_seed).permutation(competition.train)
    held = order[: max(1, round(HELD_OUT_SAMPLES * competition.train))]
    is_known = ~np.isin(np.arange(competition.train), held)
    size = np.abs if ABSOLUTE.search(competition.metric) else np.square
    offered: dict[str, dict[str, np.ndarray]] = {"chosen": {}}
    for target, values in sequences.labels.items():
        tried = model_predictions(features, crossed, values, is_known, random_seed)
        losses = {name: size(found[held] - values[held]).mean() for name, found in tried.items()}
        everyone = np.ones(competition.train, dtype=bool)
        final = model_predictions(features, crossed, values, everyone, random_seed)
        for name, found in final.items():
            offered.setdefault(name, {})[target] = found[competition.train :]
        offered["chosen"][target] = offered[min(losses, key=losses.__getitem__)][target]
    yield from offered.items()


def model_predictions(
    features: np.ndarray,
    crossed: np.ndarray,
    values: np.ndarray,
    is_known: np.ndarray,
    random_seed: int,
) -> dict[str, np.ndarray]:
    """What a linear model, trees and their mean learn from known samples, (N, positions) each."""
    straight = predict_samples(position_linear, crossed, values, is_known)
    trees = partial(position_trees, random_seed=random_seed)
    branched = predict_samples(trees, features, values, is_known)
    return {"linear": straight, "trees": branched, "mean": (straight + branched) / 2}


def predict_samples(
    model: PositionModel, features: np.ndarray, values: np.ndarray, is_known: np.ndarray
) -> np.ndarray:
    """A model's predictions for all samples (N, positions), learnt from the known ones.

    `features` are (N, positions, columns), `values` (train, positions), `is_known` (train,).
    """
    known = features[: len(values)][is_known]
    columns = features.shape[2]
    flat = model(
        known.reshape(-1, columns), values[is_known].ravel(), features.reshape(-1, columns)
    )
    return flat.reshape(features.shape[:2])


def position_linear(known: np.ndarray, labels: np.ndarray, unknown: np.ndarray) -> np.ndarray:
    """Ridge regression."""
    return np.asarray(Ridge(alpha=3.0).fit(known, labels).predict(unknown))


def position_trees(
    known: np.ndarray, labels: np.ndarray, unknown: np.ndarray, *, random_seed: int
) -> np.ndarray:
    """Boosted trees on histograms: quick on thousands of positions."""
    model = HistGradientBoostingRegressor(
        max_iter=ROUNDS,
        max_leaf_nodes=15,
        learning_rate=0.15,
        max_bins=63,
        random_state=random_seed,
    )
    return np.asarray(model.fit(known, labels).predict(unknown))


def positions_table(
    competition: Competition, predictions: Mapping[str, np.ndarray]
) -> pd.DataFrame:
    """The submission of each target's predictions (test samples, positions)."""
    positions = next(iter(predictions.values())).shape[1]
    keys = [
        f"{name}_{position}"
        for name in competition.ids[competition.train :]
        for position in range(positions)
    ]
    flat = {target: values.ravel() for target, values in predictions.items()}
    table = pd.DataFrame({competition.identifier: keys, **flat})
    return table[[competition.identifier, *competition.columns]]
