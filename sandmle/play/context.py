"""Conversations that are longer than a model can read: what is left out of them, and what never is.

All of it follows from the messages alone, so that evaluation and training show a model the same.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from sandmle.play.conversation import Message

#: Turns at the end that are always shown as they are.
KEPT_TURNS = 3

#: Tokens around a message, and around a call in it.
_FRAME = 8

#: Characters of a text of which the count is remembered.
_REMEMBERED = 20_000

#: A token at the most, by what tokenizers do: five letters of a word, a digit, a sign, a line
#: break, any other blanks; one blank belongs to the word after it.
_PIECE = re.compile(r"[A-Za-z]{1,5}|\n|[^\S\n]{2,}|[^\sA-Za-z]")


class ContextFull(Exception):  # noqa: N818 - an outcome, which is not an error of this program
    """Not even the opening messages and the last turns fit what a model can read."""


@dataclass(frozen=True)
class Shown:
    """What a model is shown of a conversation, and how many of its messages not in full."""

    messages: tuple[Message, ...]
    elided: int


def estimate_tokens(text: str) -> int:
    """Tokens of a text, a little more than usual tokenizers make of English, code or numbers."""
    return _remembered(text) if len(text) <= _REMEMBERED else _count(text)


def _count(text: str) -> int:
    return len(_PIECE.findall(text))


#: The messages of a conversation are counted again at every turn.
_remembered = functools.lru_cache(maxsize=2048)(_count)


def message_tokens(message: Message) -> int:
    """Tokens of a message with its native calls, estimated."""
    calls = [call for call in message.tool_calls if not call.in_text]
    arguments = sum(estimate_tokens(json.dumps(dict(call.arguments))) + _FRAME for call in calls)
    return estimate_tokens(message.content) + arguments + _FRAME


def fit(
    messages: Sequence[Message],
    limit: int,
    *,
    tokens: Callable[[Message], int] = message_tokens,
) -> Shown:
    """The conversation within `limit` tokens, as `tokens` counts a message.

    The oldest observations go first, each but for a note on its size; where that is not enough, the
    oldest turns go with them. The opening messages and the last `KEPT_TURNS` turns stay whole.
    Raises ContextFull where they alone are too long.
    """
    shown, excess = list(messages), sum(map(tokens, messages)) - limit
    if excess <= 0:
        return Shown(tuple(messages), 0)
    turns = [place for place, message in enumerate(messages) if message.role == "assistant"]
    if len(turns) <= KEPT_TURNS:
        raise ContextFull(f"the first {len(turns)} turns exceed {limit:,} tokens by {excess:,}")
    elided = 0
    for place in range(turns[0], turns[-KEPT_TURNS]):
        if messages[place].role == "assistant":
            continue
        note = _without(messages[place])
        saved = tokens(messages[place]) - tokens(note)
        if saved > 0:
            shown[place], excess, elided = note, excess - saved, elided + 1
        if excess <= 0:
            return Shown(tuple(shown), elided)
    for count, (start, end) in enumerate(pairwise(turns[: 1 - KEPT_TURNS]), 1):
        excess -= sum(map(tokens, shown[start:end]))
        opening = _with_note(messages[: turns[0]], count)
        added = tokens(opening[-1]) - tokens(messages[turns[0] - 1])
        if excess + added <= 0:
            rest = shown[end:]
            left = sum(one is not other for one, other in zip(rest, messages[end:], strict=True))
            return Shown((*opening, *rest), end - turns[0] + left)
    raise ContextFull(f"the opening and the last {KEPT_TURNS} turns exceed {limit:,} tokens")


def _without(observation: Message) -> Message:
    """A note in the place of an observation."""
    size = len(observation.content)
    return replace(observation, content=f"[{size:,} characters, no longer shown]")


def _with_note(opening: Sequence[Message], turns: int) -> tuple[Message, ...]:
    """The opening messages, the last of which says that turns are no longer shown."""
    *before, last = opening
    first = "The first turn is" if turns == 1 else f"The first {turns} turns are"
    return (*before, replace(last, content=f"{last.content}\n\n[{first} no longer shown.]"))
