"""What of a rollout came out otherwise when its turns were played again."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sandmle.play.conversation import Message
from sandmle.play.rollout import Rollout, Submission

#: Digests that say nothing of their own: the policy is another, prompts are compared as text.
_NO_DRIFT = ("policy", "prompts")

#: How a run of code begins that was stopped for its time: what it had printed by then is chance.
_STOPPED = "stopped: the script took longer than"

#: What differs from run to run though nothing has changed, and what stands for it.
_CHANCE: Mapping[re.Pattern[str], str] = {
    re.compile(pattern): sign
    for pattern, sign in {
        r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?": "<date>",
        r"\b\d{1,2}:\d\d(?::\d\d)?(?:\.\d+)?<\d{1,2}:\d\d(?::\d\d)?": "<time>",
        r"\b\d{1,2}:\d\d:\d\d(?:\.\d+)?\b": "<time>",
        r"\d[\d.,]*(?:e[+-]?\d+)?\s?(?:[mnuµ]?s|secs?|seconds?|min|minutes?|it/s|s/it)\b": "<time>",
        r"\b0x[0-9a-fA-F]{6,}\b": "<address>",
        r"/(?:tmp|var/tmp|dev/shm)/[^\s'\":,;)\]}]*": "<temporary>",
        r"\[\.\.\. [\d,]+ characters in [\d,]+ lines were cut here \.\.\.\]": "<cut>",
    }.items()
}


@dataclass(frozen=True)
class Drift:
    """One difference between a record and its replay.

    `turn` counts from 1 and is None where the whole episode is meant. `what` is spec, public or
    private (the task's files), weights, thresholds, prompt, output, submission, validity, score,
    medal, turns, termination or reward.
    """

    turn: int | None
    what: str
    recorded: str
    replayed: str

    def __str__(self) -> str:
        place = f"turn {self.turn}: " if self.turn is not None else ""
        return f"{place}{self.what}: {self.recorded}, now {self.replayed}"


def drifts(recorded: Rollout, replayed: Rollout) -> list[Drift]:
    """What differs, in the order of the episode. Timings, addresses and temporary paths may.

    How an episode ended is compared where its own turns and limits ended it: not where the policy
    failed or its time was over.
    """
    return [
        *_of_the_task(recorded, replayed),
        *_of_the_conversation(recorded.messages, replayed.messages),
        *_of_the_submissions(recorded, replayed),
        *_of_the_end(recorded, replayed),
    ]


def without_chance(text: str) -> str:
    """An observation without what differs from run to run."""
    for pattern, sign in _CHANCE.items():
        text = pattern.sub(sign, text)
    return text


def _of_the_task(recorded: Rollout, replayed: Rollout) -> Iterator[Drift]:
    before, now = recorded.digests, replayed.digests
    for name in before:
        if name not in _NO_DRIFT and before[name] != now.get(name):
            yield Drift(None, name, _short(before[name]), _short(now.get(name)))
    if recorded.thresholds != replayed.thresholds:
        yield Drift(None, "thresholds", str(recorded.thresholds), str(replayed.thresholds))


def _of_the_conversation(
    recorded: Sequence[Message], replayed: Sequence[Message]
) -> Iterator[Drift]:
    turn = 0
    for before, now in zip(recorded, replayed, strict=False):
        turn += before.role == "assistant"
        if before.role == "assistant" or before.content == now.content:
            continue
        if before.content.startswith(_STOPPED) and now.content.startswith(_STOPPED):
            continue
        if turn == 0:
            yield Drift(None, "prompt", *_first_difference(before, now))
        elif without_chance(before.content) != without_chance(now.content):
            yield Drift(turn, "output", *_first_difference(before, now))


def _first_difference(before: Message, now: Message) -> tuple[str, str]:
    """The first lines that differ."""
    pairs = itertools.zip_longest(before.content.splitlines(), now.content.splitlines())
    for old, new in pairs:
        if without_chance(old or "") != without_chance(new or "") or (old is None) != (new is None):
            return _quoted(old), _quoted(new)
    return _quoted(before.content), _quoted(now.content)


def _quoted(line: str | None) -> str:
    return "nothing" if line is None else repr(line if len(line) <= 100 else line[:97] + "...")


def _of_the_submissions(recorded: Rollout, replayed: Rollout) -> Iterator[Drift]:
    pairs = itertools.zip_longest(recorded.submissions, replayed.submissions)
    for before, now in pairs:
        turn = (before or now).turn
        for what, old, new in zip(_MEANINGS, _meaning(before), _meaning(now), strict=True):
            if old != new:
                yield Drift(turn, what, old, new)
    if recorded.final != replayed.final:
        yield Drift(None, "submission", _counts(recorded), _counts(replayed))


_MEANINGS = ("submission", "validity", "score", "medal")


def _meaning(submission: Submission | None) -> tuple[str, str, str, str]:
    """A submission and its grade in words."""
    if submission is None:
        return ("none",) * 4
    reached = submission.medal or ("above the median" if submission.above_median else "none")
    return (
        f"{_short(submission.digest)} of turn {submission.turn}",
        "valid" if submission.valid else f"not valid: {submission.reason}",
        str(submission.score),
        reached,
    )


def _counts(rollout: Rollout) -> str:
    if rollout.final is None:
        return "none counts"
    return f"the one of turn {rollout.submissions[rollout.final].turn} counts"


def _of_the_end(recorded: Rollout, replayed: Rollout) -> Iterator[Drift]:
    if len(recorded.steps) != len(replayed.steps):
        end = f"{len(replayed.steps)}, then {replayed.termination}"
        yield Drift(None, "turns", str(len(recorded.steps)), end)
    elif recorded.termination != replayed.termination:
        yield Drift(None, "termination", recorded.termination, replayed.termination)
    before = recorded.reward and recorded.reward.total
    now = replayed.reward and replayed.reward.total
    if before != now:
        yield Drift(None, "reward", str(before), str(now))


def _short(digest: str | None) -> str:
    return "none" if digest is None else digest[:12]
