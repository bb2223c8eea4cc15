"""An OpenAI-compatible endpoint: hosted, `vllm serve`, or anything that speaks the protocol.

The address and the key come from the client's own variables (OPENAI_BASE_URL, OPENAI_API_KEY); a
`base_url` may be given instead of the first, a key never.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sandmle.asking.failures import (
    FIRST_WAIT,
    QUOTED,
    RETRIES,
    asked_wait,
    backoff,
    may_pass,
    said,
)
from sandmle.asking.kept import KeptReplies
from sandmle.asking.pace import Pace
from sandmle.asking.reply import REFUSED, Messages, Reply, Request, Usage
from sandmle.asking.spending import BYTES_PER_TOKEN, Spending, tokens_of
from sandmle.errors import EndpointError

if TYPE_CHECKING:
    import openai
    from openai.types.chat import ChatCompletion

#: Tokens of an answer at the most, with what a model thinks before it: a spec's longest section has
#: about 1,500.
ANSWER_TOKENS = 8_000

#: Seconds that a call may take.
TIMEOUT = 180.0

#: How a request may be put, in the order of trying: with a schema for the answer or without, and by
#: the present or the old name of the limit on tokens. Servers know some of these.
_FORMS = tuple(
    (has_schema, limit)
    for has_schema in (True, False)
    for limit in ("max_completion_tokens", "max_tokens")
)


class Endpoint:
    """One model at one address. Safe for threads; they share `kept`, `spending` and `pace`.

    Where the server does not take a JSON Schema for its answers, or a name of a parameter, it is
    asked in another form from then on.
    """

    def __init__(
        self,
        model: str,
        *,
        kept: KeptReplies,
        spending: Spending,
        pace: Pace,
        base_url: str | None = None,
        answer_tokens: int = ANSWER_TOKENS,
        timeout: float = TIMEOUT,
        retries: int = RETRIES,
        first_wait: float = FIRST_WAIT,
    ) -> None:
        self.model, self.base_url = model, base_url
        self._kept, self._spending, self._pace = kept, spending, pace
        self._answer_tokens, self._timeout = answer_tokens, timeout
        self._retries, self._first_wait = retries, first_wait
        self._form = 0
        self._client: openai.OpenAI | None = None
        self._opening = threading.Lock()

    def ask(self, messages: Messages, *, schema: Mapping[str, Any], title: str) -> Reply:
        """The reply to the messages: the kept one, else the server's.

        Raises EndpointError where the server can't be reached, refuses the key, the model or the
        request, or asks for too long a pause; BudgetSpent before a call that could cost too much.
        """
        named = {"name": title, "schema": schema, "strict": False}
        structured = {"response_format": {"type": "json_schema", "json_schema": named}}
        for form in range(self._form, len(_FORMS)):
            has_schema, limit = _FORMS[form]
            parameters = {limit: self._answer_tokens, **(structured if has_schema else {})}
            reply = self._reply(Request(self.model, messages, parameters))
            if reply.finish != REFUSED:
                self._form = max(form, self._form)
                return reply
        raise EndpointError(f"{self._place}: refuses the request: {reply.refusal}")

    def _reply(self, request: Request) -> Reply:
        kept = self._kept.get(request)
        if kept is not None:
            self._spending.spare()
            return kept
        most = Usage(tokens_of(request), self._answer_tokens)
        with self._spending.call(self.model, most):
            reply = self._call(request)
            self._kept.put(request, reply)
            if reply.finish != REFUSED:
                self._spending.spend(self.model, reply.usage)
        return reply

    def _call(self, request: Request) -> Reply:
        """The server's reply, tried again as often as it is worth it."""
        import openai

        for attempt in range(self._retries + 1):
            try:
                with self._pace.turn():
                    completion = self._opened().chat.completions.create(**request.body)
                return _reply_of(completion, request)
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                return Reply(request.key, "", REFUSED, said(error))
            except (openai.OpenAIError, ValueError) as error:  # ValueError: a body that's no JSON
                if attempt == self._retries or not may_pass(error):
                    tries = f"{attempt + 1} tries: " if attempt else ""
                    raise EndpointError(f"{self._place}: {tries}{said(error)}") from None
                self._wait(error, attempt)
        raise AssertionError("the last try returns or raises")

    def _wait(self, error: Exception, attempt: int) -> None:
        """Before the next try: as long as the server asks for, else ever longer."""
        asked = asked_wait(error, self._place)
        if asked is None:
            self._pace.sleep(backoff(attempt, self._first_wait))
        else:
            self._pace.hold(asked)

    def _opened(self) -> openai.OpenAI:
        """The client, made when it is first needed."""
        import openai

        with self._opening:
            if self._client is None:
                # Waits are ours: all calls heed a pause that the server asks one of them for.
                self._client = openai.OpenAI(
                    base_url=self.base_url, timeout=self._timeout, max_retries=0
                )
            return self._client

    @property
    def _place(self) -> str:
        address = self.base_url or (str(self._client.base_url) if self._client else "the endpoint")
        return f"{address} ({self.model})"


def _reply_of(completion: ChatCompletion, request: Request) -> Reply:
    """What a server's completion says; servers that speak the protocol loosely leave parts out.

    Raises ValueError where it is no completion at all.
    """
    choices = getattr(completion, "choices", None)
    if not choices or not getattr(choices[0], "message", None):
        raise ValueError(f"no completion: {str(completion)[:QUOTED]}")
    message, usage = choices[0].message, completion.usage
    text = message.content or ""
    return Reply(
        key=request.key,
        text=text,
        finish=choices[0].finish_reason or "stop",
        refusal=getattr(message, "refusal", None) or "",
        usage=Usage(usage.prompt_tokens, usage.completion_tokens)
        if usage
        else Usage(tokens_of(request), len(text.encode()) // BYTES_PER_TOKEN),
    )
