"""The index of the page: a short row for every rollout, with the names that rows share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sandmle.evaluation.summary import UNKNOWN
from sandmle.play.rollout import Rollout
from sandmle.report.overview import outcome
from sandmle.report.style import number

#: What a row holds, in this order. `run`, `task` and `policy` are places in the lists beside the
#: rows; `copy` tells rollouts apart that share run, task, policy and attempt; `chunk` and `place`
#: say where the body lies.
COLUMNS = (
    *("run", "task", "policy", "attempt", "copy"),
    *("outcome", "valid", "reward", "score", "termination"),
    *("turns", "tokens", "seconds", "note", "chunk", "place"),
)

#: Characters of what a row tells of an error.
_NOTE = 160


@dataclass
class Index:
    """Rows and shared names as they grow, in the order in which they first appear."""

    tasks: dict[tuple[str, str, str, str, bool], int] = field(default_factory=dict)
    policies: dict[str, int] = field(default_factory=dict)
    rows: list[list[Any]] = field(default_factory=list)
    _seen: Counter[tuple[int, int, int, int]] = field(default_factory=Counter)

    def add(self, run: int, rollout: Rollout, body: tuple[int, int]) -> None:
        """Adds a rollout of the run with that number, whose body lies there."""
        kind = (
            rollout.task,
            rollout.modality,
            rollout.task_type,
            rollout.metric,
            rollout.is_lower_better,
        )
        task = self.tasks.setdefault(kind, len(self.tasks))
        policy = self.policies.setdefault(rollout.policy, len(self.policies))
        key = (run, task, policy, rollout.attempt)
        submission = rollout.submission
        score = None if submission is None else submission.score
        row = {
            "run": run,
            "task": task,
            "policy": policy,
            "attempt": rollout.attempt,
            "copy": self._seen[key],
            "outcome": "unscored" if rollout.reward is None else outcome(rollout),
            "valid": submission is not None and submission.valid,
            "reward": None if rollout.reward is None else round(rollout.reward.total, 4),
            "score": None if score is None else number(score),
            "termination": rollout.termination,
            "turns": len(rollout.steps),
            "tokens": sum(step.tokens for step in rollout.steps),
            "seconds": round(rollout.seconds, 2),
            "note": _note(rollout),
            "chunk": body[0],
            "place": body[1],
        }
        self._seen[key] += 1
        self.rows.append([row[name] for name in COLUMNS])

    def data(
        self, runs: Iterable[Mapping[str, Any]], difficulty: Mapping[str, str]
    ) -> dict[str, Any]:
        """The index as JSON data: `runs` is what is told of each, `difficulty` a word by task."""
        names = ("id", "modality", "type", "metric", "lower")
        return {
            "runs": list(runs),
            "tasks": [
                dict(zip(names, task, strict=True), difficulty=difficulty.get(task[0], UNKNOWN))
                for task in self.tasks
            ],
            "policies": list(self.policies),
            "columns": COLUMNS,
            "rollouts": self.rows,
        }


def _note(rollout: Rollout) -> str:
    """Why an episode failed, or its submission, in short; empty where nothing did."""
    submission = rollout.submission
    reason = "nothing was submitted" if submission is None else submission.reason
    told = rollout.error or reason or ""
    line = " ".join(told.split())
    return line if len(line) <= _NOTE else line[: _NOTE - 1] + "…"
