"""A rollout: one episode of one policy on one task, with its reward, as data.

Rollouts lie in JSON Lines, one a line. A line is appended whole after its episode, so the file can
be read while a run goes on, and a run that was killed leaves every finished rollout behind.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from sandmle.errors import RolloutError
from sandmle.play.conversation import Message
from sandmle.play.records import from_data, to_data
from sandmle.play.settings import Settings
from sandmle.spec.model import Thresholds

#: Version of the format, the value of the key `format`.
FORMAT = 3

#: Why an episode ended. `context_limit`: not even the opening and the last turns fit what the model
#: can read; `repetition`: the policy plays the same turns again and again. The last three are
#: failures of what surrounds the task: nothing that the policy did on the task was judged, so such
#: a rollout has no reward.
Termination = Literal[
    "answer",
    "turn_limit",
    "time_limit",
    "token_limit",
    "context_limit",
    "repetition",
    "policy_error",
    "sandbox_error",
    "grader_error",
]
UNSCORED: tuple[Termination, ...] = ("policy_error", "sandbox_error", "grader_error")

Medal = Literal["gold", "silver", "bronze"]


@dataclass(frozen=True)
class Call:
    """One tool call that ran. `exit_code` and what follows are None for tools that run no code."""

    tool: str
    exit_code: int | None
    timed_out: bool | None
    out_of_memory: bool | None
    wall_seconds: float | None
    cpu_seconds: float | None


@dataclass(frozen=True)
class Step:
    """One turn and what came of it; `turn` counts from 1, times are in seconds.

    `prompt_tokens` is what the model read for this turn, `tokens` what it wrote; both are 0 where
    the policy has none. `finish` is the endpoint's word on why the reply ended (stop, length,
    tool_calls, ...), None where there is no endpoint; `retries` counts the calls that failed before
    it; `elided` is how many messages of the conversation, the oldest observations first, the model
    was not shown in full. `policy_seconds` is how long the policy took to reply, `sandbox_seconds`
    how long its code ran with the way there and back, `score_seconds` how long grading took.
    """

    turn: int
    prompt_tokens: int
    tokens: int
    finish: str | None
    retries: int
    elided: int
    policy_seconds: float
    sandbox_seconds: float
    score_seconds: float
    calls: tuple[Call, ...]


@dataclass(frozen=True)
class Submission:
    """One submission as it lay in the working folder after a call of turn `turn`, and its grade.

    `digest` is the SHA-256 of its `size` bytes; both are None for a file that the sandbox refused
    to read (a link, a device, too large). `score` is None where the submission is not valid, and
    `reason` then says why.
    """

    turn: int
    digest: str | None
    size: int | None
    valid: bool
    score: float | None
    above_median: bool
    medal: Medal | None
    reason: str | None


@dataclass(frozen=True)
class Reward:
    """A reward in [0, 1], the sum of its `parts`, under the weights called `weights`."""

    weights: str
    total: float
    parts: Mapping[str, float]


@dataclass(frozen=True)
class Rollout:
    """One episode. `attempt` counts from 0 the episodes of one policy on one task.

    `final` is the place in `submissions` of the one that counts: the one that lay in the working
    folder when the episode ended; None where none did. `reward` is None where the episode could
    not be scored, and `error` says why. `backend` names the sandbox that ran the code, `isolated`
    whether it kept hostile code from the rest of the machine. `digests` are SHA-256 by name: spec,
    task (the files that were shown and the answers), templates, policy, weights. `sampling` is how
    the model was asked (its address, temperature, seed, ...), never with a secret; None for a
    policy without a model. `cost` is in the currency of the prices, None where there are none.
    `started` is UTC, ISO 8601.
    """

    format: int
    task: str
    modality: str
    task_type: str
    metric: str
    is_lower_better: bool
    thresholds: Thresholds | None
    policy: str
    attempt: int
    settings: Settings
    backend: str | None
    isolated: bool | None
    messages: tuple[Message, ...]
    steps: tuple[Step, ...]
    submissions: tuple[Submission, ...]
    final: int | None
    reward: Reward | None
    termination: Termination
    error: str | None
    digests: Mapping[str, str]
    sampling: Mapping[str, Any] | None
    cost: float | None
    started: str
    seconds: float

    @property
    def submission(self) -> Submission | None:
        """The submission that counts."""
        return None if self.final is None else self.submissions[self.final]


def rollout_line(rollout: Rollout) -> bytes:
    """One line of JSON, ASCII, with its newline.

    Raises ValueError where a number is not finite.
    """
    return json.dumps(to_data(rollout), allow_nan=False).encode("ascii") + b"\n"


def parse_rollout(line: str | bytes) -> Rollout:
    """The rollout of one line. Raises ValueError saying what is wrong and where in it."""
    data = json.loads(line, object_pairs_hook=_unique)
    found = data.get("format") if isinstance(data, dict) else None
    if found != FORMAT:
        raise ValueError(f"format: expected {FORMAT}, got {found!r}")
    rollout = from_data(Rollout, data)
    if rollout.final is not None and not 0 <= rollout.final < len(rollout.submissions):
        raise ValueError(f"final: expected a place in submissions, got {rollout.final}")
    return rollout


def read_rollouts(path: Path) -> Iterator[Rollout]:
    """The rollouts of a file, one by one.

    A last line without its newline is still being written, or was cut short by a kill: it is left
    out. Raises RolloutError naming file and line for anything else that is not a rollout.
    """
    for _, rollout in placed_rollouts(path):
        yield rollout


def placed_rollouts(path: Path) -> Iterator[tuple[int, Rollout]]:
    """The same, each after the place of its line in the file, in bytes."""
    place = 0
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                return
            try:
                rollout = parse_rollout(line)
            except (ValueError, RecursionError) as error:
                raise RolloutError(f"{path}:{number}: not a rollout: {error}") from None
            yield place, rollout
            place += len(line)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) != len(pairs):
        raise ValueError("an object has a key twice")
    return data


class RolloutWriter:
    """Appends rollouts to a file, one process at a time.

    Raises BlockingIOError where another process is writing to it.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._file)
            raise BlockingIOError(f"{path}: another run is writing to this file") from None
        _cut_torn_line(self._file)

    def write(self, rollout: Rollout) -> None:
        """Appends one rollout. Raises OSError where the disk is full, leaving no part of it."""
        line = rollout_line(rollout)
        end = os.fstat(self._file).st_size
        rest = memoryview(line)
        try:
            while rest:
                rest = rest[os.write(self._file, rest) :]
        except OSError:
            os.ftruncate(self._file, end)
            raise

    def close(self) -> None:
        """Closes the file and lets others write to it."""
        os.close(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def _cut_torn_line(file: int) -> None:
    """Takes away what a killed writer left after the last newline."""
    end = os.fstat(file).st_size
    position = end
    while position:
        start = max(0, position - 65_536)
        newline = os.pread(file, position - start, start).rfind(b"\n")
        if newline >= 0:
            position = start + newline + 1
            break
        position = start
    if position < end:
        os.ftruncate(file, position)
