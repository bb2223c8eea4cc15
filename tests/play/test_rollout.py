"""Rollouts come back as they were written, and nothing else is taken for one."""

import json
import multiprocessing
import os
import signal
import time
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandmle.errors import RolloutError
from sandmle.play.conversation import Message, ToolCall
from sandmle.play.rollout import (
    Reward,
    Rollout,
    RolloutWriter,
    parse_rollout,
    read_rollouts,
    rollout_line,
)
from tests.play.examples import rollout, submission

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)  # fmt: skip
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=30)
MESSAGES = st.lists(
    st.builds(
        Message,
        st.sampled_from(["assistant", "tool", "user"]),
        ANY_TEXT,
        st.lists(
            st.builds(
                ToolCall,
                ANY_TEXT,
                ANY_TEXT,
                st.dictionaries(st.text(), JSON),
                ANY_TEXT,
                st.booleans(),
            ),
            max_size=2,
        ).map(tuple),
        st.none() | ANY_TEXT,
    ),
    max_size=4,
).map(tuple)
ROLLOUTS = st.builds(
    lambda messages, total, seconds, error: rollout(
        submission(medal="gold", above_median=True),
        messages=messages,
        reward=Reward("paper", total, {"format": total}),
        seconds=seconds,
        error=error,
    ),
    MESSAGES,
    st.floats(0, 1),
    st.floats(0, 1e6),
    st.none() | ANY_TEXT,
)


@given(ROLLOUTS)
def test_any_rollout_comes_back_equal_on_one_ascii_line(whole: Rollout) -> None:
    line = rollout_line(whole)
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    assert line.isascii()
    assert parse_rollout(line) == whole


def test_a_file_comes_back_in_its_order(tmp_path: Path) -> None:
    path = tmp_path / "runs" / "rollouts.jsonl"
    written = [rollout(submission(), attempt=number) for number in range(5)]
    with RolloutWriter(path) as writer:
        for whole in written[:3]:
            writer.write(whole)
        assert list(read_rollouts(path)) == written[:3]
    with RolloutWriter(path) as writer:
        for whole in written[3:]:
            writer.write(whole)
    assert list(read_rollouts(path)) == written


def spoil(changes: dict[str, Any], *, drop: str = "") -> bytes:
    """A rollout's line with some of it replaced; "a.b" means key b of what is at a."""
    data = json.loads(rollout_line(rollout(submission())))
    for place, value in changes.items():
        *path, last = place.split(".")
        inner = data
        for key in path:
            inner = inner[int(key) if key.isdigit() else key]
        inner[last] = value
    data.pop(drop, None)
    return json.dumps(data).encode() + b"\n"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"\n", "Expecting value"),
        (b"{}\n", "format: expected 3, got None"),
        (b"[]\n", "format: expected 3, got None"),
        (spoil({"format": 2}), "format: expected 3, got 2"),
        (spoil({}, drop="reward"), "missing key 'reward'"),
        (spoil({"extra": 1}), "unknown key 'extra'"),
        (spoil({"reward.total": "1.0"}), "reward.total: expected a finite number, got '1.0'"),
        (spoil({"reward.total": True}), "reward.total: expected a finite number, got True"),
        (spoil({"reward.total": float("nan")}), "reward.total: expected a finite number"),
        (spoil({"seconds": float("inf")}), "seconds: expected a finite number"),
        (spoil({"seconds": 10**400}), "seconds: expected a finite number"),
        (spoil({"attempt": 1.0}), "attempt: expected a int"),
        (spoil({"isolated": 1}), "isolated: expected a bool"),
        (spoil({"termination": "won"}), "termination: expected one of 'answer'"),
        (spoil({"submissions.0.medal": "platinum"}), "submissions.0.medal: expected one of"),
        (spoil({"messages.0.role": "god"}), "messages.0.role: expected one of"),
        (spoil({"messages": {}}), "messages: expected a list"),
        (spoil({"steps": [[]]}), "steps.0: expected an object"),
        (spoil({"settings.turns": 0}), "turns must be"),
        (spoil({"settings.step.wall_seconds": -1}), "wall_seconds must be"),
        (spoil({"final": 7}), "final: expected a place in submissions"),
        (rollout_line(rollout())[:-2] + b', "seconds": 2}\n', "a key twice"),
        (b'{"format": 1, "x": ' + b"[" * 100_000 + b"\n", "recursion"),
        (b'{"format": 1}\xff\n', "decode"),
    ],
)
def test_anything_else_is_refused_with_its_place(tmp_path: Path, line: bytes, message: str) -> None:
    path = tmp_path / "rollouts.jsonl"
    path.write_bytes(rollout_line(rollout()) + line + rollout_line(rollout()))
    with pytest.raises(RolloutError) as caught:
        list(read_rollouts(path))
    assert str(caught.value).startswith(f"{path}:2: not a rollout: ")
    assert message in str(caught.value)


@given(st.binary(max_size=200))
def test_no_bytes_crash_the_reader(content: bytes) -> None:
    with pytest.raises((ValueError, RecursionError)):
        parse_rollout(content)


def test_every_key_is_needed() -> None:
    line = rollout_line(rollout(submission()))
    for field in fields(Rollout):
        data = json.loads(line)
        del data[field.name]
        with pytest.raises(ValueError, match=field.name):
            parse_rollout(json.dumps(data))


def test_what_is_not_finite_is_never_written(tmp_path: Path) -> None:
    path = tmp_path / "rollouts.jsonl"
    with RolloutWriter(path) as writer, pytest.raises(ValueError, match="JSON"):
        writer.write(rollout(reward=Reward("paper", float("nan"), {})))
    assert path.read_bytes() == b""


@settings(max_examples=30, deadline=None)
@given(cut=st.integers(0, 5000))
def test_a_torn_last_line_is_left_out_and_then_cut_off(
    tmp_path_factory: pytest.TempPathFactory, cut: int
) -> None:
    path = tmp_path_factory.mktemp("torn") / "rollouts.jsonl"
    line = rollout_line(rollout())
    path.write_bytes(line * 2 + line[: min(cut, len(line) - 1)])
    assert len(list(read_rollouts(path))) == 2
    with RolloutWriter(path) as writer:
        writer.write(rollout(attempt=9))
    assert [whole.attempt for whole in read_rollouts(path)] == [0, 0, 9]


def test_a_torn_line_longer_than_a_block_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "rollouts.jsonl"
    path.write_bytes(rollout_line(rollout()) + b"x" * 200_000)
    RolloutWriter(path).close()
    assert path.read_bytes() == rollout_line(rollout())
    path.write_bytes(b"x" * 200_000)
    RolloutWriter(path).close()
    assert path.read_bytes() == b""


def _write_for_ever(path: Path) -> None:
    large = rollout(messages=(Message("tool", "x" * 1_000_000),))
    with RolloutWriter(path) as writer:
        for attempt in range(1_000_000):
            writer.write(replace(large, attempt=attempt))


def test_a_killed_writer_leaves_whole_rollouts(tmp_path: Path) -> None:
    path = tmp_path / "rollouts.jsonl"
    process = multiprocessing.get_context("fork").Process(target=_write_for_ever, args=(path,))
    process.start()
    while not path.exists() or path.stat().st_size < 5_000_000:
        time.sleep(0.01)
        assert process.is_alive()
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    attempts = [whole.attempt for whole in read_rollouts(path)]
    assert len(attempts) >= 4
    assert attempts == list(range(len(attempts)))
    with RolloutWriter(path) as writer:
        writer.write(rollout(attempt=len(attempts)))
    assert [whole.attempt for whole in read_rollouts(path)] == list(range(len(attempts) + 1))


def test_one_run_writes_to_a_file_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "rollouts.jsonl"
    with RolloutWriter(path), pytest.raises(BlockingIOError, match="another run"):
        RolloutWriter(path)
    RolloutWriter(path).close()
