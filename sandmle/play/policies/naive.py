"""Standard models on the columns as they come."""

from __future__ import annotations

from sandmle.play.scripted import Scripted, solver_policy

_REASONING = (
    "I try standard models on the columns as they come and submit the one that validates best."
)


def create(argument: str) -> Scripted:
    """The policy; the argument is the share of the training rows that it knows."""
    return solver_policy("naive", argument, _REASONING)
