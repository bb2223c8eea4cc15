"""The scores of an episode's submissions against the medal lines, on an axis on which up is better.

The geometry is that of the ladder on the corpus page, see `sandmle.report.ladder`.
"""

from __future__ import annotations

from typing import Any

from sandmle.build.verdict import Rung
from sandmle.play.rollout import Rollout
from sandmle.report.ladder import lay_out
from sandmle.report.overview import level
from sandmle.report.style import number

#: Places are rounded to so many decimals: a thousandth of a drawing is less than a pixel.
_DECIMALS = 4


def climb(rollout: Rollout) -> dict[str, Any]:
    """The points of the submissions, in their order, and the lines, as JSON data.

    A point's `place` is in [0, 1], None where the submission has no score; `beyond` says that it
    lies below the axis.
    """
    scored = [one for one in rollout.submissions if one.score is not None]
    ladder = lay_out(
        [Rung("submission", "", one.score) for one in scored if one.score is not None],
        rollout.thresholds,
        is_lower_better=rollout.is_lower_better,
    )
    marks = iter(ladder.marks)
    points = []
    for place, submission in enumerate(rollout.submissions):
        mark = next(marks) if submission.score is not None else None
        points.append(
            {
                "turn": submission.turn,
                "level": level(submission),
                "score": None if submission.score is None else number(submission.score),
                "place": None if mark is None else round(mark.place, _DECIMALS),
                "beyond": mark is not None and mark.beyond,
                "final": place == rollout.final,
                "reason": submission.reason,
                "size": submission.size,
                "digest": submission.digest,
            }
        )
    lines = [
        {"name": line.name, "score": number(line.score), "place": round(line.place, _DECIMALS)}
        for line in ladder.lines
    ]
    return {"points": points, "lines": lines}
