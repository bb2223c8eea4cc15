"""How many edits lead from one sequence to another."""

from collections.abc import Hashable, Sequence


def edit_distance(left: Sequence[Hashable], right: Sequence[Hashable]) -> int:
    """Levenshtein distance: the fewest insertions, deletions and replacements of items.

    Bit-parallel: one column of the table of distances is two whole numbers (Myers 1999, in the
    form of Hyyrö 2003), so that its cost grows with the length of `right` alone.
    """
    if left == right:
        return 0
    if not left or not right:
        return len(left) + len(right)
    places: dict[Hashable, int] = {}
    for index, item in enumerate(left):
        places[item] = places.get(item, 0) | 1 << index
    full, last = (1 << len(left)) - 1, 1 << (len(left) - 1)
    # The bits of `above` and `below` say where the column of distances rises or falls by one.
    above, below, distance = full, 0, len(left)
    for item in right:
        same = places.get(item, 0)
        diagonal = (((same & above) + above) ^ above) | same | below
        rises = below | ~(diagonal | above)
        falls = diagonal & above
        if rises & last:
            distance += 1
        elif falls & last:
            distance -= 1
        rises = rises << 1 | 1
        above = (falls << 1 | ~(diagonal | rises)) & full
        below = rises & diagonal & full
    return distance
