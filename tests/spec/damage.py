"""Specs damaged at random, for properties that hold of whatever an author may write."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from sandmle.spec.yaml_source import parse_source, value_at

FILES = sorted(Path(__file__).parent.rglob("*.yaml"))
_DATA = [parse_source(path.read_text(encoding="utf-8"), file="x.yaml").data for path in FILES]
SPECS: list[dict[str, Any]] = [data for data in _DATA if isinstance(data, dict)]

_WRONG: list[Any] = [
    *(None, True, 0, 3, 1000, -0.5, 0.5, "no", "", "x" * 400, "id", "a + b", "moisture"),
    *([], {}, [1, "a"], [0.9, 0.1], {"kind": "normal"}, {"kind": 3}, {"kind": "xor", "left": 1}),
    *("{id}.csv", "train.csv", "regression", "multilabel", {"quantiles": [0.5, 0.4]}, [[]]),
]


def paths(data: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The path of every part of the data but the root."""
    entries = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in entries if isinstance(data, (dict, list)) else ():
        yield (*path, key)
        if isinstance(value, (dict, list)):
            yield from paths(value, (*path, key))


@st.composite
def damaged_specs(draw: st.DrawFn) -> dict[str, Any]:
    """A spec's data in which one to three parts are replaced, removed, renamed or swapped."""
    data: dict[str, Any] = copy.deepcopy(draw(st.sampled_from(SPECS)))
    for _ in range(draw(st.integers(1, 3))):
        found = sorted(paths(data), key=str)
        if not found:
            return data
        path = draw(st.sampled_from(found))
        parent = value_at(data, path[:-1])
        change = draw(st.sampled_from(["replace", "remove", "rename", "copy"]))
        if change == "replace":
            parent[path[-1]] = copy.deepcopy(draw(st.sampled_from(_WRONG)))
        elif change == "remove":
            del parent[path[-1]]
        elif change == "copy":
            parent[path[-1]] = copy.deepcopy(value_at(data, draw(st.sampled_from(found))))
        elif isinstance(parent, dict):
            parent[f"{path[-1]}x"] = parent.pop(path[-1])
    return data
