"""What is left out of a conversation that is too long, and what never is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandmle.play.context import (
    KEPT_TURNS,
    ContextFull,
    estimate_tokens,
    fit,
    message_tokens,
)
from sandmle.play.conversation import Message, ToolCall

OPENING = (Message("system", "rules"), Message("user", "the task"))


def conversation(*sizes: int) -> tuple[Message, ...]:
    """A turn for each size, with an observation of so many words."""
    messages = list(OPENING)
    for number, size in enumerate(sizes):
        call = ToolCall(f"c{number}", "python", {"code": f"print({number})"})
        messages.append(Message("assistant", f"<think>turn {number}</think>", (call,)))
        messages.append(Message("tool", "word " * size, tool_call_id=call.id))
    return tuple(messages)


def total(messages: tuple[Message, ...]) -> int:
    return sum(map(message_tokens, messages))


def test_what_fits_is_shown_as_it_is() -> None:
    messages = conversation(100, 100)
    shown = fit(messages, total(messages))
    assert (shown.messages, shown.elided) == (messages, 0)


def test_the_oldest_observations_go_first_and_leave_a_note() -> None:
    messages = conversation(100, 100, 100, 100, 100, 100)
    shown = fit(messages, total(messages) - 150)
    assert shown.elided == 2
    assert [place for place, one in enumerate(shown.messages) if one != messages[place]] == [3, 5]
    assert shown.messages[3] == Message(
        "tool", "[500 characters, no longer shown]", tool_call_id="c0"
    )
    assert total(shown.messages) <= total(messages) - 150


def test_then_the_oldest_turns_go_and_the_task_says_so() -> None:
    messages = conversation(*[30] * 8)
    least = total((*OPENING, *messages[-2 * KEPT_TURNS :]))
    shown = fit(messages, least + 60)
    assert shown.messages[0] == OPENING[0]
    assert shown.messages[1].content.startswith("the task\n\n[The first ")
    assert "turns are no longer shown.]" in shown.messages[1].content
    assert shown.messages[-2 * KEPT_TURNS :] == messages[-2 * KEPT_TURNS :]
    assert shown.messages[2].role == "assistant"
    assert total(shown.messages) <= least + 60


def test_where_the_last_turns_do_not_fit_nothing_is_shown() -> None:
    messages = conversation(*[30] * 8)
    least = total((*OPENING, *messages[-2 * KEPT_TURNS :]))
    with pytest.raises(ContextFull, match="the last 3 turns exceed"):
        fit(messages, least)
    with pytest.raises(ContextFull, match="the first 2 turns exceed"):
        fit(conversation(1, 500), 100)
    with pytest.raises(ContextFull, match="the first 0 turns exceed"):
        fit(OPENING, 10)


@given(st.lists(st.integers(0, 60), max_size=12), st.integers(0, 1200))
def test_what_is_shown_always_fits_and_is_the_same_each_time(sizes: list[int], limit: int) -> None:
    messages = conversation(*sizes)
    try:
        shown = fit(messages, limit)
    except ContextFull:
        kept = messages[-2 * KEPT_TURNS :] if len(sizes) > KEPT_TURNS else messages[2:]
        assert total((*OPENING, *kept)) > limit - 40  # 40: the note on turns no longer shown
        return
    assert total(shown.messages) <= limit
    assert shown == fit(messages, limit)
    assert shown.messages[0] == OPENING[0]
    assert (shown.elided > 0) == (shown.messages != messages)
    whole = sum(message in messages for message in shown.messages)
    assert whole + shown.elided in (len(messages), len(messages) - 1)  # 1: the task with its note
    # Every result follows the turn that called for it.
    for before, after in zip(shown.messages, shown.messages[1:], strict=False):
        if after.role == "tool":
            assert before.tool_calls[0].id == after.tool_call_id


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        # By hand: each short word with the blank before it, each digit, each sign.
        ("", 0, 0),
        ("The quick brown fox jumps over the lazy dog.", 10, 12),
        ("0.123456,7.890123\n", 18, 18),
        ("import numpy as np\n\n\ndef f(x):\n    return x + 1\n", 18, 26),
    ],
)
def test_tokens_are_estimated(text: str, least: int, most: int) -> None:
    assert least <= estimate_tokens(text) <= most


def test_calls_count_where_they_do_not_stand_in_the_text() -> None:
    code = {"code": "word " * 100}
    native = Message("assistant", "so", (ToolCall("c", "python", code),))
    written = Message("assistant", "so", (ToolCall("c", "python", code, in_text=True),))
    assert message_tokens(native) > message_tokens(written) + 90
