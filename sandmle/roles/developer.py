"""The MLE Developer: what is drawn, what shows it, and the rule that is to be found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from sandmle.roles.chance import pick, shuffled
from sandmle.roles.filling import UnfillableError, factor_slots, has_definition
from sandmle.roles.operations import severity
from sandmle.roles.role import DraftContext, DraftError, Sections
from sandmle.roles.stage import Stage
from sandmle.roles.world import Measure, levels_of
from sandmle.seeds.model import Column, Seed
from sandmle.vocabulary import Word

#: Columns of a drafted table: few enough to find the right ones among, at 200 rows.
_COLUMNS = (12, 16)

#: How often a table comes with a second one.
_SECOND_TABLE = 0.25

#: What a metric of labels takes off the dials, and the share that a carrier leaves of them.
_STRICT, _CARRIED = 0.25, 0.05

#: How often the classes of a task come from cutting a score, which gives them an order.
_SCORES_CUT = 0.85

#: Skewness from which a number column counts as skewed.
_SKEWED = 0.9

_IMAGE_SIDE = (32, 48)
_SERIES_LENGTH = (96, 128)
_WORDS = (70, 100)


class Developer:
    """Draws a rule that fits the task, the factors that it takes, and decoys beside them."""

    name = "MLE Developer"
    owns = ("factors", "observe", "hidden")

    def write(self, context: DraftContext) -> Sections:
        """The sections above. Raises DraftError where no rule of the vocabulary fits."""
        rng = context.stream("developer")
        for carrier in _carriers(context, rng):
            for word in _rules(context, rng):
                if carrier is not None and not _meets(carrier, word):
                    continue
                stage = _stage(context, rng, carrier)
                try:
                    hidden = _hidden(context, rng, stage, word)
                    _add_decoys(context, rng, stage)
                    observe = stage.observe()
                except UnfillableError:
                    continue
                return {"factors": stage.factors, "observe": observe, "hidden": hidden}
        dna = context.sections["dna"]
        raise DraftError(f"no rule and observe word fit a {dna['task']} task of {dna['modality']}")


def _stage(context: DraftContext, rng: np.random.Generator, carrier: Word | None) -> Stage:
    modality = context.sections["dna"]["modality"]
    offers: dict[str, Any] = {}
    if carrier is not None:
        shows = context.world.shows[_carrier_kind(carrier)]
        offers = {name: value for name, value in shows.items() if name != "says"}
        offers |= _measures_of(context.seed)
    return Stage(
        rng,
        context.vocabulary,
        context.world,
        difficulty=_dials(context, carrier),
        carrier=carrier,
        offers=offers,
        columns=modality in ("tabular", "mixed"),
    )


def _dials(context: DraftContext, carrier: Word | None) -> float:
    """How far to turn the dials for the difficulty that is wanted, given what makes it hard
    already: reading a picture, readings or a text, and metrics that judge single decisions.
    """
    wanted = float(context.sections["dna"]["difficulty"])
    if severity(context) > 0:
        wanted = max(0.0, wanted - _STRICT)
    return wanted * (_CARRIED if carrier is not None else 1.0)


def _carrier_kind(carrier: Word) -> str:
    modality = str(carrier.traits["MODALITY"])
    return "rows" if modality == "tabular" else modality


def _measures_of(seed: Seed) -> dict[str, Any]:
    """What the DNA says of pictures, readings and documents, as parameters of words."""
    found: dict[str, Any] = {}
    lengths = [column.length for column in seed.columns if column.length]
    words = [column.words for column in seed.columns if column.words]
    for files in seed.files:
        if files.width and files.height:
            sides = np.clip((files.width, files.height), *_IMAGE_SIDE)
            found["size"] = [int(side) for side in sides]
        lengths += [files.length] if files.length else []
        words += [files.words] if files.words else []
    if lengths:
        found["background"] = {"length": int(np.clip(lengths[0], *_SERIES_LENGTH))}
    if words:
        found["background"] = {"length": int(np.clip(max(words), *_WORDS))}
    return found


def _carriers(context: DraftContext, rng: np.random.Generator) -> list[Word | None]:
    """The observe words that could show several factors at once, in random order."""
    modality = context.sections["dna"]["modality"]
    kinds = ("image", "series", "text") if modality == "mixed" else (modality,)
    words = [
        word
        for word in context.vocabulary.folder("observe").values()
        if word.traits["MODALITY"] in kinds and _is_carrier(word)
    ]
    order: list[Word | None] = shuffled(rng, words)
    if modality == "tabular":
        order.insert(0 if rng.random() > _SECOND_TABLE else len(order), None)
    return order


def _is_carrier(word: Word) -> bool:
    """Whether a word shows factors other than by plain columns, and says how to draw any."""
    is_plain = word.traits["WRITES"] == "columns" and word.traits["MODALITY"] == "tabular"
    return not is_plain and any(slot.suits for slot in factor_slots(word))


def _meets(carrier: Word, rule: Word) -> bool:
    """Whether the carrier can show what the rule looks at: categories beside it are out of reach
    for what it shows of numbers.
    """
    types = {slot.type for slot in factor_slots(carrier) if slot.suits}
    return all(slot.type in types for slot in factor_slots(rule) if slot.type == "category")


def _rules(context: DraftContext, rng: np.random.Generator) -> list[Word]:
    """The rules that fit the task, in random order; for classes mostly those that yield classes."""
    modality, task = (context.sections["dna"][name] for name in ("modality", "task"))
    words = [
        word
        for word in context.vocabulary.folder("hidden").values()
        if word.traits.get("DRAFTED", True) and not has_definition(word, "formula")
    ]
    words = shuffled(rng, words)
    numbers = [word for word in words if word.traits["YIELDS"] == "number"]
    if task != "multiclass":
        return numbers
    categories = [word for word in words if word.traits["YIELDS"] == "category"]
    cuts = modality == "tabular" and rng.random() < _SCORES_CUT
    return numbers + categories if cuts else categories + numbers


def _hidden(
    context: DraftContext, rng: np.random.Generator, stage: Stage, word: Word
) -> dict[str, Any]:
    """The target or targets. `word` is the first one's rule; others get rules of their own."""
    dna, seed = context.sections["dna"], context.seed
    asked = context.world.targets[seed.task]
    entry = pick(rng, asked)
    if seed.task == "multilabel":
        count = min(len(seed.targets), len(entry["names"]))
        words = [word, *(rule for rule in _rules(context, rng) if rule is not word)][:count]
        targets = {}
        for name, rule, target in zip(entry["names"], words, seed.targets, strict=False):
            quantile = round(1 - float(np.clip(min(target.shares or (0.5,)), 0.2, 0.5)), 2)
            targets[name] = {"rule": stage.rule(rule), "cut": {"quantile": quantile}}
        return {"targets": targets}
    classes = dna.get("classes", 2)
    hidden: dict[str, Any] = {"target": entry["name"]}
    hidden["rule"] = stage.rule(word, _class_offers(word, classes))
    if seed.task != "regression" and word.traits["YIELDS"] == "number":
        hidden["cut"] = _cut(dna, seed)
    if "labels" in entry:
        hidden["labels"] = entry["labels"][:classes]
    return hidden


def _class_offers(word: Word, classes: int) -> dict[str, Any] | None:
    """The parameter that says how many classes a rule yields, set to that number."""
    parameter = word.traits.get("CLASSES")
    if parameter is None:
        return None
    is_list = "items" in word.parameters[parameter]
    return {parameter: [None] * classes if is_list else classes}


def _cut(dna: Mapping[str, Any], seed: Seed) -> dict[str, Any]:
    """Where a score is cut so that the classes are as frequent as in the seed."""
    if "prevalence" in dna:
        return {"quantile": round(1 - dna["prevalence"], 2)}
    shares = np.array((seed.targets[0].shares or ())[: dna["classes"]])
    edges = np.cumsum(shares / shares.sum())[:-1]
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
