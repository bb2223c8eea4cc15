"""Batches of episodes: what TRL gets of them, and where they end."""

from __future__ import annotations

import asyncio
import functools
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sandmle.errors import SandboxError
from sandmle.play.task import Task
from sandmle.sandbox import Limits, StepResult
from sandmle.train.batch import Batch, environment_reward, fields_of
from sandmle.train.configuration import Training
from sandmle.train.curriculum import Curriculum
from sandmle.train.dataset import Tasks
from sandmle.train.rollouts import Rollouts
from tests.play.conftest import FakeSandbox, result
from tests.train.examples import Saying, speech, tokenizer
from tests.train.extra import needs_train

pytestmark = needs_train

RunCode = Callable[[Path, str], StepResult]


@pytest.fixture
def play(
    tasks: Tasks, small: Callable[..., Training], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Batch]:
    """Plays episodes on the first task, in a sandbox that only pretends."""

    def playing(
        generator: Any, run_code: Callable[[str], StepResult], *, episodes: int = 1, **changes: Any
    ) -> Batch:
        async def opening(public: Path, **_: object) -> FakeSandbox:
            return FakeSandbox(run_code)

        monkeypatch.setattr("sandmle.play.play.open_sandbox", opening)
        training = small()
        limits = {"completion_tokens": 64, "turn_tokens": 2} | {
            name: changes.pop(name) for name in ("completion_tokens",) if name in changes
        }
        training = replace(
            training,
            episode=replace(training.episode, **({"turns": 4} | changes)),
            generation=replace(training.generation, **limits),
        )
        first = tasks.train[0]
        rollouts = Rollouts(
            training=training,
            tasks={first.id: first},
            speech=speech(),
            generator=lambda trainer: generator,
            digest="0" * 64,
            folder=tmp_path,
        )
        return rollouts.play([first.id] * episodes, generator, step=1, split="train")

    return playing


def sample_of(task: Task) -> StepResult:
    return result((task.public / "sample_submission.csv").read_bytes())


def test_the_mask_marks_what_the_policy_said(play: Callable[..., Batch]) -> None:
    saying = Saying("sample", "score", "answer")
    batch = play(saying, lambda code: result())
    fields = fields_of(batch, end=tokenizer().eos_token_id)
    (ids,), (mask,), (logprobs,) = (
        fields[name] for name in ("completion_ids", "env_mask", "logprobs")
    )
    end = tokenizer().eos_token_id
    said = [token for token, own in zip(ids, mask, strict=True) if own]
    assert said == [token for turn in saying.tokens for token in (turn, end)]
    assert [value for value, own in zip(logprobs, mask, strict=True) if own] == [
        *(-1.0, -0.5, -2.0, -0.5, -3.0, -0.5),
    ]
    assert not any(value for value, own in zip(logprobs, mask, strict=True) if not own)
    assert batch.rollouts[0].termination == "answer"


def test_ids_are_kept_as_they_were_sampled(play: Callable[..., Batch]) -> None:
    """Each request holds all that was said before, token by token, and ends are final."""
    saying = Saying("table_linear", "babble", "answer")
    batch = play(saying, lambda code: result(stdout="exit code 0 exit code 1"))
    (player,) = batch.players
    whole = [*player.prompt, *player.completion]
    assert [len(request.ids) for request in saying.heard] == sorted(
        len(request.ids) for request in saying.heard
    )
    for request in saying.heard:
        assert list(request.ids) == whole[: len(request.ids)]
    assert player.completion[-1] == tokenizer().eos_token_id
    assert player.mask[-1] == 1


def test_one_reward_a_trajectory(play: Callable[..., Batch], tasks: Tasks) -> None:
    batch = play(Saying("sample", "answer"), lambda code: sample_of(tasks.train[0]), episodes=3)
    fields = fields_of(batch, end=1)
    assert fields["environment_reward"] == pytest.approx([0.4, 0.4, 0.4])
    assert environment_reward(**fields) == fields["environment_reward"]
    assert [rollout.attempt for rollout in batch.rollouts] == [0, 1, 2]


def test_failures_of_the_sandbox_are_not_learned_from(play: Callable[..., Batch]) -> None:
    def fail(code: str) -> StepResult:
        raise SandboxError("gone")

    batch = play(Saying("sample"), fail)
    assert fields_of(batch, end=1)["environment_reward"] == [None]
    assert batch.rollouts[0].termination == "sandbox_error"


def test_an_episode_without_a_turn_still_has_a_token(
    play: Callable[..., Batch], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: object, **__: object) -> None:
        raise SandboxError("none here")

    monkeypatch.setattr("sandmle.train.rollouts.play_episodes", _refusing(refuse))
    batch = play(Saying("sample"), lambda code: result())
    fields = fields_of(batch, end=2)
    assert fields["completion_ids"] == [[2]]
    assert fields["env_mask"] == [[0]]
    assert fields["environment_reward"] == [None]


def _refusing(opening: Any) -> Any:
    from sandmle.play import play as playing

    async def play_episodes(*arguments: Any, **keywords: Any) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(playing, "open_sandbox", opening)
            await playing.play_episodes(*arguments, **keywords)

    return play_episodes


def test_time_is_limited_and_what_it_ends_is_masked(play: Callable[..., Batch]) -> None:
    class Thinking(Saying):
        def sample(self, requests: Any) -> Any:
            time.sleep(0.3)
            return super().sample(requests)

    batch = play(Thinking("sample"), lambda code: result(), seconds=0.1)
    assert batch.rollouts[0].termination == "time_limit"
    assert batch.rollouts[0].reward is not None
    assert fields_of(batch, end=1)["environment_reward"] == [None]


def test_turns_are_limited(play: Callable[..., Batch]) -> None:
    batch = play(Saying("babble"), lambda code: result(), turns=3, masked=())
    assert batch.rollouts[0].termination == "turn_limit"
    assert len(batch.rollouts[0].steps) == 3


def test_tokens_are_limited(play: Callable[..., Batch], tasks: Tasks) -> None:
    """What does not fit is not read: the episode ends with what lies there."""
    batch = play(
        Saying("sample"), lambda code: sample_of(tasks.train[0]), completion_tokens=4, turns=9
    )
    (player,) = batch.players
    assert batch.rollouts[0].termination == "context_limit"
    assert len(player.completion) <= 4
    assert fields_of(batch, end=1)["environment_reward"] == pytest.approx([0.4])


def test_a_generator_that_fails_ends_the_training(play: Callable[..., Batch]) -> None:
    class Broken:
        def sample(self, requests: Any) -> Any:
            raise MemoryError("no memory")

    with pytest.raises(MemoryError):
        play(Broken(), lambda code: result())


def test_sandboxes_work_side_by_side_while_others_generate(
    tasks: Tasks, small: Callable[..., Training], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Waiting(FakeSandbox):
        async def run(self, code: str, limits: Limits) -> StepResult:
            await asyncio.sleep(0.2)
            return result()

    async def opening(public: Path, **_: object) -> Waiting:
        return Waiting(lambda code: result())

    monkeypatch.setattr("sandmle.play.play.open_sandbox", opening)
    monkeypatch.setattr("sandmle.play.play.Pool", functools.partial(_wide_pool, 16))
    first, saying = tasks.train[0], Saying("sample", "answer")
    rollouts = Rollouts(
        training=small(),
        tasks={first.id: first},
        speech=speech(),
        generator=lambda trainer: saying,
        digest="",
        folder=tmp_path,
    )
    batch = rollouts.play([first.id] * 16, saying, step=1, split="train")
    assert batch.seconds["rollouts"] < 16 * 0.2


def _wide_pool(slots: int, _: int, opening: Any) -> Any:
    from sandmle.sandbox.pool import Pool

    return Pool(slots, opening)


def test_dead_groups_are_replaced_by_groups_on_other_tasks(
    tasks: Tasks, small: Callable[..., Training], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that say the same are paid the same: each group is dead, and its task is changed once."""

    async def opening(public: Path, **_: object) -> FakeSandbox:
        return FakeSandbox(lambda code: result())

    monkeypatch.setattr("sandmle.play.play.open_sandbox", opening)
    training, saying = small(rollouts=2, microbatch=8), Saying("sample", "answer")
    rollouts = Rollouts(
        training=replace(training, optimisation=replace(training.optimisation, resample=1)),
        tasks={task.id: task for task in tasks.train},
        speech=speech(),
        generator=lambda trainer: saying,
        digest="",
        folder=tmp_path,
        spare=[task.id for task in tasks.train],
    )
    kept: list[Batch] = []
    rollouts.on_batch = kept.append
    first = tasks.train[0].id
    state = SimpleNamespace(state=SimpleNamespace(global_step=0))
    fields = rollouts([first, first], state)
    assert len(fields["prompt_ids"]) == 2
    (batch,) = kept
    assert batch.replaced == 1
    assert first not in {rollout.task for rollout in batch.rollouts}
    assert len({rollout.task for rollout in batch.rollouts}) == 1


def test_a_curriculum_draws_the_tasks_and_hears_of_all_that_were_played(
    tasks: Tasks, small: Callable[..., Training], tmp_path: Path
) -> None:
    """Of two processes each plays its part of what is drawn for the step, whatever is asked for."""

    async def opening(public: Path, **_: object) -> FakeSandbox:
        return FakeSandbox(lambda code: result())

    training, saying = small(rollouts=2, tasks=2, microbatch=4), Saying("sample", "answer")
    ids = [task.id for task in tasks.train]
    played: list[list[str]] = []
    for process in range(2):
        rollouts = Rollouts(
            training=replace(training, optimisation=replace(training.optimisation, resample=1)),
            tasks={task.id: task for task in tasks.train},
            speech=speech(),
            generator=lambda trainer: saying,
            digest="",
            folder=tmp_path,
            process=process,
            processes=2,
            curriculum=Curriculum(ids, seed=0, half_life=4.0),
            opening=opening,
        )
        kept: list[Batch] = []
        rollouts.on_batch = kept.append
        rollouts(["any", "any"], SimpleNamespace(state=SimpleNamespace(global_step=6)))
        (batch,) = kept
        # Every group is dead here, so each was replaced by one on a task not played by the process.
        played.append([outcome.task for outcome in batch.dropped])
        assert not set(played[-1]) & {outcome.task for outcome in batch.outcomes}
    drawn = Curriculum(ids, seed=0, half_life=4.0).draw(2, step=7)
    assert played == [[name, name] for name in drawn]
