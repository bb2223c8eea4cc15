"""Which tasks to play next, by how often they were solved: `data.order: solve_rate`.

A group of rollouts teaches nothing where all come to the same. Whether one of a task that is solved
with the probability p wins a medal varies by p(1 - p): most at 1/2, and not at all where it is
always or never won. Tasks are drawn by that ("learnability": Rutherford et al. 2024, No Regrets;
for language models Foster et al. 2025, Learning to Reason at the Frontier of Learnability).
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

#: Rollouts that each task is taken to have won and lost before it was played (Jeffreys 1946), so
#: that one which was never played weighs as much as one that is won half of the time.
PRIOR: Final = 0.5

#: No task weighs less; the most that one can weigh is 1.
FLOOR: Final = 0.1

#: Times round all tasks after which a result counts half, as the policy is no longer the same.
HALF_LIFE: Final = 2.0


@dataclass
class Curriculum:
    """The tasks of a training with what their rollouts came to.

    What is drawn follows from `seed`, the step and the results that were added: a run that is
    resumed adds those of its metrics.jsonl, and draws the same. A result counts half after
    `half_life` steps.
    """

    ids: Sequence[str]
    seed: int
    half_life: float
    _results: dict[str, list[tuple[int, int, int]]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def add(self, step: int, solved_by_task: Mapping[str, Sequence[int]]) -> None:
        """Takes in what a step came to: rollouts of each task that were solved, and scored."""
        for name, (solved, scored) in solved_by_task.items():
            self._results[name].append((step, solved, scored))

    def weight(self, name: str, *, step: int) -> float:
        """How much a task is worth playing in a step: between FLOOR and 1."""
        won, tried = PRIOR, 2 * PRIOR
        for then, solved, scored in self._results.get(name, ()):
            share = 0.5 ** ((step - then) / self.half_life)
            won += share * solved
            tried += share * scored
        rate = won / tried
        return max(FLOOR, 4 * rate * (1 - rate))

    def draw(
        self, count: int, *, step: int, again: str = "", without: Collection[str] = ()
    ) -> list[str]:
        """`count` tasks for a step, none of them twice; fewer where there are no more.

        `again` tells the draws of one step apart. Tasks arrive like the first events of random
        processes whose rates are their weights: at each place each task that is left comes with a
        chance in proportion to its weight (Efraimidis & Spirakis 2006).
        """
        chance = random.Random(f"{self.seed}:{step}:{again}")
        arrivals = {
            name: chance.expovariate(self.weight(name, step=step))
            for name in self.ids
            if name not in without
        }
        return sorted(arrivals, key=arrivals.__getitem__)[:count]
