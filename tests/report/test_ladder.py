from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandmle.build.verdict import Rung
from sandmle.report.ladder import best_of_each, lay_out
from sandmle.spec.model import Thresholds
from tests.report.overviews import RUNGS, THRESHOLDS

scores = st.floats(-1e6, 1e6, allow_nan=False)


def test_right_is_better_in_either_direction() -> None:
    up = lay_out(RUNGS, THRESHOLDS, is_lower_better=False)
    mirrored = [Rung(rung.rung, rung.name, -rung.score) for rung in RUNGS]
    limits = Thresholds(-0.62, -0.72, -0.8, -0.86)
    down = lay_out(mirrored, limits, is_lower_better=True)
    assert [mark.place for mark in up.marks] == [mark.place for mark in down.marks]
    assert [line.place for line in up.lines] == sorted(line.place for line in down.lines)
    assert up.marks[-1].place == 1.0
    assert up.marks[1].place == 0.0


def test_a_rung_far_below_the_median_is_drawn_at_the_edge_and_says_so() -> None:
    rungs = [Rung("dummy", "random", 14.0), Rung("honest", "forest", 0.4)]
    limits = Thresholds(median=0.62, bronze=0.55, silver=0.48, gold=0.43)
    ladder = lay_out(rungs, limits, is_lower_better=True)
    assert ladder.marks[0].beyond
    assert ladder.marks[0].place == 0.0
    median, bronze, silver, gold = (line.place for line in ladder.lines)
    assert 0.5 < median < bronze < silver < gold < 1.0


def test_a_task_without_thresholds_has_rungs_and_no_lines() -> None:
    ladder = lay_out(RUNGS, None, is_lower_better=False)
    assert ladder.lines == ()
    assert [mark.rung for mark in ladder.marks] == list(RUNGS)


@given(st.lists(scores, min_size=1, max_size=9), st.booleans())
def test_places_keep_the_order_of_scores_and_stay_on_the_axis(
    found: list[float], lower: bool
) -> None:
    ladder = lay_out([Rung("naive", "x", s) for s in found], THRESHOLDS, is_lower_better=lower)
    marks = sorted(ladder.marks, key=lambda mark: mark.rung.score, reverse=lower)
    places = [mark.place for mark in marks]
    assert places == sorted(places)
    assert all(0.0 <= place <= 1.0 for place in places)


@pytest.mark.parametrize(("lower", "expected"), [(False, 0.66), (True, 0.61)])
def test_the_best_of_each_rung_follows_the_metric_s_direction(lower: bool, expected: float) -> None:
    best = best_of_each(RUNGS, is_lower_better=lower)
    assert [rung.rung for rung in best] == ["dummy", "naive", "honest", "reference"]
    assert best[1].score == expected
