"""A molecule: atoms of carbon, nitrogen, oxygen and hydrogen with their bonds, in three dimensions.

A chain of carbons with rings and side groups on it, every free valence taken by a hydrogen. Bonds
have textbook lengths, chains nearly tetrahedral angles and any torsion, rings are flat; nothing
keeps distant parts from coming near. What no factor sets is drawn at random for each molecule.

Difficulty: rises with `length`, since counts of atoms then say more about a molecule's size than
about what is joined to what.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sandmle.runtime.graphs import (
    Graph,
    adjacency,
    graph_array,
    hops,
    renumbered,
    sorted_edges,
)
from sandmle.runtime.scaling import stretch

YIELDS = "graph"
PARAMETERS = {
    "length": {
        "type": "array",
        "items": {"type": "integer", "minimum": 3, "maximum": 10},
        "minItems": 2,
        "maxItems": 2,
        "description": "fewest and most carbons in the chain",
        "examples": [[4, 6], [3, 8]],
    },
    "rings": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the number of rings, from 0 to 2",
    },
    "polarity": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the number of nitrogens and oxygens on it, from 0 to 3",
    },
    "pair": {
        "$ref": "#/$defs/category_factor",
        "description": "shown as which two atoms are marked: a level such as 3JHH says how many "
        "bonds lie between them and what they are; any two when left out",
        "examples": ["category"],
    },
    "hydrogens": {"type": "boolean", "description": "whether hydrogens are atoms of the graph"},
}

#: Bonds that an atom of each element has.
_VALENCES = {"C": 4, "N": 3, "O": 2}

#: Bond lengths in angstrom, by elements in alphabetical order; 1.45 for any other.
_BOND_LENGTHS = {"CC": 1.53, "CH": 1.09, "CN": 1.47, "CO": 1.43, "HN": 1.01, "HO": 0.96}

#: Angle by which a chain turns at each atom, in radians: what the tetrahedral angle leaves of pi;
#: and the standard deviation of the angles about it.
_CHAIN_TURN = math.acos(1 / 3)
_STRAIN = 0.06


@dataclass(frozen=True)
class _Skeleton:
    """A molecule before it lies in space.

    Atom i hangs on `parents[i]`, which stands before it, by a bond that leaves the parent's own
    one by the angle `turns[i]` about `torsions[i]`; `closing` are the bonds that close rings.
    """

    elements: list[str]
    parents: list[int]
    turns: list[float]
    torsions: list[float]
    closing: list[tuple[int, int]]


def molecule(
    rng: np.random.Generator,
    samples: int,
    *,
    length: Sequence[int] = (3, 6),
    rings: np.ndarray | None = None,
    polarity: np.ndarray | None = None,
    pair: np.ndarray | None = None,
    hydrogens: bool = True,
) -> np.ndarray:
    if length[1] < length[0]:
        raise ValueError(f"a length from {length[0]} to {length[1]}: the fewest come first")
    chain = rng.integers(length[0], length[1], samples, endpoint=True)
    ringed = np.rint(2 * rng.random(samples) if rings is None else stretch(rings, 0, 2))
    polar = np.rint(3 * rng.random(samples) if polarity is None else stretch(polarity, 0, 3))
    skeletons = [
        _grown_skeleton(iter(rng.random(80)), int(carbons), int(cycles), int(groups), hydrogens)
        for carbons, cycles, groups in zip(chain, ringed, polar, strict=True)
    ]
    graphs = []
    for skeleton, place in zip(skeletons, _atom_places(rng, skeletons), strict=True):
        bonds = [*zip(skeleton.parents[1:], range(1, len(skeleton.parents)), strict=False)]
        edges = sorted_edges(np.array(bonds + skeleton.closing))
        graphs.append(Graph(np.array(skeleton.elements), edges, place, (0, 0)))
    wanted = np.full(samples, "") if pair is None else pair
    marked = _with_marked_atoms(rng, graphs, wanted)
    return graph_array([renumbered(graph, rng.permutation(len(graph.labels))) for graph in marked])


def _grown_skeleton(
    chance: Iterator[float], chain: int, rings: int, groups: int, hydrogens: bool
) -> _Skeleton:
    """One molecule, every choice made by a number of `chance`, in [0, 1).

    Only hydrogens hang on the first two carbons, so that every molecule has each kind of pair.
    """
    found = _Skeleton(["C"], [0], [0.0], [0.0], [])
    # The free bonds of each atom: the turns and torsions that they take.
    free = [[*_chain_bonds(3, next(chance)), (math.pi, 0.0)]]

    def add(element: str, parent: int, bonds: list[tuple[float, float]]) -> int:
        turn, torsion = free[parent].pop(int(next(chance) * len(free[parent])))
        found.elements.append(element)
        found.parents.append(parent)
        found.turns.append(turn)
        found.torsions.append(torsion)
        free.append(bonds)
        return len(free) - 1

    last = 0
    for _ in range(chain - 1):
        last = add("C", last, _chain_bonds(3, next(chance)))
    for _ in range(rings):
        hosts = [atom for atom in range(2, chain) if free[atom]]
        size = 5 if next(chance) < 0.5 else 6
        # The first bond leaves the way to the ring's centre by half the inner angle; an outer
        # bond halves the outer angle; and each ring bond turns by a share of the whole turn.
        half = math.pi / 2 - math.pi / size
        host = hosts[int(next(chance) * len(hosts))]
        first = atom = add("C", host, [(half, 2 * math.pi * next(chance))])
        for _ in range(size - 1):
            atom = add("C", atom, [(-2 * math.pi / size, 0.0)])
            free[atom - 1] += [(half, 0.0)] if atom - 1 != first else []
        free[atom] = [(half, 0.0)]
        found.closing.append((first, atom))
    for _ in range(groups):
        hosts = [atom for atom in range(2, len(free)) if free[atom] and found.elements[atom] == "C"]
        element = "O" if next(chance) < 0.6 else "N"
        bonds = _chain_bonds(_VALENCES[element] - 1, next(chance))
        add(element, hosts[int(next(chance) * len(hosts))], bonds)
    for atom in range(len(free) if hydrogens else 0):
        for turn, torsion in free[atom]:
            found.elements.append("H")
            found.parents.append(atom)
            found.turns.append(turn)
            found.torsions.append(torsion)
    return found


def _chain_bonds(number: int, share: float) -> list[tuple[float, float]]:
    """Free bonds of an atom of a chain: a third of a turn apart, from any torsion on."""
    return [(_CHAIN_TURN, 2 * math.pi * (share + place / 3)) for place in range(number)]


def _atom_places(rng: np.random.Generator, skeletons: Sequence[_Skeleton]) -> list[np.ndarray]:
    """Coordinates of the atoms of each molecule in angstrom, (atoms, 3), to 4 decimals.

    All molecules are laid out at once, an atom at a time. Each atom has a frame of its own: the
    direction of the bond that it hangs on, and one at right angles to it.
    """
    counts = [len(skeleton.parents) for skeleton in skeletons]
    shape = (len(skeletons), max(counts))
    parents, turns, torsions, lengths = (np.zeros(shape) for _ in range(4))
    for row, skeleton in enumerate(skeletons):
        count = counts[row]
        parents[row, :count] = skeleton.parents
        turns[row, :count], torsions[row, :count] = skeleton.turns, skeleton.torsions
        lengths[row, :count] = [
            _BOND_LENGTHS.get("".join(sorted(element + skeleton.elements[parent])), 1.45)
            for element, parent in zip(skeleton.elements, skeleton.parents, strict=True)
        ]
    turns += np.where(turns == _CHAIN_TURN, rng.normal(0.0, _STRAIN, shape), 0.0)
    place, along, aside = (np.zeros((*shape, 3)) for _ in range(3))
    along[:, 0, 2] = aside[:, 0, 0] = 1.0
    own = np.arange(len(skeletons))
    for atom in range(1, shape[1]):
        parent = parents[:, atom].astype(int)
        ahead, side = along[own, parent], aside[own, parent]
        turn, torsion = turns[:, atom, None], torsions[:, atom, None]
        sideways = np.cos(torsion) * side + np.sin(torsion) * np.cross(ahead, side)
        along[:, atom] = np.cos(turn) * ahead + np.sin(turn) * sideways
        aside[:, atom] = np.cos(turn) * sideways - np.sin(turn) * ahead
        place[:, atom] = place[own, parent] + lengths[:, atom, None] * along[:, atom]
    return [np.round(atoms[:count], 4) for atoms, count in zip(place, counts, strict=True)]


def _with_marked_atoms(
    rng: np.random.Generator, graphs: Sequence[Graph], pair: np.ndarray
) -> list[Graph]:
    """The graphs with two atoms marked, as `pair` (samples,) says; any two where it is empty.

    Raises ValueError where a level is not such as 3JHH, or where a molecule has no such pair.
    """
    ways = hops(adjacency(graphs))
    found = []
    for graph, way, level in zip(graphs, ways, pair, strict=True):
        count = len(graph.labels)
        may = ~np.eye(count, dtype=bool)
        if level:
            kind = re.fullmatch(r"([1-9])J([A-Z])([A-Z])", str(level))
            if kind is None:
                raise ValueError(f"the pair {str(level)!r} is not such as 3JHH")
            one, other = (graph.labels == element for element in kind.groups()[1:])
            may &= (way[:count, :count] == int(kind[1])) & np.outer(one, other)
        first, second = np.nonzero(may)
        if not len(first):
            raise ValueError(f"a molecule has no pair of atoms {str(level)!r}")
        chosen = int(rng.integers(0, len(first)))
        marks = (int(first[chosen]), int(second[chosen]))
        found.append(replace(graph, marks=marks))
    return found
