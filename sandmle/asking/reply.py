"""What goes to a language model, and what comes back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

#: Messages of a conversation in OpenAI's form: {"role": ..., "content": ...}.
Messages = Sequence[Mapping[str, str]]

#: Why a reply ended, beside what servers say (stop, length, content_filter): the server does not
#: take the request in this form, so there is no reply at all.
REFUSED = "refused"


@dataclass(frozen=True)
class Usage:
    """Tokens that a call took, as the server counts them."""

    prompt: int = 0
    answer: int = 0


@dataclass(frozen=True)
class Reply:
    """One reply. `key` is its request's; `finish` says why it ended, `refusal` why there's none."""

    key: str
    text: str
    finish: str
    refusal: str = ""
    usage: Usage = Usage()


@dataclass(frozen=True)
class Request:
    """All that a reply follows from, which is what it is kept under."""

    model: str
    messages: Messages
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def body(self) -> dict[str, Any]:
        """The request as the endpoint takes it."""
        messages = [dict(message) for message in self.messages]
        return {"model": self.model, "messages": messages, **self.parameters}

    @property
    def key(self) -> str:
        """SHA-256 of model, messages and parameters."""
        text = json.dumps(self.body, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()


class Asker(Protocol):
    """Whoever answers."""

    @property
    def model(self) -> str:
        """The model's name."""

    def ask(self, messages: Messages, *, schema: Mapping[str, Any], title: str) -> Reply:
        """A reply that follows `schema` where the server can see to that.

        `title` names the schema. Raises EndpointError where there is no reply to be had, and
        BudgetSpent where it would cost too much.
        """
