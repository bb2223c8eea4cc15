"""The ladder of baselines on one task: how far dummies, naive, honest and true features get."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from sandmle.build.prepare import Prepared, sample_places
from sandmle.build.verdict import Rung
from sandmle.runtime.dataset import Dataset
from sandmle.runtime.tables import submitted_columns
from sandmle.solvers.features import standardised
from sandmle.solvers.models import Model, forest_of_classes, indicators, linear
from sandmle.solvers.outputs import candidates
from sandmle.solvers.reading import Competition
from sandmle.solvers.spreads import spread_of_model
from sandmle.solvers.submitting import submission
from sandmle.spec.model import Target
from sandmle.spec.references import factor_references
from sandmle.vocabulary import Vocabulary

#: Rungs that know the public folder alone.
SOLVED = ("dummy", "naive", "honest")
#: Bootstraps of a score's standard error (task-science: 50 give it to about a tenth).
BOOTSTRAPS = 50
#: What honest's solver of numbers and classes calls what it submits; the solvers of other outputs
#: give their own choice first.
OWN = "chosen"
#: Of honest's many recipes, so many are kept in the ladder beside its own choice.
HONEST_KEPT = 3

#: Models on the true features. The recipe takes the better of a linear one and a forest.
REFERENCE_MODELS: Mapping[str, Model] = {
    "linear": partial(linear, strength=1.0),
    "forest": forest_of_classes,
}


@dataclass(frozen=True)
class Ladder:
    """The baselines' scores in the order of RUNGS, and how much such a score varies by chance.

    `standard_error` is in the metric's units: a bootstrap of the test rows, of the best reference
    or of the best honest baseline, whichever varies more. (A reference that knows the noise-free
    score may be perfect, and a perfect score does not vary at all.) `own` is what honest submits
    of its own accord, not knowing the test set; it is among the rungs. `redrawn` are its scores on
    redrawn test sets.
    """

    rungs: tuple[Rung, ...]
    standard_error: float
    is_lower_better: bool
    own: Rung
    redrawn: tuple[float, ...]

    def best(self, rung: str) -> Rung:
        """The best baseline of a rung."""
        found = [entry for entry in self.rungs if entry.rung == rung]
        return max(found, key=lambda entry: oriented(entry.score, self.is_lower_better))


def oriented(score: float, is_lower_better: bool) -> float:
    """A score turned so that more is better."""
    return -score if is_lower_better else score


def climb(prepared: Prepared, vocabulary: Vocabulary) -> Ladder:
    """Runs all baselines on a prepared task and grades them with its own evaluator.

    Several submissions by one name, such as random ones, count with their mean score.
    Raises ValueError where a baseline's submission can't be graded: a bug of ours.
    """
    rungs: list[Rung] = []
    errors: list[float] = []
    redrawn: tuple[float, ...] = ()
    own = OWN
    is_lower_better = prepared.grader.is_lower_better
    for rung, offered in (
        *((rung, candidates(prepared.competition, rung)) for rung in SOLVED),
        ("reference", references(prepared, vocabulary)),
    ):
        scores: dict[str, list[float]] = {}
        tables = {}
        for name, table in offered:
            scores.setdefault(name, []).append(score(prepared, table))
            tables[name] = table
        graded = [
            Rung(rung, name, significant(float(np.mean(found)))) for name, found in scores.items()
        ]
        graded.sort(key=lambda entry: -oriented(entry.score, is_lower_better))
        if rung in ("honest", "reference"):
            best = redraw(prepared, tables[graded[0].name])
            errors.append(float(np.std(best, ddof=1)))
        if rung == "honest":
            own = OWN if OWN in tables else next(iter(tables))
            redrawn = best if own == graded[0].name else redraw(prepared, tables[own])
        rungs += kept(graded, own)
    (chosen,) = (entry for entry in rungs if (entry.rung, entry.name) == ("honest", own))
    return Ladder(tuple(rungs), significant(max(errors)), is_lower_better, chosen, redrawn)


def kept(rungs: Sequence[Rung], own: str) -> list[Rung]:
    """The best baselines of one rung, best first; of honest, its own choice in any case."""
    if rungs[0].rung != "honest":
        return list(rungs)
    return [entry for place, entry in enumerate(rungs) if place < HONEST_KEPT or entry.name == own]


def significant(value: float) -> float:
    """Six significant digits: what a verdict shows."""
    return float(f"{value:.6g}")


def csv_content(table: pd.DataFrame) -> bytes:
    """A submission as the file that a solver would write."""
    return table.to_csv(index=False, float_format="%.6g").encode()


def score(prepared: Prepared, table: pd.DataFrame) -> float:
    """The score of a submission. Raises ValueError where it can't be graded."""
    grade = prepared.grader.grade(csv_content(table))
    if grade.score is None:
        raise ValueError(f"{prepared.spec.id}: a baseline's submission is invalid: {grade.reason}")
    return grade.score


def redraw(prepared: Prepared, table: pd.DataFrame) -> tuple[float, ...]:
    """A submission's scores on BOOTSTRAPS test sets, drawn from the test rows with replacement."""
    scope = prepared.evaluator
    key, truth = scope["read_answers"](prepared.grader.answers)
    prediction = scope["read_submission"](csv_content(table), key)
    factors = scope["read_factors"](key, len(truth))
    rng = np.random.default_rng(0)
    scores = []
    for _ in range(BOOTSTRAPS):
        rows = rng.integers(0, len(truth), len(truth))
        judged = {name: values[rows] for name, values in factors.items()}
        scores.append(scope["score_of"](truth[rows], prediction[rows], judged))
    return tuple(scores)


def references(prepared: Prepared, vocabulary: Vocabulary) -> Iterator[tuple[str, pd.DataFrame]]:
    """Models on the true features, trained on the same rows with the same noisy labels.

    The features are the hidden rule's noise-free score, alone and with the factors that the rule
    looks at. Where a target is more than a number or a class, or is learnt together with another,
    the noise-free truth stands for them.
    """
    competition = prepared.competition
    if not is_plain(prepared.dataset) or competition.is_direction:
        yield "noise-free truth", noise_free_answers(prepared)
        return
    for features in ("score", "score and factors"):
        for name, model in REFERENCE_MODELS.items():
            predictions = {
                target.name: predict(prepared, vocabulary, competition, target, features, model)
                for target in prepared.spec.targets
            }
            yield f"{features}, {name}", submission(competition, predictions)


def is_plain(dataset: Dataset) -> bool:
    """Whether all targets are numbers or classes, one a sample."""
    return all(truth.ndim == 1 and truth.dtype.kind in "if" for truth in dataset.truth.values())


def noise_free_answers(prepared: Prepared) -> pd.DataFrame:
    """The submission of someone who knows the truth without noise."""
    dataset, scope = prepared.dataset, prepared.generator
    test = np.flatnonzero(~dataset.train)
    columns = scope["perfect"](dataset.ids[test], scope["part"](dataset.truth, test))
    return pd.DataFrame(submitted_columns(columns))


def predict(
    prepared: Prepared,
    vocabulary: Vocabulary,
    competition: Competition,
    target: Target,
    features: str,
    model: Model,
) -> np.ndarray:
    """A model's predictions of one target for the test rows, from true features."""
    columns = [score_columns(prepared, target)]
    if features == "score and factors":
        columns += factor_columns(prepared, vocabulary, target)
    rows = sample_places(prepared.dataset, competition.ids)
    values = standardised(np.concatenate(columns, axis=1))[rows]
    known, unknown = values[: competition.train], values[competition.train :]
    response = competition.responses()[target.name]
    values = model(known, response, len(competition.classes), unknown)
    if competition.format != "estimate":
        return values
    return np.column_stack([values, spread_of_model(model, known, response, unknown)])


def score_columns(prepared: Prepared, target: Target) -> np.ndarray:
    """The hidden rule's output: a number as it is, a class as one column a class."""
    values = prepared.dataset.scores[target.name]
    if target.quantiles is None and prepared.dataset.truth[target.name].dtype.kind == "i":
        return indicators(values.astype(int), int(values.max()) + 1)
    return values.reshape(-1, 1).astype(float)


def factor_columns(prepared: Prepared, vocabulary: Vocabulary, target: Target) -> list[np.ndarray]:
    """The factors that a target's rule and the noise of labels look at, as columns.

    A column a level of a category, numbers as they are.
    """
    uses = [("hidden", target.rule), *(("noise", use) for use in prepared.spec.noise)]
    names: dict[str, None] = {}
    for folder, use in uses:
        word = vocabulary.word(folder, use.kind)
        if word.traits.get("DISTURBS", "labels") == "labels":
            names |= {found.name: None for found in factor_references(use, word, vocabulary)}
    found = []
    for name in names:
        values = prepared.dataset.factors[name]
        kind = vocabulary.word("factors", prepared.spec.factors[name].kind).traits["YIELDS"]
        if kind == "category":
            levels, level = np.unique(values, return_inverse=True)
            found.append(indicators(level, len(levels)))
        elif kind in ("number", "series"):
            found.append(values.reshape(len(values), -1).astype(float))
    return found
