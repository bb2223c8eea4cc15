"""A spec without its words: what a solver has to find and sees of it, whatever it is called.

The structure is what two specs have in common or not: DNA, metric and submission, the rules of the
targets with all that is nested in them, the kinds of the factors that they look at, and the words
that show those. The dials are the numbers: of the rules and cuts, of the factors and of what shows
them, of the noise, of the rows. Names, texts, domain, story, labels, random seed and columns that
show nothing of the rules are neither.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from sandmle.spec.formula import factor_names, with_names
from sandmle.spec.model import Spec, WordUse
from sandmle.spec.references import NESTED, Slot, factor_references, nested_use, slots
from sandmle.vocabulary import Vocabulary, Word

#: Where a dial stands: the steps to it, which are the same in specs of the same structure.
Place = tuple[Any, ...]

#: A number, or a list of numbers that are one dial together.
Dial = tuple[float, ...]

PARTS = ("rule", "data", "noise", "rows")

_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d*)?(?:[eE][+-]?\d+)?")


@dataclass(frozen=True)
class Outline:
    """`structure` can be hashed and compared; `dials` are by part, one of PARTS, and place."""

    structure: tuple[Any, ...]
    dials: Mapping[str, Mapping[Place, Dial]]


def outline(spec: Spec, vocabulary: Vocabulary) -> Outline:
    """The outline of a spec that is right by `vocabulary`."""
    pen, dna = _Pen(spec, vocabulary), spec.dna
    pen.structure += [dna.modality, dna.task, dna.split.kind]
    for index, target in enumerate(spec.targets):
        pen.use("hidden", target.rule, "rule", (index,))
        edges = (0.0, *(target.quantiles or ()), 1.0)
        shares = (high - low for low, high in pairwise(edges))
        pen.dials["rule"] |= {(index, "class", n): (share,) for n, share in enumerate(shares)}
    pen.fixed_use("metrics", dna.metric)
    if dna.submission is not None:
        pen.fixed_use("submissions", dna.submission)
    if dna.split.by is not None:
        pen.factor(dna.split.by)
    _draw_shown(pen)
    for use in spec.noise:
        _draw_noise(pen, use)
    pen.dials["rows"] = {("train",): (dna.train,), ("test",): (dna.test,)}
    return Outline(tuple(pen.structure), pen.dials)


@dataclass
class _Pen:
    """What is drawn so far; `factors` are those that were met, by name with their number."""

    spec: Spec
    vocabulary: Vocabulary
    structure: list[Any] = field(default_factory=list)
    dials: dict[str, dict[Place, Dial]] = field(
        default_factory=lambda: {part: {} for part in PARTS}
    )
    factors: dict[str, int] = field(default_factory=dict)

    def use(self, folder: str, use: WordUse, part: str, place: Place) -> None:
        """Draws the use of a word, with what is nested in it and the factors that it looks at."""
        word = self.vocabulary.word(folder, use.kind)
        self.structure.append(use.kind)
        found = {slot.path: slot for slot in slots(use, word)}
        for name, value in _parameters(use, word).items():
            walk = _Walk(self, found, _terms(self.vocabulary, folder, use.kind), part)
            walk.value(value, (*use.path, name), (*place, name))

    def fixed_use(self, folder: str, use: WordUse) -> None:
        """Draws the use of a word whose numbers are no dials: others make it another one."""
        self.use(folder, use, "fixed", ())
        self.structure.append(tuple(self.dials.pop("fixed", {}).items()))

    def factor(self, name: str) -> None:
        """Draws a factor where it is met first, and its number where it is met again."""
        if name in self.factors:
            self.structure.append(self.factors[name])
            return
        number = self.factors[name] = len(self.factors)
        self.use("factors", self.spec.factors[name], "data", ("factor", number))


@dataclass(frozen=True)
class _Walk:
    """A walk through the parameters of one word use.

    `found` are its references by path, `terms` the texts and keys that its word knows.
    """

    pen: _Pen
    found: Mapping[tuple[str | int, ...], Slot]
    terms: frozenset[str]
    part: str

    def value(self, value: Any, path: tuple[str | int, ...], place: Place) -> None:
        """Draws a value at `path` of the spec as what stands at `place` of the outline."""
        if path in self.found:
            self._reference(self.found[path], place)
        elif isinstance(value, bool) or (isinstance(value, str) and value in self.terms):
            self.pen.structure.append(value)
        elif isinstance(value, (int, float)):
            self._dial(place, (value,))
        elif isinstance(value, Mapping):
            self._entries(value, path, place)
        elif isinstance(value, (list, tuple)):
            self._entries(dict(enumerate(value)), path, place)

    def _entries(
        self, entries: Mapping[Any, Any], path: tuple[str | int, ...], place: Place
    ) -> None:
        """A list, or a mapping: its keys are names unless the word knows them."""
        kept = {key: item for key, item in entries.items() if key in self.terms}
        others = {key: item for key, item in entries.items() if key not in kept}
        for key, item in kept.items():
            self.value(item, (*path, key), (*place, key))
        if all(_is_number(item) for item in others.values()):
            if others:
                self._dial(place, tuple(map(float, others.values())))
        elif all(self._is_name(item, (*path, key)) for key, item in others.items()):
            self._dial(place, (len(others),))
        else:
            self.pen.structure.append(len(others))
            for number, (key, item) in enumerate(others.items()):
                self.value(item, (*path, key), (*place, number))

    def _is_name(self, item: Any, path: tuple[str | int, ...]) -> bool:
        return isinstance(item, str) and path not in self.found and item not in self.terms

    def _reference(self, slot: Slot, place: Place) -> None:
        nested = nested_use(slot)
        if nested is not None:
            self.pen.use(NESTED[slot.definitions[0]], nested, self.part, place)
        elif slot.definitions == ("formula",):
            self._formula(slot.value, place)
        elif slot.is_factor:
            self.pen.factor(slot.value)

    def _formula(self, text: str, place: Place) -> None:
        """A formula, with a mark for each factor, by its number in it, and for each number."""
        names = [name for name, _ in factor_names(text)]
        marked = with_names(text, {name: f"$_{number}" for number, name in enumerate(names)})
        self.pen.structure.append(_NUMBER.sub("#", "".join(marked.split())))
        for name in names:
            self.pen.factor(name)
        self._dial(place, tuple(map(float, _NUMBER.findall(marked))))

    def _dial(self, place: Place, numbers: Dial) -> None:
        self.pen.dials.setdefault(self.part, {})[place] = numbers


def _draw_shown(pen: _Pen) -> None:
    """Draws the observe words that show a factor met so far, in an order of their own."""
    spec, shown = pen.spec, []
    for use in spec.observe:
        word = pen.vocabulary.word("observe", use.kind)
        names = {reference.name for reference in factor_references(use, word, pen.vocabulary)}
        if met := sorted(pen.factors[name] for name in names & pen.factors.keys()):
            shown.append((use.kind, met, use))
    shown.sort(key=lambda entry: entry[:2])
    for number, (_, _, use) in enumerate(shown):
        pen.use("observe", use, "data", ("observe", number))
    pen.dials["data"]["others",] = (len(spec.observe) - len(shown),)


def _draw_noise(pen: _Pen, use: WordUse) -> None:
    """Draws a noise word as dials only: where there is none, they are at zero."""
    before = pen.structure
    pen.structure = []
    pen.use("noise", use, "one noise", ())
    drawn, dials = tuple(pen.structure), pen.dials.pop("one noise", {})
    pen.structure = before
    noise = pen.dials["noise"]
    number = sum((drawn, count) in noise for count in range(len(pen.spec.noise)))
    noise[drawn, number] = (1.0,)
    noise.update({(drawn, number, *place): dial for place, dial in dials.items()})


def _parameters(use: WordUse, word: Word) -> dict[str, Any]:
    """The parameters of a use in their word's order, with the defaults of those left out."""
    defaults = {
        name: fragment["default"]
        for name, fragment in word.parameters.items()
        if fragment.get("default") is not None
    }
    given = {**defaults, **use.parameters}
    order = [*word.parameters, *(name for name in given if name not in word.parameters)]
    return {name: given[name] for name in order if name in given}


@functools.lru_cache(maxsize=1024)
def _terms(vocabulary: Vocabulary, folder: str, name: str) -> frozenset[str]:
    """The texts and keys that a word's parameters know, unlike those that authors make up."""
    return frozenset(_named(dict(vocabulary.word(folder, name).parameters)))


def _named(fragment: Any) -> Iterator[str]:
    if isinstance(fragment, Mapping):
        yield from (item for item in fragment.get("enum", ()) if isinstance(item, str))
        yield from fragment.get("properties", ())
        for key, item in fragment.items():
            if key not in ("examples", "default", "enum"):
                yield from _named(item)
    elif isinstance(fragment, (list, tuple)):
        for item in fragment:
            yield from _named(item)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
