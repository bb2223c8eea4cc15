"""config.json: what is read is what was written, and shards are parts."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandmle.evaluation.config import (
    Config,
    Selected,
    differences,
    dump_config,
    parse_config,
    part_of,
)
from tests.evaluation.test_compare import CONFIG

NAMES = st.text(min_size=1, max_size=8)
CONFIGS = st.builds(
    lambda policies, options, limit, attempts, selected, shard: replace(
        CONFIG,
        policies=tuple(policies),
        options=options,
        limit=limit,
        attempts=attempts,
        selected=selected,
        shard=shard,
    ),
    st.lists(NAMES, min_size=1),
    st.dictionaries(NAMES, st.none() | st.booleans() | st.integers(0, 9) | NAMES),
    st.none() | st.integers(1, 99),
    st.integers(1, 9),
    st.dictionaries(
        NAMES,
        st.builds(Selected, NAMES, NAMES, st.none() | st.floats(-9, 9), NAMES),
    ),
    st.none() | st.just("1/2"),
)


@given(CONFIGS)
def test_what_is_written_is_read_again(config: Config) -> None:
    read = parse_config(dump_config(config))
    assert read == config
    assert differences(config, read) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 2}, "format: expected 1, got 2"),
        ({"attempts": "many"}, "attempts: expected a int"),
        ({"extra": 1}, "unknown key 'extra'"),
    ],
)
def test_what_is_no_config_is_refused(change: dict[str, object], message: str) -> None:
    data = {**json.loads(dump_config(CONFIG)), **change}
    with pytest.raises(ValueError, match=message):
        parse_config(json.dumps(data))


@given(st.lists(st.integers()), st.integers(1, 9))
def test_shards_are_parts_of_the_whole(items: list[int], shards: int) -> None:
    parts = [part_of(items, f"{number}/{shards}") for number in range(1, shards + 1)]
    assert sorted(item for part in parts for item in part) == sorted(items)
    assert max(map(len, parts)) - min(map(len, parts)) <= 1
    assert part_of(items, None) == items
