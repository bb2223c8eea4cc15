"""Which words of the vocabulary a role is offered: those that fit the task, a part of them by lot.

The lot keeps prompts short, and drafts of one seed from being all alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sandmle.roles.carriers import shown_by
from sandmle.roles.chance import shuffled
from sandmle.roles.filling import factor_slots, has_definition
from sandmle.roles.role import DraftContext
from sandmle.vocabulary import Word, modalities

#: Words by folder.
Offer = Mapping[str, tuple[Word, ...]]

#: Words of a folder at the most, beside those that the worked examples use: of factors, of a type.
_RULES, _OBSERVERS, _NOISES, _METRICS, _FACTORS = 14, 8, 12, 16, 10

#: Factor words that rows can be split by.
_SPLIT_BY = ("group", "panel_day", "timestamp")


def scoring_offer(context: DraftContext, used: Iterable[str]) -> Offer:
    """Metrics and submissions for the task, the seed's own among them."""
    task, seed = context.seed.task, context.seed
    found = {
        folder: [
            word
            for word in context.vocabulary.folder(folder).values()
            if task in word.traits["TASKS"]
        ]
        for folder in ("metrics", "submissions")
    }
    kept = {seed.metric.name, *kinds_in(seed.metric.parameters), *used}
    return {
        "metrics": _drawn(context, "metrics", found["metrics"], _METRICS, kept),
        "submissions": tuple(found["submissions"]),
    }


def noise_offer(context: DraftContext, used: Iterable[str]) -> Offer:
    """Noise on labels of the task and, beside columns, on what those show. Words that need a factor
    are left out, as factors are drawn later.
    """
    task, shown = context.seed.task, _shown_types(context)
    fitting = [
        word
        for word in context.vocabulary.folder("noise").values()
        if _fits_task(word, task)
        and (word.traits["DISTURBS"] == "labels" or shown & set(word.traits.get("TAKES", ())))
        and word.traits["DISTURBS"] != "factor"
        and not any(slot.required for slot in factor_slots(word))
        and not has_definition(word, "formula")
    ]
    return {"noise": _drawn(context, "noise", fitting, _NOISES, used)}


def making_offer(context: DraftContext, used: Iterable[str]) -> Offer:
    """Observe words of the seed's modality, rules that fit the task and can be told from what those
    show, and factor words of the types that both take.
    """
    used = frozenset(used)
    observers = _drawn(context, "observe", _observers(context), _OBSERVERS, used)
    shown = {slot.type for word in observers for slot in factor_slots(word)}
    if any(has_definition(word, "formula") for word in observers):
        shown.add("number")
    rules = [
        word
        for word in context.vocabulary.folder("hidden").values()
        if word.traits["YIELDS"] in context.task.yields
        and _fits_task(word, context.seed.task)
        and ("factor" in shown or {s.type for s in factor_slots(word) if s.required} <= shown)
    ]
    chosen = _drawn(context, "hidden", rules, _RULES, used)
    return {"factors": _factors(context, (*observers, *chosen), used), "observe": observers} | {
        "hidden": chosen
    }


def kinds_in(data: Any) -> Iterator[str]:
    """The words that a spec's sections name by `kind`, those of metrics by their bare name too."""
    if isinstance(data, Mapping):
        if isinstance(data.get("kind"), str):
            yield data["kind"]
        for key, value in data.items():
            if key in ("metric", "of") and isinstance(value, str):
                yield value
            yield from kinds_in(value)
    elif isinstance(data, Sequence) and not isinstance(data, str):
        for item in data:
            yield from kinds_in(item)


def _drawn(
    context: DraftContext, folder: str, words: Sequence[Word], most: int, used: Iterable[str]
) -> tuple[Word, ...]:
    """So many of the words by lot, and those among them that are used anyway; by name."""
    used = set(used)
    drawn = {word.name for word in shuffled(context.stream(f"offer.{folder}"), words)[:most]}
    chosen = [word for word in words if word.name in drawn | used]
    return tuple(sorted(chosen, key=lambda word: word.name))


def _fits_task(word: Word, task: str) -> bool:
    return task in word.traits.get("TASKS", (task,))


def _shown_types(context: DraftContext) -> set[str]:
    """The types of what the main table shows, as noise words name them in TAKES."""
    seed = context.seed
    if seed.modality == "text":
        return {"text"}
    kinds = {column.kind for column in seed.columns}
    return kinds & {"number", "category"} if seed.modality in ("tabular", "mixed") else set()


def _observers(context: DraftContext) -> list[Word]:
    """Observe words that show what the seed's samples show, and those that belong beside them."""
    seed = context.seed
    shown = set(shown_by(seed) or modalities(context.vocabulary))
    if seed.modality in ("tabular", "mixed"):
        shown.add("tabular")
    known = context.vocabulary.folder("observe")
    fitting = [
        word
        for word in known.values()
        if word.traits["MODALITY"] in shown and _fits_task(word, seed.task)
    ]
    beside = {name for word in fitting for name in word.traits.get("BESIDE", ())}
    return list({word.name: word for word in (*fitting, *(known[n] for n in beside))}.values())


def _factors(context: DraftContext, users: Sequence[Word], used: Iterable[str]) -> tuple[Word, ...]:
    """Factor words of the types that other words take, first those that they ask for by name."""
    slots = [slot for word in users for slot in factor_slots(word)]
    types = {slot.type for slot in slots}
    if any(has_definition(word, "formula") for word in users) or "factor" in types:
        types |= {"number", "category"}
    wanted = {name for slot in slots for name in slot.suits}
    if "split" in context.sections["dna"]:
        wanted |= set(_SPLIT_BY)
    folder = context.vocabulary.folder("factors")
    left: dict[str, list[Word]] = {}
    for word in shuffled(context.stream("offer.factors"), list(folder.values())):
        left.setdefault(str(word.traits["YIELDS"]), []).append(word)
    drawn = {word.name for kind in types for word in left.get(kind, ())[:_FACTORS]}
    known = {word.name for kind in types for word in left.get(kind, ())} & set(used)
    names = drawn | known | (wanted & set(folder))
    return tuple(folder[name] for name in sorted(names))
