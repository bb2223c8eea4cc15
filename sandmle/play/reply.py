"""A model's reply, read into a turn: the one place where what a model wrote becomes what is done.

A reply is read as a person would read it. Tool calls may stand beside the text, as chat APIs carry
them, or in it: as `<tool_call>` with JSON, or as a `<code>` block. What a model thinks is no deed:
calls and answers within its reasoning do not count. Nor does what it writes after it has begun to
play the other side, with a tool's response or the next message of the conversation.

Nothing here raises, takes more than linear time, or looks at what was said for a score.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from typing import Any

from sandmle.play.conversation import ToolCall, Turn
from sandmle.play.lenient_json import read_json
from sandmle.play.tool_calls import (
    MAX_CALLS,
    call_of_block,
    calls_of_data,
    code_call,
    faulty,
    identity,
    native_calls,
)

#: Characters of a reply, and again of its reasoning, that are read and kept.
MAX_CHARACTERS = 1_000_000

#: Tags of calls that are looked at, with those that turn out to be prose or thought.
_MAX_TAGS = 10 * MAX_CALLS

_CUT_OFF = "the reply was cut off within this call: write a shorter one"
_TOO_MANY = f"a turn may have {MAX_CALLS} tool calls at the most"

_TAG = re.compile(
    r"(?P<think><think>)|(?P<thought></think>)|(?P<answer><answer>)"
    r"|(?P<call><(?:tool|function)_calls?>)|(?P<code><(?:code|python)(?:[ \t][^<>\n]{0,80})?>)"
    r"|(?P<end><\|im_end\|>|<\|im_start\|>|<\|endoftext\|>|<\|eot_id\|>|<tool_responses?>)",
    re.IGNORECASE,
)
_HEADER = re.compile(r"\s*<\|im_start\|>\s*(?:assistant)?")
_FENCE = re.compile(r"\s*(?:```[ \t]*(?:\w+[ \t]*)?\n\s*)?")
_AFTER_JSON = re.compile(r"[\s}\]]*(?:```\s*)?")
_CALL_ENDS = re.compile(r"</(?:tool|function)_calls?>", re.IGNORECASE)
_BLOCK_ENDS = re.compile(
    r"</?(?:tool|function)_calls?>|<tool_responses?>|<\|im_end\|>|<think>", re.IGNORECASE
)
_ANSWER_ENDS = re.compile(r"</answer>|<\|im_end\|>|<\|im_start\|>", re.IGNORECASE)
_CODE_OPENS_BLOCK = re.compile(r"[ \t]*(?:\n|```)")
_NEXT_CODE = re.compile(r"\n[ \t]*<(?:code|python)>", re.IGNORECASE)
_CODE_ENDS = re.compile(r"</(?:code|python)>", re.IGNORECASE)
_CODE_ENDS_LINE = re.compile(r"</(?:code|python)>(?=[ \t]*(?:\n|<|\Z))", re.IGNORECASE)
_PYTHON_FENCE = re.compile(r"```[ \t]*(?:python|py)[ \t]*\n")


@dataclasses.dataclass(frozen=True)
class _Answer:
    """The final answer, as it stands in the text."""

    text: str


_Element = ToolCall | _Answer


def read_reply(
    text: str, calls: Sequence[Any] = (), *, reasoning: str = "", cut: bool = False
) -> Turn:
    """The turn that a reply makes.

    `calls` are native tool calls, `reasoning` is what the endpoint gives beside the text; it is
    kept in the turn's text within <think> tags. `cut` says that the reply ended at a limit of
    tokens: a call that was being written then does not run.

    Where there are native calls, the text is not searched for others. A turn with a call has no
    answer: whoever calls a tool has not seen yet what it is to answer. A turn has neither where it
    says neither: an answer stands in <answer> tags.
    """
    text, reasoning = text[:MAX_CHARACTERS], reasoning[:MAX_CHARACTERS]
    whole = join_reasoning(reasoning, text)
    if calls:
        return Turn(whole, _limited(native_calls(calls[: MAX_CALLS + 1])))
    elements = _elements(text, cut) or _untagged(text, cut)
    written = [element for element in elements if isinstance(element, ToolCall)]
    if written:
        return Turn(whole, _limited(_numbered(written)))
    answers = [element.text for element in elements if isinstance(element, _Answer)]
    return Turn(whole, answer=answers[-1] if answers else None)


def join_reasoning(reasoning: str, text: str) -> str:
    """All that a reply says: its text, with the reasoning that came beside it in <think> tags.

    A text that opens with reasoning of its own has both in one block.
    """
    if not reasoning.strip():
        return text
    start = text.lstrip()
    if not start.startswith("<think>"):
        return f"<think>\n{reasoning.strip()}\n</think>\n\n{text}"
    own = start.removeprefix("<think>")
    return text if reasoning.strip() in own else f"<think>\n{reasoning.strip()}\n{own}"


def _numbered(calls: list[ToolCall]) -> list[ToolCall]:
    return [dataclasses.replace(call, id=identity(number)) for number, call in enumerate(calls, 1)]


def _limited(calls: list[ToolCall]) -> tuple[ToolCall, ...]:
    if len(calls) <= MAX_CALLS:
        return tuple(calls)
    refused = dataclasses.replace(calls[MAX_CALLS], arguments={}, fault=_TOO_MANY)
    return (*calls[:MAX_CALLS], refused)


def _elements(text: str, cut: bool) -> list[_Element]:
    """The calls and answers of a text beyond its reasoning, in their order."""
    found: list[_Element] = []
    position = _after(_HEADER, text, 0)
    before_thought: int | None = None  # elements before reasoning that has no end
    thought = False  # whether reasoning has ended
    tags = 0
    while len(found) <= MAX_CALLS and tags < _MAX_TAGS:
        tag = _TAG.search(text, position)
        if before_thought is not None and text[position : tag.start() if tag else None].strip():
            del found[before_thought:]  # it goes on thinking: what it wrote was a thought, too
        if tag is None or tag.lastgroup == "end":
            break
        position = tag.end()
        if tag.lastgroup == "thought":
            if not thought:
                found.clear()  # the reasoning's beginning stood in the prompt
            thought = True
        elif tag.lastgroup == "think":
            if before_thought is None:
                end = text.find("</think>", position)
                position = end + len("</think>") if end >= 0 else position
                before_thought = len(found) if end < 0 else None
                thought = end >= 0
        elif tag.lastgroup == "answer":
            answer, position = _read_answer(text, position)
            found.append(answer)
        else:
            tags += 1
            read = _read_code if tag.lastgroup == "code" else _read_call
            calls, position = read(text, tag, cut)
            found += calls
    return found


def _read_answer(text: str, start: int) -> tuple[_Answer, int]:
    """An answer from behind its tag, and where it ends."""
    end = _ANSWER_ENDS.search(text, start)
    if end is None:
        return _Answer(text[start:].strip()), len(text)
    closed = end[0].startswith("</")
    return _Answer(text[start : end.start()].strip()), end.end() if closed else end.start()


def _read_call(text: str, tag: re.Match[str], cut: bool) -> tuple[list[ToolCall], int]:
    """The calls of a <tool_call>, and where it ends; none where the tag only stands in prose."""
    start = _after(_FENCE, text, tag.end())
    values, position = _read_values(text, start)
    if values:
        closing = _CALL_ENDS.match(text, position)
        calls = [call for value in values for call in calls_of_data(value)]
        return calls, closing.end() if closing else position
    end = _BLOCK_ENDS.search(text, start)
    closed = end is not None and end[0].startswith("</")
    if text.startswith("<code>", start) or (
        not closed and not text.startswith(("{", "[", "<function="), start)
    ):
        return [], tag.end()
    if end is None:
        call = faulty(_CUT_OFF) if cut else call_of_block(text[tag.end() :])
        return [call], len(text)
    return [call_of_block(text[tag.end() : end.start()])], end.end() if closed else end.start()


def _read_values(text: str, start: int) -> tuple[list[Any], int]:
    """The values of JSON that follow each other, and where what belongs to them ends."""
    values: list[Any] = []
    position = start
    while len(values) <= MAX_CALLS and text.startswith(("{", "["), position):
        try:
            value, end = read_json(text, position)
        except (ValueError, RecursionError):
            break
        values.append(value)
        position = _after(_AFTER_JSON, text, end)
        if text.startswith(",", position):
            position = _after(_FENCE, text, position + 1)
    return values, position


def _read_code(text: str, tag: re.Match[str], cut: bool) -> tuple[list[ToolCall], int]:
    """The call of a <code> block, and where it ends; none where the tag stands within a line."""
    start = tag.end()
    line = text[max(0, tag.start() - 200) : tag.start()].rpartition("\n")[2].strip()
    if line and not line.endswith(">") and not _CODE_OPENS_BLOCK.match(text, start):
        return [], start
    following = _NEXT_CODE.search(text, start)
    limit = following.start() if following else len(text)
    end = _CODE_ENDS_LINE.search(text, start, limit) or _CODE_ENDS.search(text, start, limit)
    if end is not None:
        return [code_call(text[start : end.start()])], end.end()
    if cut and following is None:
        return [faulty(_CUT_OFF)], limit
    stop = _TAG.search(text, start, limit)
    limit = stop.start() if stop and stop.lastgroup == "end" else limit
    return [code_call(text[start:limit])], limit


def _untagged(text: str, cut: bool) -> list[ToolCall]:
    """A call without tags: a reply that is one object of JSON, or ends with a fence of Python."""
    said = text.rpartition("</think>")[2]
    marks = [tag for tag in _TAG.finditer(said) if tag.lastgroup != "code"]
    if cut or any(tag.lastgroup != "end" for tag in marks):
        return []
    said = said[: marks[0].start() if marks else None].strip().removesuffix("</s>").rstrip()
    opening = said.rfind("```", 0, -3)
    if said.endswith("```") and opening >= 0 and _PYTHON_FENCE.match(said, opening):
        return [code_call(said[opening:])]
    start = _after(_FENCE, said, 0)
    if not said.startswith("{", start):
        return []
    values, end = _read_values(said, start)
    calls = calls_of_data(values[0]) if len(values) == 1 and end == len(said) else []
    return [] if any(call.fault for call in calls) else calls


def _after(pattern: re.Pattern[str], text: str, position: int) -> int:
    """Where a pattern ends that may match nothing."""
    found = pattern.match(text, position)
    return found.end() if found else position
