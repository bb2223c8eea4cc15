"""What a run plays and how, as its folder's config.json tells it.

It holds all that the rollouts depend on, and nothing secret. How a run is carried out (how many
episodes at a time, in which sandbox, at what price) is no part of it: that may change on the way.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from sandmle import __version__
from sandmle.play.policies import Policy
from sandmle.play.records import from_data, to_data
from sandmle.play.reward import Weights
from sandmle.play.scripted import digest_of
from sandmle.play.settings import Settings
from sandmle.play.task import Task

Item = TypeVar("Item")

#: Version of config.json, the value of its key `format`.
CONFIG_FORMAT = 1

#: Tasks that are named where several have changed.
_NAMED = 3


@dataclass(frozen=True)
class Selected:
    """A task of a run. `digest` is the SHA-256 over those of its spec and its files."""

    split: str
    modality: str
    difficulty: float | None
    digest: str


@dataclass(frozen=True)
class Config:
    """What a run plays and how.

    `policies` as they are asked for, `options` what those were given, `attempts` the episodes of a
    policy on a task, `tasks` and `limit` as `select_tasks` takes them, and `selected` what that
    found, by id. `reward` names the weights. `digests` are SHA-256 of the weights and of each
    policy. A run that is one of several shards says in `shard` the how-manieth and of how many.
    """

    format: int
    version: str
    policies: tuple[str, ...]
    options: Mapping[str, Any]
    tasks: tuple[str, ...]
    limit: int | None
    attempts: int
    reward: str
    settings: Settings
    digests: Mapping[str, str]
    selected: Mapping[str, Selected]
    shard: str | None

    @property
    def rollouts(self) -> int:
        """How many rollouts it has when it is done."""
        return len(part_of(list(self.selected), self.shard)) * len(self.policies) * self.attempts


def make_config(
    policies: Mapping[str, Policy],
    tasks: Sequence[Task],
    *,
    selections: Sequence[str],
    limit: int | None,
    attempts: int,
    weights: Weights,
    reward: str,
    settings: Settings,
    options: Mapping[str, Any],
    shard: str | None = None,
) -> Config:
    """The config of a run of some policies, by how they are asked for, on some tasks."""
    return Config(
        format=CONFIG_FORMAT,
        version=__version__,
        policies=tuple(policies),
        options=dict(options),
        tasks=tuple(selections),
        limit=limit,
        attempts=attempts,
        reward=reward,
        settings=settings,
        digests={
            "weights": weights.digest,
            **{f"policy {text}": policy.digest for text, policy in policies.items()},
        },
        selected={task.id: _selected(task) for task in tasks},
        shard=shard,
    )


def _selected(task: Task) -> Selected:
    digest = digest_of(*(f"{name} {digest}" for name, digest in sorted(task.digests.items())))
    return Selected(task.split, task.modality, task.difficulty, digest)


def dump_config(config: Config) -> str:
    """The text of config.json."""
    return json.dumps(to_data(config), indent=1, allow_nan=False) + "\n"


def parse_config(text: str) -> Config:
    """The config of a config.json's text. Raises ValueError saying what is wrong with it."""
    data = json.loads(text)
    found = data.get("format") if isinstance(data, dict) else None
    if found != CONFIG_FORMAT:
        raise ValueError(f"format: expected {CONFIG_FORMAT}, got {found!r}")
    return from_data(Config, data)


def differences(before: Config, now: Config) -> list[str]:
    """What tells two configs apart, a line each; the version of sandmle does not."""
    return list(_differences(before, now))


def _differences(before: Config, now: Config) -> Iterator[str]:
    first, second = _flat(before), _flat(now)
    for name in first | second:
        old, new = first.get(name), second.get(name)
        if old != new and name.startswith("digests."):
            yield f"{name.removeprefix('digests.')}: it has changed since"
        elif old != new:
            yield f"{name}: {_shown(old)}, now {_shown(new)}"
    yield from _task_differences(before.selected, now.selected)


def _task_differences(before: Mapping[str, Selected], now: Mapping[str, Selected]) -> Iterator[str]:
    changed = [name for name in before if name in now and before[name].digest != now[name].digest]
    for told, names in (
        ("were built anew and are others now", changed),
        ("are gone", [name for name in before if name not in now]),
        ("are new", [name for name in now if name not in before]),
    ):
        if names:
            more = ", ..." if len(names) > _NAMED else ""
            yield f"tasks: {len(names)} {told}: {', '.join(names[:_NAMED])}{more}"


def _flat(config: Config) -> dict[str, Any]:
    """What a config says but for its tasks, by dotted names."""
    data = to_data(config)
    for name in ("version", "selected"):
        del data[name]
    return dict(_leaves("", data))


def _leaves(where: str, data: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in data.items():
        name = f"{where}.{key}" if where else key
        if isinstance(value, Mapping):
            yield from _leaves(name, value)
        else:
            yield name, list(value) if isinstance(value, tuple) else value


def _shown(value: Any) -> str:
    return "none" if value is None else json.dumps(value)


def part_of(tasks: Sequence[Item], shard: str | None) -> list[Item]:
    """The tasks of a shard such as `3/16`: each sixteenth from the third on; all without a shard.

    Raises ValueError where it is no shard.
    """
    if shard is None:
        return list(tasks)
    found = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)", shard, re.ASCII)
    if found is None or int(found[1]) > int(found[2]):
        raise ValueError(f"{shard!r} is no shard; expected one such as 3/16, the third of sixteen")
    return list(tasks[int(found[1]) - 1 :: int(found[2])])
