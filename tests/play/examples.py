"""Rollouts made by hand, for tests of what is done with them."""

from __future__ import annotations

from dataclasses import replace

from sandmle.play.conversation import Message, ToolCall
from sandmle.play.rollout import FORMAT, Call, Reward, Rollout, Step, Submission
from sandmle.play.settings import Settings
from sandmle.spec.model import Thresholds


def submission(
    *, valid: bool = True, above_median: bool = False, medal: str | None = None
) -> Submission:
    """A submission with a grade."""
    return Submission(
        turn=1,
        digest="5" * 64,
        size=100,
        valid=valid,
        score=0.75 if valid else None,
        above_median=above_median,
        medal=medal,  # type: ignore[arg-type]
        reason=None if valid else "row 3: id 'a' is not in the test set",
    )


def rollout(
    *submissions: Submission, replies: tuple[str, ...] = ("<think>so</think>",), **changes: object
) -> Rollout:
    """A rollout whose last submission counts."""
    messages = [Message("system", "rules"), Message("user", "task")]
    for number, reply in enumerate(replies):
        call = ToolCall(f"c{number}", "python", {"code": "print('é')"})
        messages.append(Message("assistant", reply, (call,)))
        messages.append(Message("tool", "exit code 0", tool_call_id=call.id))
    plain = Rollout(
        format=FORMAT,
        task="example",
        modality="tabular",
        task_type="binary",
        metric="roc_auc",
        is_lower_better=False,
        thresholds=Thresholds(0.6, 0.7, 0.8, 0.9),
        policy="test",
        attempt=0,
        settings=Settings(),
        backend="fake",
        isolated=True,
        messages=tuple(messages),
        steps=(
            Step(
                1,
                100,
                12,
                "stop",
                0,
                0,
                0.5,
                0.25,
                0.125,
                (Call("python", 0, False, False, 0.2, 0.1),),
            ),
        ),
        submissions=submissions,
        final=len(submissions) - 1 if submissions else None,
        reward=Reward("paper", 0.4, {"format": 0.1, "executes": 0.3}),
        termination="answer",
        error=None,
        digests={"spec": "1" * 64},
        sampling={"temperature": 1.0, "seed": 7},
        cost=0.01,
        started="2026-01-01T00:00:00.000+00:00",
        seconds=1.5,
    )
    return replace(plain, **changes)  # type: ignore[arg-type]
