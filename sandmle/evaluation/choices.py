"""What a user chooses of an evaluation, on the command line, in a YAML file or by an earlier run.

All of them use the same names. Where two say different things neither wins: that is refused.
"""

from __future__ import annotations

import difflib
import typing
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from sandmle.errors import Problem, SpecError
from sandmle.evaluation.config import Config
from sandmle.evaluation.evaluate import Means
from sandmle.play.policies import options_of
from sandmle.play.records import read_value
from sandmle.play.settings import ScoreMode, Settings, ToolForm
from sandmle.sandbox.libraries import DEFAULT
from sandmle.sandbox.limits import MEBIBYTE, limits_for
from sandmle.spec.yaml_source import Source, read_source


@dataclass(frozen=True)
class Choices:
    """Settings of an evaluation. Those that are not explained are `Settings`' own.

    `policy` says who plays, `tasks` what, and of that at most `limit` tasks; `attempts` is how
    often. `step_seconds`, `step_mebibytes` and `workspace_mebibytes` bound a run of code. From
    `concurrency` on they say how the run is carried out, see `Means`. `options` are those of the
    policies.

    The score tells whether a submission is valid, as MLE-bench does. An episode has 30 turns: from
    there on the paper (arXiv 2604.04872) reports that agents loop.
    """

    policy: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ("validation",)
    limit: int | None = None
    attempts: int = 1
    reward: str = "paper"
    score: ScoreMode = "validity"
    turns: int = 30
    seconds: float = 1800.0
    tokens: int | None = None
    output_characters: int = 4000
    tools: ToolForm = "native"
    context_tokens: int | None = None
    repeats: int | None = 4
    libraries: tuple[str, ...] = DEFAULT
    step_seconds: float = 120.0
    step_mebibytes: int = 2048
    workspace_mebibytes: int = 256
    concurrency: int = 64
    cores: int | None = None
    backend: str = "auto"
    unsafe: bool = False
    retry_unscored: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def settings(self) -> Settings:
        """The settings of an episode. Raises ValueError where one makes no sense."""
        own = {name: getattr(self, name) for name in _SETTINGS}
        step = limits_for(
            wall_seconds=self.step_seconds,
            memory_bytes=self.step_mebibytes * MEBIBYTE,
            workspace_bytes=self.workspace_mebibytes * MEBIBYTE,
        )
        return Settings(**own, step=step)

    @property
    def means(self) -> Means:
        """How the run is carried out."""
        return Means(self.concurrency, self.cores, self.backend, self.unsafe, self.retry_unscored)


#: Options of policies that change nothing about what is played: they may change on the way.
CARRIED_OUT = ("timeout", "retries", "first_wait", "per_minute", "budget", "prices")

_SETTINGS = tuple(one.name for one in fields(Settings) if one.name != "step")
_FIELDS = tuple(one.name for one in fields(Choices) if one.name != "options")


@dataclass(frozen=True)
class Given:
    """Some choices, by name, and where they were made: `on the command line`."""

    where: str
    values: Mapping[str, Any]


def choose(places: Sequence[Given]) -> Choices:
    """The choices that all places make together, the defaults where none does.

    A value that is None is none. Raises ValueError where two places differ, where a name is not
    known to the evaluation or its policies, or where nobody is to play.
    """
    chosen: dict[str, Any] = {}
    made: dict[str, str] = {}
    for place in places:
        for name, value in _as_tuples(place.values).items():
            if name in chosen and chosen[name] != value:
                raise ValueError(
                    f"{name} is {chosen[name]!r} {made[name]}, but {value!r} {place.where}; "
                    "choose one"
                )
            chosen[name], made[name] = value, place.where
    policies = chosen.get("policy", ())
    if not policies:
        raise ValueError("nobody is to play: give a policy, such as openai:MODEL or honest")
    if len(set(policies)) < len(policies):
        raise ValueError(f"a policy is given twice: {', '.join(policies)}")
    known = _known(policies)
    for name in chosen:
        if name not in known:
            raise ValueError(_unknown(name, known))
    own = {name: value for name, value in chosen.items() if name in _FIELDS}
    options = {name: value for name, value in chosen.items() if name not in _FIELDS}
    return Choices(**own, options=options)


def _as_tuples(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values that are there; lists are tuples, so that they can be compared."""
    found = {
        name: tuple(value) if isinstance(value, (list, tuple)) else value
        for name, value in values.items()
    }
    return {name: value for name, value in found.items() if value is not None and value != ()}


def read_choices(path: Path) -> Given:
    """The choices of a YAML file.

    Raises SpecError naming line and key of each fault: a name that is not known, a value of another
    type. Which options there are depends on the policies, so `choose` looks for those once more.
    """
    source = read_source(path)
    if source.problems:
        raise SpecError(source.problems)
    if not isinstance(source.data, Mapping):
        raise SpecError([source.at_value((), f"expected settings such as {', '.join(_FIELDS)}")])
    values: dict[str, Any] = {}
    problems: list[Problem] = []
    types = _known(_texts(source.data.get("policy")))
    for name, value in source.data.items():
        if name not in types:
            problems.append(source.at_key((name,), _unknown(name, types)))
            continue
        try:
            values[name] = read_value(types[name], _listed(types[name], value))
        except ValueError as error:
            problems.append(_problem(source, name, error))
    if problems:
        raise SpecError(problems)
    return Given(f"in {source.file}", values)


def _problem(source: Source, name: str, error: ValueError) -> Problem:
    return source.at_value((name,), str(error))


def _texts(value: Any) -> list[str]:
    """The texts of a value that should be one or a list of some."""
    return [one for one in _listed(tuple[str, ...], value) or () if isinstance(one, str)]


def _listed(hint: Any, value: Any) -> Any:
    """The value as a list where one is expected, so that a single name may stand alone."""
    lists = typing.get_origin(hint) in (tuple, Sequence)
    return [value] if lists and isinstance(value, str) else value


def _known(policies: Iterable[str]) -> dict[str, Any]:
    """All names that may be chosen, with their types; those of policies that exist among them."""
    hints = typing.get_type_hints(Choices)
    known = {name: hints[name] for name in _FIELDS}
    for policy in policies:
        known = {**options_of(policy), **known}
    return known


def _unknown(name: object, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(str(name), known, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else f" (there are {', '.join(known)})"
    return f"no setting {name!r}{hint}"


def choices_of(config: Config) -> Mapping[str, Any]:
    """What was chosen for a run, as `choose` takes it."""
    settings = config.settings
    return {
        "policy": config.policies,
        "tasks": config.tasks,
        "limit": config.limit,
        "attempts": config.attempts,
        "reward": config.reward,
        **{name: getattr(settings, name) for name in _SETTINGS},
        "step_seconds": settings.step.wall_seconds,
        "step_mebibytes": settings.step.memory_bytes // MEBIBYTE,
        "workspace_mebibytes": settings.step.workspace_bytes // MEBIBYTE,
        **config.options,
    }
