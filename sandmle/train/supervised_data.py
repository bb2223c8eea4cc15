"""Files of `sandmle sft-data` as tokens, with labels on what the policy said.

A conversation becomes the very ids that a policy in GRPO would be shown and would say: both come
from `sandmle.train.speech`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandmle.play.conversation import Message
from sandmle.train.dataset import hold_out
from sandmle.train.speech import Speech
from sandmle.train.supervised import Examples

#: The label of a token that is not learned, as torch's cross_entropy and TRL have it.
IGNORED = -100

_OPENING, _CLOSING = "<tool_response>\n", "\n</tool_response>"


@dataclass(frozen=True)
class Conversation:
    """A row of a file: `source` is its file and line, `learned` has 1 for messages to learn."""

    source: str
    task: str
    messages: Sequence[Mapping[str, Any]]
    learned: Sequence[int]
    tools: Sequence[dict[str, Any]]


@dataclass(frozen=True)
class Encoded:
    """A conversation's ids, and as many labels: the id where it is learned, else IGNORED."""

    task: str
    ids: tuple[int, ...]
    labels: tuple[int, ...]


@dataclass(frozen=True)
class Split:
    """What is learned and what is held out, and how many conversations were too long."""

    train: tuple[Encoded, ...]
    validation: tuple[Encoded, ...]
    too_long: int


def read_conversations(path: Path) -> Iterator[Conversation]:
    """The rows of a file. Raises OSError, or ValueError that names file, line and key."""
    readers = {".jsonl": _json_lines, ".parquet": _parquet}
    if path.suffix not in readers:
        raise ValueError(f"{path}: expected a file of `sandmle sft-data`, .jsonl or .parquet")
    for number, row in readers[path.suffix](path):
        yield _conversation(row, f"{path}:{number}")


def load_examples(examples: Examples, tokenizer: Any, *, seed: int) -> Split:
    """All conversations as tokens, split by task: those whose ids hash lowest are held out.

    Raises OSError or ValueError where a file can't be read or a turn can't be written, and
    ValueError where nothing is left to learn from.
    """
    found: list[Encoded] = []
    too_long = 0
    for name in examples.files:
        for conversation in read_conversations(Path(name)):
            encoded = encode(conversation, tokenizer)
            if len(encoded.ids) > examples.tokens:
                too_long += 1
            else:
                found.append(encoded)
    held_out = hold_out({one.task for one in found}, examples.validation, seed=seed)
    train = tuple(one for one in found if one.task not in held_out)
    if not train:
        raise ValueError(
            f"examples.files: no conversation to learn from: {too_long} are longer than "
            f"{examples.tokens} tokens, {len(found)} are held out"
        )
    return Split(train, tuple(one for one in found if one.task in held_out), too_long)


def encode(conversation: Conversation, tokenizer: Any) -> Encoded:
    """The tokens of a conversation. Raises ValueError with its source where that can't be."""
    speech = Speech(tokenizer, conversation.tools)
    ids: list[int] = []
    labels: list[int] = []
    heard: list[Message] = []
    for message, learned in zip(conversation.messages, conversation.learned, strict=True):
        if message["role"] != "assistant":
            heard += _heard(message, is_opening=not ids)
            continue
        shown = speech.following(heard, ended=True) if ids else speech.opening(heard)
        try:
            said = speech.said(message)
        except ValueError as error:
            raise ValueError(f"{conversation.source}: messages: {error}") from None
        ids += shown + said
        labels += [IGNORED] * len(shown) + (said if learned else [IGNORED] * len(said))
        heard = []
    return Encoded(conversation.task, tuple(ids), tuple(labels))


def _heard(message: Mapping[str, Any], *, is_opening: bool) -> list[Message]:
    """A message as the environment said it: the results of calls in a turn's text are a tool's."""
    content = message["content"]
    is_result = content.startswith(_OPENING) and content.endswith(_CLOSING)
    if is_opening or message["role"] != "user" or not is_result:
        return [Message(message["role"], content)]
    inner = content.removeprefix(_OPENING).removesuffix(_CLOSING)
    return [Message("tool", part) for part in inner.split(f"{_CLOSING}\n{_OPENING}")]


def _json_lines(path: Path) -> Iterator[tuple[int, Any]]:
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            try:
                yield number, json.loads(line)
            except json.JSONDecodeError as error:
                raise ValueError(f"{path}:{number}: expected JSON: {error}") from None


def _parquet(path: Path) -> Iterator[tuple[int, Any]]:
    """The rows, numbered from 1. Raises ValueError where the file is no Parquet."""
    import pyarrow
    from pyarrow.parquet import ParquetFile

    number = 0
    try:
        for batch in ParquetFile(path).iter_batches(batch_size=100):
            for row in batch.to_pylist():
                number += 1
                yield number, row
    except pyarrow.ArrowInvalid as error:
        raise ValueError(f"{path}: expected Parquet: {error}") from None


def _conversation(row: Any, source: str) -> Conversation:
    """A row, checked. Raises ValueError that names the key."""

    def expect(holds: bool, key: str, expected: str) -> None:
        if not holds:
            raise ValueError(f"{source}: {key}: expected {expected}")

    expect(isinstance(row, dict), "row", "an object")
    messages, learned, tools = row.get("messages"), row.get("loss_mask"), row.get("tools")
    expect(isinstance(messages, list) and bool(messages), "messages", "a list that is not empty")
    for place, message in enumerate(messages):
        where = f"messages[{place}]"
        expect(isinstance(message, dict), where, "an object")
        known = message.get("role") in ("system", "user", "assistant", "tool")
        expect(known, f"{where}.role", "system, user, assistant or tool")
        expect(isinstance(message.get("content"), str), f"{where}.content", "text")
        expect(_are_calls(message.get("tool_calls")), f"{where}.tool_calls", "calls of tools")
    expect(messages[0]["role"] != "assistant", "messages[0].role", "system or user")
    expect(messages[-1]["role"] == "assistant", "messages", "a last turn of the assistant")
    fits = isinstance(learned, list) and len(learned) == len(messages)
    expect(fits and set(learned) <= {0, 1}, "loss_mask", "a 0 or 1 for each message")
    is_own = all(m["role"] == "assistant" for m, one in zip(messages, learned, strict=True) if one)
    expect(is_own and any(learned), "loss_mask", "a 1 for turns of the assistant alone")
    expect(isinstance(row.get("task"), str), "task", "the id of a task")
    offered = _json(tools)
    expect(isinstance(offered, list), "tools", "a list of JSON Schema functions as JSON text")
    return Conversation(source, row["task"], messages, learned, offered)


def _are_calls(calls: Any) -> bool:
    """Whether calls have names, and arguments that are objects as JSON text."""
    if calls is None:
        return True
    return isinstance(calls, list) and all(
        isinstance(call, dict)
        and isinstance(function := call.get("function"), dict)
        and isinstance(function.get("name"), str)
        and isinstance(_json(function.get("arguments")), dict)
        for call in calls
    )


def _json(text: Any) -> Any:
    """What JSON text holds, None where it is none."""
    try:
        return json.loads(text) if isinstance(text, str) else None
    except json.JSONDecodeError:
        return None
