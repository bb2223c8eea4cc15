"""A second table with the nodes of each sample's graph: what each of them is, and where it lies.

Difficulty: rises with `jitter` where a rule looks at coordinates.
"""

import numpy as np

WRITES = "rows"
MODALITY = "graph"
FILE = "nodes.csv"
SAYS = "the nodes of a network"
MEANS = {
    "node": "number of the node",
    "label": "what the node is",
    "places": "the coordinate {column} of the node",
}
PARAMETERS = {
    "graph": {"$ref": "#/$defs/graph_factor"},
    "node": {"$ref": "#/$defs/name", "description": "name of the column of the nodes' numbers"},
    "label": {"$ref": "#/$defs/name", "description": "name of the column of what a node is"},
    "places": {
        "type": "array",
        "items": {"$ref": "#/$defs/name"},
        "minItems": 2,
        "maxItems": 3,
        "description": "names of the columns of coordinates, in two or three dimensions; none "
        "when left out",
    },
    "jitter": {
        "type": "number",
        "minimum": 0,
        "description": "standard deviation of the error of a coordinate",
    },
}


def node_table(
    rng: np.random.Generator,
    *,
    graph: np.ndarray,
    node: str = "node",
    label: str | None = None,
    places: list[str] | None = None,
    jitter: float = 0.0,
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    counts = [len(own.labels) for own in graph]
    columns = {node: np.concatenate([np.arange(count) for count in counts])}
    if label is not None:
        columns[label] = np.concatenate([own.labels for own in graph])
    if places is not None:
        shown = np.concatenate([own.places for own in graph])
        shown = np.round(shown + jitter * rng.standard_normal(shown.shape), 4)
        columns |= {name: shown[:, axis] for axis, name in enumerate(places)}
    return np.repeat(np.arange(len(graph)), counts), columns
