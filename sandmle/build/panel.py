"""Solvers of graded skill on one task: whether its rewards tell them apart.

Policies are trained on the differences between the rewards of their attempts (GRPO: arXiv
2402.03300). A task on which all attempts earn the same teaches nothing: it is dead.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from sandmle.build.ladder import Ladder, score
from sandmle.build.prepare import Prepared
from sandmle.build.reliability import REACHES, reached
from sandmle.build.verdict import DEAD, Player
from sandmle.solvers.outputs import answer
from sandmle.spec.model import Thresholds


@dataclass(frozen=True)
class Skill:
    """A solver of the ladder that knows a share of the training rows: less of them, less skill."""

    rung: str
    share: float = 1.0


#: From the least to the most skilled; each plays as it would, not knowing the test set. As
#: policies of the sandbox they are `honest:0.25` and so on.
PANEL: Mapping[str, Skill] = {
    "dummy": Skill("dummy"),
    "naive, 25% of the rows": Skill("naive", 0.25),
    "naive, 50% of the rows": Skill("naive", 0.5),
    "naive": Skill("naive"),
    "honest, 12% of the rows": Skill("honest", 0.12),
    "honest, 25% of the rows": Skill("honest", 0.25),
    "honest, 50% of the rows": Skill("honest", 0.5),
    "honest": Skill("honest"),
}


def play_panel(prepared: Prepared, thresholds: Thresholds) -> tuple[Player, ...]:
    """How far each of the PANEL gets."""
    found = []
    for name, skill in PANEL.items():
        known = prepared.competition.part(skill.share)
        value = score(prepared, answer(known, skill.rung))
        how_far = reached(value, thresholds, is_lower_better=prepared.grader.is_lower_better)
        found.append(Player(skill.rung, name, value, how_far))
    return tuple(found)


def reaches_of_ladder(ladder: Ladder, thresholds: Thresholds) -> set[str]:
    """How far solvers get that do not know the test set: dummies, naive models, honest's own."""
    return {
        reached(entry.score, thresholds, is_lower_better=ladder.is_lower_better)
        for entry in ladder.rungs
        if entry.rung in ("dummy", "naive") or entry == ladder.own
    }


def dead_problem(reaches: Collection[str]) -> str | None:
    """Why a task teaches nothing, given how far solvers of different skill get; None if it does."""
    if len(set(reaches)) > 1:
        return None
    (same,) = set(reaches)
    where = "below the median" if same == REACHES[0] else f"at {same}"
    return f"{DEAD}solvers of different skill all end {where}; turn a difficulty dial"
