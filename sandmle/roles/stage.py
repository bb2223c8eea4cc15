"""The stage of a draft: the factors that its rules ask for, and what is to show each of them."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sandmle.roles.chance import pick, shuffled
from sandmle.roles.channels import (
    PLAIN_TYPES,
    Carrier,
    Channel,
    channel_name,
    common_kinds,
    once_more,
)
from sandmle.roles.filling import (
    Filler,
    Slot,
    UnfillableError,
    factor_slots,
    plain_filler,
)
from sandmle.roles.world import Measure, World, levels_of
from sandmle.vocabulary import Vocabulary, Word

#: Factor words for what no measure of the domain stands for: hidden, so its scale is free.
_PLAIN = ("normal", "uniform")

#: Share of a domain's categories, the fewest levels first, that the hardest rules look at: of the
#: others each level has too few rows.
_LEVELS_REACHED = 0.6

#: Levels of a category that a carrier shows: more could not be told apart.
_LEVELS_SHOWN = (3, 6)


class Stage:
    """Factors and what shows them, growing as rules ask for factors.

    `carriers` show what they can of it. Where `columns` is true, factors may also be shown by
    columns of their own. `channels` are the channels of carriers that show a factor, with its name;
    `alone` are factors that a target's rule looks at without any other.
    """

    def __init__(
        self,
        rng: np.random.Generator,
        vocabulary: Vocabulary,
        world: World,
        *,
        difficulty: float,
        carriers: Sequence[Carrier],
        columns: bool,
    ) -> None:
        self.rng = rng
        self.vocabulary = vocabulary
        self.world = world
        self.difficulty = difficulty
        self.carriers = list(carriers)
        self.columns = columns
        self.factors: dict[str, dict[str, Any]] = {}
        self.shown_by_column: list[str] = []
        self.channels: dict[Channel, str] = {}
        self._uses: list[list[str]] = []
        self.alone: list[str] = []

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
            for name in shuffled(self.rng, fitting):
                with contextlib.suppress(UnfillableError):
                    use = self.rule(known[name])
                    nested.append(name)
                    return use
            raise UnfillableError(f"no rule that suits {word.name} finds its factors")

        try:
            filler = Filler(self.rng, self.difficulty, factor=self._factor, rule=inner)
            use = filler.fill(word, offers)
            if len(self._uses) == 1 and len(bound) == 1:
                self.alone += bound
            return use
        finally:
            self._uses.pop()

    def outside(self, slot: Slot) -> str:
        """A factor for a slot outside of rules, such as the groups that a metric looks at: one
        that stands there already, or a measure that is shown by a column.

        Raises UnfillableError where the domain has no such measure.
        """
        return self.known_or_drawn(slot.suits or self._kinds_of(slot.type))

    def known_or_drawn(self, kinds: Sequence[str]) -> str:
        """A factor of one of the factor words `kinds`, in the order of preference.

        Raises UnfillableError where there is none and the domain has no such measure.
        """
        for kind in kinds:
            known = [name for name, use in self.factors.items() if use["kind"] == kind]
            if known:
                return known[0]
            left = self.unused([m for m in self.world.measures() if m.factor["kind"] == kind])
            if left:
                return self.draw(min(left, key=levels_of))
        raise UnfillableError(f"the domain {self.world.name} has no {' or '.join(kinds)}")

    def add_column(self, measure: Measure, *, leaning: bool) -> None:
        """A column that shows a measure which no rule asked for.

        `leaning` says whether it should go with a number on the stage, where its own distribution
        has a word that does so; whole numbers never do, as what goes with them are fractions.
        """
        self.draw(measure)
        if leaning and measure not in self.world.whole:
            use = self._leaning(measure)
            self.factors[measure.name] = use or self.factors[measure.name]

    def _leaning(self, measure: Measure) -> dict[str, Any] | None:
        """The measure's factor as one that depends on another number, with the same parameters."""
        others = [
            name
            for name, use in self.factors.items()
            if name != measure.name and self.type_of(use) == "number"
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
        sources = [self._from_carrier, self._from_measure, self._from_stage]
        if slot.suits and slot.type in PLAIN_TYPES:
            sources = [self._from_suiting, self._from_carrier, self._from_stage]
        if slot.owner.folder == "factors":
            sources = [self._from_stage, self._from_suiting]
        for source in sources:
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
        return self.draw(left[0]) if left else None

    def _from_carrier(self, slot: Slot) -> str | None:
        """A new factor on a channel that nothing uses yet, of the carrier that shows least.

        What is shown as it is takes the first such channel, and may have a column more.
        """
        free = self._free(slot)
        as_it_is = slot.type not in PLAIN_TYPES
        if not free and as_it_is:
            copies = [
                carrier
                for carrier in self.carriers
                if carrier.word.traits["WRITES"] == "columns"
                and any(common_kinds(slot, channel) is not None for channel in carrier.channels())
            ]
            self.carriers += [once_more(one, len(self.carriers)) for one in copies[:1]]
            free = self._free(slot)
        if not free:
            return None
        place, channel, kinds = free[0] if as_it_is else pick(self.rng, free)
        return self.bind(place, channel, kinds)

    def _free(self, slot: Slot) -> list[tuple[int, Slot, Sequence[str]]]:
        """Channels for a slot that nothing uses yet, of the carriers that show least."""
        free = []
        for place, carrier in enumerate(self.carriers):
            busy = sum(at == place for at, _ in self.channels)
            for channel in carrier.channels():
                kinds = common_kinds(slot, channel)
                if (place, channel.path) not in self.channels and kinds is not None:
                    free.append((busy, (place, channel, kinds)))
        least = min((busy for busy, _ in free), default=0)
        return [choice for busy, choice in free if busy == least]

    def _from_measure(self, slot: Slot) -> str | None:
        """A new factor that a measure of the domain stands for, shown by a column."""
        if not self.columns or slot.type not in PLAIN_TYPES:
            return None
        if slot.type == "category":
            left = sorted(self.unused(self.world.categories), key=levels_of)
            return self.draw(self._graded(left)) if left else None
        left = self.unused(self.world.numbers)
        return self.draw(left[0]) if left else None

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
            if name not in self._uses[-1] and self.type_of(use) == slot.type
            if not slot.suits or use["kind"] in slot.suits
        ]
        return pick(self.rng, fitting) if fitting else None

    def draw(self, measure: Measure) -> str:
        """Puts a measure on the stage, those that its factor names first."""
        word = self.vocabulary.word("factors", measure.factor["kind"])
        by_name = {other.name: other for other in self.world.measures()}
        for slot in factor_slots(word):
            other = measure.factor.get(slot.name)
            if other is not None and other not in self.factors:
                self.draw(by_name[other])
        self.factors[measure.name] = dict(measure.factor)
        self.shown_by_column.append(measure.name)
        return measure.name

    def bind(self, place: int, channel: Slot, kinds: Sequence[str]) -> str:
        """A new factor that a channel of a carrier shows, by one of the factor words `kinds`."""
        carrier = self.carriers[place]
        name = channel_name(channel)
        if name in self.factors:
            name = f"{carrier.word.name}_{name}"
        if channel.type == "number":
            use = {"kind": pick(self.rng, kinds or _PLAIN)}
        elif channel.type == "category":
            use = self._shown_category()
        else:
            use = self._beside(place, channel) or self._shown_as_is(carrier, channel.type, kinds)
        self.factors[name] = use
        self.channels[place, channel.path] = name
        return name

    def _shown_category(self) -> dict[str, Any]:
        least, most = _LEVELS_SHOWN
        for measure in self.unused(self.world.categories):
            if least <= levels_of(measure) <= most:
                return dict(measure.factor)
        raise UnfillableError("no category of the domain has few enough levels")

    def _beside(self, place: int, channel: Slot) -> dict[str, Any] | None:
        """A factor drawn as the others of its list are, so that they agree in size and number."""
        for (at, path), name in self.channels.items():
            if at == place and len(path) > 1 and path[0] == channel.path[0]:
                return dict(self.factors[name])
        return None

    def _shown_as_is(self, carrier: Carrier, kind: str, words: Sequence[str]) -> dict[str, Any]:
        """A factor of texts, series, masks, ..., from the domain where it has one."""
        offered = dict(carrier.offers.get("filler", {})) if kind == "text" else {}
        suiting = words or self._kinds_of(kind)
        if offered.get("kind") not in suiting:
            offered = {}
        word = self.vocabulary.word("factors", offered.get("kind") or pick(self.rng, suiting))
        given = {**offered, **carrier.offers.get("background", {})}
        return self.rule(word, {n: value for n, value in given.items() if _takes(word, n, value)})

    def _kinds_of(self, kind: str) -> tuple[str, ...]:
        """The factor words that yield a type; those of `factor` are all."""
        words = self.vocabulary.folder("factors").values()
        return tuple(word.name for word in words if kind in (word.traits["YIELDS"], "factor"))

    def type_of(self, use: Mapping[str, Any]) -> str:
        """The type that a use of a factor word yields."""
        return str(self.vocabulary.word("factors", use["kind"]).traits["YIELDS"])


def _takes(word: Word, name: str, value: Any) -> bool:
    """Whether a word has such a parameter, and its bounds hold the value."""
    fragment = word.parameters.get(name, {"maximum": -np.inf})
    return not isinstance(value, (int, float)) or (
        fragment.get("minimum", -np.inf) <= value <= fragment.get("maximum", np.inf)
    )
