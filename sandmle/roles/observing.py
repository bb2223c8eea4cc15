"""What shows the factors of a stage: carriers, and columns for the rest."""

from __future__ import annotations

import re
from typing import Any

from sandmle.roles.chance import shuffled
from sandmle.roles.channels import PLAIN_TYPES
from sandmle.roles.filling import Filler, Slot, factor_slots, plain_filler
from sandmle.roles.showing import carrier_use, code_use, code_words, column_use
from sandmle.roles.stage import Stage

#: How often categories are joined into one column of codes, and how many at the most.
_CODES, _PARTS = 0.15, 3


def observe(stage: Stage) -> list[dict[str, Any]]:
    """The observe words: the carriers, if there are any, and a column each for the rest.

    Factors that these need beside those of the rules come onto the stage.
    """
    filler = plain_filler(stage.rng, stage.difficulty)
    joined = _joined(stage)
    shown = [
        column_use(filler, stage.vocabulary, name, stage.factors[name]["kind"])
        for name in stage.shown_by_column
        if name not in joined
    ]
    if joined:
        name = re.sub("[^a-z0-9]+", "_", f"{stage.world.one.lower()}_code")
        shown.append(code_use(filler, stage.vocabulary, name, joined))
    # The order of columns must not tell which of them a rule asked for.
    shown = shuffled(stage.rng, shown)
    return [_carrier_use(stage, filler, place) for place in range(len(stage.carriers))] + shown


def _carrier_use(stage: Stage, filler: Filler, place: int) -> dict[str, Any]:
    carrier = stage.carriers[place]
    for slot in factor_slots(carrier.word, carrier.offers):
        if slot.required and (place, slot.path) not in stage.channels:
            elsewhere = _shown_elsewhere(stage, place, slot)
            if elsewhere is None:
                stage.bind(place, slot, slot.suits)
            else:
                stage.channels[place, slot.path] = elsewhere
    shown = {path: name for (at, path), name in stage.channels.items() if at == place}
    return carrier_use(filler, carrier.word, carrier.offers, shown)


def _shown_elsewhere(stage: Stage, place: int, slot: Slot) -> str | None:
    """What another carrier shows as it is, and this one can show too: a graph's edges and its
    nodes, a sequence and its items.
    """
    if slot.type in PLAIN_TYPES:
        return None
    for (at, _), name in stage.channels.items():
        use = stage.factors[name]
        if (
            at != place
            and stage.type_of(use) == slot.type
            and use["kind"] in (slot.suits or [use["kind"]])
        ):
            return name
    return None


def _joined(stage: Stage) -> list[str]:
    """The categories that one column of codes shows together, none where there is no such.

    A category that a rule looks at alone would be too plain to see in a column of its own.
    """
    listed = {measure.name for measure in stage.world.categories}
    shown = [name for name in stage.shown_by_column if name in listed]
    alone = [name for name in stage.alone if name in shown]
    if not code_words(stage.vocabulary) or not (alone or stage.rng.random() < _CODES):
        return []
    others = [name for name in shuffled(stage.rng, shown) if name not in alone]
    if alone:
        left = stage.unused(stage.world.categories)[: max(0, _PARTS - len(shown))]
        others += [stage.draw(measure) for measure in left]
    joined = [*alone, *others][:_PARTS]
    return shuffled(stage.rng, joined) if len(joined) > 1 else []
