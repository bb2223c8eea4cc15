"""What a policy and an environment say to each other: messages, turns and tool calls.

What a model wrote becomes a `Turn` in `sandmle.play.reply`, and nowhere else.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Role = Literal["system", "user", "assistant", "tool"]

_OPENING, _CLOSING = "<think>", "</think>"


@dataclass(frozen=True)
class ToolCall:
    """One call of a tool. `arguments` is plain JSON data.

    `in_text` says that the call stands in the text of its turn, as <tool_call> or <code>, and not
    beside it as chat APIs carry calls. `fault` says why the call could not be read (its arguments
    are no JSON, ...); such a call is answered with the fault and runs nothing. All text is kept as
    `encodable` makes it. Raises ValueError where JSON cannot carry the arguments, as with a number
    that is not finite.
    """

    id: str
    name: str
    arguments: Mapping[str, Any]
    fault: str = ""
    in_text: bool = False

    def __post_init__(self) -> None:
        for name in ("id", "name", "fault"):
            object.__setattr__(self, name, encodable(getattr(self, name)))
        object.__setattr__(self, "arguments", _plain(self.arguments))


@dataclass(frozen=True)
class Message:
    """One message of a conversation; `tool_call_id` names the call that a tool message answers."""

    role: Role
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None


@dataclass(frozen=True)
class Turn:
    """One reply of a policy.

    `text` is all that it said, its reasoning within <think> tags; `tool_calls` run in their order;
    then an `answer` that is not None ends the episode. The text is kept as `encodable` makes it.
    `tokens` and what follows say what the turn took, see `sandmle.play.rollout.Step`; `cost` is in
    the currency of the prices, None where there are none.
    """

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    answer: str | None = None
    tokens: int = 0
    prompt_tokens: int = 0
    finish: str | None = None
    retries: int = 0
    elided: int = 0
    cost: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", encodable(self.text))


def reasons_properly(text: str) -> bool:
    """Whether a turn uses the reasoning tags as asked: one <think> block, not empty, that opens it.

    A second, nested, dangling or misplaced tag makes the turn improper.
    """
    parts = split_reasoning(text)
    if parts is None:
        return False
    reasoning, rest = parts
    return bool(reasoning.strip()) and not any(
        (_OPENING in reasoning, _OPENING in rest, _CLOSING in rest)
    )


def split_reasoning(text: str) -> tuple[str, str] | None:
    """What stands within the <think> block that opens `text`, and what follows it."""
    start = text.lstrip()
    if not start.startswith(_OPENING):
        return None
    reasoning, closing, rest = start[len(_OPENING) :].partition(_CLOSING)
    return (reasoning, rest) if closing else None


def _plain(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of `arguments` that JSON carries unchanged."""
    try:
        text = json.dumps(dict(arguments), allow_nan=False, ensure_ascii=False)
    except TypeError as error:
        raise ValueError(f"not JSON data: {error}") from None
    plain: dict[str, Any] = json.loads(encodable(text))
    return plain


def encodable(text: str) -> str:
    """Text that UTF-8 can carry: a question mark for every half of a surrogate pair."""
    return text.encode("utf-8", "replace").decode("utf-8")


def shorten(text: str, limit: int) -> str:
    """Keeps the head and the tail of `text`, about `limit` characters, and states what was cut."""
    if len(text) <= limit:
        return text
    head, tail = limit - limit // 2, limit // 2
    cut = text[head : len(text) - tail]
    lines = cut.count("\n")
    note = f"[... {len(cut):,} characters in {lines + 1:,} lines were cut here ...]"
    return f"{text[:head]}\n{note}\n{text[len(text) - tail :]}"
