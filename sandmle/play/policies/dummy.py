"""Looks at no feature: the floor of every ladder."""

from __future__ import annotations

from sandmle.play.scripted import Scripted, solver_policy

_REASONING = "I submit the average of the training labels: a look at no feature."


def create(argument: str) -> Scripted:
    """The policy. Raises ValueError where an argument is given."""
    if argument:
        raise ValueError(f"the policy 'dummy' takes no argument, not {argument!r}")
    return solver_policy("dummy", argument, _REASONING)
