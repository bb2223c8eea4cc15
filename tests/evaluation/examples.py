"""Rollouts made by hand, of many policies, tasks and attempts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sandmle.play.rollout import Reward, Rollout
from tests.play.examples import rollout, submission

#: What is submitted at the end, and the reward that it earns, by outcome.
OUTCOMES: Mapping[str, tuple[dict[str, Any] | None, float]] = {
    "nothing": (None, 0.1),
    "invalid": ({"valid": False}, 0.1),
    "valid": ({}, 0.4),
    "median": ({"above_median": True}, 0.5),
    "bronze": ({"above_median": True, "medal": "bronze"}, 0.7),
    "silver": ({"above_median": True, "medal": "silver"}, 0.9),
    "gold": ({"above_median": True, "medal": "gold"}, 1.0),
}


def played(outcome: str, **changes: Any) -> Rollout:
    """A rollout that came to an outcome of OUTCOMES, or `unscored`."""
    if outcome == "unscored":
        return rollout(reward=None, termination="policy_error", error="it failed", **changes)
    grade, reward = OUTCOMES[outcome]
    submissions = () if grade is None else (submission(**grade),)
    return rollout(*submissions, reward=Reward("paper", reward, {}), **changes)


def attempts(task: str, *outcomes: str, **changes: Any) -> Iterator[Rollout]:
    """The attempts of a policy on a task."""
    for number, outcome in enumerate(outcomes):
        yield played(outcome, task=task, attempt=number, **changes)
