"""What all models that a command asks have in common: where they are, what they may cost."""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Mapping
from pathlib import Path

from sandmle.asking.endpoint import ANSWER_TOKENS, TIMEOUT, Endpoint
from sandmle.asking.failures import FIRST_WAIT, NOT_INSTALLED, RETRIES
from sandmle.asking.kept import KeptReplies
from sandmle.asking.pace import Pace
from sandmle.asking.spending import Budget, Price, Spending
from sandmle.errors import EndpointError

#: What stands before a model's name where it is asked through an OpenAI-compatible endpoint.
_OPENAI = "openai:"

#: Calls at a time.
CONCURRENCY = 4


class Connection:
    """Models at one address, with one folder of kept replies, one account and one pace."""

    def __init__(
        self,
        kept: Path,
        *,
        base_url: str | None = None,
        budget: Budget | None = None,
        prices: Mapping[str, Price] | None = None,
        concurrency: int = CONCURRENCY,
        per_minute: float | None = None,
        answer_tokens: int = ANSWER_TOKENS,
        timeout: float = TIMEOUT,
        retries: int = RETRIES,
        first_wait: float = FIRST_WAIT,
    ) -> None:
        self.spending = Spending(budget, prices)
        self.pace = Pace(concurrency=concurrency, per_minute=per_minute)
        self._connect = functools.partial(
            Endpoint,
            kept=KeptReplies(kept),
            spending=self.spending,
            pace=self.pace,
            base_url=base_url,
            answer_tokens=answer_tokens,
            timeout=timeout,
            retries=retries,
            first_wait=first_wait,
        )
        self._endpoints: dict[str, Endpoint] = {}

    def model(self, name: str) -> Endpoint:
        """The model of that name. Raises EndpointError where the client is not installed."""
        if importlib.util.find_spec("openai") is None:
            raise EndpointError(NOT_INSTALLED)
        if name not in self._endpoints:
            self._endpoints[name] = self._connect(name)
        return self._endpoints[name]

    def close(self) -> None:
        """Lets no other call begin, and waits until those under way are answered and kept."""
        self.pace.stop()
        self.spending.settle()


def model_of(choice: str) -> str:
    """MODEL of `openai:MODEL`. Raises ValueError saying what was expected."""
    model = choice.removeprefix(_OPENAI).strip()
    if not choice.startswith(_OPENAI) or not model:
        raise ValueError(f"{choice!r} is no model; expected openai:MODEL")
    return model
