"""The tools of an episode: how a model is offered them, and what it is told of their results."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from sandmle.play.conversation import shorten
from sandmle.play.rollout import Submission
from sandmle.play.settings import ScoreMode
from sandmle.play.task import Task
from sandmle.sandbox import Limits, StepResult

_SCORE_TELLS: Mapping[ScoreMode, str] = {
    "test": "Grades submission.csv: its score on the test set, the medal, and the thresholds.",
    "validity": "Checks whether submission.csv could be graded, and says what is wrong with it.",
}


def tool_schemas(score: ScoreMode) -> list[dict[str, Any]]:
    """The tools as JSON Schema functions, in the form that chat APIs take."""
    code = {"type": "string", "description": "a whole Python script"}
    schemas = [
        _function(
            "python",
            "Runs a script in a fresh Python process and shows what it prints. Files in the "
            "working folder stay; variables do not.",
            {"code": code},
        )
    ]
    if score != "none":
        schemas.append(_function("score", _SCORE_TELLS[score], {}))
    return schemas


def _function(name: str, description: str, properties: dict[str, Any]) -> dict[str, Any]:
    parameters = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    function = {"name": name, "description": description, "parameters": parameters}
    return {"type": "function", "function": function}


def read_code(arguments: Mapping[str, Any]) -> str:
    """The argument `code` of the tool `python`. Raises ValueError that tells what to mend."""
    code = arguments.get("code")
    if not isinstance(code, str):
        raise ValueError('python takes one argument, "code": the script as text')
    return code


def describe_step(
    result: StepResult, limits: Limits, submission: Submission | None, *, characters: int
) -> str:
    """What the policy is told of a run of its code: how it ended, what it printed, what it left."""
    parts = [_ending(result, limits)]
    for name, text in (("stdout", result.stdout), ("stderr", result.stderr)):
        if text.strip():
            shown = shorten(text.strip("\n"), characters)
            parts.append(f"{name}:\n{shown}")
    if submission is None:
        parts.append("submission.csv: not there yet")
    elif submission.size is None:
        parts.append(f"submission.csv: not read: {submission.reason}")
    else:
        parts.append(f"submission.csv: {submission.size:,} bytes")
    return "\n".join(parts)


def _ending(result: StepResult, limits: Limits) -> str:
    if result.timed_out:
        return f"stopped: the script took longer than {limits.wall_seconds:.4g} s"
    if result.out_of_memory:
        return f"stopped: the script used more than {limits.memory_bytes // 2**20:,} MiB of memory"
    return f"exit code {result.exit_code} after {result.wall_seconds:.2f} s"


def describe_submission(submission: Submission | None, task: Task, score: ScoreMode) -> str:
    """What the tool `score` tells of the submission that lies in the working folder."""
    if submission is None:
        return "There is no submission.csv in the working folder."
    if not submission.valid:
        return f"submission.csv is not valid: {submission.reason}"
    if score == "validity":
        return "submission.csv is valid."
    direction = "lower" if task.is_lower_better else "higher"
    lines = [f"{task.metric} on the test set: {submission.score} ({direction} is better)"]
    if task.thresholds is not None:
        below = "above the median" if submission.above_median else "not above the median"
        lines.append(f"medal: {submission.medal or f'none, {below}'}")
        levels = dataclasses.asdict(task.thresholds).items()
        lines.append("thresholds: " + ", ".join(f"{name} {value}" for name, value in levels))
    return "\n".join(lines)
