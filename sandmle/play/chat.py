"""A conversation in the form that chat APIs take."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from sandmle.play.conversation import Message, ToolCall, split_reasoning

#: What endpoints take for the name of a function.
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]")


def chat_messages(
    messages: Sequence[Message], *, reasoning_field: str | None = None
) -> list[dict[str, Any]]:
    """The messages as an endpoint takes them.

    A call that was made natively is sent as such, and so is its result. One that stands in the text
    stands there already: its result follows as a user's message, in <tool_response> tags. Reasoning
    stays in the text as it was written, or goes into the field `reasoning_field` beside it.
    """
    sent: list[dict[str, Any]] = []
    in_text: set[str] = set()
    answers_text = False  # whether the last message sent is of results of calls in the text
    for message in messages:
        if message.role == "tool" and message.tool_call_id in in_text:
            response = f"<tool_response>\n{message.content}\n</tool_response>"
            if answers_text:
                sent[-1]["content"] += f"\n{response}"
            else:
                sent.append({"role": "user", "content": response})
            answers_text = True
            continue
        answers_text = False
        if message.role == "assistant":
            in_text = {call.id for call in message.tool_calls if call.in_text}
            sent.append(_turn(message, reasoning_field))
        elif message.role == "tool":
            call_id = message.tool_call_id
            sent.append({"role": "tool", "tool_call_id": call_id, "content": message.content})
        else:
            sent.append({"role": message.role, "content": message.content})
    return sent


def _turn(message: Message, reasoning_field: str | None) -> dict[str, Any]:
    sent: dict[str, Any] = {"role": "assistant", "content": message.content}
    parts = split_reasoning(message.content)
    if reasoning_field is not None and parts is not None:
        reasoning, said = parts
        sent |= {reasoning_field: reasoning.strip(), "content": said.strip()}
    calls = [_call(call) for call in message.tool_calls if not call.in_text]
    if calls:
        sent["tool_calls"] = calls
    return sent


def _call(call: ToolCall) -> dict[str, Any]:
    name = _NOT_IN_NAMES.sub("_", call.name) or "unreadable"
    arguments = json.dumps(dict(call.arguments), ensure_ascii=False)
    return {"id": call.id, "type": "function", "function": {"name": name, "arguments": arguments}}
