"""Whether a policy plays the same turns again and again, and so will come to nothing else."""

from __future__ import annotations

import json
from collections.abc import Hashable, Sequence
from itertools import islice

from sandmle.play.conversation import Message, split_reasoning

#: Turns of a round that is repeated, at the most.
_LONGEST_ROUND = 3


def repeats(messages: Sequence[Message], times: int) -> bool:
    """Whether the last turns are the same round of one to three turns, `times` times in a row.

    Turns are the same where they call the same tools with the same arguments, or else say the same;
    what they think does not count.
    """
    backwards = (message for message in reversed(messages) if message.role == "assistant")
    deeds = [_deed(message) for message in islice(backwards, _LONGEST_ROUND * times)]
    for length in range(1, _LONGEST_ROUND + 1):
        last = deeds[: length * times]
        if len(last) == length * times and last[length:] == last[:-length]:
            return True
    return False


def _deed(turn: Message) -> Hashable:
    """What a turn does, or else says."""
    if turn.tool_calls:
        return tuple(
            (call.name, call.fault, json.dumps(call.arguments, sort_keys=True))
            for call in turn.tool_calls
        )
    parts = split_reasoning(turn.content)
    return (parts[1] if parts else turn.content).strip()
