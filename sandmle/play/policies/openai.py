"""A model behind an OpenAI-compatible endpoint: hosted, `vllm serve`, or what speaks the protocol.

`openai:MODEL` loads it. The key is OPENAI_API_KEY, never an option.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sandmle.asking.chat import TIMEOUT, Chat, NoReply, Refused
from sandmle.asking.completion import Completion
from sandmle.asking.failures import FIRST_WAIT, RETRIES
from sandmle.asking.pace import Schedule
from sandmle.asking.spending import Spending, parse_budget, parse_prices
from sandmle.errors import EndpointError
from sandmle.play.chat import chat_messages
from sandmle.play.context import ContextFull, estimate_tokens, fit, message_tokens
from sandmle.play.conversation import Message, Turn
from sandmle.play.reply import read_reply
from sandmle.play.scripted import digest_of
from sandmle.play.settings import Settings
from sandmle.play.task import Task
from sandmle.play.tools import tool_schemas

#: Tokens of a reply at the most, with what a model thinks before it acts.
MAX_TOKENS = 8_192

#: What an endpoint may not know, in the order in which it is asked without it, where it names it.
_OPTIONAL = ("max_completion_tokens", "stream_options", "reasoning", "seed")

#: What endpoints say where a prompt is longer than the model can read.
_TOO_LONG = re.compile(
    r"context.{0,12}(length|window|size)|maximum context|max_model_len|reduce the length"
    r"|(prompt|input|request|messages)\b.{0,40} too (long|large|many tokens)|entity too large"
    r"|exceed\w* .{0,40}context",
    re.IGNORECASE,
)

#: The share of a prompt that was too long which is tried next, and how often.
_SHORTER, _SHORTENED = 0.75, 4

#: More requests that are refused for good, than this and than this share of those answered, are no
#: fault of their own.
_REFUSED, _REFUSED_SHARE = 5, 0.1


def create(
    argument: str,
    *,
    settings: Settings,
    base_url: str | None = None,
    temperature: float | None = None,
    top_p: float | None = None,
    max_tokens: int = MAX_TOKENS,
    random_seed: int = 0,
    stream: bool = False,
    timeout: float = TIMEOUT,
    retries: int = RETRIES,
    first_wait: float = FIRST_WAIT,
    per_minute: float | None = None,
    budget: str | None = None,
    prices: Sequence[str] = (),
    extra: Mapping[str, Any] | None = None,
) -> OpenAI:
    """The policy that asks the model called `argument`.

    What is None is left to the endpoint. `max_tokens` bounds a reply; the seed of each episode is
    drawn from `random_seed`. A call takes at most `timeout` seconds and is tried again `retries`
    times, after `first_wait` seconds, which double; at most `per_minute` calls begin in a minute.
    `budget` and `prices` are as `sandmle.asking.spending` reads them. `extra` holds further fields
    of each request (`{"chat_template_kwargs": {"enable_thinking": false}}`).

    Raises ValueError where an option makes no sense, EndpointError without the client.
    """
    if not argument.strip():
        raise ValueError("the policy 'openai' takes the name of a model, as in openai:MODEL")
    if max_tokens < 1:
        raise ValueError(f"max_tokens must be above zero, not {max_tokens}")
    if settings.context_tokens is not None and settings.context_tokens <= max_tokens:
        raise ValueError(
            f"context_tokens must leave room for a reply of max_tokens: {settings.context_tokens} "
            f"is not more than {max_tokens}"
        )
    sampling = {"temperature": temperature, "top_p": top_p, "max_tokens": max_tokens}
    return OpenAI(
        settings,
        Chat(
            argument,
            spending=Spending(parse_budget(budget) if budget else None, parse_prices(prices)),
            schedule=Schedule(per_minute),
            base_url=base_url,
            timeout=timeout,
            retries=retries,
            first_wait=first_wait,
        ),
        {**sampling, "random_seed": random_seed, "stream": stream, "extra": dict(extra or {})},
    )


@dataclass
class OpenAI:
    """The policy. What it learns of its endpoint on the way holds for all its episodes.

    `without` is what the endpoint does not take, `limit` the tokens of a prompt that it can be
    expected to take, `reasoning_field` where it tells what the model thinks, `refused` how many
    requests it refused for good.
    """

    settings: Settings
    chat: Chat
    asked: Mapping[str, Any]
    without: set[str] = field(default_factory=set)
    limit: int | None = None
    reasoning_field: str | None = None
    refused: int = 0

    @property
    def name(self) -> str:
        """openai:MODEL."""
        return f"openai:{self.chat.model}"

    @property
    def digest(self) -> str:
        """SHA-256 of the model's name, its address and how it is asked."""
        return digest_of(self.chat.model, self.chat.address, json.dumps(self.asked, sort_keys=True))

    def sampling(self, task: Task, attempt: int) -> Mapping[str, Any]:
        """How the model is asked; the seed is None where the endpoint takes none."""
        seed = None if "seed" in self.without else self._seed(task, attempt)
        return {
            "model": self.chat.model,
            "base_url": self.chat.address,
            **self.asked,
            "seed": seed,
        }

    async def respond(self, messages: Sequence[Message], task: Task, attempt: int = 0) -> Turn:
        """The model's next turn.

        Raises ContextFull where the conversation does not fit what it can read, NoReply where this
        call fails, EndpointError where no other would go better, BudgetSpent where the budget is.
        """
        seed = self._seed(task, attempt)
        for _ in range(len(_OPTIONAL) + _SHORTENED):
            limit = self._prompt_limit()
            shown = fit(messages, limit) if limit is not None else None
            read = messages if shown is None else shown.messages
            without = frozenset(self.without)
            try:
                completion, retries, cost = await self.chat.complete(
                    self._body(read, seed), answer_tokens=self.asked["max_tokens"]
                )
            except Refused as refused:
                if without == self.without:  # else another call has learnt what to do
                    self._give_way(str(refused), read)
            else:
                elided = 0 if shown is None else shown.elided
                return replace(self._turn(completion), retries=retries, elided=elided, cost=cost)
        raise ContextFull(f"{self.chat.address} takes no prompt of {self.limit} tokens either")

    def _body(self, messages: Sequence[Message], seed: int) -> dict[str, Any]:
        """The request; what is not asked for, or not taken, is left out."""
        reasoning_field = self.reasoning_field
        sent = chat_messages(messages, reasoning_field=reasoning_field)
        if "reasoning" in self.without and reasoning_field is not None:
            for message in sent:
                message.pop(reasoning_field, None)
        old = "max_completion_tokens" in self.without
        body = {
            "model": self.chat.model,
            "messages": sent,
            "temperature": self.asked["temperature"],
            "top_p": self.asked["top_p"],
            "max_tokens" if old else "max_completion_tokens": self.asked["max_tokens"],
            "seed": None if "seed" in self.without else seed,
        }
        if self.settings.tools == "native":
            body["tools"] = tool_schemas(self.settings.score)
        if self.asked["stream"]:
            body["stream"] = True
            if "stream_options" not in self.without:
                body["stream_options"] = {"include_usage": True}
        given = {name: value for name, value in body.items() if value is not None}
        return {**given, **self.asked["extra"]}

    def _give_way(self, said: str, messages: Sequence[Message]) -> None:
        """Asks for less from now on, as far as what the endpoint said of a request allows.

        Raises EndpointError where it takes none or few, NoReply where this one is at fault.
        """
        told = f"{self.chat.address} ({self.chat.model}) refuses the request: {said}"
        if _TOO_LONG.search(said):
            if not self.chat.answered and ("max_tokens" in said or "completion" in said):
                raise EndpointError(f"{told}; a smaller max_tokens leaves more for the prompt")
            limit = int(_SHORTER * sum(map(message_tokens, messages)))
            self.limit = min(limit, self.limit or limit)
            return
        for name in _OPTIONAL:
            if name not in self.without and name in said:
                self.without.add(name)
                return
        if not self.chat.answered and "max_completion_tokens" not in self.without:
            self.without.add("max_completion_tokens")  # the old name is taken by all
            return
        self.refused += 1
        bearable = max(_REFUSED, _REFUSED_SHARE * self.chat.answered) if self.chat.answered else 0
        if self.refused > bearable:
            hint = "; --tools text needs none of the endpoint" if "tool" in said else ""
            raise EndpointError(told + hint)
        raise NoReply(told)

    def _prompt_limit(self) -> int | None:
        """Tokens that a conversation may have, None where nothing bounds it."""
        given = self.settings.context_tokens
        limits = [] if self.limit is None else [self.limit]
        if given is not None:
            tools = json.dumps(tool_schemas(self.settings.score))
            native = estimate_tokens(tools) if self.settings.tools == "native" else 0
            limits.append(given - self.asked["max_tokens"] - native)
        return min(limits, default=None)

    def _turn(self, completion: Completion) -> Turn:
        self.reasoning_field = completion.reasoning_field or self.reasoning_field
        turn = read_reply(
            completion.text,
            completion.calls,
            reasoning=completion.reasoning,
            cut=completion.finish == "length",
        )
        usage = completion.usage
        tokens = (usage.prompt, usage.answer) if usage is not None else (0, 0)
        return replace(
            turn, prompt_tokens=tokens[0], tokens=tokens[1], finish=completion.finish[:40]
        )

    def _seed(self, task: Task, attempt: int) -> int:
        """The seed of an episode, from the random seed, in [0, 2^31)."""
        drawn = f"{self.asked['random_seed']}/{task.id}/{attempt}"
        return int.from_bytes(hashlib.sha256(drawn.encode()).digest()[:4], "big") >> 1
