"""Episodes that were played together, and what TRL gets of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sandmle.play.rollout import Rollout
from sandmle.train.metrics import Outcome, is_dead
from sandmle.train.player import Player


@dataclass(frozen=True)
class Batch:
    """Episodes in their order, those of one group side by side.

    `seconds` are those of the whole and those in which the model was at work (real time), and
    those of sandboxes and of grading, summed over episodes that ran side by side. `replaced` counts
    the groups that were played again, on other tasks, and `dropped` is what came of them before.
    """

    rollouts: tuple[Rollout, ...]
    players: tuple[Player, ...]
    outcomes: tuple[Outcome, ...]
    seconds: Mapping[str, float]
    replaced: int = 0
    dropped: tuple[Outcome, ...] = ()

    def dead(self, group: int) -> list[int]:
        """The numbers of the groups of `group` episodes of which nothing can be learned."""
        starts = range(0, len(self.outcomes), group)
        return [
            number
            for number, start in enumerate(starts)
            if is_dead(self.outcomes[start : start + group])
        ]

    def with_groups(self, numbers: Sequence[int], other: Batch, group: int) -> Batch:
        """The same with the groups of these numbers from `other`, which has them in that order.

        The seconds of both count.
        """
        rollouts, players = list(self.rollouts), list(self.players)
        outcomes, dropped = list(self.outcomes), list(self.dropped)
        for place, number in enumerate(numbers):
            ours = slice(number * group, (number + 1) * group)
            theirs = slice(place * group, (place + 1) * group)
            rollouts[ours] = other.rollouts[theirs]
            players[ours] = other.players[theirs]
            dropped += outcomes[ours]
            outcomes[ours] = other.outcomes[theirs]
        return replace(
            self,
            rollouts=tuple(rollouts),
            players=tuple(players),
            outcomes=tuple(outcomes),
            seconds={name: value + other.seconds[name] for name, value in self.seconds.items()},
            replaced=self.replaced + len(numbers),
            dropped=tuple(dropped),
        )


def fields_of(batch: Batch, *, end: int) -> dict[str, Any]:
    """A batch as TRL takes it; `environment_reward` reaches the reward function.

    An episode in which the policy said nothing gets one masked end token, as TRL asks for one.
    """
    silent = [not player.completion for player in batch.players]
    pairs = list(zip(batch.players, silent, strict=True))
    return {
        "prompt_ids": [player.prompt or [end] for player in batch.players],
        "completion_ids": [[end] if empty else player.completion for player, empty in pairs],
        "env_mask": [[0] if empty else player.mask for player, empty in pairs],
        "logprobs": [[0.0] if empty else player.logprobs for player, empty in pairs],
        "environment_reward": [outcome.reward for outcome in batch.outcomes],
    }


def environment_reward(environment_reward: Sequence[float | None], **_: Any) -> list[float | None]:
    """TRL's reward function: the environment's own reward, None for what is not learned from."""
    return list(environment_reward)
