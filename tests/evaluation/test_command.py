"""eval, summary and compare from the command line, killed and continued."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from sandmle.cli import app
from sandmle.play.rollout import RolloutWriter, read_rollouts
from tests.evaluation.examples import attempts

#: A policy that runs no code, in a sandbox that need not isolate: nothing has to be built.
BABBLES = ("--policy", "broken:babbles", "--unsafe", "--backend", "subprocess")


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, list(map(str, arguments)))


def test_a_run_is_played_and_summed_up(corpus: Path, tmp_path: Path) -> None:
    done = run("eval", *BABBLES, "-k", 2, "--out", tmp_path / "run", "-C", corpus, "--json")
    assert done.exit_code == 0, done.output
    data = json.loads(done.stdout)
    assert data == json.loads((tmp_path / "run" / "summary.json").read_text())
    assert (data["rollouts"], data["tasks"], data["complete"]) == (6, 3, True)
    for name in ("valid_submission", "above_median", "bronze", "silver", "gold", "any_medal"):
        assert data[name] == 0.0
        assert data["intervals"][name][0] == 0.0
        assert 0 < data["intervals"][name][1] < 1
    assert data["reward_mean"] == 0.0


def test_the_same_command_plays_nothing_twice(corpus: Path) -> None:
    command = ("eval", *BABBLES, "--tasks", "all", "-C", corpus)
    first, second = run(*command), run(*command)
    assert (first.exit_code, second.exit_code) == (0, 0)
    (folder,) = (corpus / "runs").iterdir()
    assert folder.name.startswith("broken-babbles-all-")
    assert len(list(read_rollouts(folder / "rollouts.jsonl"))) == 5
    assert first.stdout == second.stdout
    assert "broken:babbles" in first.stdout


def test_a_run_is_resumed_by_its_own_settings(corpus: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    run("eval", *BABBLES, "-t", "cars", "-k", 3, "--turns", 2, "-o", folder, "-C", corpus)
    rollouts = folder / "rollouts.jsonl"
    rollouts.write_bytes(b"".join(rollouts.read_bytes().splitlines(keepends=True)[:1]))
    machine = ("--unsafe", "--backend", "subprocess", "-C", corpus)
    done = run("eval", "--resume", folder, *machine)
    assert done.exit_code == 0, done.output
    assert [one.settings.turns for one in read_rollouts(rollouts)] == [2, 2, 2]
    done = run("eval", "--resume", folder, "--turns", 3, *machine)
    assert done.exit_code == 2
    assert "turns is 3 on the command line, but 2 in" in done.stderr


def test_a_run_under_other_settings_is_refused_with_what_differs(
    corpus: Path, tmp_path: Path
) -> None:
    command = ("eval", *BABBLES, "--out", tmp_path / "run", "-C", corpus)
    assert run(*command).exit_code == 0
    done = run(*command, "--score", "test")
    assert done.exit_code == 2
    assert 'settings.score: "validity", now "test"' in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "nobody is to play"),
        (("-p", "honst"), "did you mean 'honest'"),
        (("-p", "honest", "--temperature", 1), "no setting 'temperature'"),
        (("-p", "honest", "--tasks", "tain"), "no task 'tain'"),
        (("-p", "honest", "--score", "all"), "score must be"),
        (("-p", "honest", "--reward", "nice"), "no reward 'nice'"),
        (("-p", "honest", "--shard", "9/8"), "is no shard"),
        (("-p", "openai:m", "--extra", "[]"), "expected a JSON object"),
        (("-p", "openai:m", "--base-url", "http://me:secret@x/v1"), "password"),
        (("-p", "openai:m", "--price", "free"), "is no price"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_there(
    corpus: Path, tmp_path: Path, arguments: tuple[object, ...], message: str
) -> None:
    done = run("eval", *arguments, "--out", tmp_path / "run", "-C", corpus)
    assert done.exit_code == 2, done.output
    assert message in done.stderr
    assert not (tmp_path / "run").exists()


def test_a_corpus_that_is_not_built_is_told(tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    done = run("eval", "-p", "honest", "-C", tmp_path)
    assert done.exit_code == 2
    assert "run sandmle build" in done.stderr


def test_a_file_of_settings_is_read(corpus: Path, tmp_path: Path) -> None:
    path = tmp_path / "eval.yaml"
    path.write_text("policy: broken:babbles\ntasks: [cars, dogs]\nunsafe: true\n")
    command = ("eval", "-c", path, "--backend", "subprocess", "-o", tmp_path / "run", "-C", corpus)
    assert run(*command).exit_code == 0
    assert run(*command, "-t", "cars").exit_code == 2
    path.write_text("policy: honest\nturnz: 3\n")
    done = run(*command)
    assert done.exit_code == 1
    assert "eval.yaml:2:1: turnz: no setting 'turnz'; did you mean 'turns'?" in done.stderr


def test_a_run_can_be_summed_up_while_it_is_played(corpus: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    run("eval", *BABBLES, "-o", folder, "-C", corpus)
    rollouts = folder / "rollouts.jsonl"
    rollouts.write_bytes(rollouts.read_bytes()[:-10])
    with RolloutWriter(tmp_path / "other.jsonl"):  # somebody else is writing
        done = run("summary", folder, "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["complete"] is False
    assert "2 of 3 rollouts so far" in done.stderr
    assert run("summary", rollouts).exit_code == 0
    assert run("summary", tmp_path).exit_code == 2


def test_runs_are_compared(tmp_path: Path) -> None:
    for name, good in (("a", "valid"), ("b", "gold")):
        with RolloutWriter(tmp_path / f"{name}.jsonl") as writer:
            for task in range(8):
                for rollout in attempts(f"t{task}", good if task % 4 else "valid", policy=name):
                    writer.write(rollout)
    done = run("compare", tmp_path / "a.jsonl", tmp_path / "b.jsonl", "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)["whole"]["metrics"]["any_medal"]
    assert (found["first"], found["second"], found["difference"]) == (0.0, 0.75, 0.75)
    assert found["p_value"] == pytest.approx(2 / 2**6)
    told = run("compare", tmp_path / "a.jsonl", tmp_path / "b.jsonl").stdout
    assert "+0.750" in told
    assert "0.0312" in told
    assert run("compare", tmp_path / "a.jsonl", tmp_path).exit_code == 2


def test_a_run_of_500_rollouts_that_is_killed_plays_each_once(corpus: Path, tmp_path: Path) -> None:
    rollouts = tmp_path / "run" / "rollouts.jsonl"
    command = [sys.executable, "-m", "sandmle", "eval", *BABBLES, "--tasks", "all", "-k", "100"]
    command += ["--concurrency", "64", "--out", str(tmp_path / "run"), "-C", str(corpus), "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        while not rollouts.is_file() or rollouts.read_bytes().count(b"\n") < 100:
            assert process.poll() is None
            time.sleep(0.01)
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
    before = list(read_rollouts(rollouts))
    assert 100 <= len(before) < 500
    assert not (tmp_path / "run" / "summary.json").exists()
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    after = list(read_rollouts(rollouts))
    assert after[: len(before)] == before
    played = Counter((one.task, one.attempt) for one in after)
    assert len(played) == 500
    assert set(played.values()) == {1}
    assert json.loads(done.stdout)["rollouts"] == 500


def test_a_signal_leaves_a_summary_and_says_how_to_go_on(corpus: Path, tmp_path: Path) -> None:
    rollouts = tmp_path / "run" / "rollouts.jsonl"
    command = [sys.executable, "-m", "sandmle", "eval", *BABBLES, "--tasks", "all", "-k", "999"]
    command += ["--out", str(tmp_path / "run"), "-C", str(corpus)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        while not rollouts.is_file() or not rollouts.stat().st_size:
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130
    kept = len(list(read_rollouts(rollouts)))
    assert f"stopped by SIGINT; {kept} of 4995 rollouts are kept" in told
    assert "the same command plays on" in told
    assert json.loads((tmp_path / "run" / "summary.json").read_text())["rollouts"] == kept
