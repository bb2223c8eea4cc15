"""Plays batches of episodes with the model in training: TRL's `rollout_func`.

Episodes go through the same `play_episodes`, environment, prompts and reader of replies as in
evaluation. They all go on at once: while sandboxes run code for some, the model replies to all that
wait. What comes back holds one scalar reward an episode, None where it is not to be learned from,
and the ids, the mask and the log-probabilities of all tokens as they were sampled.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sandmle.play.episode import Episode
from sandmle.play.play import GradeTask, OpenSandbox, play_episodes
from sandmle.play.reward import Weights, load_weights
from sandmle.play.rollout import Rollout, RolloutWriter
from sandmle.play.task import Task
from sandmle.train.batch import Batch, fields_of
from sandmle.train.configuration import Training
from sandmle.train.curriculum import Curriculum
from sandmle.train.generation import AT_ONCE, Batcher, Generator
from sandmle.train.metrics import outcome_of
from sandmle.train.player import Player
from sandmle.train.speech import Speech


@dataclass
class Rollouts:
    """Plays tasks by their ids, for one process of a training.

    `generator` gives the generator of a trainer's model as it is now; `spare` are the ids of tasks
    that may stand for one of which nothing can be learned; `process` and `processes` say which of
    how many this is. A `curriculum` draws the tasks, in place of the dataset. `on_batch` is told of
    every batch that a trainer asked for. `opening` and `grade` stand for sandboxes and graders
    where they are given, as in `play_episodes`.
    """

    training: Training
    tasks: Mapping[str, Task]
    speech: Speech
    generator: Callable[[Any], Generator]
    digest: str
    folder: Path
    spare: Sequence[str] = ()
    process: int = 0
    processes: int = 1
    curriculum: Curriculum | None = None
    on_batch: Callable[[Batch], None] = lambda batch: None
    opening: OpenSandbox | None = None
    grade: GradeTask | None = None
    weights: Weights = field(init=False)

    def __post_init__(self) -> None:
        self.weights = load_weights(self.training.episode.reward)

    def __call__(self, prompts: Sequence[str], trainer: Any) -> dict[str, Any]:
        """TRL's `rollout_func`: a prompt is a task's id, once for every rollout of its group."""
        step, generator = trainer.state.global_step + 1, self.generator(trainer)
        ids = prompts if self.curriculum is None else self._drawn(self.curriculum, step, prompts)
        batch = self.play(ids, generator, step=step, split="train")
        for again in range(1, self.training.optimisation.resample + 1):
            batch = self._replace_dead(batch, generator, step=step, again=again)
        self.on_batch(batch)
        return fields_of(batch, end=min(self.speech.end))

    def _drawn(self, curriculum: Curriculum, step: int, prompts: Sequence[str]) -> list[str]:
        """This process's part of the tasks that are drawn for a step, for as many prompts."""
        group = self.training.optimisation.rollouts
        names = curriculum.draw(self.training.optimisation.tasks, step=step)
        own = len(prompts) // group
        first = self.process * own
        return [names[(first + place) % len(names)] for place in range(own) for _ in range(group)]

    def _replace_dead(self, batch: Batch, generator: Generator, *, step: int, again: int) -> Batch:
        """The batch with its dead groups replaced by groups on other tasks, drawn for the step."""
        group = self.training.optimisation.rollouts
        dead = batch.dead(group)
        played = {rollout.task for rollout in batch.rollouts}
        which = f"{again}:{self.process}"
        if self.curriculum is None:
            others = [name for name in self.spare if name not in played]
            chance = random.Random(f"{self.training.seed}:{step}:{which}")
            drawn = chance.sample(others, min(len(dead), len(others)))
        else:
            drawn = self.curriculum.draw(len(dead), step=step, again=which, without=played)
        if not drawn:
            return batch
        ids = [name for name in drawn for _ in range(group)]
        split = f"train-again-{again}"
        other = self.play(ids, generator, step=step, split=split)
        return batch.with_groups(dead[: len(drawn)], other, group)

    def play(self, ids: Sequence[str], generator: Generator, *, step: int, split: str) -> Batch:
        """One episode for each id, with the chance of a step and a split.

        The rollouts are written to SPLIT/step-NUMBER/rollouts.jsonl. Raises what the generator
        raises, and SandboxError where no sandbox works here.
        """
        folder = self.folder / split / f"step-{step:05}"
        suffix = f"-{self.process}" if self.processes > 1 else ""
        path = folder / f"rollouts{suffix}.jsonl"
        path.unlink(missing_ok=True)
        is_server = self.training.generation.engine == "vllm_server"
        batcher = Batcher(generator, at_once=AT_ONCE if is_server else 1)
        first = self.process * len(ids)
        players = [
            Player(
                speech=self.speech,
                batcher=batcher,
                limits=self.training.generation,
                seed=f"{self.training.seed}:{split}:{step}:{first + place}",
                name=f"{self.training.model.path}, step {step}",
                digest=self.digest,
            )
            for place in range(len(ids))
        ]
        episodes = [
            Episode(self.tasks[name], player, attempt)
            for name, player, attempt in zip(ids, players, _attempts(ids), strict=True)
        ]
        rollouts: dict[int, Rollout] = {}
        started = time.monotonic()
        with RolloutWriter(path) as writer:

            def take(number: int, rollout: Rollout) -> None:
                writer.write(rollout)
                rollouts[number] = rollout

            asyncio.run(self._play(batcher, episodes, take))
        seconds = time.monotonic() - started
        played = tuple(rollouts[number] for number in range(len(episodes)))
        masked = self.training.episode.masked
        outcomes = tuple(outcome_of(rollout, masked=masked) for rollout in played)
        return Batch(
            rollouts=played,
            players=tuple(players),
            outcomes=outcomes,
            seconds={
                "rollouts": seconds,
                "generate": batcher.seconds,
                "sandbox": sum(outcome.sandbox_seconds for outcome in outcomes),
                "score": sum(outcome.score_seconds for outcome in outcomes),
            },
        )

    async def _play(
        self,
        batcher: Batcher,
        episodes: Sequence[Episode],
        take: Callable[[int, Rollout], None],
    ) -> None:
        """Plays all episodes at once. Raises what the generator raised, where it did."""
        async with batcher:
            await play_episodes(
                episodes,
                take,
                settings=self.training.episode.settings(),
                weights=self.weights,
                concurrency=max(1, len(episodes)),
                backend=self.training.sandbox.backend,
                unsafe=self.training.sandbox.unsafe,
                grade=self.grade,
                opening=self.opening,
            )
        if batcher.failure is not None:
            raise batcher.failure


def _attempts(ids: Sequence[str]) -> list[int]:
    """How many times each id stood before in the list."""
    return [ids[:place].count(name) for place, name in enumerate(ids)]
