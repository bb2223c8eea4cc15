"""How many tokens a conversation has for a model: counted by its tokenizer, or estimated."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

#: Counts the tokens of a training example.
Count = Callable[[Mapping[str, Any]], int]

#: What is about one token in the vocabularies of current models: a digit, up to seven letters of
#: a word, a sign or several, an end of a line, an indentation; and each letter of other alphabets.
#: Held against Qwen's tokenizer: 1.0 to 1.3 times its count for code and prose, 0.7 to 1.0 times
#: for rows of tables.
_TOKEN = re.compile(r"\d|[A-Za-z]{1,7}|[^\W\d_]|[^\w\s]+|_+|\s*[\r\n]+|[^\S\r\n]{2,}")

#: A message's own: its role, and the marks around it.
_MESSAGE_TOKENS = 5


def estimate(example: Mapping[str, Any]) -> int:
    """About how many tokens an example has for a model of whatever vocabulary."""
    count = _estimate_text(example["tools"])
    for message in example["messages"]:
        count += _MESSAGE_TOKENS + _estimate_text(message["content"])
        for call in message["tool_calls"] or ():
            count += _MESSAGE_TOKENS + _estimate_text(call["function"]["arguments"])
    return count


def _estimate_text(text: str) -> int:
    return sum(1 for _ in _TOKEN.finditer(text))


def counted_by(tokenizer: str) -> Count:
    """Counts by a tokenizer's own chat template; `tokenizer` is its name or its folder.

    Raises ModuleNotFoundError where transformers is missing, OSError or ValueError where there is
    no such tokenizer, ValueError where it has no chat template.
    """
    from transformers import AutoTokenizer

    loaded = AutoTokenizer.from_pretrained(tokenizer)
    if not loaded.chat_template:
        raise ValueError(f"the tokenizer {tokenizer!r} has no chat template")

    def count(example: Mapping[str, Any]) -> int:
        text = loaded.apply_chat_template(
            [_as_objects(message) for message in example["messages"]],
            tools=json.loads(example["tools"]),
            tokenize=False,
        )
        return len(loaded(text, add_special_tokens=False)["input_ids"])

    return count


def _as_objects(message: Mapping[str, Any]) -> dict[str, Any]:
    """A message for templates: arguments as objects, no key without a value."""
    kept = {name: value for name, value in message.items() if value is not None}
    if calls := kept.get("tool_calls"):
        kept["tool_calls"] = [
            {
                **call,
                "function": {
                    **call["function"],
                    "arguments": json.loads(call["function"]["arguments"]),
                },
            }
            for call in calls
        ]
    return kept
