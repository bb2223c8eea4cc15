"""Conversations as endpoints take them."""

from __future__ import annotations

from sandmle.play.chat import chat_messages
from sandmle.play.conversation import Message, ToolCall

OPENING = [Message("system", "rules"), Message("user", "task")]


def test_a_native_call_and_its_result_are_sent_as_such() -> None:
    call = ToolCall("c1", "python", {"code": "print('é')"})
    sent = chat_messages(
        [*OPENING, Message("assistant", "Go.", (call,)), Message("tool", "1", tool_call_id="c1")]
    )
    assert sent == [
        {"role": "system", "content": "rules"},
        {"role": "user", "content": "task"},
        {
            "role": "assistant",
            "content": "Go.",
            "tool_calls": [
                {
                    "id": "c1",
                    "type": "function",
                    "function": {"name": "python", "arguments": '{"code": "print(\'é\')"}'},
                }
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "1"},
    ]


def test_calls_in_the_text_stay_there_and_are_answered_by_a_user() -> None:
    calls = tuple(ToolCall(f"call_{n}", "score", {}, in_text=True) for n in (1, 2))
    sent = chat_messages(
        [
            Message("assistant", "<tool_call>...</tool_call>", calls),
            Message("tool", "a", tool_call_id="call_1"),
            Message("tool", "b", tool_call_id="call_2"),
            Message("assistant", "<think>again</think>", (ToolCall("call_1", "score", {}),)),
            Message("tool", "c", tool_call_id="call_1"),
        ]
    )
    assert sent[:2] == [
        {"role": "assistant", "content": "<tool_call>...</tool_call>"},
        {
            "role": "user",
            "content": "<tool_response>\na\n</tool_response>\n<tool_response>\nb\n</tool_response>",
        },
    ]
    assert sent[3] == {"role": "tool", "tool_call_id": "call_1", "content": "c"}


def test_reasoning_stays_or_goes_beside_the_text() -> None:
    turn = Message("assistant", "<think>\nhm\n</think>\n\nGo.")
    assert chat_messages([turn]) == [{"role": "assistant", "content": turn.content}]
    assert chat_messages([turn], reasoning_field="reasoning") == [
        {"role": "assistant", "content": "Go.", "reasoning": "hm"}
    ]


def test_a_call_that_could_not_be_read_is_sent_in_a_form_that_endpoints_take() -> None:
    calls = (ToolCall("c1", "", {}, "no name"), ToolCall("c2", "my tool!", {}))
    (sent,) = chat_messages([Message("assistant", "", calls)])
    names = [call["function"]["name"] for call in sent["tool_calls"]]
    assert names == ["unreadable", "my_tool_"]
