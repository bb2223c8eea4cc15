"""Evaluators that let nan through, or take nothing for a number, are found out."""

from __future__ import annotations

import pytest

from tests.build.audits.tasks import holds, told

_NUMBERS = "return table.numbers(targets[0], 0.0, 1.0)"
_CELLS = "for text in table.columns[targets[0]]])"


@pytest.mark.parametrize("shape", ["auc", "classes", "correlation"])
def test_sound_evaluators(shape: str) -> None:
    holds("nan_routes", shape)


@pytest.mark.parametrize(
    ("shape", "old", "new", "evidence"),
    [
        # Any writing of nan is taken, and the metric fails on it.
        ("log loss", _NUMBERS, f"return np.array([float(text or 0) {_CELLS}", "no number"),
        # Nothing counts as one half.
        (
            "auc",
            _NUMBERS,
            "texts = [text.strip() for text in table.columns[targets[0]]]\n"
            "    return np.array([float(text) if text[:1].isdigit() else 0.5 for text in texts])",
            "passes, and scores",
        ),
        # Only an empty cell does.
        (
            "auc",
            _NUMBERS,
            "filled = [text.strip() or '0.5' for text in table.columns[targets[0]]]\n"
            "    table = Table(table.ids, {targets[0]: filled}, table.rows)\n    " + _NUMBERS,
            "no number but ''",
        ),
        # A constant has no correlation.
        (
            "correlation",
            "return pearson(truth, prediction)",
            "return float(np.corrcoef(truth, prediction)[0, 1])",
            "nan",
        ),
        # Squares overflow.
        ("numbers", "LARGEST = 1e15", "LARGEST = 1e200", "the metric gave inf"),
    ],
)
def test_ways_to_nan(shape: str, old: str, new: str, evidence: str) -> None:
    assert evidence in told("nan_routes", shape, old, new)
