"""Options of commands that ask language models, and what those cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from sandmle.asking.connection import Connection

#: Where replies are kept in a corpus folder; they are worth what they cost, and no part of it.
KEPT = Path("build") / "replies"

#: The options' panel in the help.
MODELS = "Language models"


class FallBack(StrEnum):
    """What is done about sections that a model does not mend."""

    procedural = "procedural"
    drop = "drop"


BaseUrlOption = Annotated[
    str | None,
    typer.Option(
        help="Address of an OpenAI-compatible server, such as http://localhost:8000/v1; by "
        "default the client's own (OPENAI_BASE_URL). The key is always OPENAI_API_KEY.",
        rich_help_panel=MODELS,
        show_default=False,
    ),
]
BudgetOption = Annotated[
    str | None,
    typer.Option(
        help="The most to spend: tokens, as 500k or 2M, or money, as $5 with --price.",
        rich_help_panel=MODELS,
        show_default=False,
    ),
]
PriceOption = Annotated[
    list[str] | None,
    typer.Option(
        help="Money for a million tokens of prompts and of answers: 0.15/0.60 or MODEL=0.15/0.60.",
        rich_help_panel=MODELS,
        show_default=False,
    ),
]
RoundsOption = Annotated[
    int, typer.Option(min=0, help="How often a role may mend its part.", rich_help_panel=MODELS)
]
FallBackOption = Annotated[
    FallBack,
    typer.Option(
        help="What follows: the procedural role writes the part, or the draft is dropped.",
        rich_help_panel=MODELS,
    ),
]
ConcurrencyOption = Annotated[
    int, typer.Option(min=1, help="Calls at a time.", rich_help_panel=MODELS)
]
AnswerTokensOption = Annotated[
    int,
    typer.Option(
        min=100,
        help="Tokens that a reply may have, with what a model thinks before it.",
        rich_help_panel=MODELS,
    ),
]
PerMinuteOption = Annotated[
    float | None,
    typer.Option(
        min=0.01, help="Calls a minute at the most.", rich_help_panel=MODELS, show_default=False
    ),
]


@contextmanager
def connected(
    corpus: Path,
    *,
    base_url: str | None,
    budget: str | None,
    prices: Sequence[str] | None,
    concurrency: int = 1,
    per_minute: float | None = None,
    answer_tokens: int,
) -> Iterator[Connection]:
    """A connection by the options; what it cost is told on stderr at the end, however that comes.

    Ends the command where an option means nothing.
    """
    from sandmle.asking.connection import Connection
    from sandmle.asking.spending import parse_budget, parse_prices

    try:
        connection = Connection(
            corpus / KEPT,
            base_url=base_url,
            budget=parse_budget(budget) if budget else None,
            prices=parse_prices(prices or ()),
            concurrency=concurrency,
            per_minute=per_minute,
            answer_tokens=answer_tokens,
        )
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    try:
        yield connection
    finally:
        connection.close()
        if connection.spending.calls or connection.spending.kept:
            typer.echo(connection.spending.told(), err=True)
