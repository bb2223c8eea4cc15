"""What calls cost in tokens and money, and the budget that they must not exceed."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

from sandmle.asking.reply import Request, Usage
from sandmle.errors import BudgetSpent

#: Bytes for each token, at the least: English, JSON and YAML have three to five.
BYTES_PER_TOKEN = 2

_TOKENS = re.compile(r"(\d+(?:\.\d+)?)([kM]?)", re.ASCII)
_MONEY = re.compile(r"\$ ?(\d+(?:\.\d+)?)|(\d+(?:\.\d+)?) ?USD", re.ASCII)
_PRICE = re.compile(r"(?:(.+)=)?(\d+(?:\.\d+)?)/(\d+(?:\.\d+)?)", re.ASCII)

#: Seconds after which a task looks again whether the budget covers its call.
_LOOK_AGAIN = 0.05

#: The model's name for prices of all models that have none of their own.
ANY_MODEL = ""


@dataclass(frozen=True)
class Budget:
    """The most that may be spent; None for no limit. `money` is in the currency of the prices."""

    tokens: int | None = None
    money: float | None = None


@dataclass(frozen=True)
class Price:
    """Money for a million tokens of prompts, and of answers."""

    prompt: float
    answer: float


def parse_budget(text: str) -> Budget:
    """`500k` or `2M` tokens, `$5` or `5 USD`. Raises ValueError saying what was expected."""
    if found := _MONEY.fullmatch(text.strip()):
        return Budget(money=float(found[1] or found[2]))
    if found := _TOKENS.fullmatch(text.strip()):
        return Budget(tokens=int(float(found[1]) * {"": 1, "k": 1_000, "M": 1_000_000}[found[2]]))
    raise ValueError(f"{text!r} is no budget; expected tokens as 500k or 2M, or money as $5")


def parse_prices(texts: Sequence[str]) -> dict[str, Price]:
    """Prices by model from `0.15/0.60` (all models) or `MODEL=0.15/0.60`: prompts, answers.

    Raises ValueError saying what was expected.
    """
    prices = {}
    for text in texts:
        found = _PRICE.fullmatch(text.strip())
        if found is None:
            raise ValueError(
                f"{text!r} is no price; expected money for a million tokens of prompts and of "
                "answers, such as 0.15/0.60 or MODEL=0.15/0.60"
            )
        prices[found[1] or ANY_MODEL] = Price(float(found[2]), float(found[3]))
    return prices


def tokens_of(request: Request) -> int:
    """Tokens that a prompt has at the most, by its size."""
    size = sum(len(message["content"].encode()) for message in request.messages)
    return size // BYTES_PER_TOKEN


class Spending:
    """The account of all calls, shared by threads.

    A call begins only where the budget covers the most that it and those under way may cost, so
    the budget is never exceeded. A prompt is taken to have no more than a token for two bytes.
    """

    def __init__(
        self, budget: Budget | None = None, prices: Mapping[str, Price] | None = None
    ) -> None:
        self.budget, self.prices = budget or Budget(), dict(prices or {})
        if self.budget.money is not None and not self.prices:
            raise ValueError("a budget in money needs the price of tokens")
        self.usage, self.money = Usage(), 0.0
        self.calls = self.kept = 0
        self._reserved: list[tuple[int, float]] = []
        self._changed = threading.Condition()  # its lock may be taken twice by one thread

    @contextmanager
    def call(self, model: str, most: Usage) -> Iterator[None]:
        """Sets aside the most that a call may cost while it lasts.

        Waits while calls under way may leave enough. Raises BudgetSpent where they can't.
        """
        with self._changed:
            while (cost := self._reserve(model, most)) is None:
                self._changed.wait()
        try:
            yield
        finally:
            self._release(cost)

    @asynccontextmanager
    async def async_call(self, model: str, most: Usage) -> AsyncIterator[None]:
        """The same for calls that are tasks of one event loop, which must not be held up."""
        while (cost := self._reserve(model, most)) is None:
            await asyncio.sleep(_LOOK_AGAIN)
        try:
            yield
        finally:
            self._release(cost)

    def _reserve(self, model: str, most: Usage) -> tuple[int, float] | None:
        """What is set aside for a call, None where calls under way may leave enough."""
        cost = (most.prompt + most.answer, self._cost(model, most))
        with self._changed:
            if self._covers(cost):
                self._reserved.append(cost)
                return cost
            if not self._reserved or not self._covers(cost, alone=True):
                raise BudgetSpent(f"the budget leaves no room for another call; {self.told()}")
            return None

    def _release(self, cost: tuple[int, float]) -> None:
        with self._changed:
            self._reserved.remove(cost)
            self._changed.notify_all()

    def settle(self) -> None:
        """Waits until no call is under way: what it brings is paid for."""
        with self._changed:
            while self._reserved:
                self._changed.wait()

    def spend(self, model: str, usage: Usage) -> float | None:
        """Books a call that was answered; returns what it cost, None where there are no prices."""
        cost = self._cost(model, usage)
        with self._changed:
            self.usage = Usage(self.usage.prompt + usage.prompt, self.usage.answer + usage.answer)
            self.money += cost
            self.calls += 1
        return cost if self.prices else None

    def spare(self) -> None:
        """Books a call that need not be made, as its reply was kept."""
        with self._changed:
            self.kept += 1

    def told(self) -> str:
        """What was spent, in a line."""
        cost = f", cost {self.money:.4f}" if self.prices else ""
        return (
            f"{self.calls} calls and {self.kept} kept replies; {self.usage.prompt:,} tokens of "
            f"prompts, {self.usage.answer:,} of answers{cost}"
        )

    def _covers(self, cost: tuple[int, float], *, alone: bool = False) -> bool:
        """Whether a cost fits beside what is spent and, unless `alone`, set aside."""
        aside = [] if alone else self._reserved
        tokens = self.usage.prompt + self.usage.answer + sum(one[0] for one in aside) + cost[0]
        money = self.money + sum(one[1] for one in aside) + cost[1]
        budget = self.budget
        return (budget.tokens is None or tokens <= budget.tokens) and (
            budget.money is None or money <= budget.money
        )

    def _cost(self, model: str, usage: Usage) -> float:
        price = self.prices.get(model) or self.prices.get(ANY_MODEL)
        if price is None:
            return 0.0
        return (usage.prompt * price.prompt + usage.answer * price.answer) / 1e6
