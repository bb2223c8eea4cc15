"""The leaderboard of a competition, and the medals that MLE-bench reads from it."""

from __future__ import annotations

import csv
import math
import statistics
from collections.abc import Sequence
from pathlib import Path

from sandmle.spec.model import Thresholds

#: How a file begins that Git LFS has not fetched yet, as MLE-bench's leaderboards in a fresh clone.
_POINTER = "version https://git-lfs.github.com/spec"


def read_leaderboard(path: Path) -> tuple[float, ...]:
    """The teams' scores of a leaderboard.csv, the best team's first: its column `score`.

    Raises FileNotFoundError where there is none, ValueError naming file and line where it is not
    such a table.
    """
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.reader(file)
        header = next(rows, [])
        if header and header[0].startswith(_POINTER):
            raise ValueError(
                f"{path}:1: a pointer of Git LFS, not the leaderboard itself; run `git lfs fetch "
                "--all` and `git lfs pull` where mle-bench was cloned"
            )
        if "score" not in header:
            raise ValueError(f"{path}:1: expected a column 'score', found {', '.join(header)!r}")
        place = header.index("score")
        scores = [_score(path, rows.line_num, row, place) for row in rows if row]
    if not scores:
        raise ValueError(f"{path}: no team stands in it; expected a row for each")
    return tuple(scores)


def _score(path: Path, line: int, row: Sequence[str], place: int) -> float:
    text = row[place] if place < len(row) else ""
    try:
        score = float(text)
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        raise ValueError(f"{path}:{line}: expected a number as score, found {text!r}")
    return score


def is_lower_better(scores: Sequence[float]) -> bool | None:
    """Which way is better as a leaderboard tells it: its first team is the best.

    None where the first and the last team score the same.
    Source: Grader.is_lower_better in mlebench/grade_helpers.py.
    """
    first, last = scores[0], scores[-1]
    return None if first == last else first < last


def medal_thresholds(scores: Sequence[float]) -> Thresholds:
    """The scores that win a medal on a leaderboard, the best team's first, and its median.

    The last team of each medal sets its threshold; how many teams win one follows from the number
    of teams, as on Kaggle (kaggle.com/progression). A score that equals a threshold wins.
    Source: Grader.rank_score in mlebench/grade_helpers.py.
    """
    gold, silver, bronze = (scores[place - 1] for place in medal_places(len(scores)))
    return Thresholds(median=statistics.median(scores), bronze=bronze, silver=silver, gold=gold)


def medal_places(teams: int) -> tuple[int, int, int]:
    """The last places, from 1, that win gold, silver and bronze among so many teams.

    Source: Grader.rank_score in mlebench/grade_helpers.py. A product is cut to a whole number just
    as there: of floats, so that 10 + int(0.002 * teams) are the teams that win gold from 250 on.
    """
    if teams < 1:
        raise ValueError("a leaderboard has at least one team")
    if teams < 100:
        shares = (0.1, 0.2, 0.4)
        gold, silver, bronze = (max(1, int(teams * share)) for share in shares)
        return gold, silver, bronze
    if teams < 250:
        return 10, int(teams * 0.2), int(teams * 0.4)
    if teams < 1000:
        return 10 + int(teams * 0.002), 50, 100
    return 10 + int(teams * 0.002), int(teams * 0.05), int(teams * 0.1)
