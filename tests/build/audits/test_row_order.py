"""Rows and ids in an order that goes with the labels are caught."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from sandmle.build.prepare import Prepared
from tests.build.audits.planting import (
    TARGET,
    Changed,
    caught,
    content,
    labels_of,
    table,
    with_ids,
)


def by_id(prepared: Prepared) -> dict[str, int]:
    return dict(zip(prepared.dataset.ids, labels_of(prepared), strict=True))


@pytest.mark.parametrize("part", ["train.csv", "test.csv"])
def test_rows_sorted_by_the_label(part: str, prepared: Prepared, changed: Changed) -> None:
    frame = table(prepared, part)
    order = frame["id"].map(by_id(prepared)).argsort(kind="stable")
    assert "row order" in caught("row_order", changed({part: content(frame.iloc[order])}))


@pytest.mark.parametrize("part", ["train.csv", "test.csv"])
def test_ids_sorted_by_the_label(part: str, prepared: Prepared, changed: Changed) -> None:
    frame = table(prepared, part)
    order = frame["id"].map(by_id(prepared)).argsort(kind="stable")
    names = {name: name for name in prepared.dataset.ids}
    names |= dict(zip(frame["id"][order], sorted(frame["id"]), strict=True))
    assert "id order" in caught("row_order", with_ids(prepared, changed, names))


def test_rows_that_lean_to_an_order(prepared: Prepared, changed: Changed) -> None:
    frame = table(prepared, "test.csv")
    noise = np.random.default_rng(0).normal(size=len(frame))
    order = (0.9 * frame["id"].map(by_id(prepared)) + noise).argsort()
    assert "row order" in caught("row_order", changed({"test.csv": content(frame.iloc[order])}))


@pytest.mark.parametrize("share", [1.0, 0.7])
def test_blocks_of_equal_labels(share: float, prepared: Prepared, changed: Changed) -> None:
    frame = table(prepared, "test.csv").sample(frac=share, random_state=0)
    rest = table(prepared, "test.csv").drop(frame.index)
    labels = frame["id"].map(by_id(prepared))
    groups = [frame[labels == label] for label in (0, 1)]
    blocks = [part[start : start + 25] for start in range(0, 300, 25) for part in groups]
    broken = changed({"test.csv": content(pd.concat([*blocks, rest]))})
    assert "row before" in caught("row_order", broken)


def test_a_few_rows_of_one_class_at_the_end(prepared: Prepared, changed: Changed) -> None:
    frame = table(prepared, "test.csv")
    late = frame[frame["id"].map(by_id(prepared)) == 1][:36]
    rows = pd.concat([frame.drop(late.index), late])
    assert "run of one kind" in caught("row_order", changed({"test.csv": content(rows)}))


@pytest.mark.parametrize("name", ["sample_submission.csv", "visits.csv", "notes/order.json"])
def test_another_file_that_lists_ids_by_label(
    name: str, prepared: Prepared, changed: Changed
) -> None:
    frame = table(prepared, "sample_submission.csv")
    listed = frame.iloc[frame["id"].map(by_id(prepared)).argsort(kind="stable")]
    if name.endswith(".json"):
        broken = changed({name: repr(list(listed["id"])).encode()})
    else:
        broken = changed({name: content(listed.rename(columns={TARGET: "visits"}))})
    caught("row_order", broken)
