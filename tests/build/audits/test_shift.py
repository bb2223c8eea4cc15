"""Train and test that differ where the spec declares no shift."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from scipy import stats

from sandmle.build.audits.shift import _of_levels, _of_numbers
from sandmle.build.prepare import Prepared
from sandmle.spec.model import Split
from tests.build.audits.planting import (
    Changed,
    caught,
    content,
    named,
    passes,
    table,
    with_column,
    with_files,
)


@pytest.mark.parametrize("kind", ["moved", "wider", "in 4 of 10 rows", "missing"])
def test_a_column_that_shifts(kind: str, prepared: Prepared, changed: Changed) -> None:
    frame = table(prepared, "test.csv")
    values = frame["crack_width"]
    some = np.random.default_rng(0).random(len(frame)) < 0.4
    frame["crack_width"] = {
        "moved": values + 0.8,
        "wider": 3 * values,
        "in 4 of 10 rows": values + 4 * some,
        "missing": values.where(~some),
    }[kind]
    assert "crack_width" in caught("shift", changed({"test.csv": content(frame)}))


def test_a_category_that_shifts(prepared: Prepared, changed: Changed) -> None:
    rng, train = np.random.default_rng(0), prepared.dataset.train
    makers = rng.choice(["Abel", "Baker", "Cole"], len(train), p=[0.5, 0.3, 0.2])
    passes("shift", changed(with_column(prepared, "maker", makers)))
    other = np.where(train | (rng.random(len(train)) < 0.6), makers, "Baker")
    assert "maker" in caught("shift", changed(with_column(prepared, "maker", other)))


def test_files_that_are_larger_in_test(prepared: Prepared) -> None:
    sizes = np.random.default_rng(0).integers(300, 400, len(prepared.dataset.ids))
    sizes += 30 * ~prepared.dataset.train
    files = named(prepared, [bytes(int(size)) for size in sizes], "scans/{id}.bin")
    assert "size of scans/{id}.bin" in caught("shift", with_files(prepared, files))


def test_a_declared_shift(prepared: Prepared, changed: Changed) -> None:
    frame = table(prepared, "test.csv")
    broken = changed({"test.csv": content(frame.assign(crack_width=0.1))})
    dna = dataclasses.replace(broken.spec.dna, split=Split("time", "crack"))
    passes("shift", dataclasses.replace(broken, spec=dataclasses.replace(broken.spec, dna=dna)))


def test_the_tests_are_those_of_scipy() -> None:
    rng = np.random.default_rng(0)
    train, test = rng.normal(size=80), rng.normal(0.8, 1, 300)
    chance = stats.ks_2samp(train, test).pvalue
    assert _of_numbers(train, test) == pytest.approx(stats.norm.isf(chance / 2), rel=0.03)
    levels = np.concatenate([rng.integers(0, 3, 100), rng.integers(0, 2, 200)])
    counts = np.array([np.bincount(part, minlength=3) for part in (levels[:100], levels[100:])])
    chance = stats.chi2_contingency(counts).pvalue
    assert _of_levels(levels, 100) == pytest.approx(stats.norm.isf(chance / 2), rel=1e-6)
