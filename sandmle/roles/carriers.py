"""Which observe words may show a draft's factors together: its pictures, readings, texts, ..."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from sandmle.roles.chance import shuffled
from sandmle.roles.channels import Carrier, common_kinds, once_more
from sandmle.roles.filling import factor_slots
from sandmle.roles.operations import asks_for_precision
from sandmle.roles.role import DraftContext
from sandmle.roles.scale import measures_of, roomiest
from sandmle.roles.world import World
from sandmle.seeds.model import Seed
from sandmle.vocabulary import Word, modalities

#: How often a table comes with a second one.
_SECOND_TABLE = 0.25

#: How often what careful models read exactly comes first though the metric doesn't ask for it.
_EXACT = 0.75

#: The modality that shows what seeds call otherwise; files of other kinds are called as theirs.
_SHOWN_BY = {"document": "text", "table": "tabular"}


def carrier_sets(context: DraftContext, rng: np.random.Generator) -> Iterator[tuple[Carrier, ...]]:
    """The carriers that a draft may have, in random order: mostly none for a table, for a mixed
    task two of different modalities where the seed shows so many. Those that words want beside
    them follow.
    """
    seed = context.seed
    kinds = shown_by(seed) or modalities(context.vocabulary)
    observe = context.vocabulary.folder("observe")
    beside = {name for word in observe.values() for name in word.traits.get("BESIDE", ())}
    words = [
        word
        for word in shuffled(rng, list(observe.values()))
        if word.traits["MODALITY"] in kinds and word.name not in beside and _is_carrier(word)
        if seed.task in word.traits.get("TASKS", (seed.task,))
    ]
    if asks_for_precision(context) or rng.random() < _EXACT:
        words.sort(key=lambda word: not word.traits.get("EXACT", False))
    # Several files a sample are shown by words that write several.
    several = any(files.count and files.count > 1 for files in seed.files)
    words.sort(key=lambda word: word.traits.get("SEVERAL", False) != several)
    sets: list[tuple[Word, ...]] = [(word,) for word in words]
    if seed.modality == "tabular":
        sets.insert(0 if rng.random() > _SECOND_TABLE else len(sets), ())
    if seed.modality == "mixed":
        pairs = itertools.combinations(words, 2)
        sets = [
            pair for pair in pairs if len({word.traits["MODALITY"] for word in pair}) > 1
        ] + sets
    task = context.vocabulary.word("tasks", seed.task)
    for chosen in sets:
        others = [observe[name] for word in chosen for name in word.traits.get("BESIDE", ())]
        carriers = [_carrier(context, word) for word in (*chosen, *others)]
        for _ in range(task.traits.get("SIDES", 1) - 1):
            carriers += [
                once_more(one, len(carriers))
                for one in carriers
                if one.word.traits["WRITES"] == "columns"
            ]
        yield tuple(carriers)


def shown_by(seed: Seed) -> list[str]:
    """The modalities of the observe words that may carry a draft: those of the seed's files and
    texts where it mixes several, none where it has neither, else its own.
    """
    if seed.modality != "mixed":
        return [seed.modality]
    kinds = [_SHOWN_BY.get(files.kind, files.kind) for files in seed.files]
    kinds += [column.kind for column in seed.columns if column.kind in ("text", "series")]
    return roomiest(kinds)


def meets(carriers: Sequence[Carrier], rule: Word, *, columns: bool) -> bool:
    """Whether carriers, and `columns` beside them, can show what the rule must look at.

    Categories are out of reach beside carriers that show numbers; what is shown as it is must be
    shown by one of the carriers.
    """
    channels = [slot for carrier in carriers for slot in carrier.channels()]
    types = {channel.type for channel in channels}
    for slot in factor_slots(rule):
        if slot.type == "number":
            met = columns or "number" in types
        elif slot.type == "category":
            met = not carriers or "category" in types
        else:
            met = slot.type == "factor" or any(
                common_kinds(slot, channel) is not None for channel in channels
            )
        if slot.required and not met:
            return False
    return True


def reads(carriers: Sequence[Carrier], rule: Word) -> bool:
    """Whether a rule itself looks at what carriers show, and at no special column beside them."""
    channels = [slot for carrier in carriers for slot in carrier.channels()]
    needed = [slot for slot in factor_slots(rule) if slot.required]
    shown = [
        any(common_kinds(slot, channel) is not None for channel in channels) for slot in needed
    ]
    return any(shown) and all(met for slot, met in zip(needed, shown, strict=True) if slot.suits)


def is_plain(word: Word) -> bool:
    """Whether a word writes plain columns of the main table."""
    return (word.traits["WRITES"], word.traits["MODALITY"]) == ("columns", "tabular")


def phrases(world: World, word: Word) -> dict[str, Any]:
    """What the domain says of a carrier: the parameters that it gives, `says`, `means`, `file`.

    A word that shows what domains have no phrase for gives FILE and SAYS itself, and in MEANS what
    its columns mean where the domain does not say.
    """
    modality = str(word.traits["MODALITY"])
    found: dict[str, Any] = {"says": "what was recorded of it", "means": {}}
    found |= world.shows.get("rows" if modality == "tabular" else modality, {})
    found["means"] = {**word.traits.get("MEANS", {}), **found["means"]}
    for trait, name in (("SAYS", "says"), ("FILE", "file")):
        if trait in word.traits:
            found[name] = word.traits[trait]
    if word.traits["WRITES"] == "files":
        found.setdefault("file", f"{word.name}/{{id}}")
    elif word.traits["WRITES"] != "columns":
        found.setdefault("file", f"{word.name}.csv")
    if word.traits.get("SEVERAL"):
        found["file"] = found["file"].replace("{id}", "{id}_{n}")
    return found


def _carrier(context: DraftContext, word: Word) -> Carrier:
    offers = {**phrases(context.world, word), **measures_of(context.seed, context.task)}
    del offers["says"], offers["means"]
    return Carrier(word, offers)


def _is_carrier(word: Word) -> bool:
    """Whether a word shows factors other than by plain columns, and says how to draw any."""
    drafted = word.traits.get("DRAFTED", True) and not is_plain(word)
    return drafted and bool(Carrier(word, {}).channels())
