"""A panel of graded skill: it climbs on a good task, and tells a dead one."""

from __future__ import annotations

from sandmle.build.ladder import Ladder
from sandmle.build.panel import PANEL, dead_problem, play_panel, reaches_of_ladder
from sandmle.build.prepare import Prepared
from sandmle.build.reliability import REACHES
from sandmle.build.verdict import Rung
from sandmle.play.policies import load_policy
from sandmle.spec.model import Thresholds

GOOD = Thresholds(median=0.65, bronze=0.775, silver=0.875, gold=0.95)


def test_more_skill_gets_farther(prepared: Prepared) -> None:
    panel = play_panel(prepared, GOOD)
    assert [player.name for player in panel] == list(PANEL)
    assert len(panel) >= 8
    assert panel[0].reached == "none"
    assert REACHES.index(panel[-1].reached) >= REACHES.index("silver")
    naive, honest = (
        next(player for player in panel if player.name == name) for name in ("naive", "honest")
    )
    assert naive.score < honest.score
    assert dead_problem([player.reached for player in panel]) is None


def test_everyone_of_the_panel_can_play_in_the_sandbox() -> None:
    for skill in PANEL.values():
        name = skill.rung if skill.share == 1 else f"{skill.rung}:{skill.share}"
        assert load_policy(name).name.startswith(skill.rung)


def test_the_best_in_hindsight_keeps_no_task_alive() -> None:
    rungs = [("dummy", "a", 0.5), ("naive", "b", 0.55), ("honest", "lucky", 0.97)]
    own = Rung("honest", "chosen", 0.6)
    ladder = Ladder(
        (*(Rung(*rung) for rung in rungs), own, Rung("reference", "c", 0.99)),
        0.01,
        False,
        own=own,
        redrawn=(0.6,),
    )
    assert reaches_of_ladder(ladder, GOOD) == {"none"}
    assert "all end below the median" in (dead_problem(["none", "none"]) or "")


def test_a_task_is_dead_at_any_height() -> None:
    assert "dead: " in (dead_problem(["gold", "gold"]) or "")
    assert dead_problem(["none", "bronze"]) is None
