"""What tables to be joined, and columns that hold several factors, show of them."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from tests.vocabulary.calling import call, draw_factors

USES: dict[str, dict[str, Any]] = {
    "a": {"kind": "normal"},
    "kind": {"kind": "category", "levels": 3},
    "site": {"kind": "group", "groups": 12},
    "rent": {"kind": "level_value", "of": "site", "mean": 20.0},
}
SHOWN = draw_factors(USES, 600)


def test_a_table_of_levels_holds_what_is_known_of_each() -> None:
    table = call(
        "observe",
        {
            "kind": "level_table",
            "key": "shop",
            "of": "site",
            "columns": [{"name": "rent", "of": "rent"}],
        },
        factors=SHOWN,
    )
    rent = dict(zip(table["shop"], table["rent"], strict=True))
    assert len(rent) == 12
    assert np.allclose([rent[name] for name in SHOWN["site"]], SHOWN["rent"])
    assert len(set(SHOWN["rent"])) == 12


def test_a_column_of_json_holds_its_parts() -> None:
    use = {"kind": "json_column", "name": "j", "parts": ["kind", "a"], "keys": ["kind", "load"]}
    flat = [json.loads(cell) for cell in call("observe", use, factors=SHOWN)["j"]]
    assert [entry["kind"] for entry in flat] == SHOWN["kind"].tolist()
    assert np.allclose([entry["load"] for entry in flat], SHOWN["a"], rtol=1e-3)
    deep = json.loads(call("observe", {**use, "nested": True}, factors=SHOWN)["j"][0])
    assert deep == {"kind": flat[0]["kind"], "detail": {"load": flat[0]["load"]}}
