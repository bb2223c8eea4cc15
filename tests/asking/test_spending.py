"""Budgets and prices as people write them."""

from __future__ import annotations

import pytest

from sandmle.asking.spending import Budget, Price, Spending, parse_budget, parse_prices


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("2000", Budget(tokens=2_000)),
        ("500k", Budget(tokens=500_000)),
        ("1.5M", Budget(tokens=1_500_000)),
        ("$5", Budget(money=5.0)),
        ("$ 0.25", Budget(money=0.25)),
        ("5 USD", Budget(money=5.0)),
    ],
)
def test_budgets(text: str, budget: Budget) -> None:
    assert parse_budget(text) == budget


@pytest.mark.parametrize("text", ["", "five", "-3", "5m", "1e9", "$", "5 EUR", "nan", "٣"])
def test_what_is_no_budget(text: str) -> None:
    with pytest.raises(ValueError, match="is no budget; expected tokens as 500k"):
        parse_budget(text)


def test_prices() -> None:
    assert parse_prices(["0.15/0.60", "a=b=1/2"]) == {"": Price(0.15, 0.6), "a=b": Price(1.0, 2.0)}
    for wrong in ("1", "a=1", "1/x", "-1/2"):
        with pytest.raises(ValueError, match="is no price"):
            parse_prices([wrong])


def test_a_budget_in_money_needs_prices() -> None:
    with pytest.raises(ValueError, match="needs the price of tokens"):
        Spending(Budget(money=1.0))
