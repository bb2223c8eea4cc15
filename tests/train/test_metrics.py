"""What a batch of rollouts comes to in numbers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sandmle.train.metrics import (
    Outcome,
    append_metrics,
    forget_metrics,
    outcome_of,
    read_metrics,
    summarise,
)
from tests.play.examples import rollout, submission

OUTCOME = Outcome("a", "text", 0.5, 1.0, True, None, "answer", 2, 8, 0.1, 0.01)


def outcomes(*rewards: float | None) -> list[Outcome]:
    return [replace(OUTCOME, reward=reward) for reward in rewards]


def test_rewards_are_averaged_over_what_is_learned_from() -> None:
    found = summarise(outcomes(0.2, 0.6, None, 0.4), group=2)
    assert found["reward"] == pytest.approx(0.4)
    assert found["masked"] == 1
    assert found["reward_std"] == pytest.approx(0.1633, abs=1e-4)


def test_groups_without_two_different_rewards_are_dead() -> None:
    found = summarise(outcomes(0.4, 0.4, 0.4, 0.5, 0.1, None, None, None), group=2)
    assert (found["groups"], found["dead_groups"]) == (4, 3)


def test_nothing_scored_is_none_and_not_zero() -> None:
    lost = replace(OUTCOME, reward=None, termination="sandbox_error")
    found = summarise([lost, lost], group=2)
    assert found["reward"] is found["any_medal"] is found["format"] is None
    assert found["terminations"] == {"sandbox_error": 2}


def test_medals_and_modalities_are_counted() -> None:
    won = replace(OUTCOME, medal="bronze", modality="image", reward=0.9)
    found = summarise([OUTCOME, won], group=1)
    assert found["any_medal"] == 0.5
    assert found["reward_by_modality"] == {"image": 0.9, "text": 0.5}


def test_rewards_and_solve_rates_are_told_by_task() -> None:
    """Masked rollouts have no reward and still count as tried; failures of ours do neither."""
    won = replace(OUTCOME, medal="gold", reward=0.9)
    masked = replace(OUTCOME, reward=None, termination="time_limit")
    lost = replace(OUTCOME, reward=None, termination="sandbox_error")
    other = replace(OUTCOME, task="b", reward=0.2)
    found = summarise([other, won, OUTCOME, masked, lost, other], group=2)
    assert found["reward_by_task"] == pytest.approx({"a": 0.7, "b": 0.2})
    assert found["solved_by_task"] == {"a": (1, 3), "b": (0, 2)}


def test_masked_ends_have_no_reward() -> None:
    played = rollout(submission(valid=True), termination="time_limit")
    assert outcome_of(played, masked=("time_limit",)).reward is None
    assert outcome_of(played, masked=()).reward == pytest.approx(0.4)


def test_lines_of_steps_that_come_again_are_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "metrics.jsonl"
    for step in range(5):
        append_metrics(path, {"step": step})
    with path.open("a") as file:
        file.write('{"step": 5')  # a kill
    forget_metrics(path, after=2)
    assert read_metrics(path) == [{"step": 0}, {"step": 1}, {"step": 2}]


def test_numbers_that_are_not_finite_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        append_metrics(tmp_path / "metrics.jsonl", {"loss": float("nan")})
