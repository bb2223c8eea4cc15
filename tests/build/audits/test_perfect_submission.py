"""The answers themselves win gold, or the task is none."""

from __future__ import annotations

import pytest

from tests.build.audits.tasks import SHAPES, holds, told


@pytest.mark.parametrize("shape", SHAPES)
def test_answers_win_gold(shape: str) -> None:
    holds("perfect_submission", shape)


@pytest.mark.parametrize(
    ("shape", "old", "new"),
    [
        ("auc", '"gold": 0.95', '"gold": 1.00001'),
        ("numbers", '"gold": 0.5', '"gold": -0.00001'),
        ("log loss", "IS_LOWER_BETTER = True", "IS_LOWER_BETTER = False"),
        ("auc", "else expected.ids", "else sorted(expected.ids)"),
    ],
)
def test_gold_out_of_reach(shape: str, old: str, new: str) -> None:
    told("perfect_submission", shape, old, new)
