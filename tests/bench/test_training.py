"""A training's step is split into parts, and its scripts run cold beside it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sandmle.bench.cold import run_cold
from sandmle.bench.remembered import Listening, Memory, Repeating
from sandmle.bench.training import TrainingBench, bench_training
from sandmle.cli import app
from sandmle.grading import Grade
from sandmle.play.conversation import Message, ToolCall
from sandmle.play.task import Task
from sandmle.sandbox import Limits
from sandmle.train.generation import Request, Sampled
from tests.play.conftest import FakeSandbox, result
from tests.play.examples import rollout
from tests.train.extra import needs_train

MACHINE = {"cores": 2, "processor": "one", "load": [1.5], "python": "3", "notes": []}
FOUND = TrainingBench(
    steps=3,
    episodes=40,
    scripts=70,
    grades=30,
    step_s=5.0,
    generate_s=0.5,
    update_s=0.5,
    warm_s=4.0,
    sandbox_s=3.0,
    score_s=0.5,
    harness_s=0.5,
    warm_cpu_s=6.0,
    cold_scripts_s=70.0,
    cold_grades_s=10.0,
    cold_cpu_s=75.0,
    machine=MACHINE,
)

SUBMIT = "import shutil; shutil.copy('data/sample_submission.csv', 'submission.csv')"


def saying(name: str, *scripts: str) -> Message:
    calls = [ToolCall(f"call_{n}", "python", {"code": code}) for n, code in enumerate(scripts)]
    return Message("assistant", name, tuple(calls))


def test_scripts_run_in_their_episodes_folder_and_what_is_new_is_graded(
    task: Task, tmp_path: Path
) -> None:
    first = saying("first", SUBMIT, "raise ValueError('no')", SUBMIT)
    second = saying("second", "open('submission.csv', 'a').write('more')")
    played = rollout(task=task.id, messages=(first, second))
    cold = run_cold([played, played], {task.id: task}, tmp_path)
    assert (cold.scripts, cold.grades) == (8, 4)
    assert cold.script_seconds > 0
    assert cold.grade_seconds > 0
    assert cold.cpu_seconds > 0
    written = [(tmp_path / str(number) / "submission.csv").read_text() for number in range(2)]
    assert written[0] == written[1]
    assert written[0].endswith("more")


def test_scripts_that_do_not_end_are_stopped(task: Task, tmp_path: Path) -> None:
    played = rollout(task=task.id, messages=(saying("endless", "while True: pass"),))
    settings = replace(played.settings, step=Limits(wall_seconds=0.5))
    short = replace(played, settings=settings)
    cold = run_cold([short], {task.id: task}, tmp_path)
    assert 0.4 < cold.script_seconds < 20


def test_models_say_to_each_request_what_they_said_before() -> None:
    class Counting:
        calls = 0

        def sample(self, requests: Sequence[Request]) -> list[Sampled]:
            self.calls += 1
            return [Sampled((request.seed,), (-1.0,)) for request in requests]

    counting = Counting()
    said: dict[int, Sampled] = {}
    first, second = (Request((1,), 1, seed) for seed in (7, 8))
    heard = Listening(counting, said).sample([first, second])
    assert Repeating(said).sample([second, first]) == heard[::-1]
    assert counting.calls == 1


def test_sandboxes_and_graders_remember(tmp_path: Path, task: Task) -> None:
    """The same script leads elsewhere after another one."""
    memory, opened = Memory(), []

    async def opening(public: Path) -> FakeSandbox:
        ran: list[str] = []

        def run_code(code: str) -> object:
            ran.append(code)
            return result(stdout=" ".join(ran))

        opened.append(FakeSandbox(run_code))  # type: ignore[arg-type]
        return opened[-1]

    async def play(open_sandbox: object) -> list[str]:
        sandbox = await open_sandbox(tmp_path)  # type: ignore[operator]
        told = [(await sandbox.run(code, Limits())).stdout for code in ("a", "b", "a")]
        await sandbox.close()
        return told

    watched = asyncio.run(play(memory.watching(opening)))
    assert watched == asyncio.run(play(memory.open)) == ["a", "a b", "a b a"]
    assert [sandbox.closed for sandbox in opened] == [True]
    grade = Grade(False, None, None, None, "no", None, False)
    memory.watching_grades(lambda task, submission: grade)(task, b"x")
    assert memory.grade(task, b"x") is grade


def test_the_command_prints_one_object_or_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandmle.bench.training.bench_training", lambda **options: FOUND)
    printed = json.loads(CliRunner().invoke(app, ["bench", "training", "--json"]).stdout)
    assert printed["cold_scripts_s"] == 70.0
    told = CliRunner().invoke(app, ["bench", "training"]).stdout
    assert "sandbox" in told
    assert "4.00 s of it outside generation and update: 80%" in told
    assert "warm / cold: 5.0%" in told


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandmle.bench.training.missing", lambda training: "pip install this")
    run = CliRunner().invoke(app, ["bench", "training"])
    assert run.exit_code == 2
    assert "pip install this" in run.output


@needs_train
@pytest.mark.slow
def test_a_step_is_measured_in_all_its_parts() -> None:
    found = bench_training(steps=1, tasks=1, rollouts=4)
    assert found.episodes == 4
    assert found.scripts > 0
    parts = found.sandbox_s + found.score_s + found.harness_s
    assert parts == pytest.approx(found.warm_s, abs=0.01)
    assert 0 < found.generate_s + found.update_s < found.step_s
    assert 0 < found.warm_s < found.cold_s
