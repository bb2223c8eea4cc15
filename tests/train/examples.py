"""A small model that speaks, and environments that answer without a sandbox."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sandmle.play.tools import tool_schemas
from sandmle.train.generation import Request, Sampled


@functools.cache
def tokenizer() -> Any:
    """The embedded model's."""
    from sandmle.train.embedded import make_tokenizer

    return make_tokenizer(Path())


@functools.cache
def model() -> Any:
    """The embedded model, of random weights."""
    from sandmle.train.embedded import make_model

    return make_model(tokenizer(), seed=1)


def speech() -> Any:
    """What speaks with it."""
    from sandmle.train.speech import Speech

    return Speech(tokenizer(), tool_schemas("test"))


class Saying:
    """A generator that says the same turns in every episode, each as one token with an end token.

    What counts as log-probability is the number of the turn, below zero.
    """

    def __init__(self, *turns: str) -> None:
        from sandmle.train.embedded import turn_ids

        known = turn_ids(tokenizer())
        self.tokens = [known[turn] for turn in turns]
        self.heard: list[Request] = []

    def sample(self, requests: Sequence[Request]) -> list[Sampled]:
        self.heard += requests
        end = tokenizer().eos_token_id
        known = set(self.tokens)
        said = []
        for request in requests:
            place = sum(token in known for token in request.ids)
            ids = (self.tokens[min(place, len(self.tokens) - 1)], end)[: request.limit]
            said.append(Sampled(ids, (-1.0 - place, -0.5)[: request.limit]))
        return said
