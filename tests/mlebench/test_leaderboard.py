from __future__ import annotations

from pathlib import Path

import pytest

from sandmle.mlebench.leaderboard import (
    is_lower_better,
    medal_places,
    medal_thresholds,
    read_leaderboard,
)
from sandmle.runtime.medals import above_median, medal
from sandmle.spec.model import Thresholds


@pytest.mark.parametrize(
    ("teams", "places"),
    [
        # By hand from kaggle.com/progression, as mlebench/grade_helpers.py reads it: up to 99
        # teams the best 10, 20 and 40 %, up to 249 the best 10 and 20 and 40 %, up to 999 the best
        # 10 (and one more for each 500), 50 and 100, and from 1000 on the best 10 (and one more
        # for each 500), 5 % and 10 %. Parts of a team count for none, but one team wins always.
        (1, (1, 1, 1)),
        (4, (1, 1, 1)),
        (5, (1, 1, 2)),
        (29, (2, 5, 11)),
        (99, (9, 19, 39)),
        (100, (10, 20, 40)),
        (249, (10, 49, 99)),
        (250, (10, 50, 100)),
        (500, (11, 50, 100)),
        (999, (11, 50, 100)),
        (1000, (12, 50, 100)),
        (1221, (12, 61, 122)),
        (5000, (20, 250, 500)),
    ],
)
def test_how_many_teams_win_each_medal(teams: int, places: tuple[int, int, int]) -> None:
    assert medal_places(teams) == places


def test_thresholds_are_the_scores_of_the_last_teams_that_win() -> None:
    scores = [100.0 - place for place in range(1, 101)]  # the team at place 10 scores 90
    assert medal_thresholds(scores) == Thresholds(median=49.5, bronze=60.0, silver=80.0, gold=90.0)


def test_a_score_that_equals_a_threshold_wins_and_the_median_must_be_passed() -> None:
    levels = vars(medal_thresholds([0.1, 0.2, 0.2, 0.3, 0.4]))
    # Five teams: gold and silver to the first, bronze to the second, which the third equals.
    assert medal(0.1, levels, is_lower_better=True) == "gold"
    assert medal(0.2, levels, is_lower_better=True) == "bronze"
    assert medal(0.21, levels, is_lower_better=True) is None
    assert not above_median(0.2, levels, is_lower_better=True)
    assert above_median(0.19, levels, is_lower_better=True)


@pytest.mark.parametrize(
    ("scores", "lower"), [((0.9, 0.5), False), ((0.5, 0.9), True), ((0.5, 0.7, 0.5), None)]
)
def test_the_first_team_tells_which_way_is_better(
    scores: tuple[float, ...], lower: bool | None
) -> None:
    assert is_lower_better(scores) is lower


def test_the_column_score_is_read_wherever_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "leaderboard.csv"
    path.write_text('teamName,score,submissionDate\n"a, b",0.75,2020\nc,5e-1,2020\n\n')
    assert read_leaderboard(path) == (0.75, 0.5)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n", "1: a pointer of"),
        ("teamId,points\n1,2\n", "1: expected a column 'score', found 'teamId, points'"),
        ("", "1: expected a column 'score', found ''"),
        ("teamId,score\n", "no team stands in it"),
        ("teamId,score\n1,0.5\n2,\n", "3: expected a number as score, found ''"),
        ("teamId,score\n1,nan\n", "2: expected a number as score, found 'nan'"),
        ("teamId,score\n1\n", "2: expected a number as score, found ''"),
    ],
)
def test_broken_leaderboards_are_told_by_file_and_line(
    tmp_path: Path, content: str, told: str
) -> None:
    path = tmp_path / "leaderboard.csv"
    path.write_text(content)
    with pytest.raises(ValueError, match=r"leaderboard\.csv") as error:
        read_leaderboard(path)
    assert told in str(error.value)
