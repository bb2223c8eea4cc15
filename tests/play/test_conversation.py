"""Turns are read as a person would read them, whatever a policy wrote."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandmle.play.conversation import (
    ToolCall,
    Turn,
    read_tool_calls,
    read_turn,
    reasons_properly,
    shorten,
)


@pytest.mark.parametrize(
    "text",
    [
        "<think>look first</think>",
        "<think>look first</think>then this",
        "\n <think>\nlook\n</think>\n<answer>done</answer>",
        "<think>a < b, <b>bold</b></think> ok",
    ],
)
def test_reasoning_inside_one_block_at_the_start_is_proper(text: str) -> None:
    assert reasons_properly(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no tags",
        "<think></think>empty",
        "<think> \n </think>blank",
        "<think>never closed",
        "never opened</think>",
        "</think>backwards<think>",
        "first words <think>then tags</think>",
        "<think>one</think><think>two</think>",
        "<think>out <think>in</think></think>",
        "<think>out <think>in</think>",
        "<think>twice</think>closed</think>",
        "<think>fine</think> <think>",
        "<THINK>shouting</THINK>",
        "<thinking>another tag</thinking>",
    ],
)
def test_any_other_use_of_the_tags_is_not(text: str) -> None:
    assert not reasons_properly(text)


def test_a_reply_without_a_call_is_the_answer() -> None:
    assert read_turn("<think>hm</think> <answer>I am done.</answer>").answer == "I am done."
    assert read_turn("<think>hm</think> I am done.").answer == "I am done."
    assert read_turn("I am done.").answer == "I am done."
    assert read_turn("").answer == ""


def test_a_reply_with_a_call_is_no_answer() -> None:
    call = {"id": "a", "function": {"name": "python", "arguments": '{"code": "1"}'}}
    turn = read_turn("<answer>done</answer>", [call], tokens=7)
    assert turn.answer is None
    assert turn.tool_calls == (ToolCall("a", "python", {"code": "1"}),)
    assert turn.tokens == 7


def test_native_calls_come_nested_or_flat_with_arguments_as_text_or_data() -> None:
    calls = read_tool_calls(
        [
            {"id": "x", "type": "function", "function": {"name": "f", "arguments": '{"a": [1]}'}},
            {"name": "g", "arguments": {"b": None}},
            {"name": "h"},
        ]
    )
    assert calls == (
        ToolCall("x", "f", {"a": [1]}),
        ToolCall("call_2", "g", {"b": None}),
        ToolCall("call_3", "h", {}),
    )


@pytest.mark.parametrize(
    ("call", "fault"),
    [
        ({"function": {"name": "f", "arguments": '{"a": 1'}}, "not valid JSON"),
        ({"function": {"name": "f", "arguments": "[1]"}}, "must be a JSON object"),
        ({"function": {"name": "f", "arguments": None}}, "must be a JSON object"),
        ({"function": {"name": "f", "arguments": '{"a": NaN}'}}, "not valid JSON"),
        ({"function": {"name": "f", "arguments": '{"a": 1e999}'}}, "not valid JSON"),
        ({"function": {"name": "f", "arguments": "[" * 100_000}}, "not valid JSON"),
        ({"function": {"name": "f", "arguments": {"a": b"bytes"}}}, "not valid JSON"),
        ({"function": {"name": "", "arguments": "{}"}}, "no name"),
        ({"function": {"name": 3, "arguments": "{}"}}, "no name"),
        ({"function": "f"}, "no name"),
        ({}, "no name"),
    ],
)
def test_a_call_that_cannot_be_read_says_why(call: dict[str, object], fault: str) -> None:
    (read,) = read_tool_calls([call])
    assert fault in read.fault
    assert read.arguments == {}


def test_a_call_holds_only_what_json_carries() -> None:
    with pytest.raises(ValueError, match="JSON"):
        ToolCall("a", "f", {"x": float("nan")})
    with pytest.raises(ValueError, match="JSON"):
        ToolCall("a", "f", {"x": {1, 2}})


TEXT = st.text(st.characters(exclude_categories=["Cs"]))


@given(TEXT, st.dictionaries(TEXT, TEXT))
def test_any_text_and_arguments_can_be_read(text: str, arguments: dict[str, str]) -> None:
    turn = read_turn(text, [{"name": "f", "arguments": json.dumps(arguments)}])
    assert turn.tool_calls[0].arguments == arguments
    reasons_properly(text)
    assert isinstance(read_turn(text).answer, str)


def test_what_cannot_be_encoded_is_replaced() -> None:
    assert Turn("a\ud800b").text == "a?b"
    (call,) = read_tool_calls(
        [{"id": "\ud800", "name": "f", "arguments": '{"a\\ud800": "\\ud800"}'}]
    )
    assert call == ToolCall("?", "f", {"a?": "?"})
    assert read_turn("\U0001f600").text == "\U0001f600"


def test_long_text_keeps_its_ends_and_says_what_was_cut() -> None:
    text = "".join(f"line {number}\n" for number in range(1000))
    short = shorten(text, 100)
    assert short.startswith("line 0\nline 1\n")
    assert short.endswith("line 999\n")
    assert f"{len(text) - 100:,} characters" in short
    assert shorten(text[:100], 100) == text[:100]


@given(st.text(max_size=300), st.integers(1, 200))
def test_shortening_cuts_as_much_as_it_says(text: str, limit: int) -> None:
    short = shorten(text, limit)
    if len(text) <= limit:
        assert short == text
    else:
        cut = int(short[limit - limit // 2 :].split("[... ")[1].split(" ")[0].replace(",", ""))
        assert cut == len(text) - limit
