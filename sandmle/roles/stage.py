"""The stage of a draft: the factors that were drawn, and the observe words that show them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sandmle.roles.chance import pick, shuffled
from sandmle.roles.filling import Filler, Slot, UnfillableError, factor_slots, plain_filler
from sandmle.roles.showing import carrier_use, code_use, code_words, column_use
from sandmle.roles.world import Measure, World, levels_of
from sandmle.vocabulary import Vocabulary, Word

#: Factor words for what no measure of the domain stands for: hidden, so its scale is free.
_PLAIN = ("normal", "uniform")

#: How often categories are joined into one column of codes, and how many at the most.
_CODES, _PARTS = 0.15, 3

#: Share of a domain's categories, the fewest levels first, that the hardest rules look at: of the
#: others each level has too few rows.
_LEVELS_REACHED = 0.6

#: Levels of a category that a carrier shows: more could not be told apart.
_LEVELS_SHOWN = (3, 6)


class Stage:
    """Factors and what shows them, growing as rules ask for factors.

    `carrier` is an observe word that shows several factors at once (a picture, readings, a text),
    or None; `offers` are the parameters that it takes from the domain and from the DNA. Where
    `columns` is true, factors may also be shown by columns of their own.
    """

    def __init__(
        self,
        rng: np.random.Generator,
        vocabulary: Vocabulary,
        world: World,
        *,
        difficulty: float,
        carrier: Word | None,
        offers: Mapping[str, Any],
        columns: bool,
    ) -> None:
        self.rng = rng
        self.vocabulary = vocabulary
        self.world = world
        self.difficulty = difficulty
        self.carrier = carrier
        self.offers = offers
        self.columns = columns
        self.factors: dict[str, dict[str, Any]] = {}
        self.shown_by_column: list[str] = []
        self._channels: dict[tuple[str | int, ...], str] = {}
        self._uses: list[list[str]] = []
        self._alone: list[str] = []

    def rule(self, word: Word, offers: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """A use of a hidden rule, or of another word that takes factors.

        No factor stands in two slots of one word, and the rules nested in a rule differ. Raises
        UnfillableError where factors run out.
        """
        bound: list[str] = []
        self._uses.append(bound)
        nested: list[str] = []

        def inner(suits: Sequence[str]) -> dict[str, Any]:
            known = self.vocabulary.folder("hidden")
            fitting = [name for name in suits if name in known and name not in nested]
            if not fitting:
                raise UnfillableError(f"nothing says which rules suit {word.name}")
            nested.append(pick(self.rng, fitting))
            return self.rule(known[nested[-1]])

        try:
            filler = Filler(self.rng, self.difficulty, factor=self._factor, rule=inner)
            use = filler.fill(word, offers)
            if len(self._uses) == 1 and len(bound) == 1:
                self._alone += bound
            return use
        finally:
            self._uses.pop()

    def observe(self) -> list[dict[str, Any]]:
        """The observe words: the carrier, if there is one, and a column each for the rest."""
        filler = plain_filler(self.rng, self.difficulty)
        joined = self._joined()
        shown = [
            column_use(filler, self.vocabulary, name, self.factors[name]["kind"])
            for name in self.shown_by_column
            if name not in joined
        ]
        if joined:
            name = re.sub("[^a-z0-9]+", "_", f"{self.world.one.lower()}_code")
            shown.append(code_use(filler, self.vocabulary, name, joined))
        # The order of columns must not tell which of them a rule asked for.
        shown = shuffled(self.rng, shown)
        if self.carrier is not None:
            for channel in list(factor_slots(self.carrier, self.offers)):
                if channel.required and channel.path not in self._channels:
                    self._bind(channel)
            shown.insert(0, carrier_use(filler, self.carrier, self.offers, self._channels))
        return shown

    def add_column(self, measure: Measure, *, leaning: bool) -> None:
        """A column that shows a measure which no rule asked for.

        `leaning` says whether it should go with a number on the stage, where its own distribution
        has a word that does so.
        """
        self._draw(measure)
        if leaning:
            use = self._leaning(measure)
            self.factors[measure.name] = use or self.factors[measure.name]

    def _leaning(self, measure: Measure) -> dict[str, Any] | None:
        """The measure's factor as one that depends on another number, with the same parameters."""
        others = [
            name
            for name, use in self.factors.items()
            if name != measure.name and self._type(use) == "number"
        ]
        for word in shuffled(self.rng, list(self.vocabulary.folder("factors").values())):
            slots = list(factor_slots(word))
            fits = len(slots) == 1 and slots[0].type == "number" and not slots[0].suits
            known = {name: value for name, value in measure.factor.items() if name != "kind"}
            if fits and others and known.keys() <= word.parameters.keys():
                known[slots[0].name] = pick(self.rng, others)
                return plain_filler(self.rng, self.difficulty).fill(word, known)
        return None

    def unused(self, measures: Sequence[Measure]) -> list[Measure]:
        """The measures that are not on the stage, in random order."""
        return shuffled(self.rng, [m for m in measures if m.name not in self.factors])

    def _factor(self, slot: Slot) -> str:
        """A factor for a rule's slot: by carrier or by column, an old one only if need be."""
        sources = [self._from_suiting] if slot.suits else [self._from_carrier, self._from_measure]
        for source in (*sources, self._from_stage):
            name = source(slot)
            if name is not None:
                self._uses[-1].append(name)
                return name
        raise UnfillableError(f"no {slot.type} factor is left for {slot.owner.name}.{slot.name}")

    def _from_suiting(self, slot: Slot) -> str | None:
        """A factor that the slot says suits it: one that stands there already, or a new one."""
        for name, use in self.factors.items():
            if use["kind"] in slot.suits and name not in self._uses[-1]:
                return name
        if not self.columns:
            return None
        fitting = [m for m in self.world.measures() if m.factor["kind"] in slot.suits]
        left = self.unused(fitting)
        return self._draw(left[0]) if left else None

    def _from_carrier(self, slot: Slot) -> str | None:
        """A new factor on a channel of the carrier that nothing uses yet.

        Channels without examples, which say how to draw what they show, are left to authors.
        """
        if self.carrier is None:
            return None
        free = [
            channel
            for channel in factor_slots(self.carrier, self.offers)
            if channel.suits and channel.path not in self._channels
            if slot.type in (channel.type, "factor")
        ]
        return self._bind(pick(self.rng, free)) if free else None

    def _from_measure(self, slot: Slot) -> str | None:
        """A new factor that a measure of the domain stands for, shown by a column."""
        if not self.columns:
            return None
        if slot.type == "category":
            left = sorted(self.unused(self.world.categories), key=levels_of)
            return self._draw(self._graded(left)) if left else None
        left = self.unused(self.world.numbers)
        return self._draw(left[0]) if left else None

    def _graded(self, measures: Sequence[Measure]) -> Measure:
        """The category of about as many levels as the difficulty asks for, the fewest first."""
        place = self.difficulty * _LEVELS_REACHED * (len(measures) - 1) + self.rng.uniform(
            -0.5, 0.5
        )
        return measures[int(np.clip(round(place), 0, len(measures) - 1))]

    def _from_stage(self, slot: Slot) -> str | None:
        """A factor of the right type that this rule doesn't use yet, though another may."""
        fitting = [
            name
            for name, use in self.factors.items()
            if name not in self._uses[-1] and self._type(use) == slot.type and not slot.suits
        ]
        return pick(self.rng, fitting) if fitting else None

    def _draw(self, measure: Measure) -> str:
        """Puts a measure on the stage, those that its factor names first."""
        word = self.vocabulary.word("factors", measure.factor["kind"])
        by_name = {other.name: other for other in self.world.measures()}
        for slot in factor_slots(word):
            other = measure.factor.get(slot.name)
            if other is not None and other not in self.factors:
                self._draw(by_name[other])
        self.factors[measure.name] = dict(measure.factor)
        self.shown_by_column.append(measure.name)
        return measure.name

    def _bind(self, channel: Slot) -> str:
        """A new factor that a channel of the carrier shows."""
        name = _channel_name(channel)
        if channel.type == "number":
            use = {"kind": pick(self.rng, channel.suits or _PLAIN)}
        elif channel.type == "category":
            use = self._shown_category()
        else:
            use = self._background(channel.type)
        self.factors[name] = use
        self._channels[channel.path] = name
        return name

    def _shown_category(self) -> dict[str, Any]:
        least, most = _LEVELS_SHOWN
        for measure in self.unused(self.world.categories):
            if least <= levels_of(measure) <= most:
                return dict(measure.factor)
        raise UnfillableError("no category of the domain has few enough levels")

    def _background(self, kind: str) -> dict[str, Any]:
        """A factor of texts or series that says nothing, from the domain where it has one."""
        offered = dict(self.offers.get("filler", {})) if kind == "text" else {}
        known_words = self.vocabulary.folder("factors").values()
        words = [word for word in known_words if word.traits["YIELDS"] == kind]
        named = [word for word in words if word.name == offered.get("kind")]
        word = pick(self.rng, named or words)
        known = {**offered, **self.offers.get("background", {})}
        takes = {name: value for name, value in known.items() if name in word.parameters}
        return self.rule(word, takes)

    def _type(self, use: Mapping[str, Any]) -> str:
        return str(self.vocabulary.word("factors", use["kind"]).traits["YIELDS"])

    def _joined(self) -> list[str]:
        """The categories that one column of codes shows together, none where there is no such.

        A category that a rule looks at alone would be too plain to see in a column of its own.
        """
        listed = {measure.name for measure in self.world.categories}
        shown = [name for name in self.shown_by_column if name in listed]
        alone = [name for name in self._alone if name in shown]
        if not code_words(self.vocabulary) or not (alone or self.rng.random() < _CODES):
            return []
        others = [name for name in shuffled(self.rng, shown) if name not in alone]
        if alone:
            left = self.unused(self.world.categories)[: max(0, _PARTS - len(shown))]
            others += [self._draw(measure) for measure in left]
        joined = [*alone, *others][:_PARTS]
        return shuffled(self.rng, joined) if len(joined) > 1 else []


def _channel_name(channel: Slot) -> str:
    """mentions_1 for the first of several mentions, tone for tone.of, radius for radius."""
    first, *rest = channel.path
    return f"{first}_{rest[0] + 1}" if rest and isinstance(rest[0], int) else str(first)
