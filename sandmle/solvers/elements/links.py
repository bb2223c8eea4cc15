"""Texts that follow from one another: what one names, the next one takes up."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import permutations

import numpy as np

from sandmle.solvers.elements.spans import FactModel, Facts, fit_facts

#: More items than this are put in order one after the other, not by trying all subsets.
MOST_IN_SUBSETS = 9


def words_of(text: str) -> list[str]:
    """The words of a text, in small letters."""
    return re.findall(r"[^\s.,;:!?()]+", text.lower())


def order_by_links(
    train: Sequence[Sequence[str]], places: Sequence[Sequence[int]], test: Sequence[Sequence[str]]
) -> list[list[int]]:
    """The test texts' indices in their likeliest order.

    `train` are the texts of each training row's items and `places` their right places.
    """
    facts: list[Facts] = []
    follows: list[bool] = []
    for texts, own in zip(train, places, strict=True):
        for one, two in permutations(range(len(texts)), 2):
            facts.append(link_facts(texts, one, two))
            follows.append(own[two] == own[one] + 1)
    model = fit_facts(facts, follows)
    early = fit_facts(
        [
            {f"first word {word}": 1.0 for word in words_of(text)[:1]}
            for own in train
            for text in own
        ],
        [2 * place < len(own) for own in places for place in own],
    )
    return [likeliest_order(texts, model, early) for texts in test]


def link_facts(texts: Sequence[str], one: int, two: int) -> Facts:
    """Facts about the words that two texts, and no others of the row, have in common."""
    left, right = words_of(texts[one]), words_of(texts[two])
    others = {
        word for at, text in enumerate(texts) if at not in (one, two) for word in words_of(text)
    }
    facts: Facts = {"always": 1.0}
    for word in sorted((set(left) & set(right)) - others):
        before, after = places_around(left, word), places_around(right, word)
        facts |= {f"left {fact}": 1.0 for fact in before}
        facts |= {f"right {fact}": 1.0 for fact in after}
        facts |= {f"{a} and {b}": 1.0 for a in before for b in after}
        facts["some"] = 1.0
    facts["first words"] = 0.0
    facts[f"first {left[0] if left else ''}, then {right[0] if right else ''}"] = 1.0
    return facts


def places_around(words: Sequence[str], word: str) -> Iterator[str]:
    """Where a word stands: what is before it, and whether it is the last."""
    at = list(words).index(word)
    return iter(
        [f"after {words[at - 1] if at else 'nothing'}", f"last {at == len(words) - 1}", f"at {at}"]
    )


def likeliest_order(texts: Sequence[str], model: FactModel, early: FactModel) -> list[int]:
    """The order whose neighbours follow from one another best, early words breaking ties."""
    count = len(texts)
    if count < 2:
        return list(range(count))
    pairs = list(permutations(range(count), 2))
    link = np.zeros((count, count))
    odds = model.log_odds([link_facts(texts, one, two) for one, two in pairs])
    for (one, two), value in zip(pairs, odds, strict=True):
        link[one, two] = -np.log1p(np.exp(-value))
    first = early.log_odds(
        [{f"first word {word}": 1.0 for word in words_of(text)[:1]} for text in texts]
    )
    # The earlier a place, the more an early word is worth there.
    worth = np.linspace(0.2, -0.2, count)[:, None] * first
    if count > MOST_IN_SUBSETS:
        return greedy_path(link, worth)
    return best_path(link, worth)


def best_path(link: np.ndarray, worth: np.ndarray) -> list[int]:
    """The path through all items that scores best (Held and Karp 1962, over subsets)."""
    count = len(link)
    best: dict[tuple[int, int], tuple[float, tuple[int, ...]]] = {
        (1 << item, item): (float(worth[0, item]), (item,)) for item in range(count)
    }
    for place in range(1, count):
        longer: dict[tuple[int, int], tuple[float, tuple[int, ...]]] = {}
        for (seen, last), (score, path) in best.items():
            for item in range(count):
                if seen >> item & 1:
                    continue
                key = (seen | 1 << item, item)
                found = score + link[last, item] + worth[place, item]
                if key not in longer or found > longer[key][0]:
                    longer[key] = (float(found), (*path, item))
        best = longer
    return list(max(best.values(), key=lambda entry: entry[0])[1])


def greedy_path(link: np.ndarray, worth: np.ndarray) -> list[int]:
    """From the item that suits the first place, always to the one that follows best."""
    path = [int(worth[0].argmax())]
    while len(path) < len(link):
        gains = link[path[-1]] + worth[len(path)]
        gains[path] = -np.inf
        path.append(int(gains.argmax()))
    return path
