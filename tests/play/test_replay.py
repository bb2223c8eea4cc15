"""Recorded rollouts again: what may differ, what is drift, and how it is told."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from sandmle.build.index import INDEX_FILE, index_line
from sandmle.build.verdict import VERDICT_FILE, Verdict, dump_verdict
from sandmle.cli import app
from sandmle.errors import SandboxError
from sandmle.play import play as module
from sandmle.play.conversation import Message, ToolCall, Turn
from sandmle.play.drift import Drift, drifts, without_chance
from sandmle.play.play import play
from sandmle.play.policies import load_policy
from sandmle.play.recorded import Recorded, recorded_turns
from sandmle.play.replaying import replay, why_not
from sandmle.play.reward import load_weights
from sandmle.play.rollout import Rollout, RolloutWriter
from sandmle.play.settings import Settings
from sandmle.play.task import Task
from sandmle.sandbox import Sandbox, StepResult
from tests.play.conftest import FakeSandbox, result

RunCode = Callable[[str], StepResult]

RUN = Turn("<think>a</think>", (ToolCall("c1", "python", {"code": "one"}),), tokens=10)
AGAIN = Turn("<think>b</think>", (ToolCall("c1", "python", {"code": "two"}),), tokens=10)
LOOK = Turn("<think>c</think>", (ToolCall("c1", "score", {}),), tokens=10)
TALK = Turn("I wonder.", tokens=10)
ANSWER = Turn("<think>d</think><answer>done</answer>", answer="done", tokens=10)


def policy(*turns: Turn) -> Recorded:
    """Plays these turns, then fails."""
    return Recorded("scripted", "d" * 64, turns, {"seed": 1})


@pytest.fixture
def sandbox(monkeypatch: pytest.MonkeyPatch, perfect: bytes) -> dict[str, RunCode]:
    """What runs code in every sandbox, under the key `run`; it may be changed."""
    what: dict[str, RunCode] = {"run": lambda code: result(perfect, stdout=f"ran {code}")}

    async def open_fake(public: Path, **choices: object) -> Sandbox:
        return FakeSandbox(lambda code: what["run"](code))

    monkeypatch.setattr(module, "open_sandbox", open_fake)
    return what


def record(task: Task, *turns: Turn, settings: Settings | None = None) -> Rollout:
    (rollout,) = asyncio.run(play([task], [policy(*turns)], settings=settings))
    return rollout


def replayed(task: Task, *rollouts: Rollout) -> list[list[Drift]]:
    found: list[tuple[Rollout, list[Drift]]] = []
    asyncio.run(
        replay(
            rollouts,
            {task.id: task},
            lambda rollout, drift: found.append((rollout, drift)),
            weights_of=lambda rollout: load_weights("paper"),
            concurrency=1,
        )
    )
    assert [rollout for rollout, _ in found] == list(rollouts)
    return [drift for _, drift in found]


SAME: list[tuple[Sequence[Turn], Settings, str]] = [
    ((RUN, LOOK, ANSWER), Settings(), "answer"),
    ((RUN, TALK, AGAIN, ANSWER), Settings(score="none"), "answer"),
    ((replace(RUN, answer="at once"),), Settings(), "answer"),
    ((ANSWER,), Settings(), "answer"),
    ((RUN, LOOK), Settings(turns=2), "turn_limit"),
    ((RUN, LOOK), Settings(tokens=20), "token_limit"),
    ((RUN, TALK), Settings(), "policy_error"),
    ((), Settings(), "policy_error"),
    ((TALK,) * 6, Settings(repeats=3), "repetition"),
]


@pytest.mark.parametrize(("turns", "settings", "termination"), SAME)
def test_the_same_again_is_no_drift(
    task: Task,
    sandbox: dict[str, RunCode],
    turns: Sequence[Turn],
    settings: Settings,
    termination: str,
) -> None:
    recorded = record(task, *turns, settings=settings)
    assert recorded.termination == termination
    assert replayed(task, recorded) == [[]]


def test_a_solver_in_the_real_sandbox_does_not_drift(task: Task) -> None:
    (recorded,) = asyncio.run(play([task], [load_policy("dummy")]))
    assert recorded.submission is not None
    assert replayed(task, recorded) == [[]]


def test_a_record_whose_time_was_over_ends_where_its_turns_do(
    task: Task, sandbox: dict[str, RunCode]
) -> None:
    recorded = replace(record(task, RUN, LOOK, ANSWER), termination="time_limit")
    assert replayed(task, recorded) == [[]]


def test_rollouts_of_several_settings_are_played_in_their_own(
    task: Task, sandbox: dict[str, RunCode]
) -> None:
    settings = [Settings(), Settings(score="validity"), Settings(turns=2), Settings()]
    recorded = [record(task, RUN, LOOK, ANSWER, settings=one) for one in settings]
    assert replayed(task, *recorded) == [[]] * 4


def test_what_code_prints_is_held_against_the_record(
    task: Task, sandbox: dict[str, RunCode], perfect: bytes
) -> None:
    sandbox["run"] = lambda code: result(perfect, stdout=f"fit in 0.31 s\n{code}: 0.912")
    recorded = record(task, RUN, AGAIN, ANSWER)
    sandbox["run"] = lambda code: result(
        perfect, stdout=f"fit in 12 s\n{code}: {'0.913' if code == 'two' else '0.912'}"
    )
    assert replayed(task, recorded) == [[Drift(2, "output", "'two: 0.912'", "'two: 0.913'")]]


def test_a_submission_that_changes_is_told_with_what_it_costs(
    task: Task, sandbox: dict[str, RunCode], constant: bytes
) -> None:
    recorded = record(task, RUN, LOOK, ANSWER)
    sandbox["run"] = lambda code: result(constant, stdout=f"ran {code}")
    (found,) = replayed(task, recorded)
    told = {drift.what: (drift.recorded, drift.replayed) for drift in found}
    assert told.keys() == {"submission", "score", "medal", "reward", "output"}
    assert told["score"] == ("1.0", "0.5")
    assert told["medal"] == ("gold", "none")
    assert told["reward"] == ("1.0", "0.4")
    assert str(found[-1]) == "reward: 1.0, now 0.4"
    assert any(str(drift).startswith("turn 1: submission: ") for drift in found)


def test_a_submission_that_is_missing_or_new_is_told(
    task: Task, sandbox: dict[str, RunCode], perfect: bytes
) -> None:
    recorded = record(task, RUN, ANSWER)
    sandbox["run"] = lambda code: result(stdout=f"ran {code}")
    (found,) = replayed(task, recorded)
    assert Drift(None, "submission", "the one of turn 1 counts", "none counts") in found
    empty = record(task, RUN, ANSWER)
    sandbox["run"] = lambda code: result(perfect, stdout=f"ran {code}")
    (found,) = replayed(task, empty)
    assert ("submission", "none") in {(drift.what, drift.recorded) for drift in found}


def test_an_episode_that_ends_early_is_told(task: Task, sandbox: dict[str, RunCode]) -> None:
    recorded = record(task, RUN, AGAIN, ANSWER)

    def fail(code: str) -> StepResult:
        raise SandboxError("gone")

    sandbox["run"] = fail
    (found,) = replayed(task, recorded)
    assert Drift(None, "turns", "3", "1, then sandbox_error") in found


def test_what_a_step_printed_before_its_time_was_over_is_chance(
    task: Task, sandbox: dict[str, RunCode]
) -> None:
    sandbox["run"] = lambda code: result(stdout="epoch 17", timed_out=True)
    recorded = record(task, RUN, ANSWER)
    sandbox["run"] = lambda code: result(stdout="epoch 18", timed_out=True)
    assert replayed(task, recorded) == [[]]
    sandbox["run"] = lambda code: result(stdout="epoch 18")
    assert [drift.what for drift in replayed(task, recorded)[0]] == ["output"]


def test_another_task_and_other_words_are_told_first(
    task: Task, sandbox: dict[str, RunCode]
) -> None:
    recorded = record(task, RUN, ANSWER)
    messages = (Message("system", "Other rules."), *recorded.messages[1:])
    digests = {**recorded.digests, "spec": "0" * 64, "policy": "0" * 64, "weights": "0" * 64}
    (found,) = replayed(task, replace(recorded, messages=messages, digests=digests))
    assert [drift.what for drift in found] == ["spec", "weights", "prompt"]
    assert found[2].recorded == "'Other rules.'"


def test_what_cannot_be_played_again_is_not(task: Task, sandbox: dict[str, RunCode]) -> None:
    recorded = record(task, RUN, ANSWER)
    tasks = {task.id: task}
    assert why_not(recorded, tasks) is None
    assert why_not(recorded, {}) == "there is no such task any more"
    assert "sandbox_error" in (why_not(replace(recorded, termination="sandbox_error"), tasks) or "")


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("exit code 0 after 0.25 s", "exit code 0 after 13.02 s"),
        ("took 3ms", "took 250 ms"),
        ("fit: 1.5e-3 seconds", "fit: 2 seconds"),
        ("<object at 0x7f3a6dd59d00>", "<object at 0x7f0000000010>"),
        ("see /tmp/tmpab12/x.csv", "see /tmp/tmpzz/x.csv"),
        ("100%|##| 5/5 [00:12<00:00, 2.31it/s]", "100%|##| 5/5 [00:09<00:00, 3.00it/s]"),
        ("2026-11-30 02:24:05,123 - INFO - hi", "2027-01-01 10:00:00,001 - INFO - hi"),
        ("0:00:12.5 elapsed", "0:01:00.1 elapsed"),
        (
            "[... 1,234 characters in 20 lines were cut here ...]",
            "[... 1,238 characters in 20 lines were cut here ...]",
        ),
    ],
)
def test_timings_addresses_and_temporary_paths_may_differ(before: str, now: str) -> None:
    assert before != now
    assert without_chance(before) == without_chance(now)


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("auc 0.91", "auc 0.92"),
        ("exit code 0 after 0.25 s", "exit code 1 after 0.25 s"),
        ("5 samples", "6 samples"),
        ("3 m", "4 m"),
        ("2026-11-30", "2026-12-01"),
        ("12:30", "12:31"),
        ("/data/train.csv", "/data/test.csv"),
        ("0x1f", "0x2f"),
    ],
)
def test_results_may_not(before: str, now: str) -> None:
    assert without_chance(before) != without_chance(now)


@given(st.text(alphabet="ab 0123456789.,:/\n"))
def test_text_without_units_is_compared_as_it_is(text: str) -> None:
    assert "<address>" not in without_chance(text)
    assert without_chance(without_chance(text)) == without_chance(text)


def test_a_rollout_never_drifts_from_itself(task: Task, sandbox: dict[str, RunCode]) -> None:
    recorded = record(task, RUN, AGAIN, LOOK, ANSWER)
    assert drifts(recorded, recorded) == []


def test_turns_come_back_with_what_they_took(task: Task, sandbox: dict[str, RunCode]) -> None:
    turns = (replace(RUN, prompt_tokens=7, finish="stop", retries=1, elided=2), TALK, ANSWER)
    assert recorded_turns(record(task, *turns)) == turns


def written(path: Path, *rollouts: Rollout) -> Path:
    with RolloutWriter(path) as writer:
        for rollout in rollouts:
            writer.write(rollout)
    return path


def test_a_policy_plays_the_rollout_of_the_same_task_and_attempt(
    task: Task, sandbox: dict[str, RunCode], tmp_path: Path
) -> None:
    first, second = record(task, RUN, ANSWER), record(task, AGAIN, LOOK, ANSWER)
    path = written(tmp_path / "runs" / "rollouts.jsonl", first, replace(second, attempt=1))
    again = load_policy(f"replay:{path.parent}")
    rollouts = asyncio.run(play([task], [again], attempts=3))
    assert [rollout.messages for rollout in rollouts[:2]] == [first.messages, second.messages]
    assert rollouts[2].termination == "policy_error"
    assert f"no rollout of {task.id}, attempt 2" in (rollouts[2].error or "")


@pytest.mark.parametrize("argument", ["", ":", ":no-such-file"])
def test_a_policy_without_a_record_is_refused(argument: str) -> None:
    with pytest.raises(ValueError, match="takes a file of rollouts"):
        load_policy(f"replay{argument}")


@pytest.fixture
def corpus(task: Task, tmp_path: Path) -> Path:
    """A corpus that holds the task."""
    folder = tmp_path / "corpus"
    verdict = Verdict(
        id=task.id,
        accepted=True,
        reasons=(),
        version="0",
        engine="0",
        spec=task.digests["spec"],
        modality=task.modality,
        task=task.task,
        metric=task.metric,
        thresholds=task.thresholds,
    )
    shutil.copytree(task.folder, folder / "build" / "tasks" / task.id)
    (folder / "specs").mkdir()
    (folder / "build" / "tasks" / task.id / VERDICT_FILE).write_text(dump_verdict(verdict))
    (folder / "build" / INDEX_FILE).write_text(index_line(verdict))
    return folder


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["replay", *map(str, arguments)])


def test_the_command_tells_drift_by_its_exit_code(
    task: Task, sandbox: dict[str, RunCode], corpus: Path, perfect: bytes
) -> None:
    one, two = record(task, RUN, ANSWER), replace(record(task, AGAIN, ANSWER), attempt=1)
    path = written(corpus / "runs" / "x.jsonl", one, two, replace(one, task="gone"))
    done = run(path, "-C", corpus)
    assert done.exit_code == 0, done.output
    counted = done.stdout.strip().removeprefix("rollouts: ").split(", ")
    assert sorted(counted) == ["1 not played: there is no such task any more", "2 the same"]
    sandbox["run"] = lambda code: result(perfect, stdout="ran one")
    done = run(path, "-C", corpus)
    assert done.exit_code == 1
    assert f"{task.id}, scripted, attempt 1:\n  turn 1: output: 'ran two', now 'ran one'" in (
        done.stdout
    )
    told: dict[str, Any] = json.loads(run(path, "-C", corpus, "--json").stdout)
    assert told["counts"]["drifted"] == 1
    (drifted,) = told["drifted"]
    assert (drifted["task"], drifted["attempt"]) == (task.id, 1)
    assert drifted["drifts"][0]["what"] == "output"


def test_the_command_plays_what_is_asked_for(
    task: Task, sandbox: dict[str, RunCode], corpus: Path
) -> None:
    one = record(task, RUN, ANSWER)
    path = written(corpus / "runs" / "x.jsonl", one, replace(one, policy="other"))
    assert run(path, "-C", corpus, "-p", "other").stdout == "rollouts: 1 the same\n"
    assert run(path, "-C", corpus, "--task", task.id).stdout == "rollouts: 2 the same\n"
    done = run(path, "-C", corpus, "--task", "elsewhere")
    assert done.exit_code == 2
    assert "no rollout here can be played again" in done.stderr


def test_the_command_asks_for_weights_that_are_no_preset(
    task: Task, sandbox: dict[str, RunCode], corpus: Path, tmp_path: Path
) -> None:
    one = record(task, RUN, ANSWER)
    assert one.reward is not None
    mine = replace(one, reward=replace(one.reward, weights="mine"))
    path = written(corpus / "runs" / "x.jsonl", mine)
    done = run(path, "-C", corpus)
    assert done.exit_code == 2
    assert "no reward 'mine'" in done.stderr
    weights = tmp_path / "mine.yaml"
    weights.write_text(
        "format: 0.1\nexecutes: 0.3\nmilestones: cumulative\n"
        "median: 0.1\nbronze: 0.2\nsilver: 0.2\ngold: 0.1\n"
    )
    assert run(path, "-C", corpus, "--reward", weights).exit_code == 0
