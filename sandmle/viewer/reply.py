"""The text of a turn taken apart for reading: reasoning, code, tool calls, the answer, the rest.

Nothing is decided here: what a turn runs and whether it answers is read by `sandmle.play.reply`,
which knows the same tags. However sloppy the text, all of it but the tags stays in its order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal["said", "reasoning", "answer", "call", "code"]

#: What opens a part, by its kind, and what closes it. A fence may name a language.
_OPENING = re.compile(
    r"(?P<reasoning><think>)|(?P<answer><answer>)"
    r"|(?P<call><(?:(?:tool|function)_calls?|(?:code|python)(?:[ \t][^<>\n]{0,80})?)>)"
    r"|(?P<code>```[ \t]*(?:python|py)?[ \t]*(?:\n|$))",
    re.IGNORECASE,
)
_CLOSING: Mapping[Kind, re.Pattern[str]] = {
    "reasoning": re.compile(r"</think>", re.IGNORECASE),
    "answer": re.compile(r"</answer>", re.IGNORECASE),
    "call": re.compile(r"</(?:(?:tool|function)_calls?|code|python)>", re.IGNORECASE),
    "code": re.compile(r"```"),
}


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
    end = _CLOSING["reasoning"].search(text)
    if end is not None and "<think>" not in text[: end.start()].lower():
        parts.append(Part("reasoning", text[: end.start()]))
        place = end.end()
    while (opening := _OPENING.search(text, place)) is not None:
        parts.append(Part("said", text[place : opening.start()]))
        kind: Kind = opening.lastgroup  # type: ignore[assignment]  # the groups are kinds
        end = _CLOSING[kind].search(text, opening.end())
        stop = len(text) if end is None else end.start()
        parts.append(Part(kind, text[opening.end() : stop], closed=end is not None))
        place = len(text) if end is None else end.end()
    parts.append(Part("said", text[place:]))
    return tuple(
        Part(part.kind, part.text.strip("\n"), part.closed) for part in parts if part.text.strip()
    )
