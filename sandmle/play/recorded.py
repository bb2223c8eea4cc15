"""A policy that plays the turns of a record, whatever they lead to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sandmle.play.conversation import Message, Turn
from sandmle.play.reply import read_reply
from sandmle.play.rollout import Rollout
from sandmle.play.scripted import digest_of
from sandmle.play.task import Task


class RecordOver(Exception):  # noqa: N818 - an outcome, which is no error of this program
    """A record has no more turns, and yet the episode goes on."""


@dataclass(frozen=True)
class Recorded:
    """Plays `turns` in their order; then it raises RecordOver."""

    name: str
    digest: str
    turns: tuple[Turn, ...]
    model: Mapping[str, Any] | None

    def sampling(self, task: Task, attempt: int) -> Mapping[str, Any] | None:
        """How the model was asked when the record was made."""
        return self.model

    async def respond(self, messages: Sequence[Message], task: Task, attempt: int = 0) -> Turn:
        """The turn after those that the conversation holds already."""
        return next_turn(self.turns, messages)


def play_again(rollout: Rollout) -> Recorded:
    """The policy that plays a rollout's turns."""
    turns = recorded_turns(rollout)
    return Recorded(rollout.policy, digest_of(*map(repr, turns)), turns, rollout.sampling)


def recorded_turns(rollout: Rollout) -> tuple[Turn, ...]:
    """The turns of the policy, with the tokens that they took; the last with the answer, if any."""
    said = [message for message in rollout.messages if message.role == "assistant"]
    turns = [
        Turn(
            text=message.content,
            tool_calls=message.tool_calls,
            tokens=step.tokens,
            prompt_tokens=step.prompt_tokens,
            finish=step.finish,
            retries=step.retries,
            elided=step.elided,
        )
        for message, step in zip(said, rollout.steps, strict=True)
    ]
    if turns and rollout.termination == "answer":
        turns[-1] = replace(turns[-1], answer=read_reply(turns[-1].text).answer or "")
    return tuple(turns)


def next_turn(turns: Sequence[Turn], messages: Sequence[Message]) -> Turn:
    """The turn that comes after a conversation. Raises RecordOver where there is none."""
    played = sum(message.role == "assistant" for message in messages)
    if played >= len(turns):
        raise RecordOver(f"the record has {played} turns and no more")
    return turns[played]
