"""Carriers, which show several factors at once, and the channels by which they do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sandmle.roles.filling import Slot, definition_of, factor_slots
from sandmle.vocabulary import Word

#: Types that columns show and carriers encode; all others are shown as what they are.
PLAIN_TYPES = ("number", "category", "factor")

#: Factors that a carrier shows in one list at the most.
_LISTED = 4

#: A carrier by its place on the stage, and the path to one of its slots.
Channel = tuple[int, tuple[str | int, ...]]


@dataclass(frozen=True)
class Carrier:
    """An observe word that shows several factors at once: a picture, readings, a text.

    `offers` are the parameters that it takes from the domain and from the DNA.
    """

    word: Word
    offers: Mapping[str, Any]

    def channels(self) -> list[Slot]:
        """The slots that drafts may fill: those that say how to draw what they show, and those
        that it must have to show it as it is, but for texts, which then are filler. Of a list
        that nothing offers, as many as it may have.
        """
        longest = {
            name: [None] * min(fragment.get("maxItems", _LISTED), _LISTED)
            for name, fragment in self.word.parameters.items()
            if isinstance(fragment.get("items"), Mapping)
        }
        slots = factor_slots(self.word, {**longest, **self.offers})
        encoded = (*PLAIN_TYPES, "text")
        return [
            slot for slot in slots if slot.suits or (slot.required and slot.type not in encoded)
        ]

    def shows_alone(self) -> set[str]:
        """The types that are shown as they are, where it shows nothing else."""
        types = {slot.type for slot in self.channels()}
        return set() if types & set(PLAIN_TYPES) else types


def once_more(carrier: Carrier, number: int) -> Carrier:
    """The same carrier with columns of another name."""
    renamed = {
        name: f"{carrier.offers.get(name, name)}_{number + 1}"
        for name, fragment in carrier.word.parameters.items()
        if definition_of(fragment) == "name"
    }
    return Carrier(carrier.word, {**carrier.offers, **renamed})


def common_kinds(slot: Slot, channel: Slot) -> Sequence[str] | None:
    """The factor words that suit a rule's slot and a carrier's channel, empty for any; None where
    no factor fits both.
    """
    if slot.type != channel.type and "factor" not in (slot.type, channel.type):
        return None
    if not slot.suits or not channel.suits:
        return slot.suits or channel.suits
    return tuple(kind for kind in channel.suits if kind in slot.suits) or None


def channel_name(channel: Slot) -> str:
    """mentions_1 for the first of several mentions, tone for tone.of, radius for radius, and the
    type for a plain `of`.
    """
    first, *rest = channel.path
    if first == "of":
        return channel.type
    return f"{first}_{rest[0] + 1}" if rest and isinstance(rest[0], int) else str(first)
