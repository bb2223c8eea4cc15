"""What models write is read as a person would read it, whatever it is, and in linear time."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from sandmle.play.conversation import ToolCall, Turn, reasons_properly
from sandmle.play.reply import MAX_CHARACTERS, read_reply
from sandmle.play.tool_calls import MAX_CALLS

CASES = yaml.safe_load((Path(__file__).parent / "replies.yaml").read_text("utf-8"))


def reads_as(turn: Turn) -> list[object]:
    """The calls of a turn as the cases write them."""
    return [
        {"fault": call.fault} if call.fault
        else {"code": call.arguments["code"]} if call.name == "python"
        else call.name
        for call in turn.tool_calls
    ]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[case["case"] for case in CASES])
def test_a_reply_is_read_as_a_person_would_read_it(case: dict[str, Any]) -> None:
    assert case.keys() <= {"case", "text", "calls", "reasoning", "cut", "runs", "answer"}
    turn = read_reply(
        case["text"],
        case.get("calls", ()),
        reasoning=case.get("reasoning", ""),
        cut=case.get("cut", False),
    )
    expected = case.get("runs", [])
    read = reads_as(turn)
    assert len(read) == len(expected), read
    for found, wanted in zip(read, expected, strict=True):
        if isinstance(wanted, dict) and "fault" in wanted:
            assert isinstance(found, dict)
            assert wanted["fault"] in found.get("fault", ""), found
        else:
            assert found == wanted
    assert turn.answer == case.get("answer")
    assert all(call.in_text != ("calls" in case) for call in turn.tool_calls)
    assert len({call.id for call in turn.tool_calls}) == len(turn.tool_calls)


def test_there_are_many_cases_and_no_two_are_the_same() -> None:
    assert len({case["case"] for case in CASES}) == len(CASES) >= 40


def test_native_calls_come_nested_or_flat_with_arguments_as_text_or_data() -> None:
    turn = read_reply(
        "",
        [
            {"id": "x", "type": "function", "function": {"name": "f", "arguments": '{"a": [1]}'}},
            {"name": "g", "arguments": {"b": None}},
            {"name": "h"},
            {"function": {"name": "i", "arguments": None}},
        ],
    )
    assert turn.tool_calls == (
        ToolCall("x", "f", {"a": [1]}),
        ToolCall("call_2", "g", {"b": None}),
        ToolCall("call_3", "h", {}),
        ToolCall("call_4", "i", {}),
    )


def test_native_calls_of_one_id_are_told_apart() -> None:
    calls = [{"id": "x", "name": name} for name in "abc"] + [{"name": "d"}, {"id": "call_4"}]
    turn = read_reply("", calls)
    assert [call.name for call in turn.tool_calls] == ["a", "b", "c", "d", ""]
    assert len({call.id for call in turn.tool_calls}) == 5


@pytest.mark.parametrize(
    ("call", "fault"),
    [
        ({"function": {"name": "f", "arguments": '{"a": '}}, "not valid JSON"),
        ({"function": {"name": "f", "arguments": '{"a": 1} {"b": 2}'}}, "expected no more"),
        ({"function": {"name": "f", "arguments": "[1]"}}, "expected an object"),
        ({"function": {"name": "f", "arguments": "print(1)"}}, "not valid JSON"),
        ({"function": {"name": "f", "arguments": '{"a": NaN}'}}, "not valid JSON"),
        ({"function": {"name": "f", "arguments": '{"a": 1e999}'}}, "not valid JSON"),
        ({"function": {"name": "f", "arguments": "[" * 100_000}}, "not valid JSON"),
        ({"function": {"name": "f", "arguments": {"a": b"bytes"}}}, "not valid JSON"),
        ({"function": {"name": "", "arguments": "{}"}}, "no name"),
        ({"function": {"name": 3, "arguments": "{}"}}, "no name"),
        ({}, "no name"),
        ("f", "no name"),
        (None, "no name"),
    ],
)
def test_a_native_call_that_cannot_be_read_says_why(call: object, fault: str) -> None:
    (read,) = read_reply("", [call]).tool_calls
    assert fault in read.fault
    assert read.arguments == {}


def test_native_reasoning_is_kept_within_the_tags_and_is_as_proper() -> None:
    turn = read_reply("Let me see.", reasoning="First the data.")
    assert turn.text == "<think>\nFirst the data.\n</think>\n\nLet me see."
    assert reasons_properly(turn.text)
    assert not reasons_properly(read_reply("Let me see.", reasoning=" \n ").text)
    assert not reasons_properly(read_reply("Let me see.", reasoning="a</think>b").text)
    assert not reasons_properly(read_reply("<think>again</think>", reasoning="a<think>").text)
    assert not reasons_properly(read_reply("x<think>late</think>", reasoning="early").text)


def test_reasoning_in_both_places_is_one_block() -> None:
    turn = read_reply("<think>Then the model.</think>Go.", reasoning="First the data.")
    assert turn.text == "<think>\nFirst the data.\nThen the model.</think>Go."
    assert reasons_properly(turn.text)
    same = read_reply("<think>First the data.</think>Go.", reasoning="First the data.")
    assert same.text == "<think>First the data.</think>Go."
    assert not reasons_properly(read_reply("<think>endless", reasoning="First.").text)


def test_a_turn_has_so_many_calls_and_says_so() -> None:
    one = '<tool_call>{"name": "score"}</tool_call>'
    for turn in (
        read_reply(one * 1000),
        read_reply(f"<tool_call>[{','.join(['{}'] * 1000)}]</tool_call>"),
        read_reply("", [{"name": "score"}] * 1000),
    ):
        assert len(turn.tool_calls) == MAX_CALLS + 1
        assert "at the most" in turn.tool_calls[-1].fault


TAGS = [
    "<think>", "</think>", "<tool_call>", "</tool_call>", "<code>", "</code>", "<answer>",
    "</answer>", "<tool_response>", "<|im_start|>", "<|im_end|>", "```python\n", "```", "\n", " ",
    '{"name": "python", "arguments": {"code": "print(1)"}}', '{"name":', '"', "'", '"""', "\\", "{",
    "}", "[", "]", ",", ":", "#", "//", "a", "<function=python>", "<parameter=code>", "</s>", "é",
    "\ud800", "\x00",
]  # fmt: skip
SOUP = st.lists(st.sampled_from(TAGS), max_size=40).map("".join)
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=200)
DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3),
    max_leaves=8,
)
CALLS = st.lists(
    DATA | st.fixed_dictionaries({"name": ANY_TEXT | DATA, "arguments": SOUP | DATA}), max_size=3
)


@given(SOUP | ANY_TEXT, CALLS, SOUP, st.booleans())
def test_anything_is_read_and_kept(text: str, calls: list[Any], reasoning: str, cut: bool) -> None:
    turn = read_reply(text, calls, reasoning=reasoning, cut=cut)
    turn.text.encode()
    assert not (turn.tool_calls and turn.answer is not None)
    for call in turn.tool_calls:
        json.dumps(dict(call.arguments), allow_nan=False)
        assert call.fault or call.name
    if calls:
        assert len({call.id for call in turn.tool_calls}) == len(turn.tool_calls) == len(calls)


CODE = st.text(st.characters(exclude_categories=["Cs"]), max_size=80).map(
    lambda text: f"print({text!r})"
)


@given(CODE, st.booleans(), st.sampled_from(["", "<think>so</think>", "Go:\n"]))
def test_code_arrives_unchanged_as_json(code: str, ascii: bool, before: str) -> None:
    call = json.dumps({"name": "python", "arguments": {"code": code}}, ensure_ascii=ascii)
    turn = read_reply(f"{before}<tool_call>\n{call}\n</tool_call>")
    assert reads_as(turn) == [{"code": code}]
    (native,) = read_reply("", [json.loads(call)]).tool_calls
    assert native.arguments == {"code": code}


LONG = 100_000

#: What some reader, repeated, might look at again and again.
PIECES = [
    "<think><tool_call>", "<tool_call>{#</think>", '<tool_call>{"</think>', "<tool_call>{//",
    "<tool_call>{'''</think>", '<tool_call>{"a": "\\', "<tool_call>[", "<tool_call>```",
    "<tool_call>``` ", "x<code>", "<code>\n", "<code>\n</code> x", "<answer></answer>", "<code x",
    "<code ", "```python\n", "\n``` ", "<parameter=", "<tool_call><function=a><parameter=b>",
    "</code> ", '"code" ', '<tool_call>{"code": "', '{"a":', '{"a":[', "[1,", "{'a':", "'''", '\\"',
    "</think>{", "<tool_call>{ a", "1", "- ",
]  # fmt: skip


@pytest.mark.parametrize("before", ["", "<tool_call>", "<tool_call>{", "<code>", "<think>"])
def test_hostile_text_takes_linear_time(before: str) -> None:
    for piece in (*TAGS, *PIECES):
        text = before + piece * (LONG // len(piece)) + "x"
        started = time.process_time()
        turn = read_reply(text, reasoning=text)
        read_reply("", [{"name": "python", "arguments": text}])
        assert time.process_time() - started < 1.0, piece  # quadratic time would be minutes
        assert len(turn.tool_calls) <= MAX_CALLS + 1


def test_what_is_kept_is_capped() -> None:
    turn = read_reply("a" * (2 * MAX_CHARACTERS), reasoning="b" * (2 * MAX_CHARACTERS))
    assert len(turn.text) < 2 * MAX_CHARACTERS + 100
