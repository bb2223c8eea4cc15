"""The MLE Developer's part: what is drawn, what shows it, and the rule that is to be found.

It names the factors that the metric looks at and that rows are split by, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandmle.roles.prompted.examples import Example
from sandmle.roles.prompted.offers import Offer, making_offer
from sandmle.roles.prompted.operations import metric_factors
from sandmle.roles.prompted.part import Part, form, mapping, present
from sandmle.roles.prompted.schemas import (
    answer_schema,
    hidden_section,
    section,
    with_words,
)
from sandmle.roles.prompted.seed_facts import data_facts
from sandmle.roles.role import DraftContext, Sections
from sandmle.roles.scale import measures_of, shares_of, targets_of
from sandmle.roles.world import Measure
from sandmle.spec.skeleton import Schema
from sandmle.vocabulary import Vocabulary, load_vocabulary

#: Measures of a domain that are told as suggestions.
_MEASURES_TOLD = 8


def _facts(context: DraftContext, bound: bool) -> Mapping[str, Any]:
    dna = context.sections["dna"]
    facts: dict[str, Any] = {
        "dna": dict(dna),
        "domain": dict(context.sections["domain"]),
        "seed": {
            **data_facts(context.seed),
            **present({"sizes_for_words": measures_of(context.seed, context.task)}),
        },
        "targets": targets_of(context.seed, context.task),
    }
    if "classes" in dna:
        facts["class_shares"] = [
            round(share, 2) for share in shares_of(context.seed, dna["classes"])
        ]
    world = context.worlds.get(context.sections["domain"]["name"])
    if world is not None:
        facts["measures"] = _measures(context, (*world.numbers, *world.categories))
        if bound:
            facts["questions"] = [dict(one) for one in context.questions]
    return facts


def _measures(context: DraftContext, measures: tuple[Measure, ...]) -> dict[str, Any]:
    """Some of what may be known of an entity, each with the factor that draws it."""
    order = context.stream("measures").permutation(len(measures))[:_MEASURES_TOLD]
    return {
        measures[place].name: {"says": measures[place].says, "factor": dict(measures[place].factor)}
        for place in sorted(order)
    }


def _example(data: Mapping[str, Any]) -> Example:
    dna = {name: value for name, value in data["dna"].items() if name != "split"}
    wrote = {name: data[name] for name in ("factors", "observe", "hidden")}
    bound: dict[str, Any] = {}
    split = data["dna"].get("split")
    if split:
        dna["split"] = {"kind": split["kind"]}
        bound["split"] = {name: split[name] for name in ("by",) if name in split}
    metric = dna["metric"]
    if isinstance(metric, Mapping):
        named = set(metric_factors(metric, load_vocabulary())) & set(metric)
        dna["metric"] = {name: value for name, value in metric.items() if name not in named}
        if named:
            bound["metric"] = {name: metric[name] for name in sorted(named)}
    bound = present(bound)
    return Example(
        {"dna": dna, "domain": data["domain"]}, wrote | ({"dna": bound} if bound else {})
    )


def _schema(context: DraftContext, offer: Offer, bound: bool) -> Schema:
    vocabulary, dna = context.vocabulary, context.sections["dna"]
    sections: Schema = {name: section(vocabulary, name) for name in ("factors", "observe")}
    sections["hidden"] = hidden_section(vocabulary, several=context.task.several)
    if bound and context.sections["domain"]["name"] in context.worlds:
        sections["hidden"] = _with_known_targets(sections["hidden"], context)
    named = _named(dna, context.vocabulary)
    if named:
        sections["dna"] = {
            "type": "object",
            "properties": {
                key: {
                    "type": "object",
                    "properties": {name: {"$ref": "#/$defs/factor"} for name in names},
                    "required": list(names),
                    "additionalProperties": False,
                }
                for key, names in named.items()
            },
            "required": list(named),
            "additionalProperties": False,
        }
    return with_words(answer_schema(sections, tuple(sections)), vocabulary, offer)


def _named(dna: Mapping[str, Any], vocabulary: Vocabulary) -> dict[str, tuple[str, ...]]:
    """What of the DNA must name a factor yet, by key."""
    metric = dna["metric"]
    given = metric if isinstance(metric, Mapping) else {}
    open_ = tuple(name for name in metric_factors(metric, vocabulary) if name not in given)
    found = {"metric": open_} if open_ else {}
    if "split" in dna and "by" not in dna["split"]:
        found["split"] = ("by",)
    return found


def _with_known_targets(hidden: Schema, context: DraftContext) -> Schema:
    """The schema of `hidden` where the targets are those that the domain asks for."""
    properties = dict(hidden["properties"])
    if context.task.several:
        names = sorted({name for one in context.questions for name in one.get("names", ())})
        properties["targets"] = {**properties["targets"], "propertyNames": {"enum": names}}
    else:
        names = sorted({one["name"] for one in context.questions if "name" in one})
        properties["target"] = {"enum": names}
    return {**hidden, "properties": properties}


def _merge(context: DraftContext, answer: Mapping[str, Any], bound: bool) -> Sections:
    sections = {name: answer[name] for name in ("factors", "observe", "hidden")}
    dna, named = dict(context.sections["dna"]), answer.get("dna", {})
    owned = _named(dna, context.vocabulary)
    if "split" in named and "split" in owned:
        dna["split"] = {**dna["split"], **_only(named["split"], owned["split"])}
    if "metric" in named and "metric" in owned:
        metric = dna["metric"]
        use = metric if isinstance(metric, Mapping) else {"kind": metric}
        dna["metric"] = {**use, **_only(named["metric"], owned["metric"])}
    return {**sections, "dna": dna}


def _only(given: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if name in names}


DEVELOPER = Part(
    key="developer",
    form=form(
        {
            "factors": {"type": "object"},
            "observe": {"type": "array"},
            "hidden": {"type": "object"},
            "dna": {
                "type": "object",
                "properties": {"split": mapping("by"), "metric": {"type": "object"}},
                "additionalProperties": False,
            },
        },
        optional=("dna",),
    ),
    facts=_facts,
    example=_example,
    offer=making_offer,
    schema=_schema,
    merge=_merge,
)
