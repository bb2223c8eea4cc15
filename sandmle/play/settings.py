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

#: How a model is to call tools: natively, beside its text as chat APIs carry calls, or in its text,
#: as the system's message then tells it. Both are read, whichever is asked for.
ToolForm = Literal["native", "text"]

_LIMITS = ("turns", "seconds", "tokens", "output_characters", "context_tokens", "repeats")


@dataclass(frozen=True)
class Settings:
    """The settings of an episode.

    `turns` and `tokens` (of the policy's own; None: no limit) bound the whole episode, as do
    `seconds`; `step` bounds each run of code. An observation shows at most `output_characters` of
    stdout, and again of stderr. `tools` is the form in which tools are offered. A conversation of
    more than `context_tokens` (None: no limit) is shown without its oldest observations, see
    `sandmle.play.context`; the same turns `repeats` times in a row (None: however often) end the
    episode. The sandbox has `libraries` imported already, see `sandmle.sandbox.libraries`. The
    defaults are the paper's 20 turns and 120 s a step.

    Raises ValueError where a limit is not above zero.
    """

    score: ScoreMode = "test"
    turns: int = 20
    seconds: float = 1800.0
    tokens: int | None = None
    output_characters: int = 4000
    tools: ToolForm = "native"
    context_tokens: int | None = None
    repeats: int | None = 4
    step: Limits = field(default_factory=Limits)
    libraries: tuple[str, ...] = DEFAULT

    def __post_init__(self) -> None:
        for name in _LIMITS:
            value = getattr(self, name)
            if value is not None and not (math.isfinite(value) and value > 0):
                raise ValueError(f"{name} must be a finite number above zero, not {value!r}")
        if self.score not in ("test", "validity", "none"):
            raise ValueError(f"score must be test, validity or none, not {self.score!r}")
        if self.tools not in ("native", "text"):
            raise ValueError(f"tools must be native or text, not {self.tools!r}")
        if self.repeats is not None and self.repeats < 2:
            raise ValueError(f"repeats must be at least 2, not {self.repeats!r}")
