from __future__ import annotations

import dataclasses
import io
from pathlib import Path

import pytest
from rich.console import Console

from sandmle.build.verdict import dump_verdict
from sandmle.play.rollout import Reward
from sandmle.report.overview import Play, outcome, plays_by_task, read_overview
from sandmle.report.played import policies_table, small_ladder, tasks_table
from tests.play.examples import rollout, submission
from tests.report.overviews import EXAMPLE, RUNGS, overview


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus folder with the example's spec and its verdict, but no data."""
    (tmp_path / "specs" / "tasks").mkdir(parents=True)
    text = EXAMPLE.read_text("utf-8")
    (tmp_path / "specs" / "tasks" / "example.yaml").write_text(text, encoding="utf-8")
    folder = tmp_path / "build" / "tasks" / "example"
    folder.mkdir(parents=True)
    verdict = overview("example").verdict
    (folder / "verdict.json").write_text(dump_verdict(verdict), encoding="utf-8")
    return tmp_path


def test_a_task_is_gathered_from_its_folder_and_its_spec(corpus: Path) -> None:
    found = read_overview(corpus / "build" / "tasks" / "example", corpus=corpus)
    assert found.verdict == overview("example").verdict
    assert found.spec_text == EXAMPLE.read_text("utf-8")
    assert found.samples == ()
    assert not found.stale


def test_an_edited_spec_makes_a_task_stale(corpus: Path) -> None:
    spec = corpus / "specs" / "tasks" / "example.yaml"
    spec.write_text(spec.read_text("utf-8").replace("rate: 0.08", "rate: 0.05"), encoding="utf-8")
    assert read_overview(corpus / "build" / "tasks" / "example", corpus=corpus).stale


@pytest.mark.parametrize("damage", ["removed", "broken"])
def test_a_spec_that_is_gone_or_broken_leaves_what_the_verdict_says(
    corpus: Path, damage: str
) -> None:
    spec = corpus / "specs" / "tasks" / "example.yaml"
    spec.unlink()
    if damage == "broken":
        spec.write_text("spec: [1", encoding="utf-8")
    found = read_overview(corpus / "build" / "tasks" / "example", corpus=corpus)
    assert found.spec is None
    assert found.title == "Finding damaged road segments"


def test_covered_is_naive_s_share_of_the_way_to_the_reference() -> None:
    assert overview().covered == pytest.approx((0.66 - 0.5) / (0.9 - 0.5))
    mirrored = tuple(dataclasses.replace(rung, score=-rung.score) for rung in RUNGS)
    assert overview(ladder=mirrored, is_lower_better=True).covered == pytest.approx(0.4)
    assert overview(ladder=RUNGS[:2]).covered is None


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ((), "invalid"),
        ((submission(valid=False),), "invalid"),
        ((submission(),), "none"),
        ((submission(above_median=True),), "median"),
        ((submission(above_median=True, medal="silver"),), "silver"),
    ],
)
def test_the_outcome_is_the_highest_milestone(given: tuple[object, ...], expected: str) -> None:
    assert outcome(rollout(*given)) == expected  # type: ignore[arg-type]


def test_attempts_of_a_policy_become_one_play() -> None:
    gold, none = submission(above_median=True, medal="gold"), submission()
    reward = Reward("paper", 1.0, {})
    plays = plays_by_task(
        [
            rollout(none, policy="a"),
            rollout(gold, policy="a", reward=reward),
            rollout(gold, policy="a", reward=reward),
            rollout(policy="b", reward=None),
            rollout(gold, policy="b", task="other", reward=reward),
            rollout(none, policy="a", task="other"),
        ]
    )
    assert plays["example"] == (
        Play("a", "gold", pytest.approx(0.8)),  # type: ignore[arg-type]
        Play("b", "invalid", None),
    )
    assert [play.policy for play in plays["other"]] == ["a", "b"], "the same order everywhere"


def printed(table: object, width: int) -> list[str]:
    console = Console(file=io.StringIO(), width=width)
    console.print(table)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


def test_the_table_of_tasks_tells_medals_and_rewards_in_any_width() -> None:
    played = [rollout(submission(above_median=True, medal="silver"), policy="honest")]
    task = overview("example")
    wide = printed(tasks_table([task], played, width=120), 120)
    assert wide[0].split() == [*("task", "modality", "metric", "ladder", "honest", "ms/step")]
    assert "↑roc_auc" in wide[1]
    assert "silver  .90" in wide[1]
    assert wide[1].rstrip().endswith("200"), "a step of 0.2 s"
    narrow = printed(tasks_table([task], played, width=70), 70)
    assert narrow[0].split() == ["task", "ladder", "honest", "ms/step"]
    assert ".90" in narrow[1]


def test_the_small_ladder_keeps_rungs_between_their_lines() -> None:
    assert [part for part in small_ladder(overview()).plain if part != "─"] == list("d│n││hr")


def test_the_table_of_policies_counts_outcomes() -> None:
    gold, none = submission(above_median=True, medal="gold"), submission()
    played = [rollout(gold, policy="a"), rollout(none, policy="a"), rollout(policy="b")]
    lines = printed(policies_table(played), 100)
    assert lines[1].split() == ["a", "2", "1", "·", "·", "·", "1", "·", "0.400", "200"]
    assert lines[2].split() == ["b", "1", "·", "·", "·", "·", "·", "1", "0.400", "200"]


def test_four_policies_and_long_names_fit_where_words_do() -> None:
    played = [rollout(submission(), policy=name) for name in ("dummy", "naive", "honest", "broken")]
    name = "a-task-with-a-name-that-is-long"
    task = dataclasses.replace(
        overview("example"), verdict=dataclasses.replace(overview(name).verdict, id=name)
    )
    task = dataclasses.replace(task, plays=plays_by_task(played)["example"])
    slow = [dataclasses.replace(one, task=name) for one in played]
    for width in (118, 120):
        lines = printed(tasks_table([task], slow, width=width), width)
        assert lines[0].rstrip().endswith("ms/step")
        assert lines[1].rstrip().endswith(" 200")
