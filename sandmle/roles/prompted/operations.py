"""The MLOps Engineer's part: the metric, and what is submitted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandmle.roles.prompted.examples import Example
from sandmle.roles.prompted.offers import Offer, scoring_offer
from sandmle.roles.prompted.part import Part, form, mapping
from sandmle.roles.prompted.schemas import answer_schema, factor_parameters, with_words
from sandmle.roles.prompted.seed_facts import task_facts
from sandmle.roles.role import DraftContext, Sections
from sandmle.spec.skeleton import Schema
from sandmle.vocabulary import Vocabulary, load_vocabulary


def metric_factors(metric: Any, vocabulary: Vocabulary) -> tuple[str, ...]:
    """The parameters of a metric, as a spec writes it, that name factors."""
    kind = metric.get("kind") if isinstance(metric, Mapping) else metric
    word = vocabulary.folder("metrics").get(kind) if isinstance(kind, str) else None
    return tuple(sorted(factor_parameters(word))) if word else ()


def _facts(context: DraftContext, bound: bool) -> Mapping[str, Any]:
    return task_facts(context.seed)


def _example(data: Mapping[str, Any]) -> Example:
    dna = data["dna"]
    metric = dna["metric"]
    if isinstance(metric, Mapping):
        factors = metric_factors(metric, load_vocabulary())
        metric = {name: value for name, value in metric.items() if name not in factors}
    wrote = {"metric": metric}
    if "submission" in dna:
        wrote["submission"] = dna["submission"]
    return Example({"modality": dna["modality"], "task": dna["task"]}, {"dna": wrote})


def _schema(context: DraftContext, offer: Offer, bound: bool) -> Schema:
    sections = {
        "dna": {
            "type": "object",
            "properties": {
                "metric": {"$ref": "#/$defs/metric"},
                "submission": {"$ref": "#/$defs/submission"},
            },
            "required": ["metric"],
            "additionalProperties": False,
        }
    }
    schema = answer_schema(sections, ("dna",))
    return with_words(schema, context.vocabulary, offer, factors=False)


def _merge(context: DraftContext, answer: Mapping[str, Any], bound: bool) -> Sections:
    dna = dict(answer["dna"])
    if isinstance(dna["metric"], str) and metric_factors(dna["metric"], context.vocabulary):
        dna["metric"] = {"kind": dna["metric"]}  # which factors, the Developer adds
    return {"dna": dna}


OPERATIONS = Part(
    key="operations",
    form=form({"dna": mapping("metric", "submission", required=("metric",))}),
    facts=_facts,
    example=_example,
    offer=scoring_offer,
    schema=_schema,
    merge=_merge,
)
