"""The coupling of the spins of two marked atoms of a molecule, in hertz, by the bonds between them.

Over three bonds it follows the torsion p by Karplus' equation, 7.76 cos(p)^2 - 1.10 cos(p) + 1.40,
with the coefficients of Abraham and Loftus 1978; over two bonds the angle a, by -12 + 25 (cos(a) +
1/3); over one bond it is 125, and 30 more in a ring. Each nitrogen or oxygen beside the atoms of
the way adds 12 % over one bond and takes 8 % over several. 0 over more than three bonds.

Difficulty: falls where the kind of pair is told, which sets the size; then high for models of the
coordinates as they stand, which know neither distances nor torsions.
"""

import numpy as np

from sandmle.runtime.graphs import Graph, adjacency, hops, smallest_rings

YIELDS = "number"
PARAMETERS = {"of": {"$ref": "#/$defs/graph_factor", "examples": ["molecule"]}}


def spin_coupling(rng: np.random.Generator, *, of: np.ndarray) -> np.ndarray:
    joined = adjacency(of)
    ways = hops(joined)
    in_ring = smallest_rings(joined, most=6).max(axis=2) > 0
    return np.array(
        [
            _coupling_of_pair(graph, way, ring)
            for graph, way, ring in zip(of, ways, in_ring, strict=True)
        ]
    )


def _coupling_of_pair(graph: Graph, ways: np.ndarray, in_ring: np.ndarray) -> float:
    """The coupling of a molecule's marked atoms; `ways` (n, n) are hops, `in_ring` (n,) bool."""
    first, last = graph.marks
    bonds = ways[first, last]
    if not 1 <= bonds <= 3:
        return 0.0
    way = [first]
    while way[-1] != last:
        nearer = (ways[way[-1]] == 1) & (ways[last] == ways[last, way[-1]] - 1)
        way.append(int(np.flatnonzero(nearer)[0]))
    beside = (ways[way] == 1).any(axis=0)
    beside[way] = False
    pulling = float(np.isin(graph.labels, ("N", "O"))[beside[: len(graph.labels)]].sum())
    steps = np.diff(graph.places[way], axis=0)
    if bonds == 1:
        return (125.0 + 30.0 * bool(in_ring[way].any())) * (1.0 + 0.12 * pulling)
    if bonds == 2:
        cosine = -steps[0] @ steps[1] / (np.linalg.norm(steps[0]) * np.linalg.norm(steps[1]))
        return float((-12.0 + 25.0 * (cosine + 1 / 3)) * (1.0 - 0.08 * pulling))
    normals = np.cross(steps[:2], steps[1:])
    lengths = np.linalg.norm(normals, axis=1)
    cosine = normals[0] @ normals[1] / (lengths.prod() or 1.0)
    return float((7.76 * cosine**2 - 1.10 * cosine + 1.40) * (1.0 - 0.08 * pulling))
