"""A model over loopback, by the real client: 64 episodes at a time, all slips, a kill, a resume."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from sandmle.play.rollout import read_rollouts
from tests.asking.server import Action, Answer, Drop, Hang, Raw, Status, serving
from tests.evaluation.conftest import TASKS

#: What an endpoint may do to the first call of an episode; calls after it are answered.
SLIPS = (
    Status(500),
    Status(429, {"retry-after": "0"}),
    Drop(),
    Raw(b"<html>gateway</html>", "text/html"),
    Hang(0.2),
    None,
    None,
    None,
)

CALL = '{"name": "python", "arguments": {"code": "print(6 * 7)"}}'

#: What the model says first; it answers with the next turn.
WAYS = (
    Answer("Go.", "tool_calls", calls=[("python", '{"code": "print(6 * 7)"}')], reasoning="So."),
    Answer(f"<think>So.</think><tool_call>{CALL}</tool_call>"),
    Answer("<think>So.</think><answer>nothing</answer>"),
    Answer("I shall say nothing.", reasoning="So.", reasoning_field="reasoning"),
    Answer("<think>So.</think>", calls=[("score", "{}")], finish="tool_calls"),
    Answer("<think>It is cut", finish="length"),
)


class Model:
    """Acts by the seed of an episode; `seeds` are those that it was asked for, in order."""

    def __init__(self) -> None:
        self.seeds: list[int] = []
        self._seen: set[int] = set()
        self._lock = threading.Lock()

    def __call__(self, body: dict[str, Any]) -> Action:
        seed = body["seed"]
        with self._lock:
            self.seeds.append(seed)
            first = seed not in self._seen
            self._seen.add(seed)
        slip = SLIPS[seed % len(SLIPS)]
        if first and slip is not None:
            return slip
        if any(message["role"] == "assistant" for message in body["messages"]):
            return Answer("<think>So.</think><answer>done</answer>")
        return WAYS[seed // len(SLIPS) % len(WAYS)]


@pytest.mark.parametrize(
    ("attempts", "killed_after", "stream"),
    [(6, 8, True), pytest.param(100, 150, False, marks=pytest.mark.slow)],
)
def test_a_model_s_run_that_is_killed_and_resumed_has_every_rollout_once(
    corpus: Path, tmp_path: Path, attempts: int, killed_after: int, stream: bool
) -> None:
    path = tmp_path / "run" / "rollouts.jsonl"
    model = Model()
    with serving(model) as server:
        command = [sys.executable, "-m", "sandmle", "eval", "--policy", "openai:small"]
        command += ["--base-url", server.url, "--tasks", "all", "-k", str(attempts)]
        command += ["--concurrency", "64", "--timeout", "20", "--price", "1/2"]
        command += ["--stream"] if stream else []
        command += ["--unsafe", "--backend", "subprocess", "--out", str(tmp_path / "run")]
        command += ["-C", str(corpus), "--json"]
        environment = {**os.environ, "OPENAI_API_KEY": "not-a-key"}
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment
        )
        try:
            while not path.is_file() or path.read_bytes().count(b"\n") < killed_after:
                assert process.poll() is None, process.communicate()[1]
                time.sleep(0.01)
        finally:
            os.kill(process.pid, signal.SIGKILL)
            process.communicate()
        before = list(read_rollouts(path))
        asked = len(model.seeds)
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=500)
    assert done.returncode == 0, done.stderr
    rollouts = list(read_rollouts(path))
    expected = len(TASKS) * attempts
    assert killed_after <= len(before) < expected
    assert rollouts[: len(before)] == before
    played = Counter((one.task, one.attempt) for one in rollouts)
    assert (len(played), set(played.values())) == (expected, {1})
    finished = {one.sampling["seed"] for one in before if one.sampling is not None}
    assert len(finished) == len(before)
    assert not finished & set(model.seeds[asked:])
    summary = json.loads(done.stdout)
    assert (summary["rollouts"], summary["unscored"]) == (expected, 0)
    assert summary["terminations"].keys() <= {"answer", "repetition"}
    assert summary["retries"] > 0
    assert summary["cost"] == pytest.approx(
        (summary["prompt_tokens"] + 2 * summary["answer_tokens"]) / 1e6
    )
    assert b"not-a-key" not in b"".join(file.read_bytes() for file in path.parent.iterdir())


def test_an_endpoint_that_refuses_ends_the_run_and_what_was_played_stays(
    corpus: Path, tmp_path: Path
) -> None:
    lock, answers = threading.Lock(), [0]

    def act(body: dict[str, Any]) -> Action:
        with lock:
            answers[0] += 1
        if answers[0] > 20:
            return Status(401, error={"message": "no such key"})
        return Answer("<think>So.</think><answer>done</answer>")

    with serving(act) as server:
        command = [sys.executable, "-m", "sandmle", "eval", "--policy", "openai:small"]
        command += ["--base-url", server.url, "--tasks", "all", "-k", "50", "--concurrency", "4"]
        command += ["--unsafe", "--backend", "subprocess", "--out", str(tmp_path / "run")]
        command += ["-C", str(corpus)]
        environment = {**os.environ, "OPENAI_API_KEY": "not-a-key"}
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)
    assert done.returncode == 1
    assert "no such key" in done.stderr
    kept = len(list(read_rollouts(tmp_path / "run" / "rollouts.jsonl")))
    assert 16 <= kept <= 20
    assert f"{kept} of 250 rollouts are kept" in done.stderr
    assert json.loads((tmp_path / "run" / "summary.json").read_text())["rollouts"] == kept
