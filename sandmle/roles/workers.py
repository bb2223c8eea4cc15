"""Drafts made in other processes. What they are given is all that they go by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from sandmle.roles.drawing import Drawn, Order, draw
from sandmle.roles.holdout import Holdout
from sandmle.roles.novelty import Known
from sandmle.roles.repair import Judge
from sandmle.roles.role import Role
from sandmle.roles.world import load_worlds
from sandmle.seeds.model import Seed
from sandmle.vocabulary import Vocabulary, load_vocabulary


@dataclass(frozen=True)
class Ticket:
    """An order as another process can be given it: `split` says which rules it may have."""

    seed: Seed
    number: int
    split: str
    provenance: Mapping[str, Any]


@dataclass(frozen=True)
class Desk:
    """What is the same for all orders of a plan."""

    corpus: Path
    random_seed: int
    holdout: Holdout
    roles: tuple[Role, ...]
    judge: Judge | None


def fill(desk: Desk, ticket: Ticket, known: Known) -> Drawn:
    """Draws what a ticket asks for, beside what is known."""
    vocabulary = load_vocabulary(desk.corpus)
    order = Order(
        ticket.seed,
        ticket.number,
        desk.random_seed,
        vocabulary=vocabulary,
        words=_words(desk.corpus, desk.holdout, ticket.split),
        worlds=load_worlds(desk.corpus),
        roles=desk.roles,
        provenance=ticket.provenance,
    )
    return draw(order, known, desk.judge)


@lru_cache(maxsize=4)
def _words(corpus: Path, holdout: Holdout, split: str) -> Vocabulary:
    return holdout.words(split, load_vocabulary(corpus))
