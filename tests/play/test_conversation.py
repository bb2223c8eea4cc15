"""Turns are read as a person would read them, whatever a policy wrote."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandmle.play.conversation import (
    ToolCall,
    Turn,
    reasons_properly,
    shorten,
    split_reasoning,
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


def test_a_call_holds_only_what_json_carries() -> None:
    with pytest.raises(ValueError, match="JSON"):
        ToolCall("a", "f", {"x": float("nan")})
    with pytest.raises(ValueError, match="JSON"):
        ToolCall("a", "f", {"x": {1, 2}})


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_is_proper_or_not(text: str) -> None:
    assert reasons_properly(text) in (True, False)
    parts = split_reasoning(f"<think>so</think>{text}")
    assert parts == ("so", text)


def test_what_cannot_be_encoded_is_replaced() -> None:
    assert Turn("a\ud800b").text == "a?b"
    call = ToolCall("\ud800", "f", {"a\ud800": "\ud800"})
    assert call == ToolCall("?", "f", {"a?": "?"})
    assert Turn("\U0001f600").text == "\U0001f600"


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
