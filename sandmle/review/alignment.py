"""Which entry of a list became which of another: by what they are, not by where they stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")

Aligned = tuple[list[tuple[int, int]], list[int], list[int]]


def align(
    old: Sequence[Item], new: Sequence[Item], likeness: Callable[[Item, Item], float]
) -> Aligned:
    """Pairs of indices by descending likeness, then what came and what went.

    Two entries with likeness 0 are never a pair; of equally alike ones those are that stand
    nearest to each other. Pairs are in the order of the old list.
    """
    scored = sorted(
        (-score, abs(i - j), i, j)
        for i, one in enumerate(old)
        for j, other in enumerate(new)
        if (score := likeness(one, other)) > 0
    )
    partner: dict[int, int] = {}
    taken: set[int] = set()
    for _, _, i, j in scored:
        if i not in partner and j not in taken:
            partner[i] = j
            taken.add(j)
    came = [j for j in range(len(new)) if j not in taken]
    went = [i for i in range(len(old)) if i not in partner]
    return sorted(partner.items()), came, went
