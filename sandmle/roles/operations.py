"""The MLOps Engineer: the metric and its parameters; thresholds are left to the build."""

from __future__ import annotations

from typing import Any

from sandmle.roles.chance import pick
from sandmle.roles.filling import Filler, UnfillableError
from sandmle.roles.role import DraftContext, DraftError, Sections
from sandmle.vocabulary import Word

#: How often the seed's own metric is kept where the vocabulary has it.
_KEPT = 0.5


class Operations:
    """Chooses a metric that fits the task and that a submission word serves.

    `thresholds` are its section too; a draft leaves them out, and the build computes them.
    """

    name = "MLOps Engineer"
    owns = ("dna.metric", "thresholds")

    def write(self, context: DraftContext) -> Sections:
        """The metric. Raises DraftError where no metric fits the task."""
        rng = context.stream("operations")
        task = context.seed.task
        metrics = context.vocabulary.folder("metrics").values()
        fitting = [
            word for word in metrics if task in word.traits["TASKS"] and _is_served(context, word)
        ]
        if not fitting:
            raise DraftError(f"no metric of the vocabulary fits a {task} task")
        own = [word for word in fitting if word.name == context.seed.metric.name]
        candidates = own if own and rng.random() < _KEPT else fitting
        word = pick(rng, candidates)
        use = Filler(rng, factor=_nothing, rule=_nothing).fill(word)
        return {"dna": {"metric": use if len(use) > 1 else word.name}}


def _is_served(context: DraftContext, metric: Word) -> bool:
    """Whether some submission word predicts what the metric wants, for the seed's task."""
    return any(
        word.traits["PREDICTS"] == metric.traits["PREDICTS"]
        and context.seed.task in word.traits["TASKS"]
        for word in context.vocabulary.folder("submissions").values()
    )


def _nothing(*_slot: object) -> Any:
    raise UnfillableError("a metric takes no factors")
