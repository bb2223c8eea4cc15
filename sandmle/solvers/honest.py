"""What an attentive person does: measures everything, combines it, and lets data choose.

Many candidate features are screened by forward selection inside cross-validation, which is what
finds a product of two columns among twelve, a period, a parity or the order of two words on 100
rows; the best few recipes are averaged.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.linalg import qr

from sandmle.solvers.features import (
    curves,
    measure,
    pairs,
    parities,
    scaled_pairs,
    standardised,
)
from sandmle.solvers.models import (
    Model,
    extra_trees,
    folds,
    forest,
    forward_selection,
    indicators,
    linear,
    loss,
    neighbours,
)
from sandmle.solvers.outputs import OUTPUTS
from sandmle.solvers.reading import Competition, read_competition
from sandmle.solvers.submitting import submission, write_submission

#: Folds of cross-validation, and with several targets, each of which has its own.
FOLDS, FOLDS_OF_SEVERAL = 5, 3
#: At most so many of the best recipes are averaged, if their loss is nearly that of the best.
MOST_AVERAGED = 3
ALIKE = 1.25
#: So many plain columns are combined in pairs, and in threes and fours.
MOST_IN_PAIRS = 26
MOST_IN_PARITIES = 13


@dataclass(frozen=True)
class Recipe:
    """A set of features by name, how many of them are selected (None: all), and a model."""

    features: str
    selected: int | None
    model: Model


RECIPES: Mapping[str, Recipe] = {
    "plain, linear": Recipe("plain", None, partial(linear, strength=0.03)),
    "plain, forest": Recipe("plain", None, partial(forest, trees=40)),
    "details, linear": Recipe("details", None, partial(linear, strength=0.01)),
    **{
        f"{count} of {features}, linear": Recipe(features, count, partial(linear, strength=1.0))
        for features in ("details", "curves", "pairs", "everything")
        for count in (1, 2, 4, 8)
    },
    "4 of everything, neighbours": Recipe("everything", 4, partial(neighbours, count=15)),
    "8 of everything, trees": Recipe("everything", 8, partial(extra_trees, trees=40)),
}


def candidates(folder: Path) -> Iterator[tuple[str, pd.DataFrame]]:
    """Each recipe's name and submission, and what cross-validation makes of them ("chosen")."""
    competition = read_competition(folder)
    if competition.task in OUTPUTS:
        yield from OUTPUTS[competition.task](competition, "honest")
        return
    sets = feature_sets(competition)
    final = predict_test(competition, sets, dict.fromkeys(competition.targets, tuple(RECIPES)))
    for name in RECIPES:
        yield name, submission(competition, {target: final[target][name] for target in final})
    best = best_recipes(competition, sets)
    yield "chosen", submission(competition, averages(final, best))


def solve(folder: Path) -> pd.DataFrame:
    """The average of the recipes that do best in cross-validation."""
    competition = read_competition(folder)
    if competition.task in OUTPUTS:
        return next(OUTPUTS[competition.task](competition, "honest"))[1]
    sets = feature_sets(competition)
    best = best_recipes(competition, sets)
    return submission(competition, averages(predict_test(competition, sets, best), best))


def predict_test(
    competition: Competition,
    sets: Mapping[str, np.ndarray],
    names: Mapping[str, Sequence[str]],
) -> dict[str, dict[str, np.ndarray]]:
    """The predictions of some recipes for the test rows, by target and recipe."""
    known, unknown = np.split(np.arange(len(competition.ids)), [competition.train])
    return {
        target: predict_all(sets, response, len(competition.classes), known, unknown, names[target])
        for target, response in competition.responses().items()
    }


def best_recipes(
    competition: Competition, sets: Mapping[str, np.ndarray]
) -> dict[str, tuple[str, ...]]:
    """For each target the recipes that do best in cross-validation."""
    classes, metric = len(competition.classes), competition.metric
    count = FOLDS if len(competition.targets) == 1 else FOLDS_OF_SEVERAL
    best = {}
    for target, response in competition.responses().items():
        held_out = {name: np.zeros((len(response), max(classes, 1))) for name in RECIPES}
        for train, rest in folds(response, classes, count):
            predictions = predict_all(sets, response[train], classes, train, rest, tuple(RECIPES))
            for name, values in predictions.items():
                held_out[name][rest] = values
        losses = {
            name: loss(metric, response, classes, values) for name, values in held_out.items()
        }
        first = sorted(RECIPES, key=losses.__getitem__)[:MOST_AVERAGED]
        best[target] = tuple(name for name in first if losses[name] <= ALIKE * losses[first[0]])
    return best


def averages(
    predictions: Mapping[str, Mapping[str, np.ndarray]], names: Mapping[str, Sequence[str]]
) -> dict[str, np.ndarray]:
    """Each target's mean prediction of the named recipes."""
    return {
        target: np.mean([predictions[target][name] for name in names[target]], axis=0)
        for target in predictions
    }


def feature_sets(competition: Competition) -> dict[str, np.ndarray]:
    """The sets of features that recipes name; shape (N, columns) each, standardised."""
    measured = measure(competition)
    numbers = measured.plain.to_numpy(float)
    plain = standardised(numbers)
    base = [plain, standardised(measured.groups.to_numpy(float))]
    details = standardised(measured.details.to_numpy(float))
    apart = most_different(plain, MOST_IN_PAIRS)
    paired = [pairs(plain[:, apart]), scaled_pairs(numbers[:, apart])]
    few = plain[:, apart[:MOST_IN_PARITIES]]
    bent = curves(plain)
    sets = {
        "plain": base,
        "details": [*base, details],
        "curves": [*base, bent],
        "pairs": [*base, *paired],
        "everything": [
            *base,
            details,
            bent,
            *paired,
            parities(few, order=3),
            parities(few, order=4),
        ],
    }
    return {
        name: np.concatenate([standardised(part) for part in parts], axis=1)
        for name, parts in sets.items()
    }


def most_different(plain: np.ndarray, count: int) -> np.ndarray:
    """Indices of `count` columns that repeat each other least, in their own order."""
    if plain.shape[1] <= count:
        return np.arange(plain.shape[1])
    _, order = qr(plain, mode="r", pivoting=True)
    return np.sort(order[:count])


def predict_all(
    sets: Mapping[str, np.ndarray],
    response: np.ndarray,
    classes: int,
    known: np.ndarray,
    unknown: np.ndarray,
    names: Sequence[str],
) -> dict[str, np.ndarray]:
    """Predictions of the named recipes for rows `unknown` from rows `known` and their responses."""
    selections: dict[str, list[int]] = {}
    found = {}
    for name in names:
        recipe = RECIPES[name]
        features = sets[recipe.features]
        if recipe.selected is not None:
            if recipe.features not in selections:
                most = max(recipe.selected or 0 for recipe in RECIPES.values())
                selections[recipe.features] = forward_selection(
                    features[known], indicators(response, classes), most
                )
            features = features[:, selections[recipe.features][: recipe.selected]]
        found[name] = recipe.model(features[known], response, classes, features[unknown])
    return found


def main() -> None:
    """`python honest.py [FOLDER [SUBMISSION]]`."""
    write_submission(solve, sys.argv[1:])


if __name__ == "__main__":
    main()
