"""A policy that goes round in circles is told from one that tries again."""

from __future__ import annotations

import pytest

from sandmle.play.conversation import Message, ToolCall
from sandmle.play.repetition import repeats


def turns(letters: str) -> list[Message]:
    """A turn for each letter, which is its code, with thoughts of its own."""
    messages = [Message("system", "rules"), Message("user", "task")]
    for number, letter in enumerate(letters):
        call = ToolCall(f"c{number}", "python", {"code": letter})
        messages.append(Message("assistant", f"<think>{number}</think>", (call,)))
        messages.append(Message("tool", f"exit code 0 after {number} s", tool_call_id=call.id))
    return messages


@pytest.mark.parametrize("letters", ["aaa", "xaaa", "ababab", "xyababab", "abcabcabc"])
def test_the_same_round_three_times_in_a_row(letters: str) -> None:
    assert repeats(turns(letters), 3)
    assert not repeats(turns(letters), 4)


@pytest.mark.parametrize(
    "letters", ["", "a", "aa", "aaab", "aabaab", "abab", "abcdabcdabcd", "abacada"]
)
def test_no_round_three_times_in_a_row(letters: str) -> None:
    assert not repeats(turns(letters), 3)


def test_turns_without_a_call_are_the_same_where_they_say_the_same() -> None:
    said = [
        Message("assistant", f"<think>{number}</think> Let me think about it.")
        for number in range(3)
    ]
    assert repeats(said, 3)
    assert not repeats([*said[:2], Message("assistant", "<think>2</think> Now.")], 3)
