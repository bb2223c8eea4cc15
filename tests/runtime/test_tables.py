"""Columns to CSV files: what another reader gets back, and names that say nothing."""

from __future__ import annotations

import io
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandmle.runtime.tables import (
    csv_bytes,
    join_columns,
    random_ids,
    sample_files,
    sample_rows,
    shuffle_columns,
)

TEXT = st.text("aé\"', \n;.-_", max_size=12)


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(TEXT, st.floats(width=32)), min_size=1, max_size=6))
def test_pandas_reads_back_what_was_written(rows: list[tuple[str, float]]) -> None:
    texts, numbers = zip(*rows, strict=True)
    content = csv_bytes({"text": np.array(texts, dtype=object), "number": np.array(numbers)})
    read = pd.read_csv(io.BytesIO(content), dtype=str, na_filter=False)

    assert read["text"].tolist() == list(texts)
    assert [float(cell or "nan") for cell in read["number"]] == pytest.approx(
        numbers, rel=1e-5, nan_ok=True
    )


def test_values_are_written_as_they_read_best() -> None:
    columns = {
        "a": np.array([1.0, 0.1 + 0.2, -0.0, np.nan, 1234567.0]),
        "b": np.array([True, False, True, False, True]),
        "c": np.array(["x", 'say "y"', "a, b", "", "two\nlines"]),
        "d": np.array([3, -4, 5, 6, 7]),
        "e": np.array([None, "z", 1.5, 2, np.float32(0.1)], dtype=object),
    }

    assert csv_bytes(columns).decode() == (
        "a,b,c,d,e\n"
        "1,1,x,3,\n"
        '0.3,0,"say ""y""",-4,z\n'
        '0,1,"a, b",5,1.5\n'
        ",0,,6,2\n"
        '1.23457e+06,1,"two\nlines",7,0.1\n'
    )


def test_rows_can_be_chosen_and_ordered() -> None:
    content = csv_bytes({"a": np.arange(5)}, np.array([3, 0]))

    assert content == b"a\n3\n0\n"


def test_columns_of_unequal_length_are_refused() -> None:
    with pytest.raises(ValueError, match="shorter"):
        csv_bytes({"a": np.arange(5), "b": np.arange(4)})


def test_a_column_written_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="two words write the column 'a'"):
        join_columns({"a": np.arange(2)}, {"b": np.arange(2), "a": np.arange(2)})


def test_columns_are_shuffled_by_their_stream() -> None:
    columns = {str(index): np.array([index]) for index in range(10)}
    shuffled = shuffle_columns(rng(), columns)

    assert list(shuffled) != list(columns)
    assert sorted(shuffled) == sorted(columns)
    assert list(shuffled) == list(shuffle_columns(rng(), columns))
    assert all(values[0] == int(name) for name, values in shuffled.items())


def test_ids_are_different_and_read_as_text() -> None:
    ids = random_ids(rng(), 3000)
    read = pd.read_csv(io.BytesIO(csv_bytes({"id": ids})))

    assert len(set(ids.tolist())) == 3000
    assert all(re.fullmatch(r"[a-z][a-z0-9]{7}", name) for name in ids)
    assert read["id"].tolist() == ids.tolist()


def test_files_are_named_by_id_and_stand_in_their_order() -> None:
    files = sample_files("images/{id}.png", [b"1", b"2"], np.array(["zz", "aa"]))

    assert list(files.items()) == [("images/aa.png", b"2"), ("images/zz.png", b"1")]


def test_a_file_for_each_sample_is_needed() -> None:
    with pytest.raises(ValueError, match="longer"):
        sample_files("{id}.png", [b"1", b"2"], np.array(["a"]))


def test_rows_of_a_sample_stay_together_and_in_order() -> None:
    content = sample_rows(
        rng(),
        np.array([0, 1, 0, 2, 1]),
        {"step": np.array([1, 1, 2, 1, 2])},
        ids=np.array(["a", "b", "c"]),
        order=np.array([2, 0, 1]),
    )

    assert content == b"id,step\nc,1\na,1\na,2\nb,1\nb,2\n"
