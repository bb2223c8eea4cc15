"""What an endpoint's completion says, whole or in a stream; many speak the protocol loosely."""

from __future__ import annotations

from collections.abc import AsyncIterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sandmle.asking.failures import QUOTED
from sandmle.asking.reply import Usage

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletion, ChatCompletionChunk

#: Where endpoints put what a model thinks; the protocol itself has no place for it.
REASONING_FIELDS = ("reasoning_content", "reasoning")

#: Characters after which a stream is no longer listened to.
_MAX_CHARACTERS = 4_000_000


@dataclass
class Completion:
    """One reply. `calls` are its tool calls as plain data, `{"id", "function": {...}}`.

    `reasoning_field` is where its reasoning stood, None where it came without. `finish` says why it
    ended; `usage` is None where the endpoint doesn't tell.
    """

    text: str = ""
    reasoning: str = ""
    reasoning_field: str | None = None
    calls: list[dict[str, Any]] = field(default_factory=list)
    finish: str = ""
    usage: Usage | None = None


def read_completion(completion: ChatCompletion) -> Completion:
    """A completion that came whole. Raises ValueError where it is none at all."""
    (choice, *_) = _list(completion, "choices") or [None]
    message = getattr(choice, "message", None)
    if message is None:
        raise ValueError(f"no completion: {str(completion)[:QUOTED]}")
    read = Completion(finish=_text(getattr(choice, "finish_reason", None)) or "stop")
    read.usage = _usage(completion)
    _add(read, message)
    read.calls = [_call(call) for call in _list(message, "tool_calls")]
    return read


async def read_stream(chunks: AsyncIterable[ChatCompletionChunk]) -> Completion:
    """A completion that comes in pieces. Raises ValueError where it ends without a reason."""
    read = Completion()
    pieces: dict[str, list[str]] = {}
    places: dict[object, dict[str, Any]] = {}
    size = 0
    async for chunk in chunks:
        read.usage = _usage(chunk) or read.usage
        for choice in _list(chunk, "choices")[:1]:
            read.finish = _text(getattr(choice, "finish_reason", None)) or read.finish
            delta = getattr(choice, "delta", None)
            if delta is None:
                continue
            said = Completion()
            _add(said, delta)
            read.reasoning_field = said.reasoning_field or read.reasoning_field
            pieces.setdefault("text", []).append(said.text)
            pieces.setdefault("reasoning", []).append(said.reasoning)
            size += len(said.text) + len(said.reasoning)
            for call in _list(delta, "tool_calls"):
                size += _join_call(places, _call(call), getattr(call, "index", None))
        if size > _MAX_CHARACTERS:
            read.finish = "length"
            break
    if not read.finish:
        raise ValueError("the stream ended before its reply did")
    read.text = "".join(pieces.get("text", []))
    read.reasoning = "".join(pieces.get("reasoning", []))
    read.calls = [_joined(call) for call in places.values()]
    return read


def _add(read: Completion, message: Any) -> None:
    """What a message says, or a piece of it."""
    read.text = _text(getattr(message, "content", None)) or _text(getattr(message, "refusal", None))
    for name in REASONING_FIELDS:
        if reasoning := _text(getattr(message, name, None)):
            read.reasoning, read.reasoning_field = reasoning, name
            break


def _call(call: Any) -> dict[str, Any]:
    function = getattr(call, "function", None)
    name, arguments = getattr(function, "name", None), getattr(function, "arguments", None)
    return {"id": getattr(call, "id", None), "function": {"name": name, "arguments": arguments}}


def _join_call(places: dict[object, dict[str, Any]], piece: dict[str, Any], index: object) -> int:
    """Adds a piece of a call to the call of its place; returns how many characters it has."""
    place = index if isinstance(index, int) else _text(piece["id"]) or next(reversed(places), 0)
    call = places.setdefault(place, {"id": None, "name": "", "arguments": []})
    function = piece["function"]
    call["id"] = call["id"] or _text(piece["id"])
    call["name"] = call["name"] or _text(function["name"])
    arguments = _text(function["arguments"])
    call["arguments"].append(arguments)
    return len(arguments)


def _joined(call: dict[str, Any]) -> dict[str, Any]:
    function = {"name": call["name"], "arguments": "".join(call["arguments"])}
    return {"id": call["id"], "function": function}


def _usage(completion: Any) -> Usage | None:
    usage = getattr(completion, "usage", None)
    prompt, answer = (getattr(usage, name, None) for name in ("prompt_tokens", "completion_tokens"))
    if isinstance(prompt, int) and isinstance(answer, int) and min(prompt, answer) >= 0:
        return Usage(prompt, answer)
    return None


def _list(holder: object, name: str) -> list[Any]:
    value = getattr(holder, name, None)
    return value if isinstance(value, list) else []


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
