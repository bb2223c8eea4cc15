"""Columns of the main table, told apart by their cells."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from sandmle.solvers.measures.columns import (
    find_sentinel,
    group_deviations,
    residues,
    split_columns,
    tidied,
)
from sandmle.solvers.measures.timelines import earlier_values


def frame(**columns: list[object]) -> pd.DataFrame:
    return pd.DataFrame(columns, dtype=str).replace("", np.nan)


def test_kinds_are_told_by_the_cells() -> None:
    words = ["the pump hums softly", "no sound was heard", "it rattles when cold"] * 10
    found = split_columns(
        frame(
            size=[str(value / 7) for value in range(30)],
            weight=[f"{value}.5 kg" for value in range(30)],
            colour=["red", "blue", "green"] * 10,
            note=[f"{text} {index}" for index, text in enumerate(words)],
            day=[f"2024-03-{value + 1:02d}" for value in range(30)],
        )
    )
    assert found.numbers["size"].tolist() == pytest.approx([value / 7 for value in range(30)])
    assert found.numbers["weight"].tolist() == [value + 0.5 for value in range(30)]
    assert "colour" in found.categories
    assert list(found.texts) == ["note"]
    assert found.times["day"].tolist() == list(range(30))
    assert found.numbers["day weekday"].iloc[0] == 4  # a Friday


def test_day_first_dates_are_seen_by_a_first_number_beyond_12() -> None:
    found = split_columns(frame(day=["03/04/2024", "25/12/2024", "01/05/2024"]))
    assert found.numbers["day month"].tolist() == [4, 12, 5]


def test_missing_numbers_are_flagged() -> None:
    found = split_columns(frame(x=["1.5", "", "2.25", "7"]))
    assert found.numbers["x is missing"].tolist() == [0, 1, 0, 0]


@pytest.mark.parametrize(
    ("values", "sentinel"),
    [
        ([1.0, 2.0, -999.0, 3.0, -999.0, 2.5], -999.0),
        ([1.0, 2.0, 3.0, 9999.0, 2.0, 4.0], 9999.0),
        ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], None),
        ([0.0, 0.0, 0.0, 1.0, 1.0, 0.0], None),
    ],
)
def test_a_sentinel_lies_far_from_all_else(values: list[float], sentinel: float | None) -> None:
    assert find_sentinel(np.array(values)) == sentinel


def test_spelling_variants_of_a_category_are_one() -> None:
    cells = pd.Series(["North-East", "north east", " NORTH_EAST ", "south", None])
    assert tidied(cells).tolist() == ["north east"] * 3 + ["south", ""]


def test_codes_are_split_into_their_parts() -> None:
    codes = [f"{depot}-{belt:02d}" for depot in ("AX", "BR", "CN") for belt in range(20)]
    columns = split_columns(pd.DataFrame({"label": codes, "word": ["well-known", "so-so"] * 30}))
    assert set(columns.categories["label part 0"]) == {"ax", "br", "cn"}
    assert columns.numbers["label part 1"].tolist() == [*range(20)] * 3
    assert "word part 0" not in columns.categories, "two levels are no codes"


def test_numbers_against_their_group() -> None:
    values = pd.DataFrame({"x": [1.0, 3.0, 10.0, 14.0]})
    groups = pd.DataFrame({"g": ["a", "a", "b", "b"]})
    found = group_deviations(values, groups)
    assert found["x against g"].tolist() == [-1, 1, -2, 2]
    assert found["rank of x in g"].tolist() == [0.5, 1, 0.5, 1]


def test_the_row_before_in_time_is_found_across_shuffled_rows() -> None:
    columns = split_columns(
        frame(
            day=["2024-01-03", "2024-01-01", "2024-01-02", "2024-01-04"],
            x=["3.5", "1.5", "2.5", "4.5"],
        )
    )
    found = earlier_values(columns, most=1)["x 1 before by day in "]
    assert found.isna().tolist() == [False, True, False, False]
    assert found.dropna().tolist() == [2.5, 1.5, 3.5]


def test_remainders_of_sums() -> None:
    values = pd.DataFrame({"a": [1.0, 2, 3, 4, 5, 6], "b": [6.0, 5, 4, 3, 2, 1]})
    found = residues(values)
    assert found["a mod 3 = 0"].tolist() == [0, 0, 1, 0, 0, 1]
    assert found["a + b mod 7 = 0"].tolist() == [1] * 6
