"""The commands that work on built tasks, on one task that is really built."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from sandmle.build.build import build_task
from sandmle.build.index import write_index
from sandmle.cli import app
from sandmle.play.rollout import read_rollouts

TASK = "hotel-cancellation-weekday"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus") / "mine"
    assert run("init", str(folder)).exit_code == 0
    spec = folder / "specs" / "tasks" / f"{TASK}.yaml"
    build_task(spec, folder / "build" / "tasks" / TASK, corpus=folder)
    write_index(folder / "build", [TASK])
    return folder


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def answers(corpus: Path) -> Path:
    return corpus / "build" / "tasks" / TASK / "prepared" / "private" / "answers.csv"


def test_show_lays_the_task_before_the_eyes(corpus: Path) -> None:
    done = run("show", TASK, "--corpus", str(corpus))
    assert done.exit_code == 0, done.output
    assert "Which bookings will be cancelled" in done.stdout
    assert "median 0.5100, bronze 0.6850, silver 0.8250, gold 0.9300" in done.stdout
    assert "cancelled" in done.stdout
    assert "✓" in done.stdout
    assert "✗" not in done.stdout


def test_a_task_that_is_not_there_is_named_with_the_one_that_is(corpus: Path) -> None:
    done = run("show", "hotel-cancelation-weekday", "--corpus", str(corpus))
    assert done.exit_code == 2
    assert f"did you mean {TASK!r}?" in done.stderr


def test_a_perfect_submission_scores_gold(corpus: Path) -> None:
    done = run("score", TASK, str(answers(corpus)), "--corpus", str(corpus))
    assert done.exit_code == 0
    assert done.stdout == "1.0: gold\n"


def test_a_script_gets_the_evaluator_s_own_json(corpus: Path) -> None:
    done = run("score", TASK, str(answers(corpus)), "--json", "--corpus", str(corpus))
    result = json.loads(done.stdout)
    assert (result["score"], result["medal"], result["valid"]) == (1.0, "gold", True)
    assert result["gold_threshold"] == 0.93


def test_a_submission_that_cannot_be_graded_is_a_finding(corpus: Path, tmp_path: Path) -> None:
    lines = answers(corpus).read_text("utf-8").splitlines()
    path = tmp_path / "submission.csv"
    path.write_text("\n".join([lines[0], "nobody,0.5", *lines[2:]]), encoding="utf-8")
    for flags in ((), ("--json",)):
        done = run("score", TASK, str(path), "--corpus", str(corpus), *flags)
        assert done.exit_code == 1
        assert "nobody" in done.output


def test_played_rollouts_are_counted_written_and_on_the_page(corpus: Path) -> None:
    done = run("play", "--policy", "dummy", "--corpus", str(corpus), "--unsafe")
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines()[1].split()[:2] == ["dummy", "1"]
    (path,) = (corpus / "runs").glob("*.jsonl")
    (rollout,) = read_rollouts(path)
    assert (rollout.task, rollout.policy, rollout.termination) == (TASK, "dummy", "answer")
    reported = run("report", "--corpus", str(corpus))
    assert reported.exit_code == 0, reported.output
    page = (corpus / "build" / "report.html").read_text("utf-8")
    assert 'title="dummy: none, reward 0.40"' in page


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--policy", "dumy"), "did you mean 'dummy'?"),
        (("--score", "loud"), "score must be test, validity or none"),
        (("--reward", "gold.yaml"), "gold.yaml"),
        (("--step-seconds", "-1"), "above zero"),
        (("nowhere",), "no task 'nowhere'"),
    ],
)
def test_a_wrong_setting_is_refused_before_anything_is_played(
    corpus: Path, arguments: tuple[str, ...], message: str
) -> None:
    done = run("play", *arguments, "--corpus", str(corpus))
    assert done.exit_code == 2, done.output
    assert message in done.stderr


def test_without_built_tasks_one_is_told_what_to_do(tmp_path: Path) -> None:
    assert run("init", str(tmp_path / "empty")).exit_code == 0
    for command in (("report",), ("play",), ("show", TASK)):
        done = run(*command, "--corpus", str(tmp_path / "empty"))
        assert done.exit_code == 2
        assert "sandmle build" in done.stderr


def test_a_broken_verdict_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "build" / "tasks" / "mine"
    folder.mkdir(parents=True)
    (folder / "verdict.json").write_text("{", encoding="utf-8")
    for command in (("show", "mine"), ("report",)):
        done = run(*command, "--corpus", str(tmp_path))
        assert done.exit_code == 2
        assert str(folder / "verdict.json") in done.stderr


def test_two_specs_of_one_name_are_refused(corpus: Path, tmp_path: Path) -> None:
    spec = corpus / "specs" / "tasks" / f"{TASK}.yaml"
    other = tmp_path / spec.name
    other.write_text(spec.read_text("utf-8"), encoding="utf-8")
    done = run("build", str(spec), str(other))
    assert done.exit_code == 2
    assert TASK in done.stderr
