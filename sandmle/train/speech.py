"""Between messages and token ids: what a conversation looks like to a model.

A conversation is rendered once, piece by piece, by the model's own chat template. What the policy
said stays the ids that were sampled: it is never rendered or tokenised again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sandmle.play.conversation import Message

#: Stands for what the policy said while the template renders what follows it.
_MARK = "what-the-policy-said"


@dataclass(frozen=True)
class Speech:
    """A tokenizer with a chat template, and the tools that conversations offer (JSON Schema)."""

    tokenizer: Any
    tools: Sequence[dict[str, Any]]

    @cached_property
    def end(self) -> frozenset[int]:
        """The tokens that end a turn."""
        return frozenset({int(self.tokenizer.eos_token_id)})

    @property
    def pad(self) -> int:
        """The token that fills batches."""
        found = self.tokenizer.pad_token_id
        return int(self.tokenizer.eos_token_id if found is None else found)

    def opening(self, messages: Sequence[Message]) -> list[int]:
        """The ids of a conversation up to where the policy speaks."""
        return self._ids(self.opening_text(messages))

    def opening_text(self, messages: Sequence[Message]) -> str:
        """The same as text."""
        return self._render([_plain(message) for message in messages], prompt=True)

    def following(self, messages: Sequence[Message], *, ended: bool) -> list[int]:
        """The ids between what the policy said and where it speaks again: the answers of tools.

        `ended` says whether the policy's turn ends with an end token already.
        """
        said = [{"role": "user", "content": "-"}, {"role": "assistant", "content": _MARK}]
        text = self._render(said + [_plain(message) for message in messages], prompt=True)
        ids = self._ids(text.rpartition(_MARK)[2])
        return ids[1:] if ended and ids and ids[0] in self.end else ids

    def said(self, message: Mapping[str, Any]) -> list[int]:
        """The ids of a turn that is to be learned, with its end token, as a policy would say it.

        `message` is one of a chat API. Its text is taken as it is; calls beside it are written as
        the template writes them. Raises ValueError where the template can't write such a turn.
        """
        text = self._with_calls(message) if message.get("tool_calls") else message["content"]
        lead = self._lead
        if lead and text.lstrip().startswith(lead.strip()):
            text = text.lstrip().removeprefix(lead.strip()).lstrip("\n")
        elif lead:
            raise ValueError(
                f"the chat template begins turns with {lead.strip()}; this one is none"
            )
        return [*self._ids(text), int(self.tokenizer.eos_token_id)]

    def _with_calls(self, message: Mapping[str, Any]) -> str:
        """The text of a turn with its calls, by the template."""
        before = [{"role": "user", "content": "-"}]
        calls = [
            {**call, "function": {**function, "arguments": json.loads(function["arguments"])}}
            for call in message["tool_calls"]
            for function in (call["function"],)
        ]
        turn = {"role": "assistant", "content": message["content"], "tool_calls": calls}
        opened, full = (
            self._render(before, prompt=True),
            self._render([*before, turn], prompt=False),
        )
        begun = opened.removesuffix(self._lead)
        text, end, _ = full.removeprefix(begun).rpartition(self.tokenizer.eos_token)
        if not full.startswith(begun) or not end:
            raise ValueError("the chat template writes a turn otherwise than it asks for one")
        return text

    def text(self, ids: Sequence[int]) -> str:
        """What the policy said, with the reasoning tag that the template opened for it."""
        said = [token for token in ids if token not in self.end]
        text: str = self.tokenizer.decode(said, skip_special_tokens=True)
        return self._lead + text

    @cached_property
    def _lead(self) -> str:
        """What the template makes a turn begin with: `<think>` for some models."""
        said = [{"role": "user", "content": "-"}]
        without, full = self._render(said, prompt=False), self._render(said, prompt=True)
        lead = full[len(without) :]
        return lead[lead.index("<think>") :] if "<think>" in lead else ""

    def _render(self, messages: Sequence[dict[str, Any]], *, prompt: bool) -> str:
        text: str = self.tokenizer.apply_chat_template(
            list(messages), tools=list(self.tools), add_generation_prompt=prompt, tokenize=False
        )
        return text

    def _ids(self, text: str) -> list[int]:
        ids: list[int] = self.tokenizer(text, add_special_tokens=False)["input_ids"]
        return ids


def _plain(message: Message) -> dict[str, Any]:
    return {"role": message.role, "content": message.content}
