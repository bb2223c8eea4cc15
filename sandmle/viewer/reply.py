"""The text of a turn taken apart for reading: reasoning, code, tool calls, the answer, the rest.

Nothing is decided here: what a turn runs and whether it answers is read by
`sandmle.play.conversation`. However sloppy the text, all of it but the tags stays in its order.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["said", "reasoning", "answer", "call", "code"]

#: What opens a part, with the kind of it and what closes it. A fence may name a language.
_OPENING = re.compile(r"<(think|answer|tool_call|code)>|```[ \t]*(?:python|py)?[ \t]*(?:\n|$)")
_KINDS: dict[str, Kind] = {
    "think": "reasoning",
    "answer": "answer",
    "tool_call": "call",
    "code": "call",
}
_END_OF_REASONING = "</think>"


@dataclass(frozen=True)
class Part:
    """A part of a turn; `closed` is False where its tag opens and never closes."""

    kind: Kind
    text: str
    closed: bool = True


def take_apart(text: str) -> tuple[Part, ...]:
    """The parts of a turn's text in their order, without those that are blank.

    Text before a `</think>` that nothing opened is reasoning: chat templates of some models open
    it in the prompt. Code in the text is a `call` where a tag makes it one, else `code`.
    """
    parts: list[Part] = []
    place = 0
    end = text.find(_END_OF_REASONING)
    if end >= 0 and text.find("<think>", 0, end) < 0:
        parts.append(Part("reasoning", text[:end]))
        place = end + len(_END_OF_REASONING)
    while (opening := _OPENING.search(text, place)) is not None:
        parts.append(Part("said", text[place : opening.start()]))
        tag = opening[1]
        closing = f"</{tag}>" if tag else "```"
        end = text.find(closing, opening.end())
        stop = end if end >= 0 else len(text)
        kind = _KINDS[tag] if tag else "code"
        parts.append(Part(kind, text[opening.end() : stop], closed=end >= 0))
        place = stop + len(closing) if end >= 0 else len(text)
    parts.append(Part("said", text[place:]))
    return tuple(
        Part(part.kind, part.text.strip("\n"), part.closed) for part in parts if part.text.strip()
    )
