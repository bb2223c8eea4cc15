"""The policy in training: one object an episode, which keeps all tokens as they were sampled."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sandmle.play.context import ContextFull
from sandmle.play.conversation import Message, Turn
from sandmle.play.reply import read_reply
from sandmle.play.task import Task
from sandmle.train.configuration import Generation
from sandmle.train.generation import Batcher, Request
from sandmle.train.speech import Speech


@dataclass
class Player:
    """Plays one episode.

    `prompt` are the ids of the opening; `completion` those of all that follows it, with a 1 in
    `mask` where the policy said it and a 0 where the environment did, and with the log-probability
    of each id in `logprobs`, 0 for the environment's. `seed` is the episode's chance.
    """

    speech: Speech
    batcher: Batcher
    limits: Generation
    seed: str
    name: str
    digest: str
    prompt: list[int] = field(default_factory=list)
    completion: list[int] = field(default_factory=list)
    mask: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    _shown: int = 0
    _turns: int = 0

    def sampling(self, task: Task, attempt: int) -> Mapping[str, Any]:
        """How its model is sampled."""
        return {"temperature": self.limits.temperature, "seed": self.seed}

    async def respond(self, messages: Sequence[Message], task: Task, attempt: int = 0) -> Turn:
        """The next turn. Raises ContextFull where there is no room for another token."""
        if self._turns == 0:
            self.prompt = self.speech.opening(messages)
        else:
            # The first message that was not shown is what the policy said itself.
            self._hear(messages[self._shown + 1 :])
        self._shown = len(messages)
        request = Request(
            ids=(*self.prompt, *self.completion),
            limit=min(self.limits.turn_tokens, self._room),
            seed=_seed(self.seed, self._turns),
        )
        self._turns += 1
        sampled = await self.batcher.sample(request)
        self.completion += sampled.ids
        self.mask += [1] * len(sampled.ids)
        self.logprobs += sampled.logprobs
        is_cut = sampled.ids[-1] not in self.speech.end
        turn = read_reply(self.speech.text(sampled.ids), cut=is_cut)
        return replace(turn, tokens=len(sampled.ids), prompt_tokens=len(request.ids))

    @property
    def _room(self) -> int:
        return self.limits.completion_tokens - len(self.completion)

    def _hear(self, messages: Sequence[Message]) -> None:
        """Adds what the environment said. What does not fit is left out as a whole."""
        ended = self.completion[-1] in self.speech.end
        ids = self.speech.following(messages, ended=ended)
        if len(ids) >= self._room:
            raise ContextFull(
                f"{len(ids)} more tokens were to be read, and there was room for {self._room}"
            )
        self.completion += ids
        self.mask += [0] * len(ids)
        self.logprobs += [0.0] * len(ids)


def _seed(*parts: object) -> int:
    """A seed of 63 bits that depends on all parts."""
    digest = hashlib.sha256(":".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1
