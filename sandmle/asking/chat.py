"""Chat with a model at an OpenAI-compatible endpoint, many calls at a time in one event loop.

The key comes from the client's own variable, OPENAI_API_KEY; so does the address, from
OPENAI_BASE_URL, unless one is given.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import urllib.parse
from collections.abc import AsyncGenerator, Mapping
from typing import TYPE_CHECKING, Any

from sandmle.asking.completion import Completion, read_completion, read_stream
from sandmle.asking.failures import (
    FIRST_WAIT,
    NOT_INSTALLED,
    RETRIES,
    asked_wait,
    backoff,
    may_pass,
    said,
    transport_errors,
)
from sandmle.asking.pace import Schedule
from sandmle.asking.reply import Usage
from sandmle.asking.spending import BYTES_PER_TOKEN, Spending
from sandmle.errors import EndpointError

if TYPE_CHECKING:
    import openai

#: Seconds that a call may take.
TIMEOUT = 600.0

#: So many calls given up in a row, with no reply between them, are the endpoint's end.
_GIVEN_UP = 5

#: Statuses of a request that is at fault itself: it asks for what there is not, or is too long.
_REFUSED = (400, 413, 422)

#: The key where an address is given and no key: local servers ask for none.
_NO_KEY = "none"


class NoReply(Exception):  # noqa: N818 - an outcome, which is not an error of this program
    """This call got no reply, however often it was tried; others may."""


class Refused(Exception):  # noqa: N818 - an outcome, which is not an error of this program
    """The endpoint does not take this request; the message is what it said."""


class Chat:
    """One model at one address, asked by tasks of one event loop; `answered` counts its replies.

    Raises EndpointError where the client is not installed.
    """

    def __init__(
        self,
        model: str,
        *,
        spending: Spending,
        schedule: Schedule,
        base_url: str | None = None,
        timeout: float = TIMEOUT,
        retries: int = RETRIES,
        first_wait: float = FIRST_WAIT,
    ) -> None:
        try:
            importlib.import_module("openai")  # here, as it takes a second that no turn should pay
        except ImportError:
            raise EndpointError(NOT_INSTALLED) from None
        self.model = model
        self._base_url, self._timeout = base_url, timeout
        self._spending, self._schedule = spending, schedule
        self._retries, self._first_wait = retries, first_wait
        self._client: openai.AsyncOpenAI | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closing: AsyncGenerator[openai.AsyncOpenAI, None] | None = None
        self._given_up = 0
        self.answered = 0

    @property
    def address(self) -> str:
        """Where the model is asked, without a user's name, a password or a query in it."""
        given = self._base_url or os.environ.get("OPENAI_BASE_URL")
        parts = urllib.parse.urlsplit(given or "https://api.openai.com/v1")
        host = parts.netloc.rpartition("@")[2]
        return urllib.parse.urlunsplit((parts.scheme, host, parts.path, "", ""))

    async def complete(
        self, body: Mapping[str, Any], *, answer_tokens: int
    ) -> tuple[Completion, int, float | None]:
        """The reply to a request, how many calls failed before it, and what it cost.

        A body with `stream` is answered in a stream. Raises NoReply where this call fails, Refused
        where the endpoint does not take it, EndpointError where no call would go better,
        BudgetSpent before a call that could cost too much.
        """
        prompt = len(json.dumps(body, ensure_ascii=False).encode("utf-8", "replace"))
        most = Usage(prompt // BYTES_PER_TOKEN, answer_tokens)
        async with self._spending.async_call(self.model, most):
            completion, attempt = await self._tried(body)
            if completion.usage is None:
                written = len(completion.text + completion.reasoning + str(completion.calls))
                completion.usage = Usage(most.prompt, written // BYTES_PER_TOKEN)
            cost = self._spending.spend(self.model, completion.usage)
        self._given_up = 0
        self.answered += 1
        return completion, attempt, cost

    async def _tried(self, body: Mapping[str, Any]) -> tuple[Completion, int]:
        """The reply, and the number of the try that brought it, from 0."""
        import openai

        for attempt in range(self._retries + 1):
            try:
                while (wait := self._schedule.wait()) > 0:
                    await asyncio.sleep(wait)
                return await self._called(body), attempt
            except (openai.OpenAIError, ValueError, TimeoutError) as error:
                if getattr(error, "status_code", None) in _REFUSED:
                    raise Refused(said(error)) from None
                lasting = not may_pass(error)
                if lasting and (not self.answered or _is_ours(error)):
                    raise EndpointError(f"{self._place}: {said(error)}") from None
                if lasting or attempt == self._retries:
                    raise self._give_up(attempt + 1, said(error)) from None
                await self._wait(error, attempt)
        raise AssertionError("the last try returns or raises")

    async def _called(self, body: Mapping[str, Any]) -> Completion:
        """One call. Raises ValueError where what comes is no completion."""
        create = (await self._opened()).chat.completions.create
        # As extra_body it is sent as it is; the client takes milliseconds to look through messages.
        async with asyncio.timeout(self._timeout):
            if not body.get("stream"):
                whole = await create(model=self.model, messages=[], extra_body=body)
                return read_completion(whole)
            streamed = create(model=self.model, messages=[], stream=True, extra_body=body)
            async with await streamed as stream:
                try:
                    return await read_stream(stream)
                except transport_errors() as error:
                    raise ValueError(f"the stream broke: {error}") from None

    def _give_up(self, tries: int, why: str) -> Exception:
        self._given_up += 1
        told = f"{self._place}: {f'{tries} tries: ' if tries > 1 else ''}{why}"
        if self._given_up < _GIVEN_UP:
            return NoReply(told)
        return EndpointError(f"{told}; {self._given_up} calls in a row were given up")

    async def _wait(self, error: Exception, attempt: int) -> None:
        """Before the next try: as long as the server asks for, else ever longer."""
        asked = asked_wait(error, self._place)
        if asked is None:
            await asyncio.sleep(backoff(attempt, self._first_wait))
        else:
            self._schedule.hold(asked)

    async def _opened(self) -> openai.AsyncOpenAI:
        """The client of the running loop, made when it is first needed."""
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            self._closing = self._open()
            self._client, self._loop = await anext(self._closing), loop
        return self._client

    async def _open(self) -> AsyncGenerator[openai.AsyncOpenAI, None]:
        """The client; a loop that ends closes what generators hold, and so its connections."""
        import openai

        needs_none = self._base_url is not None and not os.environ.get("OPENAI_API_KEY")
        client = openai.AsyncOpenAI(
            api_key=_NO_KEY if needs_none else None,
            base_url=self._base_url,
            timeout=self._timeout,
            max_retries=0,  # waits are ours: all calls heed a pause that one is asked for
        )
        try:
            yield client
        finally:
            await client.close()

    @property
    def _place(self) -> str:
        return f"{self.address} ({self.model})"


def _is_ours(error: Exception) -> bool:
    """Whether the key is wrong or the allowance spent: no call goes well until that is mended."""
    import openai

    return isinstance(error, (openai.AuthenticationError, openai.RateLimitError)) or not isinstance(
        error, openai.APIError
    )
