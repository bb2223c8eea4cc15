"""Which rollouts are worth learning from, and why others are not."""

from __future__ import annotations

import functools
import hashlib
import math
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from sandmle.play.reward import MILESTONES, Weights, load_weights, presets, reward
from sandmle.play.rollout import UNSCORED, Medal, Rollout, Submission
from sandmle.runtime.medals import above_median, medal

#: No split is asked for.
ALL = "all"

#: What a model writes that plays the other side: nothing behind it was read when it was played.
_OTHERS = re.compile(r"<\|im_(?:start|end)\|>|<tool_response", re.IGNORECASE)


@dataclass(frozen=True)
class Wanted:
    """What a rollout must be to be taken.

    `medal` is the least that it must have won, `split` what its task must be of (train,
    validation, all), `per_task` the most rollouts of a task and `tokens` the longest conversation
    (None: no limit). `unsafe` takes those of a sandbox that did not isolate, too.
    """

    medal: Medal = "silver"
    split: str = "train"
    per_task: int | None = None
    tokens: int | None = None
    unsafe: bool = False


@dataclass(frozen=True, slots=True)
class Candidate:
    """A rollout that may be taken: where it stands, and what it is compared by.

    `run` and `line` are places in the runs and in the file of one, from 0; `worth` is the more the
    better; `code` is a digest of what it ran.
    """

    run: int
    line: int
    task: str
    code: bytes
    worth: tuple[int, float, int]
    tokens: int


def why_not(rollout: Rollout, wanted: Wanted, split: str | None) -> str | None:
    """The first reason not to take a rollout, None where there is none.

    `split` is what its task is of, None where that is not known.
    """
    submission = rollout.submission
    if rollout.termination in UNSCORED or rollout.reward is None:
        return "unscored"
    if submission is None or not submission.valid:
        return "no valid submission"
    if not _agrees(rollout, submission):
        return "grade or reward does not follow from the record"
    if rollout.isolated is not True and not wanted.unsafe:
        return "not isolated"
    if submission.medal is None or rank(submission.medal) < rank(wanted.medal):
        return f"below {wanted.medal}"
    if wanted.split not in (ALL, split):
        return "of no known split" if split is None else f"a {split} task"
    if any(call.fault for said in rollout.messages for call in said.tool_calls):
        return "a tool call that could not be read"
    if any(_OTHERS.search(said.content) for said in rollout.messages if said.role == "assistant"):
        return "a turn that goes on as if others had spoken"
    return None


def rank(won: Medal) -> int:
    """A medal's place among the milestones, the higher the better."""
    return MILESTONES.index(won)


def _agrees(rollout: Rollout, submission: Submission) -> bool:
    """Whether a valid submission's grade follows from its score, and the reward from the record.

    An environment writes no other; a line that was edited, or written by something else, is none
    to learn from.
    """
    score, paid = submission.score, rollout.reward
    if score is None or submission.digest is None or not math.isfinite(score) or paid is None:
        return False
    if rollout.thresholds is not None:
        limits, lower = asdict(rollout.thresholds), rollout.is_lower_better
        if submission.medal != medal(score, limits, is_lower_better=lower):
            return False
        if submission.above_median != above_median(score, limits, is_lower_better=lower):
            return False
    if paid.weights in presets():
        weights = _preset(paid.weights)
        if weights.digest == rollout.digests.get("weights"):
            return reward(rollout, weights) == paid
    total = math.fsum(paid.parts.values())
    return math.isclose(paid.total, total, abs_tol=1e-9) and 0 <= paid.total <= 1


@functools.cache
def _preset(name: str) -> Weights:
    return load_weights(name)


def candidate(rollout: Rollout, *, run: int, line: int, tokens: int) -> Candidate:
    """What of a rollout that may be taken is kept until all were seen."""
    won, paid = rollout.submission, rollout.reward
    medal_rank = rank(won.medal) if won is not None and won.medal is not None else -1
    return Candidate(
        run=run,
        line=line,
        task=rollout.task,
        code=code_digest(rollout),
        worth=(medal_rank, paid.total if paid is not None else 0.0, -tokens),
        tokens=tokens,
    )


def code_digest(rollout: Rollout) -> bytes:
    """A digest of all code that a rollout ran, in its order; white space at line ends aside."""
    digest = hashlib.sha256()
    for said in rollout.messages:
        for call in said.tool_calls:
            code = call.arguments.get("code")
            if call.name == "python" and isinstance(code, str):
                lines = "\n".join(line.rstrip() for line in code.strip().splitlines())
                digest.update(hashlib.sha256(lines.encode()).digest())
    return digest.digest()


def choose(
    candidates: Sequence[Candidate], wanted: Wanted
) -> tuple[list[Candidate], dict[str, int]]:
    """The candidates to take, in their order, and how many were left out by reason.

    Of those on one task with the same code one is kept, and of one task at most
    `wanted.per_task`: the best, by medal, then reward, then fewer tokens, then order.
    """
    left_out: dict[str, int] = defaultdict(int)
    seen: set[tuple[str, bytes]] = set()
    taken: dict[str, int] = defaultdict(int)
    chosen: list[Candidate] = []
    for found in sorted(candidates, key=lambda found: found.worth, reverse=True):
        if (found.task, found.code) in seen:
            left_out["the same code on the same task"] += 1
        elif wanted.per_task is not None and taken[found.task] >= wanted.per_task:
            left_out[f"beyond {wanted.per_task} of a task"] += 1
        else:
            seen.add((found.task, found.code))
            taken[found.task] += 1
            chosen.append(found)
    return sorted(chosen, key=lambda found: (found.run, found.line)), dict(left_out)
