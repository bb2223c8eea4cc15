"""Groups of which nothing can be learned, and what takes their place."""

from __future__ import annotations

from dataclasses import replace

from sandmle.train.batch import Batch
from tests.play.examples import rollout
from tests.train.test_metrics import OUTCOME

SECONDS = {"rollouts": 1.0, "generate": 0.5, "sandbox": 2.0, "score": 0.25}


def batch(name: str, *rewards: float | None) -> Batch:
    return Batch(
        rollouts=tuple(rollout(task=name) for _ in rewards),
        players=tuple(object() for _ in rewards),  # type: ignore[arg-type]
        outcomes=tuple(replace(OUTCOME, task=name, reward=reward) for reward in rewards),
        seconds=SECONDS,
    )


def test_dead_groups_are_found() -> None:
    assert batch("a", 0.4, 0.4, 0.1, 0.4, None, 0.4, None, None).dead(2) == [0, 2, 3]


def test_replaced_groups_take_the_place_of_others() -> None:
    first = batch("a", 0.4, 0.4, 0.1, 0.3, 0.4, 0.4)
    other = batch("b", 0.5, 0.6, 0.7, 0.8)
    merged = first.with_groups([0, 2], other, 2)
    assert [outcome.reward for outcome in merged.outcomes] == [0.5, 0.6, 0.1, 0.3, 0.7, 0.8]
    assert [item.task for item in merged.rollouts] == ["b", "b", "a", "a", "b", "b"]
    assert merged.players[2:4] == first.players[2:4]
    assert merged.players[4:] == other.players[2:]
    assert merged.replaced == 2
    assert merged.seconds == {name: 2 * value for name, value in SECONDS.items()}
    assert merged.dead(2) == []
