"""The MLOps Engineer: the metric and its parameters; thresholds are left to the build."""

from __future__ import annotations

from sandmle.roles.chance import shuffled
from sandmle.roles.filling import UnfillableError, plain_filler
from sandmle.roles.role import DraftContext, DraftError, Sections
from sandmle.vocabulary import Word

#: How often the seed's own metric is kept where the vocabulary has it, and how often one that
#: judges probabilities as a loss: 200 rows hardly teach calibration, and such tasks fail the gate.
_KEPT, _LOSS_CHOSEN = 0.5, 0.05


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
        candidates = shuffled(rng, fitting)
        if rng.random() < _KEPT:
            candidates = own + candidates
        if rng.random() >= _LOSS_CHOSEN:
            candidates.sort(key=_is_probability_loss)
        for word in candidates:
            try:
                use = plain_filler(rng, 0.5).fill(word)
            except UnfillableError:
                continue
            return {"dna": {"metric": use if len(use) > 1 else word.name}}
        raise DraftError(f"no metric for a {task} task says which parameters suit it")


def _is_served(context: DraftContext, metric: Word) -> bool:
    """Whether the metric suits numbers of either sign, as rules yield them, and some submission
    word predicts what it wants for the seed's task.
    """
    return "TRUTH" not in metric.traits and any(
        word.traits["PREDICTS"] == metric.traits["PREDICTS"]
        and context.seed.task in word.traits["TASKS"]
        for word in context.vocabulary.folder("submissions").values()
    )


def severity(context: DraftContext) -> float:
    """How hard the metric that was chosen makes a task of classes, from -1 to 1.

    Rankings by probability forgive most, decisions for a label less, losses on probabilities least;
    0 for a task of numbers.
    """
    metric = context.sections["dna"]["metric"]
    word = context.vocabulary.word("metrics", metric if isinstance(metric, str) else metric["kind"])
    if word.traits["PREDICTS"] == "number":
        return 0.0
    return 1.0 if word.traits["PREDICTS"] == "label" or _is_probability_loss(word) else -1.0


def _is_probability_loss(metric: Word) -> bool:
    return metric.traits["PREDICTS"] == "probability" and not metric.traits["GREATER_IS_BETTER"]
