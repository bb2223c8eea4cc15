"""The reward of a rollout, computed from its record by trusted code and never read from text.

Formulas: SandMLE (arXiv 2604.04872), as in the shipped presets under rewards/. A preset is a YAML
file of weights; a file of one's own works the same.
"""

from __future__ import annotations

import difflib
import hashlib
import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from sandmle.errors import Problem, SpecError
from sandmle.play.conversation import reasons_properly
from sandmle.play.rollout import UNSCORED, Reward, Rollout, Submission
from sandmle.spec.yaml_source import Source, read_source

Milestone = Literal["median", "bronze", "silver", "gold"]

#: From the lowest to the highest.
MILESTONES: tuple[Milestone, ...] = ("median", "bronze", "silver", "gold")
_PARTS = ("format", "executes", *MILESTONES)
_PRESETS = Path(__file__).resolve().parent / "rewards"


@dataclass(frozen=True)
class Weights:
    """What each part of a reward is worth; the most that can be earned is at most 1.

    `format` is multiplied by the share of the turns that use the reasoning tags properly;
    `executes` is earned by a valid submission at the end; of `milestones`, all that were reached
    pay where they are `cumulative`, the highest one where they are `exclusive`. `digest` is the
    SHA-256 of the weights' meaning.
    """

    name: str
    format: float
    executes: float
    cumulative: bool
    milestones: Mapping[Milestone, float]

    @property
    def most(self) -> float:
        """The most that can be earned."""
        pay = self.milestones.values()
        return _sum([self.format, self.executes, *(pay if self.cumulative else [max(pay)])])

    @property
    def digest(self) -> str:
        """SHA-256 of what the weights say; their name does not count."""
        meaning = (self.format, self.executes, self.cumulative, sorted(self.milestones.items()))
        return hashlib.sha256(repr(meaning).encode()).hexdigest()


def presets() -> tuple[str, ...]:
    """The names of the shipped weights."""
    return tuple(sorted(path.stem for path in _PRESETS.glob("*.yaml")))


def load_weights(name: str | Path) -> Weights:
    """Weights by a preset's name, or from a YAML file by its path.

    Raises SpecError naming file, line and key of every fault, or FileNotFoundError with the
    presets where there is neither.
    """
    path = _PRESETS / f"{name}.yaml" if str(name) in presets() else Path(name)
    if not path.is_file():
        raise FileNotFoundError(f"no reward {str(name)!r}: give a YAML file or one of {presets()}")
    source = read_source(path)
    problems = list(source.problems) or list(_problems(source))
    if problems:
        raise SpecError(problems)
    data: Mapping[str, Any] = source.data
    weights = Weights(
        name=path.stem,
        format=float(data["format"]),
        executes=float(data["executes"]),
        cumulative=data["milestones"] == "cumulative",
        milestones={milestone: float(data[milestone]) for milestone in MILESTONES},
    )
    if weights.most > 1:
        message = f"a reward is at most 1, but {weights.most:g} can be earned under these weights"
        raise SpecError([source.at_value((), message)])
    return weights


def _problems(source: Source) -> list[Problem]:
    """The faults of a file of weights, all at once."""
    data = source.data
    if not isinstance(data, Mapping):
        return [source.at_value((), f"expected the keys {', '.join(_KEYS)}")]
    problems = [source.at_key((key,), _unknown(key)) for key in data if key not in _KEYS]
    problems += [source.at_value((), f"missing key {key!r}") for key in _KEYS if key not in data]
    for key in _PARTS:
        value = data.get(key, 0)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
            problems.append(source.at_value((key,), f"expected a number in [0, 1], got {value!r}"))
    kind = data.get("milestones", "cumulative")
    if kind not in ("cumulative", "exclusive"):
        message = f"expected cumulative or exclusive, got {kind!r}"
        problems.append(source.at_value(("milestones",), message))
    if kind == "exclusive" and not problems:
        for lower, higher in itertools.pairwise(MILESTONES):
            if data[higher] < data[lower]:
                message = (
                    f"{data[higher]} is less than {lower}'s {data[lower]}: better would earn less"
                )
                problems.append(source.at_value((higher,), message))
    return problems


_KEYS = (*_PARTS, "milestones")


def _unknown(key: str) -> str:
    close = difflib.get_close_matches(key, _KEYS, n=1)
    return f"unknown key {key!r}" + (f"; did you mean {close[0]!r}?" if close else "")


def reward(rollout: Rollout, weights: Weights) -> Reward | None:
    """The reward of an episode under `weights`, None where it could not be scored.

    Raises ValueError where the result is not in [0, 1]: a bug, never something to be paid.
    """
    if rollout.termination in UNSCORED:
        return None
    submission = rollout.submission
    reached = milestones(submission)
    paying = reached if weights.cumulative else reached[-1:]
    valid = submission is not None and submission.valid
    parts: dict[str, float] = {"format": weights.format * format_share(rollout)}
    parts["executes"] = weights.executes if valid else 0.0
    for name in MILESTONES:
        parts[name] = weights.milestones[name] if name in paying else 0.0
    total = _sum(list(parts.values()))
    if not all(0 <= value <= 1 for value in (total, *parts.values())):
        raise ValueError(f"a reward must be in [0, 1], got {total!r} from {parts!r}")
    return Reward(weights.name, total, parts)


def milestones(submission: Submission | None) -> tuple[Milestone, ...]:
    """The milestones that a submission reached, from the lowest up."""
    if submission is None or not submission.valid:
        return ()
    if submission.medal is not None:
        return MILESTONES[: MILESTONES.index(submission.medal) + 1]
    return MILESTONES[:1] if submission.above_median else ()


def format_share(rollout: Rollout) -> float:
    """The share of the policy's turns that use the reasoning tags properly, 0 without a turn."""
    turns = [message for message in rollout.messages if message.role == "assistant"]
    proper = sum(reasons_properly(message.content) for message in turns)
    return proper / len(turns) if turns else 0.0


def _sum(values: list[float]) -> float:
    """A sum in which ten tenths are one."""
    return round(math.fsum(values), 12)
