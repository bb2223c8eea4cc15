"""What an attentive person does: measures everything, combines it, and lets data choose.

Many candidate features are screened by forward selection inside cross-validation, which is what
finds a product of two columns among twelve, a period, a parity or the order of two words on 100
rows; the best few recipes are averaged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from sandmle.solvers.calibration import best_shift, calibrate
from sandmle.solvers.combining import feature_sets
from sandmle.solvers.models import (
    MANY,
    Model,
    extra_trees,
    forest,
    forward_selection,
    indicators,
    linear,
    neighbours,
    trees_each,
)
from sandmle.solvers.reading import Competition
from sandmle.solvers.spreads import learn_spread
from sandmle.solvers.submitting import submission
from sandmle.solvers.validation import folds, loss, outputs_of

#: Folds of cross-validation, and with several and with many targets, each of which has its own.
FOLDS, FOLDS_OF_SEVERAL, FOLDS_OF_MANY = 5, 3, 2
TREES = 40
#: At most so many of the best recipes are averaged, if their loss is nearly that of the best.
MOST_AVERAGED = 3
ALIKE = 1.25
#: So many features are selected, by recipe.
SELECTED_FEATURES = (1, 2, 4, 8)


@dataclass(frozen=True)
class Recipe:
    """A set of features by name, how many of them are selected (None: all), and a model."""

    features: str
    selected: int | None
    model: Model


def recipes(targets: int, random_seed: int) -> dict[str, Recipe]:
    """The recipes by name; with many targets there are fewer of them, and fewer trees for each."""
    trees = trees_each(targets, most=TREES)
    counts = SELECTED_FEATURES if targets <= MANY else SELECTED_FEATURES[1:]
    return {
        "plain, linear": Recipe("plain", None, partial(linear, strength=0.03)),
        "plain, forest": Recipe(
            "plain", None, partial(forest, trees=trees, random_seed=random_seed)
        ),
        "details, linear": Recipe("details", None, partial(linear, strength=0.01)),
        **{
            f"{count} of {features}, linear": Recipe(features, count, partial(linear, strength=1.0))
            for features in ("details", "curves", "pairs", "everything")
            for count in counts
        },
        "4 of everything, neighbours": Recipe("everything", 4, partial(neighbours, count=15)),
        "8 of everything, trees": Recipe(
            "everything", 8, partial(extra_trees, trees=trees, random_seed=random_seed)
        ),
    }


def candidates(competition: Competition) -> Iterator[tuple[str, pd.DataFrame]]:
    """Each recipe's name and submission, and what cross-validation makes of them ("chosen")."""
    sets = feature_sets(competition)
    known, final = validate(competition, sets), predict_test(competition, sets)
    for name in recipes(len(final), competition.random_seed):
        only = dict.fromkeys(final, (name,))
        yield name, finish(competition, averages(final, only), averages(known, only))
    best = best_recipes(competition, known)
    chosen = averages(final, best), averages(known, best)
    yield "chosen", finish(competition, *chosen, features=sets["details"])


def solve(competition: Competition) -> pd.DataFrame:
    """The average of the recipes that do best in cross-validation."""
    sets = feature_sets(competition)
    known = validate(competition, sets)
    best = best_recipes(competition, known)
    final = predict_test(competition, sets, best)
    chosen = averages(final, best), averages(known, best)
    return finish(competition, *chosen, features=sets["details"])


def predict_test(
    competition: Competition,
    sets: Mapping[str, np.ndarray],
    names: Mapping[str, Sequence[str]] | None = None,
) -> dict[str, dict[str, np.ndarray]]:
    """The predictions of some recipes, or of all, for the test rows, by target and recipe."""
    known, unknown = np.split(np.arange(len(competition.ids)), [competition.train])
    responses = competition.responses()
    every = recipes(len(responses), competition.random_seed)
    return {
        target: predict_all(
            sets,
            response,
            len(competition.classes),
            known,
            unknown,
            every if names is None else {name: every[name] for name in names[target]},
        )
        for target, response in responses.items()
    }


def validate(
    competition: Competition, sets: Mapping[str, np.ndarray]
) -> dict[str, dict[str, np.ndarray]]:
    """The recipes' predictions for training rows that they did not see, by target and recipe.

    NaN for rows that are never held out.
    """
    responses, classes = competition.responses(), len(competition.classes)
    every = recipes(len(responses), competition.random_seed)
    count = (
        FOLDS
        if len(responses) == 1
        else FOLDS_OF_MANY
        if len(responses) > MANY
        else FOLDS_OF_SEVERAL
    )
    found: dict[str, dict[str, np.ndarray]] = {}
    for target, response in responses.items():
        shape = (len(response), outputs_of(response, classes))
        found[target] = {name: np.full(shape, np.nan) for name in every}
        for train, rest in folds(competition, response, count):
            predictions = predict_all(sets, response[train], classes, train, rest, every)
            for name, values in predictions.items():
                found[target][name][rest] = values
    return found


def best_recipes(
    competition: Competition, known: Mapping[str, Mapping[str, np.ndarray]]
) -> dict[str, tuple[str, ...]]:
    """For each target the recipes whose held-out predictions fit best."""
    best = {}
    for target, response in competition.responses().items():
        losses = {
            name: loss(competition, response, values) for name, values in known[target].items()
        }
        first = sorted(losses, key=losses.__getitem__)[:MOST_AVERAGED]
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


def finish(
    competition: Competition,
    final: Mapping[str, np.ndarray],
    known: Mapping[str, np.ndarray],
    *,
    features: np.ndarray | None = None,
) -> pd.DataFrame:
    """The submission of `final`, with what held-out predictions `known` tell of its errors.

    Probabilities become as sure as they should be, numbers are shifted as the metric likes. For
    an estimate the spread of errors is learnt from `features` (N, columns); without them it is the
    same for all rows.
    """
    responses, finished = competition.responses(), {}
    if competition.predicts != "number":
        for target, response in responses.items():
            finished[target] = calibrate(response, known[target], final[target])
        return submission(competition, finished)
    for target, response in responses.items():
        seen = np.flatnonzero(~np.isnan(known[target][:, 0]))
        truth, prediction = response[seen], known[target][seen, 0]
        shift = best_shift(competition, truth, prediction)
        values = final[target] + shift
        if competition.format == "estimate":
            errors = truth - prediction - shift
            spread = np.full(len(values), np.sqrt(np.mean(errors**2)))
            if features is not None:
                spread = learn_spread(features[seen], errors, features[competition.train :])
            values = np.column_stack([values, spread])
        finished[target] = values
    return submission(competition, finished)


def predict_all(
    sets: Mapping[str, np.ndarray],
    response: np.ndarray,
    classes: int,
    known: np.ndarray,
    unknown: np.ndarray,
    chosen: Mapping[str, Recipe],
) -> dict[str, np.ndarray]:
    """Predictions of some recipes for rows `unknown` from rows `known` and their responses."""
    selections: dict[str, list[int]] = {}
    found = {}
    for name, recipe in chosen.items():
        features = sets[recipe.features]
        if recipe.selected is not None:
            if recipe.features not in selections:
                selections[recipe.features] = forward_selection(
                    features[known], indicators(response, classes), max(SELECTED_FEATURES)
                )
            features = features[:, selections[recipe.features][: recipe.selected]]
        found[name] = recipe.model(features[known], response, classes, features[unknown])
    return found
