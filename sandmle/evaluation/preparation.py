"""From what a user chose to all that a run needs: every fault is told before anything is played."""

from __future__ import annotations

import urllib.parse
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandmle.evaluation.choices import CARRIED_OUT, Choices
from sandmle.evaluation.config import Config, make_config, part_of
from sandmle.evaluation.selection import select_tasks
from sandmle.play.policies import Policy, load_policy, options_of
from sandmle.play.reward import Weights, load_weights
from sandmle.play.task import Task


@dataclass(frozen=True)
class Prepared:
    """A run that could begin. `policies` are by how they are asked for."""

    config: Config
    policies: Mapping[str, Policy]
    tasks: tuple[Task, ...]
    weights: Weights


def prepare(choices: Choices, *, corpus: Path, shard: str | None = None) -> Prepared:
    """Loads tasks, policies and weights, and writes down what is to be played.

    Raises ValueError, FileNotFoundError or SpecError where a choice makes no sense.
    """
    part_of((), shard)
    settings = choices.settings
    weights = load_weights(choices.reward)
    policies = {
        text: load_policy(text, settings=settings, **_own_options(text, choices))
        for text in choices.policy
    }
    tasks = select_tasks(choices.tasks, corpus=corpus, limit=choices.limit)
    config = make_config(
        policies,
        tasks,
        selections=choices.tasks,
        limit=choices.limit,
        attempts=choices.attempts,
        weights=weights,
        reward=choices.reward,
        settings=settings,
        options=_recorded(choices.options),
        shard=shard,
    )
    return Prepared(config, policies, tuple(tasks), weights)


def _own_options(text: str, choices: Choices) -> dict[str, object]:
    """The options that one of the policies takes."""
    taken = options_of(text)
    return {name: value for name, value in choices.options.items() if name in taken}


def _recorded(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that say what is played. Raises ValueError where one would give a secret away."""
    address = urllib.parse.urlsplit(options.get("base_url") or "")
    if address.query or "@" in address.netloc:
        raise ValueError(
            "an address with a password or a query in it would be written down: "
            "give it by OPENAI_BASE_URL instead of base_url"
        )
    return {name: value for name, value in options.items() if name not in CARRIED_OUT}
