"""What follows from a spec's task: its classes, and the shape of a submission."""

from __future__ import annotations

from sandmle.errors import CompileError
from sandmle.spec.model import Spec
from sandmle.vocabulary import Vocabulary, Word


def class_names(spec: Spec) -> list[str]:
    """The names of the classes as files hold them; none for regression."""
    if spec.dna.task == "regression":
        return []
    count = 2 if spec.dna.task in ("binary", "multilabel") else spec.dna.classes or 0
    target = spec.targets[0]
    if target.labels is not None:
        return list(target.labels)
    if target.quantiles is not None:
        count = len(target.quantiles) + 1
    if count < 2:
        raise CompileError(f"{spec.id}: neither dna.classes nor labels says how many classes are")
    return [str(index) for index in range(count)]


def submission_word(spec: Spec, vocabulary: Vocabulary) -> Word:
    """The submission word that fits the spec's metric and task.

    Raises CompileError where none does, or several do.
    """
    metric = vocabulary.folder("metrics").get(spec.dna.metric.kind)
    if metric is None:
        raise CompileError(f"{spec.id}: there is no metric {spec.dna.metric.kind!r}")
    predicts = metric.traits["PREDICTS"]
    fitting = [
        word
        for word in vocabulary.folder("submissions").values()
        if word.traits["PREDICTS"] == predicts and spec.dna.task in word.traits["TASKS"]
    ]
    if len(fitting) != 1:
        found = ", ".join(word.name for word in fitting) or "none"
        raise CompileError(
            f"{spec.id}: expected one word in rules/submissions/ that predicts {predicts!r} for "
            f"{spec.dna.task}; found {found}"
        )
    return fitting[0]
