"""The MLE Developer: what is drawn, what shows it, and the rule that is to be found."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sandmle.roles.carriers import carrier_sets, meets, reads
from sandmle.roles.chance import pick, shuffled
from sandmle.roles.channels import Carrier
from sandmle.roles.filling import (
    UnfillableError,
    factor_slots,
    factors_read,
    has_definition,
    holds_reference,
)
from sandmle.roles.observing import observe
from sandmle.roles.operations import severity
from sandmle.roles.role import DraftContext, DraftError, Sections
from sandmle.roles.scale import shares_of, targets_of
from sandmle.roles.stage import Stage
from sandmle.roles.world import Measure, levels_of
from sandmle.seeds.model import Column
from sandmle.vocabulary import Word

#: Columns of a drafted table: few enough to find the right ones among, at 200 rows.
_COLUMNS = (12, 16)

#: What a metric of labels takes off the dials, and the share that is left of them where factors are
#: read off a carrier, and where what is shown as it is is to be found.
_STRICT, _CARRIED, _AS_IT_IS = 0.25, 0.05, 0.6

#: Factors that a rule looks at through a carrier, which shows each with an error of its own.
_FACTORS_READ = 2

#: How often the classes of a task come from cutting a score, which gives them an order.
_SCORES_CUT = 0.85

#: Skewness from which a number column counts as skewed.
_SKEWED = 0.9

#: The factor words that a split of each kind goes by.
_SPLIT_BY = {"group": ("group",), "time": ("panel_day", "timestamp")}


class Developer:
    """Draws a rule that fits the task, the factors that it takes, and decoys beside them.

    It names the factors that the metric looks at and that rows are split by, too.
    """

    name = "MLE Developer"
    owns = ("factors", "observe", "hidden", "dna.metric's factors", "dna.split.by")

    def write(self, context: DraftContext) -> Sections:
        """The sections above. Raises DraftError where no rule of the vocabulary fits."""
        rng = context.stream("developer")
        columns = context.seed.modality in ("tabular", "mixed")
        for carriers in carrier_sets(context, rng):
            rules = _rules(context, rng, carriers)
            plain = [word for word in rules if not _nests(word)]
            if carriers and plain and not any(reads(carriers, word) for word in plain):
                continue
            for word in rules:
                if not meets(carriers, word, columns=columns):
                    continue
                stage = Stage(
                    rng,
                    context.vocabulary,
                    context.world,
                    difficulty=_dials(context, carriers),
                    carriers=carriers,
                    columns=columns,
                )
                try:
                    hidden = _hidden(context, rng, stage, carriers, word)
                    dna = _bound(context, stage)
                    _add_decoys(context, rng, stage)
                    observed = observe(stage)
                except UnfillableError:
                    continue
                return {"dna": dna, "factors": stage.factors, "observe": observed, "hidden": hidden}
        dna = context.sections["dna"]
        raise DraftError(f"no rule and observe word fit a {dna['task']} task of {dna['modality']}")


def _bound(context: DraftContext, stage: Stage) -> dict[str, Any]:
    """The parts of the DNA that name factors: those of the metric, and that of the split."""
    dna = context.sections["dna"]
    found: dict[str, Any] = {}
    metric = dna["metric"]
    use = dict(metric) if isinstance(metric, Mapping) else {"kind": metric}
    open_slots = [
        slot
        for slot in factor_slots(context.vocabulary.word("metrics", use["kind"]))
        if slot.required and slot.name not in use
    ]
    if open_slots:
        found["metric"] = use | {slot.name: stage.outside(slot) for slot in open_slots}
    if "split" in dna:
        kind = dna["split"]["kind"]
        found["split"] = {"kind": kind, "by": stage.known_or_drawn(_SPLIT_BY[kind])}
    elif context.vocabulary.word("tasks", context.seed.task).traits["FAMILY"] == "ranking":
        # What is ranked within groups is ranked within new ones.
        groups = [name for name in stage.factors if stage.factors[name]["kind"] == "group"]
        if groups:
            found["split"] = {"kind": "group", "by": groups[0]}
    return found


def _dials(context: DraftContext, carriers: Sequence[Carrier]) -> float:
    """How far to turn the dials for the difficulty that is wanted, given what makes it hard
    already: reading a picture, readings or a text, and metrics that judge single decisions. A
    repair may turn them farther.
    """
    wanted = float(context.sections["dna"]["difficulty"])
    if severity(context) > 0:
        wanted = max(0.0, wanted - _STRICT)
    if carriers:
        is_read = {"number", "distribution"} & set(context.task.yields)
        wanted *= _CARRIED if is_read else _AS_IT_IS
    return min(1.0, wanted + context.turned.get("rule", 0.0))


def _rules(
    context: DraftContext, rng: np.random.Generator, carriers: Sequence[Carrier]
) -> list[Word]:
    """The rules that fit the task, in random order.

    First come those that look at what a carrier shows and nothing else does, then those that look
    at any carrier and leave it readable, and for a task that looks ahead at time. Of a
    kind of task that takes both, rules that yield what it names first stand before others; scores
    are cut into classes nevertheless where columns show them.
    """
    task = context.task
    words = [
        word
        for word in context.vocabulary.folder("hidden").values()
        if word.traits["YIELDS"] in task.yields
        and context.seed.task in word.traits.get("TASKS", (context.seed.task,))
        and word.traits.get("DRAFTED", True)
        and not has_definition(word, "formula")
        # What the metric asks of the true values.
        and word.traits.get("RANGE") == context.metric_trait("TRUTH")
    ]
    words = shuffled(rng, words)
    kinds = _SPLIT_BY.get(task.split or "", ())
    words.sort(key=lambda word: not _looks_at(word, kinds))
    words.sort(key=lambda word: bool(carriers) and factors_read(word) > _FACTORS_READ)
    words.sort(key=lambda word: bool(carriers) and not (reads(carriers, word) or _nests(word)))
    alone = {kind for carrier in carriers for kind in carrier.shows_alone()}
    words.sort(key=lambda word: not alone & {slot.type for slot in factor_slots(word)})
    first = [word for word in words if word.traits["YIELDS"] == task.yields[0]]
    if task.yields[0] == "number":
        return first
    others = [word for word in words if word not in first]
    cuts = context.seed.modality == "tabular" and rng.random() < _SCORES_CUT
    return others + first if cuts else first + others


def _nests(word: Word) -> bool:
    return has_definition(word, "rule")


def _looks_at(word: Word, kinds: Sequence[str]) -> bool:
    return any(set(kinds) & set(slot.suits) for slot in factor_slots(word))


def _hidden(
    context: DraftContext,
    rng: np.random.Generator,
    stage: Stage,
    carriers: Sequence[Carrier],
    word: Word,
) -> dict[str, Any]:
    """The target or targets. `word` is the first one's rule; others get rules of their own."""
    dna, seed, task = context.sections["dna"], context.seed, context.task
    entry = pick(rng, context.questions)
    if task.several:
        count = min(targets_of(seed, task), len(entry["names"]))
        others = [rule for rule in _rules(context, rng, carriers) if rule is not word]
        words = [
            word,
            *(rule for rule in others if meets(carriers, rule, columns=stage.columns)),
        ] * count
        targets: dict[str, Any] = {}
        for name, target in zip(entry["names"][:count], seed.targets, strict=False):
            taken = [one["rule"] for one in targets.values()]
            targets[name] = {"rule": _first_that_fits(stage, words, taken)}
            if task.classes is not None:
                quantile = round(1 - float(np.clip(min(target.shares or (0.5,)), 0.2, 0.5)), 2)
                targets[name]["cut"] = {"quantile": quantile}
        return {"targets": targets}
    classes = dna.get("classes", 2)
    hidden: dict[str, Any] = {"target": entry["name"]}
    hidden["rule"] = stage.rule(word, _class_offers(word, classes))
    if task.classes is not None and word.traits["YIELDS"] == "number":
        hidden["cut"] = _cut(context, classes)
    if task.classes is not None and "labels" in entry:
        hidden["labels"] = list(entry["labels"][: _classes_of(word, hidden["rule"], classes)])
    return hidden


def _first_that_fits(
    stage: Stage, words: list[Word], taken: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """A use of the first of the rules whose factors the stage has, other than those taken.

    It and those before it are gone from `words`. Raises UnfillableError where none is left.
    """
    while words:
        with contextlib.suppress(UnfillableError):
            use = stage.rule(words.pop(0))
            if use not in taken:
                return use
    raise UnfillableError("the stage has no room for another rule")


def _class_offers(word: Word, classes: int) -> dict[str, Any] | None:
    """The parameter that says how many classes a rule yields, set to that number."""
    parameter = word.traits.get("CLASSES")
    if parameter is None:
        return None
    items = word.parameters[parameter].get("items")
    if items is None:
        return {parameter: classes}
    # A list of plain data, such as kinds of objects, says for itself how many there may be.
    return {parameter: [None] * classes} if holds_reference(items) else None


def _classes_of(word: Word, use: Mapping[str, Any], classes: int) -> int:
    """How many classes a use of a rule yields."""
    counted = use.get(word.traits.get("CLASSES", ""), classes)
    return counted if isinstance(counted, int) else len(counted)


def _cut(context: DraftContext, classes: int) -> dict[str, Any]:
    """Where a score is cut so that the classes are as frequent as in the seed."""
    dna = context.sections["dna"]
    if "prevalence" in dna:
        return {"quantile": round(1 - dna["prevalence"], 2)}
    edges = np.cumsum(shares_of(context.seed, classes))[:-1]
    return {"quantiles": [round(float(edge), 2) for edge in edges]}


def _add_decoys(context: DraftContext, rng: np.random.Generator, stage: Stage) -> None:
    """Columns that no rule looks at, of the kinds and as many as the seed has, within bounds."""
    if not stage.columns:
        return
    columns = context.seed.columns
    wanted = int(np.clip(len(columns), *_COLUMNS)) - len(stage.shown_by_column)
    correlation = context.seed.correlation.mean if context.seed.correlation else 0.0
    for column in shuffled(rng, (*columns, *columns))[: max(0, wanted)]:
        resembling = stage.unused(_resembling(context, column))
        left = resembling or stage.unused(context.world.numbers)
        if left:
            measure = _closest(left, column) if column.kind == "category" else left[0]
            stage.add_column(measure, leaning=rng.random() < correlation)


def _resembling(context: DraftContext, column: Column) -> tuple[Measure, ...]:
    """The measures of the domain that are of a column's kind and shape."""
    world = context.world
    if column.kind == "category":
        return world.flags if column.cardinality == 2 else world.categories
    if column.kind == "date":
        return world.moments
    if column.whole:
        return world.whole
    skewed = abs(column.skewness or 0.0) >= _SKEWED
    return tuple(measure for measure in world.numbers if ("mean" in measure.factor) != skewed)


def _closest(measures: list[Measure], column: Column) -> Measure:
    """The category whose number of levels is nearest to a column's."""
    return min(measures, key=lambda measure: abs(levels_of(measure) - (column.cardinality or 2)))
