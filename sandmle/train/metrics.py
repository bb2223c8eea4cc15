"""What came of a batch of rollouts in numbers, and the file of all of them, metrics.jsonl."""

from __future__ import annotations

import json
import math
import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandmle.play.reward import format_share
from sandmle.play.rollout import UNSCORED, Rollout
from sandmle.writing import write_whole


@dataclass(frozen=True)
class Outcome:
    """What counts of one rollout. `reward` is None where it is not learned from.

    `sandbox_seconds` are those in which its code ran, without waiting for a place to run.
    """

    task: str
    modality: str
    reward: float | None
    format: float
    valid: bool
    medal: str | None
    termination: str
    turns: int
    tokens: int
    sandbox_seconds: float
    score_seconds: float


def outcome_of(rollout: Rollout, *, masked: Collection[str]) -> Outcome:
    """What counts of a rollout; one that ended in a `masked` way is not learned from."""
    submission = rollout.submission
    is_out = rollout.reward is None or rollout.termination in masked
    return Outcome(
        task=rollout.task,
        modality=rollout.modality,
        reward=None if is_out or rollout.reward is None else rollout.reward.total,
        format=format_share(rollout),
        valid=submission is not None and submission.valid,
        medal=None if submission is None else submission.medal,
        termination=rollout.termination,
        turns=len(rollout.steps),
        tokens=sum(step.tokens for step in rollout.steps),
        sandbox_seconds=sum(
            call.wall_seconds or 0.0 for step in rollout.steps for call in step.calls
        ),
        score_seconds=sum(step.score_seconds for step in rollout.steps),
    )


def summarise(outcomes: Sequence[Outcome], *, group: int) -> dict[str, Any]:
    """Rewards, medals and more of a batch whose outcomes lie in groups of `group` of one task.

    A dead group has no two different rewards: nothing can be learned from it. Rates are shares of
    the rollouts that could be scored, and None where none could.
    """
    rewards = [outcome.reward for outcome in outcomes if outcome.reward is not None]
    scored = [outcome for outcome in outcomes if outcome.termination not in UNSCORED]
    groups = [outcomes[start : start + group] for start in range(0, len(outcomes), group)]
    return {
        "reward": _mean(rewards),
        "reward_std": statistics.pstdev(rewards) if rewards else None,
        "format": _mean([outcome.format for outcome in scored]),
        "valid": _mean([outcome.valid for outcome in scored]),
        "any_medal": _mean([outcome.medal is not None for outcome in scored]),
        "rollouts": len(outcomes),
        "masked": len(outcomes) - len(rewards),
        "groups": len(groups),
        "dead_groups": sum(is_dead(found) for found in groups),
        "turns": _mean([outcome.turns for outcome in outcomes]),
        "tokens": _mean([outcome.tokens for outcome in outcomes]),
        "terminations": dict(sorted(Counter(o.termination for o in outcomes).items())),
        "reward_by_modality": _reward_by(outcomes, lambda outcome: outcome.modality),
        "reward_by_task": _reward_by(outcomes, lambda outcome: outcome.task),
        "solved_by_task": solved_by_task(outcomes),
    }


def solved_by_task(outcomes: Sequence[Outcome]) -> dict[str, tuple[int, int]]:
    """How many rollouts of each task won any medal, and how many could be scored."""
    found: dict[str, tuple[int, int]] = {}
    for outcome in sorted(outcomes, key=lambda outcome: outcome.task):
        if outcome.termination not in UNSCORED:
            solved, scored = found.get(outcome.task, (0, 0))
            found[outcome.task] = (solved + (outcome.medal is not None), scored + 1)
    return found


def is_dead(group: Sequence[Outcome]) -> bool:
    """Whether no two rewards of a group differ, so that nothing can be learned from it."""
    return len({outcome.reward for outcome in group if outcome.reward is not None}) < 2


def _reward_by(outcomes: Sequence[Outcome], key: Callable[[Outcome], str]) -> dict[str, float]:
    """The mean rewards of all that is learned from, by what `key` names."""
    found: dict[str, list[float]] = defaultdict(list)
    for outcome in outcomes:
        if outcome.reward is not None:
            found[key(outcome)].append(outcome.reward)
    return {name: statistics.fmean(rewards) for name, rewards in sorted(found.items())}


def _mean(values: Sequence[float]) -> float | None:
    return statistics.fmean(values) if values else None


def renamed(logs: Mapping[str, float], names: Mapping[str, str]) -> dict[str, float | None]:
    """Of a log the numbers that `names` takes, as it calls them; None for what JSON can't carry."""
    found = {ours: logs.get(theirs) for theirs, ours in names.items()}
    return {
        name: value if value is not None and math.isfinite(value) else None
        for name, value in found.items()
    }


def append_metrics(path: Path, line: Mapping[str, Any]) -> None:
    """Appends one line. Raises ValueError where a number is not finite."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line, allow_nan=False) + "\n")


def read_metrics(path: Path) -> list[dict[str, Any]]:
    """All lines, without a last one that is cut short; none where there is no file."""
    if not path.is_file():
        return []
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    return [json.loads(line) for line in lines if line.endswith("\n")]


def forget_metrics(path: Path, *, after: int) -> None:
    """Takes away the lines of steps that a resumed run will do again."""
    kept = [line for line in read_metrics(path) if line["step"] <= after]
    write_whole(path, "".join(json.dumps(line) + "\n" for line in kept))
