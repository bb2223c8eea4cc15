"""What comes of judging a submission."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Outcome:
    """A submission's score, or why there is none.

    `graded` has a score; `invalid` is the submission's fault; `raised` is an error that does not
    tell whose fault it is, or, where a grader is only looked at, the grader's.
    """

    kind: Literal["graded", "invalid", "raised"]
    score: float | None = None
    reason: str | None = None
