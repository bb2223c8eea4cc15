"""The turns of recorded rollouts, again.

`replay:FILE` plays in each episode the turns of the first rollout in FILE, or in a run's folder, of
the same task and attempt. `sandmle replay` holds what comes of them against the record.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from sandmle.play.conversation import Message, Turn
from sandmle.play.recorded import next_turn, recorded_turns
from sandmle.play.rollout import parse_rollout, placed_rollouts
from sandmle.play.task import Task


def create(argument: str) -> Replay:
    """The policy. Raises ValueError where the argument names no file of rollouts."""
    path = Path(argument)
    path = path / "rollouts.jsonl" if path.is_dir() else path
    if not argument or not path.is_file():
        raise ValueError(
            "the policy 'replay' takes a file of rollouts, or the folder of a run, as in "
            f"replay:runs/x.jsonl; not {argument!r}"
        )
    places: dict[tuple[str, int], int] = {}
    for place, rollout in placed_rollouts(path):
        places.setdefault((rollout.task, rollout.attempt), place)
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return Replay(f"replay:{argument}", digest, path, places)


@dataclass(frozen=True)
class Replay:
    """Plays recorded turns. `places` tell where in the file the rollout of an episode begins."""

    name: str
    digest: str
    path: Path
    places: Mapping[tuple[str, int], int]

    def sampling(self, task: Task, attempt: int) -> None:
        """There is no model to ask."""

    async def respond(self, messages: Sequence[Message], task: Task, attempt: int = 0) -> Turn:
        """The recorded turn after those that the conversation holds already.

        Raises ValueError where no rollout of the task and the attempt is recorded.
        """
        place = self.places.get((task.id, attempt))
        if place is None:
            raise ValueError(f"{self.path} holds no rollout of {task.id}, attempt {attempt}")
        return next_turn(_turns(self.path, place), messages)


@lru_cache(maxsize=64)
def _turns(path: Path, place: int) -> tuple[Turn, ...]:
    with path.open("rb") as file:
        file.seek(place)
        return recorded_turns(parse_rollout(file.readline()))
