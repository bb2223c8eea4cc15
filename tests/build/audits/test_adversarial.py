"""Models that tell test rows from train rows, by what no single column shows."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from sandmle.build.prepare import Prepared
from sandmle.spec.model import Split
from tests.build.audits.planting import Changed, caught, content, passes, table


def entangled(prepared: Prepared, changed: Changed, kind: str) -> Prepared:
    """Two columns that go together in test alone, each distributed as in train."""
    frame = table(prepared, "test.csv")
    left, right = frame["column0"], frame["column1"]
    order = left.argsort().to_numpy()
    if kind == "equal signs":
        right = right.abs() * np.sign(left)
    elif kind == "in order, in 7 of 10 rows":
        chosen = order[np.random.default_rng(0).random(len(order)) < 0.7]
        cells = right.to_numpy(copy=True)
        cells[chosen] = np.sort(cells[chosen])
        right = right * 0 + cells
    else:
        cells = np.empty(len(order))
        cells[order] = np.sort(right)
        right = right * 0 + cells
    return changed({"test.csv": content(frame.assign(column1=right))})


@pytest.mark.parametrize("kind", ["equal signs", "in order", "in order, in 7 of 10 rows"])
def test_columns_that_go_together_in_test_alone(
    kind: str, prepared: Prepared, changed: Changed
) -> None:
    broken = entangled(prepared, changed, kind)
    passes("shift", broken)
    caught("adversarial", broken)


def test_a_good_task(prepared: Prepared) -> None:
    passes("adversarial", prepared)


def test_a_declared_shift(prepared: Prepared, changed: Changed) -> None:
    broken = entangled(prepared, changed, "in order")
    dna = dataclasses.replace(broken.spec.dna, split=Split("time", "crack"))
    other = dataclasses.replace(broken, spec=dataclasses.replace(broken.spec, dna=dna))
    passes("adversarial", other)
