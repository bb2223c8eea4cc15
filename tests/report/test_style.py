from __future__ import annotations

import pytest

from sandmle.report.style import number


@pytest.mark.parametrize(
    ("score", "text"),
    [(0.5, "0.5000"), (-0.00001, "0.0000"), (-1.23456, "-1.2346"), (1234.5678, "1235")],
)
def test_scores_are_short_and_zero_has_no_sign(score: float, text: str) -> None:
    assert number(score) == text
