"""A rollout as a chat: what stands in it, in which form, and how long it is."""

from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from sandmle.play.conversation import Message, ToolCall
from sandmle.play.settings import Settings
from sandmle.sft.example import conversation, example
from sandmle.sft.tokens import estimate
from tests.sft.examples import won


def test_a_chat_has_the_form_of_chat_interfaces() -> None:
    _, _, turn, observation, look, *_, answer = conversation(won("print('é')"))
    assert turn == {
        "role": "assistant",
        "content": "<think>so</think>",
        "tool_calls": [
            {
                "id": "call_0",
                "type": "function",
                "function": {"name": "python", "arguments": '{"code": "print(\'é\')"}'},
            }
        ],
        "tool_call_id": None,
    }
    assert observation == {
        "role": "tool",
        "content": "exit code 0",
        "tool_calls": None,
        "tool_call_id": "call_0",
    }
    assert look["tool_calls"][0]["function"] == {"name": "score", "arguments": "{}"}
    assert answer["content"] == "<think>done</think><answer>done</answer>"
    assert answer["tool_calls"] is None


def test_it_ends_with_the_last_turn() -> None:
    played = won()
    cut = replace(played, messages=played.messages[:-1])
    assert [said["role"] for said in conversation(cut)][-1] == "assistant"
    assert len(conversation(cut)) == len(cut.messages) - 1
    assert conversation(replace(played, messages=played.messages[:2])) == []


def test_a_call_in_the_text_stands_there_alone() -> None:
    call = ToolCall("c", "python", {"code": "x"}, in_text=True)
    said = Message("assistant", '<tool_call>{"name": "python"}</tool_call>', (call,))
    told = Message("tool", "exit code 0", tool_call_id="c")
    turn, result, _ = conversation(
        replace(won(), messages=(said, told, Message("assistant", "done")))
    )
    assert (turn["content"], turn["tool_calls"]) == (said.content, None)
    assert result["role"] == "user"
    assert result["content"] == "<tool_response>\nexit code 0\n</tool_response>"


def test_tools_are_those_that_were_offered_beside_the_messages() -> None:
    def offered(settings: Settings) -> list[str]:
        tools = json.loads(example(won(settings=settings))["tools"])
        return [tool["function"]["name"] for tool in tools]

    assert offered(Settings()) == ["python", "score"]
    assert offered(Settings(score="none")) == ["python"]
    assert offered(Settings(tools="text")) == []


def test_a_row_says_what_was_won() -> None:
    row = example(won())
    told = {name: row[name] for name in ("task", "medal", "score", "reward", "format", "policy")}
    assert told == {
        "task": "example",
        "medal": "silver",
        "score": 0.85,
        "reward": 0.9,
        "format": 1.0,
        "policy": "test",
    }


def test_the_mask_leaves_the_policys_own_messages() -> None:
    row = example(won())
    kept = [
        said["role"] for said, own in zip(row["messages"], row["loss_mask"], strict=True) if own
    ]
    assert kept == ["assistant"] * 3
    assert len(kept) < len(row["messages"])


def test_the_estimate_counts_all_that_a_model_reads() -> None:
    short, long = example(won("x = 1")), example(won("x = 1\n" * 1000))
    assert 3000 < estimate(long) - estimate(short) < 5000  # `x`, `=`, `1`, and the line's end
    talk = example(won(answer="word " * 1000))
    assert 900 < estimate(talk) - estimate(short) < 2000


@given(st.text())
def test_no_text_is_estimated_at_more_than_its_bytes(text: str) -> None:
    bare = example(replace(won(), messages=(Message("assistant", ""),)))
    said = example(replace(won(), messages=(Message("assistant", text),)))
    assert 0 <= estimate(said) - estimate(bare) <= len(text.encode("utf-8", "replace"))
