"""A decent generic pipeline, as an attentive person would write it."""

from __future__ import annotations

from sandmle.play.scripted import Scripted, solver_policy

_REASONING = (
    "I measure all that the files hold, combine it, let cross-validation choose, and "
    "submit an average of the best."
)


def create(argument: str) -> Scripted:
    """The policy; the argument is the share of the training rows that it knows."""
    return solver_policy("honest", argument, _REASONING)
