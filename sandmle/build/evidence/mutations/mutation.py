"""What a mutation of a submission is."""

from __future__ import annotations

from dataclasses import dataclass

#: Characters of one very long cell or line.
LONG = 1_000_000


@dataclass(frozen=True)
class Mutation:
    """A changed submission: what was done to it, and where if it was done to one cell.

    `row` counts from 1 below the header, as reasons do; `is_wrong` says that no reader may take it
    for a submission, whatever its shape.
    """

    name: str
    content: bytes
    row: int | None = None
    column: str = ""
    is_wrong: bool = False
