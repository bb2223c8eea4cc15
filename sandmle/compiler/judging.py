"""How a spec's task is judged: its classes, its metric, the submission that the metric takes."""

from __future__ import annotations

from sandmle.errors import CompileError
from sandmle.spec.model import Spec, WordUse
from sandmle.spec.references import factor_references
from sandmle.spec.scoring import MetricTraits, default_submission, metric_traits
from sandmle.spec.tasks import task_kind
from sandmle.vocabulary import Vocabulary, Word


def class_names(spec: Spec, vocabulary: Vocabulary) -> list[str]:
    """The names of the classes as files hold them; none where the kind of task has no classes."""
    bounds = task_kind(vocabulary, spec.dna.task).classes
    if bounds is None:
        return []
    target = spec.targets[0]
    if target.labels is not None:
        return list(target.labels)
    count = bounds[0] if bounds[0] == bounds[1] else spec.dna.classes or 0
    if target.quantiles is not None:
        count = len(target.quantiles) + 1
    if count < bounds[0]:
        raise CompileError(f"{spec.id}: neither dna.classes nor labels says how many classes are")
    return [str(index) for index in range(count)]


def traits_of_metric(spec: Spec, vocabulary: Vocabulary) -> MetricTraits:
    """What the spec's metric predicts, and which way is better."""
    traits = metric_traits(spec.dna.metric, vocabulary)
    if traits is None:
        raise CompileError(f"{spec.id}: there is no metric {spec.dna.metric.kind!r}")
    return traits


def metric_factors(spec: Spec, vocabulary: Vocabulary) -> list[str]:
    """The factors that the metric looks at, which answers.csv must hold."""
    word = vocabulary.word("metrics", spec.dna.metric.kind)
    references = factor_references(spec.dna.metric, word, vocabulary)
    return list(dict.fromkeys(reference.name for reference in references))


def submission_use(spec: Spec, vocabulary: Vocabulary) -> tuple[Word, WordUse]:
    """The submission word that the spec names, or that fits its metric and task, and its use.

    Raises CompileError where there is none, or several fit.
    """
    use = spec.dna.submission
    if use is not None:
        word = vocabulary.folder("submissions").get(use.kind)
        if word is None:
            raise CompileError(f"{spec.id}: there is no submission word {use.kind!r}")
        return word, use
    predicts = traits_of_metric(spec, vocabulary).predicts
    word = default_submission(predicts, spec.dna.task, vocabulary)
    if word is None:
        raise CompileError(
            f"{spec.id}: expected one word in rules/submissions/ that predicts {predicts!r} for "
            f"{spec.dna.task} by default"
        )
    return word, WordUse(word.name, {}, ("dna", "submission"))
