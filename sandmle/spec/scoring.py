"""What a metric wants and which submission word serves it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sandmle.spec.model import WordUse
from sandmle.spec.references import nested_use, slots
from sandmle.vocabulary import Vocabulary, Word


@dataclass(frozen=True)
class MetricTraits:
    """What is known of a metric: a combinator FOLLOWS the metric nested in it.

    `bounds` are the least and the greatest score, None where there is none.
    """

    predicts: str
    greater_is_better: bool
    bounds: tuple[float | None, float | None] | None


def metric_traits(use: WordUse, vocabulary: Vocabulary) -> MetricTraits | None:
    """The traits of a metric as a spec uses it; None where it, or one nested in it, is unknown."""
    word = vocabulary.folder("metrics").get(use.kind)
    if word is None:
        return None
    traits: Mapping[str, Any] = word.traits
    followed = traits.get("FOLLOWS")
    inner: MetricTraits | None = None
    if followed is not None:
        found = [slot for slot in slots(use, word) if slot.path == (*use.path, followed)]
        nested = nested_use(found[0]) if found else None
        inner = metric_traits(nested, vocabulary) if nested else None
        if inner is None:
            return None
    bounds = traits.get("BOUNDS")
    return MetricTraits(
        predicts=traits["PREDICTS"] if "PREDICTS" in traits or not inner else inner.predicts,
        greater_is_better=(
            traits["GREATER_IS_BETTER"]
            if "GREATER_IS_BETTER" in traits or not inner
            else inner.greater_is_better
        ),
        bounds=(bounds[0], bounds[1]) if bounds else inner.bounds if inner else None,
    )


def fitting_submissions(predicts: str, task: str, vocabulary: Vocabulary) -> tuple[Word, ...]:
    """The submission words that hold what a metric predicts for a kind of task."""
    return tuple(
        word
        for word in vocabulary.folder("submissions").values()
        if word.traits["PREDICTS"] == predicts and task in word.traits["TASKS"]
    )


def default_submission(predicts: str, task: str, vocabulary: Vocabulary) -> Word | None:
    """The one that a spec need not name; None where there is none, or more than one."""
    fitting = fitting_submissions(predicts, task, vocabulary)
    chosen = [word for word in fitting if word.traits.get("DEFAULT", True)]
    return chosen[0] if len(chosen) == 1 else None
