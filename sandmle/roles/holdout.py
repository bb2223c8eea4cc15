"""What validation tasks are made of: seeds and rules that no training task has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from sandmle.paper import PAPER_TRAIN, PAPER_VALIDATION
from sandmle.roles.chance import shuffled
from sandmle.roles.filling import factor_slots, has_definition
from sandmle.seeds.model import Seed
from sandmle.spec.tasks import task_kind
from sandmle.vocabulary import Vocabulary, Word

TRAIN, VALIDATION = "train", "validation"

#: The share of validation tasks, by default the paper's.
PAPER_SHARE = PAPER_VALIDATION / (PAPER_TRAIN + PAPER_VALIDATION)

#: One in so many rules of a sort is held out, from as many of it as leave enough to both sides.
_ONE_IN, _FEWEST_RULES = 4, 5

#: Seeds are held out of kinds that have as many: the others teach enough of it.
_FEWEST_SEEDS = 3


@dataclass(frozen=True)
class Holdout:
    """The seeds, and the rules that look at factors themselves, of the validation tasks alone.

    Rules that only combine others, such as `blend`, are in both and combine those of their side.
    """

    seeds: frozenset[str] = frozenset()
    rules: frozenset[str] = frozenset()

    def words(self, split: str, vocabulary: Vocabulary) -> Vocabulary:
        """The vocabulary without the rules of the other side."""
        if not self.rules:
            return vocabulary
        hidden = {
            name: word
            for name, word in vocabulary.folder("hidden").items()
            if _combines(word) or (name in self.rules) == (split == VALIDATION)
        }
        return Vocabulary(MappingProxyType({**vocabulary.words, "hidden": hidden}))


def hold_out(
    seeds: Mapping[str, Seed],
    shares: Mapping[str, float],
    kinds: Mapping[str, str],
    vocabulary: Vocabulary,
    *,
    share: float,
    random_seed: int,
) -> Holdout:
    """Chooses what to hold out so that validation has about `share` of each kind of seed, or more.

    `shares` are those of the seeds in the whole mix, `kinds` their modality and family of tasks. A
    seed is held out only where rules of its kind of task are.
    """
    if not share:
        return Holdout()
    rng = np.random.default_rng([random_seed, len(seeds)])
    rules = _rules(rng, vocabulary)
    types = {str(vocabulary.word("hidden", name).traits["YIELDS"]) for name in rules}
    chosen: set[str] = set()
    for kind in sorted(set(kinds.values())):
        own = shuffled(rng, [name for name in sorted(seeds) if kinds[name] == kind])
        wanted = share * sum(shares[name] for name in own)
        for name in own if len(own) >= _FEWEST_SEEDS else ():
            fits = bool(types & set(task_kind(vocabulary, seeds[name].task).yields))
            if fits and sum(shares[one] for one in chosen & set(own)) < wanted:
                chosen.add(name)
    return Holdout(frozenset(chosen), frozenset(rules))


def _rules(rng: np.random.Generator, vocabulary: Vocabulary) -> list[str]:
    """One rule in _ONE_IN of each sort, of those that drafts are made of.

    Rules of a sort can stand for each other: what they yield, for which kinds of task, and the
    factors that they look at are the same.
    """
    by_sort: dict[tuple[str, ...], list[str]] = {}
    for name, word in sorted(vocabulary.folder("hidden").items()):
        drafted = word.traits.get("DRAFTED", True) and not has_definition(word, "formula")
        if drafted and not _combines(word):
            traits = [word.traits.get(trait) for trait in ("YIELDS", "RANGE", "TASKS")]
            looks_at = {(slot.type, bool(slot.suits)) for slot in factor_slots(word)}
            by_sort.setdefault(tuple(map(str, (*traits, sorted(looks_at)))), []).append(name)
    chosen: list[str] = []
    for names in by_sort.values():
        if len(names) >= _FEWEST_RULES:
            chosen += shuffled(rng, names)[: round(len(names) / _ONE_IN)]
    return chosen


def _combines(word: Word) -> bool:
    return has_definition(word, "rule")
