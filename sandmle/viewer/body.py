"""One rollout as the page shows it: plain JSON data, read by templates/view/rollout.js."""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import Any

from sandmle.play.conversation import Message, ToolCall
from sandmle.play.rollout import Call, Rollout, Step
from sandmle.viewer.climb import climb
from sandmle.viewer.reply import take_apart


def body(rollout: Rollout) -> dict[str, Any]:
    """All of a rollout but what the index of the page holds already."""
    opening = list(takewhile(lambda message: message.role != "assistant", rollout.messages))
    return {
        "opening": [{"role": message.role, "text": message.content} for message in opening],
        "turns": list(_turns(rollout, rollout.messages[len(opening) :])),
        "climb": climb(rollout),
        "reward": None if rollout.reward is None else dataclasses.asdict(rollout.reward),
        "error": rollout.error,
        "settings": dataclasses.asdict(rollout.settings),
        "sampling": rollout.sampling,
        "cost": rollout.cost,
        "backend": rollout.backend,
        "isolated": rollout.isolated,
        "digests": dict(rollout.digests),
        "started": rollout.started,
        "seconds": rollout.seconds,
    }


def _turns(rollout: Rollout, messages: Sequence[Message]) -> Iterator[dict[str, Any]]:
    """The messages by turn: each begins with what the policy said."""
    steps = {step.turn: step for step in rollout.steps}
    starts = [place for place, message in enumerate(messages) if message.role == "assistant"]
    for number, (start, end) in enumerate(pairwise([*starts, len(messages)]), 1):
        yield _turn(number, messages[start], messages[start + 1 : end], steps.get(number))


def _turn(
    number: int, said: Message, replies: Sequence[Message], step: Step | None
) -> dict[str, Any]:
    """One turn. What tools told is beside their calls, any other message among the `notes`."""
    told = deque(message.content for message in replies if message.role == "tool")
    records = deque(() if step is None else step.calls)
    calls = [_call(call, told, records) for call in said.tool_calls]
    # Only a rollout written by hand has an answer to no call: nothing that was said gets lost.
    notes = [{"role": "tool", "text": text} for text in told]
    notes += [
        {"role": message.role, "text": message.content}
        for message in replies
        if message.role != "tool"
    ]
    return {
        "turn": number,
        "parts": [dataclasses.asdict(part) for part in take_apart(said.content)],
        "calls": calls,
        "notes": notes,
        "step": None if step is None else _step(step),
    }


def _call(call: ToolCall, told: deque[str], records: deque[Call]) -> dict[str, Any]:
    """A tool call with what came of it. The record is None where nothing ran."""
    code = call.arguments.get("code")
    is_code = isinstance(code, str) and len(call.arguments) == 1
    ran = not call.fault and bool(records) and records[0].tool == call.name
    if call.name == "python" and not isinstance(code, str):
        ran = False
    record = records.popleft() if ran else None
    return {
        "tool": call.name,
        "code": code if is_code else None,
        "arguments": None if is_code else dict(call.arguments),
        "fault": call.fault,
        "in_text": call.in_text,
        "told": told.popleft() if told else None,
        "record": None if record is None else dataclasses.asdict(record),
    }


def _step(step: Step) -> dict[str, Any]:
    data = dataclasses.asdict(step)
    del data["calls"]
    return data
