"""What an episode is played under: what the policy may use and what it is told."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

from sandmle.sandbox.libraries import DEFAULT
from sandmle.sandbox.limits import Limits

#: What the tool `score` tells: the test score with the medal and its thresholds (training, as in
#: the paper), whether the submission is valid (evaluation, as in MLE-bench), or nothing.
ScoreMode = Literal["test", "validity", "none"]


@dataclass(frozen=True)
class Settings:
    """The settings of an episode.

    `turns` and `tokens` (of the policy's own; None: no limit) bound the whole episode, as do
    `seconds`; `step` bounds each run of code. An observation shows at most `output_characters` of
    stdout, and again of stderr. The sandbox has `libraries` imported already, see
    `sandmle.sandbox.libraries`. The defaults are the paper's 20 turns and 120 s a step.

    Raises ValueError where a limit is not above zero.
    """

    score: ScoreMode = "test"
    turns: int = 20
    seconds: float = 1800.0
    tokens: int | None = None
    output_characters: int = 4000
    step: Limits = field(default_factory=Limits)
    libraries: tuple[str, ...] = DEFAULT

    def __post_init__(self) -> None:
        for name in ("turns", "seconds", "tokens", "output_characters"):
            value = getattr(self, name)
            if value is not None and not (math.isfinite(value) and value > 0):
                raise ValueError(f"{name} must be a finite number above zero, not {value!r}")
        if self.score not in ("test", "validity", "none"):
            raise ValueError(f"score must be test, validity or none, not {self.score!r}")
