"""The Data Strategist's part: a new domain, sizes and difficulty, and the noise.

What must stay as in the seed is not asked for: modality, task, classes, split and test rows are
those of the seed, as in sandmle.roles.strategist.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandmle.roles.prompted.examples import Example
from sandmle.roles.prompted.offers import Offer, noise_offer
from sandmle.roles.prompted.part import Part, form, mapping
from sandmle.roles.prompted.schemas import answer_schema, section, with_words
from sandmle.roles.prompted.seed_facts import data_facts, task_facts
from sandmle.roles.role import DraftContext, Sections
from sandmle.roles.scale import classes_of, test_rows
from sandmle.spec.skeleton import Schema

_CHOSEN = ("train", "difficulty", "prevalence")


def _facts(context: DraftContext, bound: bool) -> Mapping[str, Any]:
    seed = context.seed
    worlds = {
        name: {"entity": world.one, "asks": [one["title"] for one in world.targets[seed.task]]}
        for name, world in context.worlds.items()
        if seed.task in world.targets
    } or {name: {"entity": world.one} for name, world in context.worlds.items()}
    scored = {key: context.sections["dna"][key] for key in ("metric",)}
    return {"seed": {**task_facts(seed), **data_facts(seed)}, "dna": scored, "domains": worlds}


def _example(data: Mapping[str, Any]) -> Example:
    dna = data["dna"]
    wrote = {
        "dna": {name: dna[name] for name in _CHOSEN if name in dna},
        "domain": data["domain"],
        "noise": data.get("noise", []),
    }
    given = {name: dna[name] for name in ("modality", "task", "metric")}
    return Example({"dna": given}, wrote)


def _is_two_classes(context: DraftContext) -> bool:
    return context.task.classes == (2, 2) and not context.task.several


def _schema(context: DraftContext, offer: Offer, bound: bool) -> Schema:
    vocabulary = context.vocabulary
    chosen = [name for name in _CHOSEN if name != "prevalence" or _is_two_classes(context)]
    domain = section(vocabulary, "domain")
    names = {"enum": sorted(_facts(context, bound)["domains"])}
    domain["properties"] = {**domain["properties"], "name": names}
    sections = {
        "dna": {
            "type": "object",
            "properties": {name: section(vocabulary, "dna", name) for name in chosen},
            "required": chosen,
            "additionalProperties": False,
        },
        "domain": domain,
        "noise": section(vocabulary, "noise"),
    }
    schema = answer_schema(sections, ("dna", "domain", "noise"))
    return with_words(schema, vocabulary, offer, factors=False)


def _merge(context: DraftContext, answer: Mapping[str, Any], bound: bool) -> Sections:
    seed, task = context.seed, context.task
    dna = {"modality": seed.modality, "task": seed.task, **answer["dna"]}
    dna["test"] = test_rows(seed, task)
    classes = classes_of(seed, task)
    if classes is not None:
        dna["classes"] = classes
    split = task.split or (seed.split.kind if seed.split else None)
    if split is not None:
        dna["split"] = {"kind": split}
    domain = dict(answer["domain"])
    world = context.worlds.get(str(domain.get("name")))
    if bound and world is not None:
        domain["entity"] = world.one
    return {
        "seed": seed.name,
        "random_seed": int(context.stream("strategist").integers(1, 100_000)),
        "dna": dna,
        "domain": domain,
        "noise": answer["noise"],
    }


STRATEGIST = Part(
    key="strategist",
    form=form(
        {
            "dna": mapping(*_CHOSEN, required=("train", "difficulty")),
            "domain": {"type": "object"},
            "noise": {"type": "array"},
        }
    ),
    facts=_facts,
    example=_example,
    offer=noise_offer,
    schema=_schema,
    merge=_merge,
)
