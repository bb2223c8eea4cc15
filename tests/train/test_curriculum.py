"""Which tasks are drawn by what was solved."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from sandmle.train.curriculum import FLOOR, Curriculum

IDS = [f"t{number:02}" for number in range(60)]
GROUP, PLAYED = 4, 6

#: How often a policy that does not learn solves each task: 24 hopeless, 18 mastered, 18 between.
CHANCES = dict(zip(IDS, [0.0] * 24 + [1.0] * 18 + [0.5] * 18, strict=True))


def curriculum(ids: list[str] = IDS, *, seed: int = 0, half_life: float = 20.0) -> Curriculum:
    return Curriculum(ids, seed=seed, half_life=half_life)


def play(names: list[str], *, step: int, seed: int = 0) -> dict[str, tuple[int, int]]:
    """What groups of simulated rollouts come to."""
    chance = random.Random(f"{seed}:{step}")
    return {
        name: (sum(chance.random() < CHANCES[name] for _ in range(GROUP)), GROUP) for name in names
    }


def dead(solved_by_task: dict[str, tuple[int, int]]) -> int:
    return sum(solved in (0, scored) for solved, scored in solved_by_task.values())


def test_weights_by_hand() -> None:
    found = curriculum(half_life=10.0)
    found.add(1, {"t00": (0, 4), "t01": (4, 4), "t02": (2, 4), "t03": (1, 4), "t04": (0, 400)})
    # With half a rollout won and half a one lost before: 4 x 1/10 x 9/10, and 4 x 3/10 x 7/10.
    assert found.weight("t00", step=1) == pytest.approx(0.36)
    assert found.weight("t01", step=1) == pytest.approx(0.36)
    assert found.weight("t02", step=1) == pytest.approx(1.0)
    assert found.weight("t03", step=1) == pytest.approx(0.84)
    assert found.weight("t04", step=1) == FLOOR
    assert found.weight("never played", step=1) == 1.0
    # Ten steps later the four rollouts count as two: 4 x 1/6 x 5/6.
    assert found.weight("t00", step=11) == pytest.approx(5 / 9)


def test_later_results_outweigh_earlier_ones() -> None:
    """A task that was mastered is no longer drawn like one that was hard to win."""
    found = curriculum(half_life=5.0)
    for step in range(1, 6):
        found.add(step, {"t00": (0, 4)})
    hopeless = found.weight("t00", step=6)
    for step in range(20, 22):
        found.add(step, {"t00": (2, 4)})
    assert found.weight("t00", step=22) > 2 * hopeless


def test_tasks_come_in_proportion_to_their_weights() -> None:
    found = curriculum(["a", "b", "c"], half_life=1e9)
    found.add(0, {"a": (0, 4), "b": (0, 9)})  # .36, 4 x 1/20 x 19/20 = .19, and 1
    drawn = Counter(found.draw(1, step=step)[0] for step in range(4000))
    total = 0.36 + 0.19 + 1.0
    for name, weight in (("a", 0.36), ("b", 0.19), ("c", 1.0)):
        assert drawn[name] / 4000 == pytest.approx(weight / total, abs=0.03)


def test_no_task_comes_twice_in_a_step_and_all_come_in_time() -> None:
    found, seen = curriculum(), set()
    for step in range(1, 101):
        drawn = found.draw(PLAYED, step=step)
        assert len(set(drawn)) == PLAYED
        seen.update(drawn)
        found.add(step, play(drawn, step=step))
    assert seen == set(IDS)
    assert found.draw(100, step=1, without=IDS[:58]) in (IDS[58:], IDS[:57:-1])


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_fewer_groups_are_dead_than_in_a_shuffled_order(seed: int) -> None:
    found, by_chance = curriculum(seed=seed), random.Random(seed)
    steps, lost, lost_by_chance = 100, 0, 0
    for step in range(1, steps + 1):
        drawn = found.draw(PLAYED, step=step)
        came = play(drawn, step=step, seed=seed)
        found.add(step, came)
        lost += dead(came)
        lost_by_chance += dead(play(by_chance.sample(IDS, PLAYED), step=step, seed=seed))
    groups = steps * PLAYED
    # Of 60 tasks 42 are always dead, and an eighth of the others: 73.75%.
    assert lost_by_chance / groups == pytest.approx(0.7375, abs=0.06)
    assert lost / groups < 0.6


def test_rates_from_before_spare_the_search() -> None:
    """Drawn after an evaluation of eight attempts, the first steps already play what teaches."""
    found = curriculum()
    found.add(0, {name: (round(8 * chance), 8) for name, chance in CHANCES.items()})
    drawn = Counter(CHANCES[name] for step in range(20) for name in found.draw(PLAYED, step=step))
    assert drawn[0.5] / drawn.total() > 0.55


def test_a_run_that_is_resumed_draws_the_same() -> None:
    """Results that are added anew from metrics.jsonl make the same curriculum."""
    lines, whole, order = [], curriculum(seed=4), []
    for step in range(1, 13):
        drawn = whole.draw(PLAYED, step=step)
        order.append(drawn)
        lines.append((step, play(drawn, step=step)))
        whole.add(*lines[-1])
    resumed = curriculum(seed=4)
    for step, came in lines[:5]:
        resumed.add(step, came)
    for step in range(6, 13):
        drawn = resumed.draw(PLAYED, step=step)
        assert drawn == order[step - 1]
        resumed.add(step, play(drawn, step=step))
    assert curriculum(seed=5).draw(PLAYED, step=1) != order[0]
