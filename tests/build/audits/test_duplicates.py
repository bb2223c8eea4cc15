"""Test rows that stand in train, as they are or nearly."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from sandmle.build.prepare import Prepared
from tests.build.audits.planting import (
    Changed,
    caught,
    content,
    named,
    passes,
    pictures,
    png,
    table,
    with_column,
    with_files,
)


def with_copies(prepared: Prepared, changed: Changed, kind: str, count: int = 20) -> Prepared:
    """The task in which some test rows are rows of train, changed a little."""
    train, test = table(prepared, "train.csv"), table(prepared, "test.csv")
    names, rows = test.columns[1:], slice(0, count - 1)
    rng = np.random.default_rng(0)
    copies = train.loc[rows, names]
    if kind == "jittered":
        copies = copies + rng.normal(0, 0.005, copies.shape)
    elif kind == "rounded":
        copies = copies.round(2)
    elif kind == "with a gap":
        copies["column3"] = np.nan
    test.loc[rows, names] = copies
    return changed({"test.csv": content(test)})


def test_copies(prepared: Prepared, changed: Changed) -> None:
    broken = with_copies(prepared, changed, "as they are")
    assert caught("duplicates", broken) == "4.0% of the test rows"


@pytest.mark.parametrize("kind", ["jittered", "rounded"])
def test_near_copies(kind: str, prepared: Prepared, changed: Changed) -> None:
    broken = with_copies(prepared, changed, kind)
    assert caught("duplicates", broken) == "0.0% of the test rows, 4.0% nearly"


def test_equal_rows_of_a_discrete_table_are_no_fault(prepared: Prepared, changed: Changed) -> None:
    frames = {name: table(prepared, name) for name in ("train.csv", "test.csv")}
    for frame in frames.values():
        for name in frame.columns[1:11]:
            frame[name] = (frame[name] > 0).astype(int)
    passes("duplicates", changed({name: content(frame) for name, frame in frames.items()}))


def test_near_rows_of_two_columns_are_no_fault(prepared: Prepared, changed: Changed) -> None:
    for kept in (["column0"], ["column0", "column1"], ["column0", "column1", "column2"]):
        frames = {name: table(prepared, name) for name in ("train.csv", "test.csv")}
        files = {
            name: content(frame[["id", *kept, *frame.columns.intersection(["has_damage"])]])
            for name, frame in frames.items()
        }
        passes("duplicates", changed(files))


def bare(prepared: Prepared, changed: Changed) -> Prepared:
    """The task without a column."""
    train, test = table(prepared, "train.csv"), table(prepared, "test.csv")
    return changed(
        {"train.csv": content(train[["id", "has_damage"]]), "test.csv": content(test[["id"]])}
    )


@pytest.mark.parametrize("kind", ["the same file", "compressed", "with a note", "as colours"])
def test_pictures_that_show_the_same(kind: str, prepared: Prepared, changed: Changed) -> None:
    pixels = pictures(prepared)
    train, test = (
        np.flatnonzero(part)[:20] for part in (prepared.dataset.train, ~prepared.dataset.train)
    )
    task = bare(prepared, changed)
    passes("duplicates", with_files(task, named(prepared, [png(each) for each in pixels])))
    pixels[test] = pixels[train]
    contents = [png(each) for each in pixels]
    for row in test:
        if kind == "compressed":
            contents[row] = png(pixels[row], level=9)
        elif kind == "with a note":
            contents[row] = png(pixels[row], {"Comment": "x"})
        elif kind == "as colours":
            contents[row] = png(np.stack([pixels[row]] * 3, axis=2))
    broken = with_files(task, named(prepared, contents))
    assert caught("duplicates", broken) == "4.0% of the test rows"


@pytest.mark.parametrize("kind", ["grainy", "darker"])
def test_pictures_that_show_nearly_the_same(
    kind: str, prepared: Prepared, changed: Changed
) -> None:
    pixels = pictures(prepared)
    train, test = (
        np.flatnonzero(part)[:20] for part in (prepared.dataset.train, ~prepared.dataset.train)
    )
    rng = np.random.default_rng(0)
    copies = pixels[train].astype(int)
    copies += rng.integers(-3, 4, copies.shape) if kind == "grainy" else -copies // 8
    pixels[test] = np.clip(copies, 0, 255)
    task = with_files(prepared, named(prepared, [png(each) for each in pixels]))
    assert caught("duplicates", task) == "0.0% of the test rows, 4.0% nearly"


def test_texts_with_a_slip(prepared: Prepared, changed: Changed) -> None:
    rng = np.random.default_rng(0)
    words = ["".join(rng.choice(list("abcdefghij"), 5)) for _ in range(300)]
    texts = [" ".join(rng.choice(words, 20)) for _ in prepared.dataset.ids]
    passes("duplicates", changed(with_column(prepared, "letter", texts)))
    train, test = (
        np.flatnonzero(part)[:20] for part in (prepared.dataset.train, ~prepared.dataset.train)
    )
    for known, row in zip(train, test, strict=True):
        texts[row] = texts[known].replace("a", "A", 1).replace("b", "bb", 1)
    broken = changed(with_column(prepared, "letter", texts))
    assert caught("duplicates", broken) == "0.0% of the test rows, 4.0% nearly"


def test_rows_of_a_second_table_beside_other_cells(prepared: Prepared, changed: Changed) -> None:
    ids = list(prepared.dataset.ids)
    rng = np.random.default_rng(0)
    visits = pd.DataFrame({"id": np.repeat(ids, 3), "minutes": rng.normal(size=3 * len(ids))})
    passes("duplicates", changed({"visits.csv": content(visits)}))
    train, test = (
        np.flatnonzero(part)[:20] for part in (prepared.dataset.train, ~prepared.dataset.train)
    )
    minutes = visits["minutes"].to_numpy().reshape(-1, 3).copy()
    minutes[test] = minutes[train]
    broken = changed({"visits.csv": content(visits.assign(minutes=minutes.ravel()))})
    assert caught("duplicates", broken) == "4.0% of the test rows"
