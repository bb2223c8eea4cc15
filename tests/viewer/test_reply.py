from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandmle.viewer.reply import Part, take_apart


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", []),
        (" \n", []),
        ("plain words", [Part("said", "plain words")]),
        (
            "<think>first</think>then <answer>so</answer>",
            [Part("reasoning", "first"), Part("said", "then "), Part("answer", "so")],
        ),
        ("<think>never ends", [Part("reasoning", "never ends", closed=False)]),
        (
            "opened elsewhere</think>done",
            [Part("reasoning", "opened elsewhere"), Part("said", "done")],
        ),
        (
            "see\n```python\nx = 1\n```\nand <tool_call>{}</tool_call>",
            [Part("said", "see"), Part("code", "x = 1"), Part("said", "and "), Part("call", "{}")],
        ),
        ("<code>print(1)</code>", [Part("call", "print(1)")]),
        ('<Python lang="3">1</code>', [Part("call", "1")]),
        ("<THINK>a</Think><function_calls>b", [Part("reasoning", "a"), Part("call", "b", False)]),
        ("```\nopen\n", [Part("code", "open", closed=False)]),
        ("a ```inline``` b", [Part("said", "a ```inline``` b")]),
    ],
)
def test_a_reply_is_taken_apart_as_a_person_reads_it(text: str, parts: list[Part]) -> None:
    assert list(take_apart(text)) == parts


_PIECES = ("<think>", "</think>", "<answer>", "</answer>", "<tool_call>", "```", "\n", "a b", "c")


@given(st.lists(st.sampled_from(_PIECES)).map("".join))
def test_no_word_of_a_reply_is_lost_however_sloppy_it_is(text: str) -> None:
    shown = "".join(part.text for part in take_apart(text))
    for word in ("a b", "c"):
        assert shown.count(word) >= text.replace("tool_call", "").replace("think", "").count(word)
