"""The Technical Writer's part: title, story and the meaning of the columns.

It sees neither rule nor noise, so it cannot give them away.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandmle.roles.carriers import is_plain
from sandmle.roles.prompted.examples import Example
from sandmle.roles.prompted.offers import Offer
from sandmle.roles.prompted.part import Part, form, mapping, present
from sandmle.roles.prompted.schemas import answer_schema, section, with_words
from sandmle.roles.role import DraftContext, Sections
from sandmle.spec.model import WordUse
from sandmle.spec.references import slots
from sandmle.spec.skeleton import Schema
from sandmle.vocabulary import Vocabulary, load_vocabulary


def seen(data: Mapping[str, Any], vocabulary: Vocabulary) -> dict[str, Any]:
    """What of a spec's sections may be told: the target, and what a solver sees."""
    hidden, dna = data["hidden"], data["dna"]
    target = {"name": hidden["target"]} if "target" in hidden else {"names": [*hidden["targets"]]}
    if "labels" in hidden:
        target["labels"] = hidden["labels"]
    metric = dna["metric"]
    return {
        "domain": dict(data["domain"]),
        "task": dna["task"],
        "metric": metric["kind"] if isinstance(metric, Mapping) else metric,
        "train": dna["train"],
        "target": target,
        "shown": [_shown(use, vocabulary) for use in data["observe"]],
    }


def _shown(use: Mapping[str, Any], vocabulary: Vocabulary) -> dict[str, Any]:
    """What an observe word shows, without how it does so."""
    word = vocabulary.word("observe", use["kind"])
    given = WordUse(use["kind"], {k: v for k, v in use.items() if k != "kind"}, ())
    found = list(slots(given, word))
    plain = is_plain(word)
    return present(
        {
            "what": None if plain else word.summary,
            "file": use.get("file"),
            "columns": [slot.value for slot in found if slot.definitions == ("name",)],
            "of": [slot.value for slot in found if slot.is_factor] if plain else None,
        }
    )


def _facts(context: DraftContext, bound: bool) -> Mapping[str, Any]:
    return seen(context.sections, context.vocabulary)


def _example(data: Mapping[str, Any]) -> Example:
    return Example(seen(data, load_vocabulary()), {"narrative": data["narrative"]})


def _offer(context: DraftContext, used: frozenset[str]) -> Offer:
    return {}


def _schema(context: DraftContext, offer: Offer, bound: bool) -> Schema:
    narrative = section(context.vocabulary, "narrative")
    schema = answer_schema({"narrative": narrative}, ("narrative",))
    return with_words(schema, context.vocabulary, offer)


def _merge(context: DraftContext, answer: Mapping[str, Any], bound: bool) -> Sections:
    return {"narrative": answer["narrative"]}


WRITER = Part(
    key="writer",
    form=form({"narrative": mapping("title", "story", "columns", required=("title", "story"))}),
    facts=_facts,
    example=_example,
    offer=_offer,
    schema=_schema,
    merge=_merge,
)
