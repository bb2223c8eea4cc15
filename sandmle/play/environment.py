"""An episode on one task: the tools that a policy has, the limits it has them under, the record.

The environment is the trusted side. Code runs in the sandbox, which holds the public half of the
task; the bytes of submission.csv come out of it with each step and are graded here, in this
process. Nothing that code prints, or writes elsewhere, is read for a score.
"""

from __future__ import annotations

import asyncio
import dataclasses
import hashlib
import math
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Self, cast

from sandmle.errors import SandboxError
from sandmle.grading import Grade
from sandmle.play.attempt import attempt
from sandmle.play.conversation import Message, ToolCall, Turn, encodable
from sandmle.play.prompts import opening_messages
from sandmle.play.repetition import repeats
from sandmle.play.rollout import Call, Medal, Step, Submission, Termination
from sandmle.play.settings import Settings
from sandmle.play.task import Task
from sandmle.play.tools import describe_step, describe_submission, read_code
from sandmle.sandbox import Sandbox, StepResult

#: Code that starts in the last moment of an episode gets so long.
_LEAST_SECONDS = 0.01

_NO_CALL_NO_ANSWER = (
    "Your turn had neither a tool call nor an answer. Call a tool, or give your final answer "
    "inside <answer> and </answer>."
)


@dataclass(frozen=True)
class Observation:
    """What a turn led to: the new messages, and why the episode ended, None while it goes on."""

    messages: tuple[Message, ...]
    termination: Termination | None


class Environment:
    """One task, played in turns.

        async with environment:
            await environment.reset()
            while environment.termination is None:
                await environment.step(await policy.respond(environment.messages, task))

    An episode ends with an answer, after the last turn, when its time or its tokens are used up,
    when the policy repeats itself, or with a failure of what surrounds it. The submission that
    counts is the one that lies in the working folder when the episode ends, as in the paper:
    neither the best nor the last valid one.

    `grade` grades the content of a submission; whatever it raises leaves the episode unscored.
    `open_sandbox` opens a fresh sandbox over the task's public folder; `backend` and `isolated`
    are that sandbox's, None while there is none. `termination` is None while the episode goes on;
    `error` says what failed.
    """

    def __init__(
        self,
        task: Task,
        grade: Callable[[bytes], Grade],
        open_sandbox: Callable[[], Awaitable[Sandbox]],
        settings: Settings,
    ) -> None:
        self.task = task
        self.settings = settings
        self._grade = grade
        self._open_sandbox = open_sandbox
        self._sandbox: Sandbox | None = None
        self._begin()

    def _begin(self) -> None:
        self._messages: list[Message] = []
        self._steps: list[Step] = []
        self._calls: list[Call] = []
        self._submissions: list[Submission] = []
        self._current: Submission | None = None
        self._costs: list[float] = []
        self._sandbox_seconds = self._score_seconds = 0.0
        self._started = self._observed = time.monotonic()
        self.backend: str | None = None
        self.isolated: bool | None = None
        self.termination: Termination | None = None
        self.error: str | None = None

    @property
    def messages(self) -> tuple[Message, ...]:
        """The conversation so far."""
        return tuple(self._messages)

    @property
    def steps(self) -> tuple[Step, ...]:
        """The turns so far."""
        return tuple(self._steps)

    @property
    def submissions(self) -> tuple[Submission, ...]:
        """The submissions so far: one for each time that the file had changed after a call."""
        return tuple(self._submissions)

    @property
    def final(self) -> int | None:
        """The place in `submissions` of the one that lies in the working folder now."""
        return None if self._current is None else len(self._submissions) - 1

    @property
    def cost(self) -> float | None:
        """What the turns have cost so far, None where none of them says."""
        return math.fsum(self._costs) if self._costs else None

    @property
    def seconds(self) -> float:
        """How long the episode has taken so far."""
        return time.monotonic() - self._started

    @property
    def seconds_left(self) -> float:
        """How long it may still take."""
        return max(0.0, self.settings.seconds - self.seconds)

    async def reset(self) -> tuple[Message, ...]:
        """Starts a new episode in a fresh sandbox and returns the opening messages.

        Where no sandbox can be had the episode has ended at once, with `sandbox_error`.
        """
        await self.close()
        self._begin()
        self._messages += opening_messages(self.task, self.settings)
        try:
            self._sandbox = await self._open_sandbox()
        except SandboxError as error:
            self.end("sandbox_error", str(error))
        else:
            self.backend, self.isolated = self._sandbox.backend, self._sandbox.isolated
        self._started = self._observed = time.monotonic()
        return self.messages

    async def step(self, turn: Turn) -> Observation:
        """Runs a turn's tool calls in their order, and ends the episode where it is over.

        Raises RuntimeError where the episode has not begun or has ended.
        """
        if self._sandbox is None or self.termination is not None:
            raise RuntimeError("no episode is going on: call reset()")
        policy_seconds = time.monotonic() - self._observed
        self._sandbox_seconds = self._score_seconds = 0.0
        self._calls = []
        self._messages.append(Message("assistant", turn.text, turn.tool_calls))
        first = len(self._messages)
        for call in turn.tool_calls:
            text = await self._run(self._sandbox, call)
            self._messages.append(Message("tool", text, tool_call_id=call.id))
        if not turn.tool_calls and turn.answer is None:
            self._messages.append(Message("user", _NO_CALL_NO_ANSWER))
        if turn.cost is not None:
            self._costs.append(turn.cost)
        self._steps.append(
            Step(
                turn=len(self._steps) + 1,
                prompt_tokens=turn.prompt_tokens,
                tokens=turn.tokens,
                finish=turn.finish,
                retries=turn.retries,
                elided=turn.elided,
                policy_seconds=policy_seconds,
                sandbox_seconds=self._sandbox_seconds,
                score_seconds=self._score_seconds,
                calls=tuple(self._calls),
            )
        )
        if self.termination is None:
            self.termination = self._over(turn)
        self._observed = time.monotonic()
        return Observation(tuple(self._messages[first:]), self.termination)

    def end(self, termination: Termination, error: str | None = None) -> None:
        """Ends the episode from outside, as where the policy fails or does not reply in time."""
        self.termination = termination
        self.error = None if error is None else encodable(error)

    async def close(self) -> None:
        """Closes the sandbox; may be called twice."""
        sandbox, self._sandbox = self._sandbox, None
        if sandbox is not None:
            await sandbox.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    def _over(self, turn: Turn) -> Termination | None:
        limit = self.settings.tokens
        if turn.answer is not None:
            return "answer"
        if limit is not None and sum(step.tokens for step in self._steps) >= limit:
            return "token_limit"
        times = self.settings.repeats
        if times is not None and repeats(self._messages, times):
            return "repetition"
        if len(self._steps) >= self.settings.turns:
            return "turn_limit"
        return None if self.seconds_left else "time_limit"

    async def _run(self, sandbox: Sandbox, call: ToolCall) -> str:
        """Runs one tool call and returns what the policy is told."""
        if self.termination is not None or not self.seconds_left:
            return "Not run: the episode is over."
        if call.fault:
            return f"Not run: {call.fault}."
        if call.name == "python":
            return await self._python(sandbox, call)
        if call.name == "score" and self.settings.score != "none":
            self._calls.append(Call("score", None, None, None, None, None))
            return describe_submission(self._current, self.task, self.settings.score)
        tools = "python" if self.settings.score == "none" else "python and score"
        return f"Not run: there is no tool {call.name!r}, only {tools}."

    async def _python(self, sandbox: Sandbox, call: ToolCall) -> str:
        """Runs code, takes in the submission that it left, and tells how it went."""
        try:
            code = read_code(call.arguments)
        except ValueError as error:
            return f"Not run: {error}."
        step = self.settings.step
        # Time may run out since it was looked at; a limit of 0 is none.
        left = max(self.seconds_left, _LEAST_SECONDS)
        limits = dataclasses.replace(step, wall_seconds=min(step.wall_seconds, left))
        started = time.monotonic()
        try:
            result = await sandbox.run(code, limits)
        except SandboxError as error:
            self.end("sandbox_error", str(error))
            return "The sandbox failed; the episode is over."
        finally:
            self._sandbox_seconds += time.monotonic() - started
        self._calls.append(
            Call(
                tool="python",
                exit_code=result.exit_code,
                timed_out=result.timed_out,
                out_of_memory=result.out_of_memory,
                wall_seconds=result.wall_seconds,
                cpu_seconds=result.cpu_seconds,
            )
        )
        await self._take_in(result)
        characters = self.settings.output_characters
        return describe_step(result, limits, self._current, characters=characters)

    async def _take_in(self, result: StepResult) -> None:
        """Records and grades what lies in the working folder, where it has changed."""
        before, self._current = self._current, None
        if result.submission is None and result.submission_refused is None:
            return
        found = _unjudged(result, turn=len(self._steps) + 1)
        if before is not None and _identity(before) == _identity(found):
            self._current = before
            return
        if result.submission is not None:
            started = time.monotonic()
            graded = await attempt(asyncio.to_thread(self._grade, result.submission))
            self._score_seconds += time.monotonic() - started
            if graded.value is None:
                self.end("grader_error", graded.fault)
                return
            found = _judged(found, graded.value)
        self._current = found
        self._submissions.append(found)


def _identity(submission: Submission) -> str | None:
    """What tells one submission from another: its content, or why that could not be read."""
    return submission.digest or submission.reason


def _unjudged(result: StepResult, *, turn: int) -> Submission:
    """A submission as the sandbox handed it over, with no grade yet."""
    data = result.submission
    return Submission(
        turn=turn,
        digest=None if data is None else hashlib.sha256(data).hexdigest(),
        size=None if data is None else len(data),
        valid=False,
        score=None,
        above_median=False,
        medal=None,
        reason=result.submission_refused,
    )


def _judged(submission: Submission, grade: Grade) -> Submission:
    """The submission with its grade."""
    return dataclasses.replace(
        submission,
        valid=grade.valid,
        score=grade.score,
        above_median=bool(grade.above_median),
        medal=cast(Medal | None, grade.medal),
        reason=grade.reason,
    )
