"""The MLOps Engineer: the metric and what is submitted; thresholds are left to the build."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from sandmle.roles.chance import pick, shuffled
from sandmle.roles.filling import UnfillableError, factor_slots, plain_filler
from sandmle.roles.role import DraftContext, DraftError, Sections
from sandmle.roles.scale import classes_of, targets_of
from sandmle.spec.model import WordUse
from sandmle.spec.scoring import (
    MetricTraits,
    default_submission,
    fitting_submissions,
    metric_traits,
)
from sandmle.vocabulary import Vocabulary, Word

#: How often a draft keeps the seed's own metric and submission; the first of a call always does.
_KEPT = 0.7

#: How often another one judges probabilities as a loss: 200 rows hardly teach calibration, and such
#: tasks fail the gate.
_LOSS_CHOSEN = 0.05

#: The parameter of metrics and submissions that counts guesses: fewer than there are classes.
_GUESSES = "k"


class Operations:
    """Keeps the seed's metric and submission, or chooses others that fit the kind of task.

    `thresholds` are its section too; a draft leaves them out, and the build computes them. Factors
    that a metric looks at are left open, too: who draws factors names them.
    """

    name = "MLOps Engineer"
    owns = ("dna.metric", "dna.submission", "thresholds")

    def write(self, context: DraftContext) -> Sections:
        """The sections above. Raises DraftError where no metric fits the kind of task."""
        rng = context.stream("operations")
        if context.number == 0 or rng.random() < _KEPT:
            kept = _kept(context)
            if kept is not None:
                return {"dna": kept}
        for word in _candidates(context, rng):
            use = _filled(rng, word)
            traits = None if use is None else _traits(use, context.vocabulary)
            if use is None or traits is None or not _nests_fitting(context, use):
                continue
            dna = _with_submission(context, rng, use, traits.predicts)
            if dna is not None:
                return {"dna": dna}
        raise DraftError(f"no metric of the vocabulary fits a {context.seed.task} task")


def _kept(context: DraftContext) -> dict[str, Any] | None:
    """The seed's own metric and submission, None where the vocabulary lacks them."""
    seed, vocabulary = context.seed, context.vocabulary
    word = vocabulary.folder("metrics").get(seed.metric.name)
    if word is None or seed.task not in word.traits["TASKS"]:
        return None
    metric = {"kind": word.name, **_fewer(context, seed.metric.parameters)}
    traits = _traits(metric, vocabulary)
    shape = seed.submission.shape
    if traits is None:
        return None
    if shape not in [
        one.name for one in fitting_submissions(traits.predicts, seed.task, vocabulary)
    ]:
        return None
    parameters = _fewer(context, seed.submission.parameters)
    usual = default_submission(traits.predicts, seed.task, vocabulary)
    dna: dict[str, Any] = {"metric": _named(metric)}
    if parameters or usual is None or usual.name != shape:
        dna["submission"] = _named({"kind": shape, **parameters})
    return dna


def _candidates(context: DraftContext, rng: np.random.Generator) -> list[Word]:
    """The metrics that fit the kind of task, in random order, losses on probabilities last."""
    task = context.seed.task
    metrics = context.vocabulary.folder("metrics").values()
    fitting = shuffled(rng, [word for word in metrics if task in word.traits["TASKS"]])
    if rng.random() >= _LOSS_CHOSEN:
        fitting.sort(key=lambda word: _is_probability_loss(word.traits))
    return fitting


def _with_submission(
    context: DraftContext, rng: np.random.Generator, metric: dict[str, Any], predicts: str
) -> dict[str, Any] | None:
    """The metric with a submission that serves it, None where there is none."""
    task, vocabulary = context.seed.task, context.vocabulary
    if default_submission(predicts, task, vocabulary) is not None:
        return {"metric": _named(metric)}
    fitting = fitting_submissions(predicts, task, vocabulary)
    use = _filled(rng, pick(rng, fitting)) if fitting else None
    if use is None:
        return None
    return {
        "metric": _named(_fewer(context, metric)),
        "submission": _named(_fewer(context, use)),
    }


def _nests_fitting(context: DraftContext, use: Mapping[str, Any]) -> bool:
    """Whether the metric nested in another judges the kind of task, or one of its targets."""
    word = context.vocabulary.word("metrics", use["kind"])
    inner = use.get(word.traits.get("FOLLOWS", ""))
    if inner is None or context.task.several:
        return True
    return context.seed.task in context.vocabulary.word("metrics", inner).traits["TASKS"]


def _filled(rng: np.random.Generator, word: Word) -> dict[str, Any] | None:
    """A use of a word but for its factors, None where nothing says which parameters suit."""
    factors = {str(slot.path[0]) for slot in factor_slots(word)}
    try:
        use = plain_filler(rng, 0.5).fill(word, dict.fromkeys(factors, ""))
    except UnfillableError:
        return None
    return {name: value for name, value in use.items() if name not in factors}


def _fewer(context: DraftContext, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters with no more guesses than leave a class, or a label, out."""
    choices = classes_of(context.seed, context.task) or targets_of(context.seed, context.task)
    given = dict(parameters)
    if _GUESSES in given:
        given[_GUESSES] = max(1, min(given[_GUESSES], choices - 1))
    return given


def _named(use: dict[str, Any]) -> dict[str, Any] | str:
    return use if len(use) > 1 else str(use["kind"])


def _traits(use: Mapping[str, Any], vocabulary: Vocabulary) -> MetricTraits | None:
    parameters = {name: value for name, value in use.items() if name != "kind"}
    return metric_traits(WordUse(use["kind"], parameters, ("dna", "metric")), vocabulary)


def severity(context: DraftContext) -> float:
    """How hard the metric that was chosen makes a task of classes, from -1 to 1.

    Rankings by probability forgive most, decisions for a label less, losses on probabilities least;
    0 for all other outputs.
    """
    traits = _chosen(context)
    if traits is None or traits.predicts not in ("label", "probability"):
        return 0.0
    return 1.0 if traits.predicts == "label" or judges_calibration(context) else -1.0


def asks_for_precision(context: DraftContext) -> bool:
    """Whether the metric that was chosen judges numbers, calibration, or decisions on several
    targets: a small error in what is read costs much.
    """
    several = context.task.several and severity(context) > 0
    return several or context.task.classes is None or judges_calibration(context)


def judges_calibration(context: DraftContext) -> bool:
    """Whether the metric that was chosen takes probabilities as they are, not as a ranking."""
    traits = _chosen(context)
    if traits is None or traits.predicts != "probability":
        return False
    metric = context.sections["dna"]["metric"]
    name = metric["kind"] if isinstance(metric, Mapping) else metric
    word = context.vocabulary.word("metrics", name)
    return not traits.greater_is_better or bool(word.traits.get("CALIBRATED", False))


def _chosen(context: DraftContext) -> MetricTraits | None:
    metric = context.sections["dna"]["metric"]
    use = metric if isinstance(metric, Mapping) else {"kind": metric}
    return _traits(use, context.vocabulary)


def _is_probability_loss(traits: Mapping[str, Any]) -> bool:
    return traits.get("PREDICTS") == "probability" and not traits.get("GREATER_IS_BETTER", True)
