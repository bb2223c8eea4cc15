"""What an attentive person does: measures everything, combines it, and lets data choose.

Many candidate features are screened by forward selection inside cross-validation, which is what
finds a product of two columns among twelve, a period, a parity or the order of two words on 100
rows; the best few recipes are averaged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
    forward_selections,
    indicators,
    linear,
    neighbours,
    straight_lines,
    trees_each,
)
from sandmle.solvers.reading import Competition
from sandmle.solvers.spreads import learn_spread
from sandmle.solvers.submitting import submission
from sandmle.solvers.validation import Fold, folds, loss, outputs_of

#: Folds of cross-validation, and with several and with many targets, each of which has its own.
FOLDS, FOLDS_OF_SEVERAL, FOLDS_OF_MANY = 5, 3, 2
#: Trees of a forest that is to predict, and of one that is only to be compared with other models.
TREES, COMPARED_TREES = 40, 25
#: At most so many of the best recipes are averaged, if their loss is nearly that of the best.
MOST_AVERAGED = 3
RANKS = ("best of each target", "second of each target", "third of each target")
ALIKE = 1.25
#: So many features are selected, by recipe.
SELECTED_FEATURES = (1, 2, 4, 8)
#: So many linear recipes of selected features are cross-validated, the best at a quick look.
MOST_SELECTIONS = 5


#: The model of selected features: they are few, and it may fit them closely.
ON_SELECTED = partial(linear, strength=1.0)


@dataclass(frozen=True)
class Recipe:
    """A set of features by name, how many of them are selected (None: all), and a model."""

    features: str
    selected: int | None
    model: Model


@dataclass(frozen=True)
class Validated:
    """What cross-validation tells of one target.

    `known` are each recipe's predictions for training rows that it did not see (rows, outputs),
    NaN where there are none; `best` the recipes that fit best, by name; `selected` the features of
    each set that all training rows select, in order.
    """

    known: Mapping[str, np.ndarray]
    best: tuple[str, ...]
    selected: Mapping[str, Sequence[int]]


def recipes(targets: int, trees: int, random_seed: int) -> dict[str, Recipe]:
    """The recipes by name; with many targets there are fewer of them, and fewer trees for each."""
    each = trees_each(targets, most=trees)
    counts = SELECTED_FEATURES if targets <= MANY else SELECTED_FEATURES[1:]
    return {
        "plain, linear": Recipe("plain", None, partial(linear, strength=0.03)),
        "plain, forest": Recipe(
            "plain", None, partial(forest, trees=each, random_seed=random_seed)
        ),
        "details, linear": Recipe("details", None, partial(linear, strength=0.01)),
        **{
            f"{count} of {features}, linear": Recipe(features, count, ON_SELECTED)
            for features in ("details", "curves", "pairs", "everything")
            for count in counts
        },
        "4 of everything, neighbours": Recipe("everything", 4, partial(neighbours, count=15)),
        "8 of everything, trees": Recipe(
            "everything", 8, partial(extra_trees, trees=each, random_seed=random_seed)
        ),
    }


def candidates(competition: Competition) -> Iterator[tuple[str, pd.DataFrame]]:
    """What cross-validation makes of all recipes ("chosen"), then each of the best by itself."""
    yield from submissions(competition, feature_sets(competition))


def submissions(
    competition: Competition, sets: Mapping[str, np.ndarray]
) -> Iterator[tuple[str, pd.DataFrame]]:
    """The same from features that are measured already."""
    validated = validate(competition, sets)
    final = predict_test(competition, sets, validated)
    best = {target: found.best for target, found in validated.items()}
    known = {target: found.known for target, found in validated.items()}
    chosen = averages(final, best), averages(known, best)
    yield "chosen", finish(competition, *chosen, features=sets["details"])
    for place in range(max(map(len, best.values()))):
        only = {target: (names[min(place, len(names) - 1)],) for target, names in best.items()}
        names = {name for (name,) in only.values()}
        name = names.pop() if len(names) == 1 else RANKS[place]
        yield name, finish(competition, averages(final, only), averages(known, only))


def solve(competition: Competition) -> pd.DataFrame:
    """The average of the recipes that do best in cross-validation."""
    return next(candidates(competition))[1]


def solve_each(competition: Competition, random_seeds: Iterable[int]) -> Iterator[pd.DataFrame]:
    """The same under several random seeds, for which the data are measured once."""
    sets = feature_sets(competition)
    for random_seed in random_seeds:
        yield next(submissions(competition.with_seed(random_seed), sets))[1]


def validate(competition: Competition, sets: Mapping[str, np.ndarray]) -> dict[str, Validated]:
    """Cross-validates the recipes for each target."""
    responses, classes = competition.responses(), len(competition.classes)
    every = recipes(len(responses), COMPARED_TREES, competition.random_seed)
    few, many = len(responses) == 1, len(responses) > MANY
    count = FOLDS if few else FOLDS_OF_MANY if many else FOLDS_OF_SEVERAL
    found = {}
    for target, response in responses.items():
        parts = folds(competition, response, count)
        selected = select_features(sets, indicators(response, classes), parts)
        known, losses = {}, {}
        for name in promising(competition, sets, response, parts, selected, every):
            known[name] = np.full((len(response), outputs_of(response, classes)), np.nan)
            for (train, rest), chosen in zip(parts, selected, strict=False):
                features = features_of(every[name], sets, chosen)
                known[name][rest] = every[name].model(
                    features[train], response[train], classes, features[rest]
                )
            losses[name] = loss(competition, response, known[name])
        first = sorted(losses, key=losses.__getitem__)[:MOST_AVERAGED]
        best = tuple(name for name in first if losses[name] <= ALIKE * losses[first[0]])
        found[target] = Validated(known, best, selected[-1])
    return found


def promising(
    competition: Competition,
    sets: Mapping[str, np.ndarray],
    response: np.ndarray,
    parts: Sequence[Fold],
    selected: Sequence[Mapping[str, Sequence[int]]],
    every: Mapping[str, Recipe],
) -> list[str]:
    """The names of the recipes but for those of selected features that are not among the best.

    They are compared by straight lines, which cost next to nothing.
    """
    outputs = indicators(response, len(competition.classes))
    losses = {}
    for name, recipe in every.items():
        if recipe.model is not ON_SELECTED:
            continue
        known = np.full(outputs.shape, np.nan)
        for (train, rest), chosen in zip(parts, selected, strict=False):
            features = features_of(recipe, sets, chosen)
            known[rest] = straight_lines(features[train], outputs[train], features[rest])
        losses[name] = loss(competition, response, known)
    best = sorted(losses, key=losses.__getitem__)[:MOST_SELECTIONS]
    return [name for name in every if name in best or name not in losses]


def select_features(
    sets: Mapping[str, np.ndarray], outputs: np.ndarray, parts: Sequence[Fold]
) -> list[dict[str, list[int]]]:
    """For each fold, and then for all training rows, the features that are selected of each set."""
    known = np.ones((len(parts) + 1, len(outputs)))
    for place, (_, rest) in enumerate(parts):
        known[place, rest] = 0.0
    selections = {
        name: forward_selections(features[: len(outputs)], outputs, known, max(SELECTED_FEATURES))
        for name, features in sets.items()
        if name != "plain"
    }
    return [
        {name: found[place] for name, found in selections.items()} for place in range(len(known))
    ]


def features_of(
    recipe: Recipe, sets: Mapping[str, np.ndarray], selected: Mapping[str, Sequence[int]]
) -> np.ndarray:
    """A recipe's features (N, columns), of those that are selected of each set."""
    features = sets[recipe.features]
    if recipe.selected is None:
        return features
    return features[:, selected[recipe.features][: recipe.selected]]


def predict_test(
    competition: Competition, sets: Mapping[str, np.ndarray], validated: Mapping[str, Validated]
) -> dict[str, dict[str, np.ndarray]]:
    """The best recipes' predictions for the test rows, by target and recipe."""
    train, responses = competition.train, competition.responses()
    every = recipes(len(responses), TREES, competition.random_seed)
    found: dict[str, dict[str, np.ndarray]] = {}
    for target, response in responses.items():
        found[target] = {}
        for name in validated[target].best:
            features = features_of(every[name], sets, validated[target].selected)
            found[target][name] = every[name].model(
                features[:train], response, len(competition.classes), features[train:]
            )
    return found


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
