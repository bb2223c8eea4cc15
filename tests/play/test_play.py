"""Many episodes at once: what is written, in which order, and what a stop leaves behind."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from sandmle.errors import SandboxError
from sandmle.play import play as module
from sandmle.play.conversation import Message, ToolCall, Turn
from sandmle.play.episode import Episode
from sandmle.play.play import play, play_episodes
from sandmle.play.reward import load_weights
from sandmle.play.rollout import Rollout, RolloutWriter, read_rollouts
from sandmle.play.settings import Settings
from sandmle.play.task import Task
from sandmle.sandbox import Sandbox
from tests.play.conftest import FakeSandbox, result


@dataclass
class Acting:
    """A policy that acts by a function of the conversation."""

    name: str
    act: object
    digest: str = "d" * 64

    def sampling(self, task: Task, attempt: int) -> None:
        pass

    async def respond(self, messages: Sequence[Message], task: Task, attempt: int = 0) -> Turn:
        found = self.act(messages)  # type: ignore[operator]
        return await found if asyncio.iscoroutine(found) else found


def done(messages: Sequence[Message]) -> Turn:
    return Turn("<think>so</think>", answer="done")


def run_then_answer(code: str = "x") -> object:
    def act(messages: Sequence[Message]) -> Turn:
        if any(message.role == "tool" for message in messages):
            return done(messages)
        return Turn("<think>so</think>", (ToolCall("c", "python", {"code": code}),))

    return act


@pytest.fixture
def boxes(monkeypatch: pytest.MonkeyPatch) -> list[FakeSandbox]:
    """Every sandbox that was opened; they leave the code itself as the submission."""
    opened: list[FakeSandbox] = []

    async def open_fake(public: Path, **choices: object) -> Sandbox:
        opened.append(FakeSandbox(lambda code: result(code.encode())))
        return opened[-1]

    monkeypatch.setattr(module, "open_sandbox", open_fake)
    return opened


def variants(task: Task, count: int) -> list[Task]:
    return [replace(task, id=f"task-{number}") for number in range(count)]


def test_every_policy_plays_every_task_and_each_rollout_is_written(
    task: Task, tmp_path: Path, boxes: list[FakeSandbox], perfect: bytes
) -> None:
    out = tmp_path / "deep" / "rollouts.jsonl"
    told: list[Rollout] = []
    policies = [Acting("gold", run_then_answer(perfect.decode())), Acting("idle", done)]
    rollouts = asyncio.run(
        play(variants(task, 3), policies, attempts=2, concurrency=4, out=out, progress=told.append)
    )
    order = [(found.task, found.policy, found.attempt) for found in rollouts]
    assert order == [
        (f"task-{number}", name, attempt)
        for number in range(3)
        for name in ("gold", "idle")
        for attempt in range(2)
    ]
    assert all(found.reward is not None for found in rollouts)
    assert [found.reward.total for found in rollouts[:3]] == [1.0, 1.0, 0.1]  # type: ignore[union-attr]
    assert list(read_rollouts(out)) == told
    assert sorted(map(str, told)) == sorted(map(str, rollouts))
    assert len(boxes) == 12
    assert all(box.closed for box in boxes)


def test_a_rollout_says_under_what_it_was_played(task: Task, boxes: list[FakeSandbox]) -> None:
    settings = Settings(score="validity", turns=3)
    weights = load_weights("sparse")
    (rollout,) = asyncio.run(
        play([task], [Acting("idle", done)], settings=settings, weights=weights)
    )
    assert rollout.settings == settings
    assert rollout.reward is not None
    assert rollout.reward.weights == "sparse"
    assert rollout.digests["weights"] == weights.digest
    assert rollout.digests["policy"] == "d" * 64
    assert rollout.digests["spec"] == task.digests["spec"]
    assert len(rollout.digests["prompts"]) == 64
    assert rollout.thresholds == task.thresholds
    assert (rollout.backend, rollout.isolated) == ("fake", True)
    assert rollout.started.endswith("+00:00")


def test_at_most_so_many_at_a_time_and_no_fewer(task: Task, boxes: list[FakeSandbox]) -> None:
    running = most = 0

    async def slow(messages: Sequence[Message]) -> Turn:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.02)
        running -= 1
        return done(messages)

    started = time.monotonic()
    asyncio.run(play(variants(task, 32), [Acting("slow", slow)], concurrency=16))
    assert most == 16
    assert time.monotonic() - started < 32 * 0.02


def raises(messages: Sequence[Message]) -> Turn:
    raise KeyError("a bug of the policy")


async def hangs(messages: Sequence[Message]) -> Turn:
    await asyncio.sleep(60)
    return done(messages)


@pytest.mark.parametrize(
    ("act", "termination", "error"),
    [
        (raises, "policy_error", "KeyError: 'a bug of the policy'"),
        (lambda messages: None, "policy_error", "TypeError: it returned nothing"),
        (lambda messages: "gold", "policy_error", "expected a Turn, got 'gold'"),
        (hangs, "time_limit", None),
    ],
)
def test_a_policy_that_fails_spoils_its_own_episode_only(
    task: Task, boxes: list[FakeSandbox], act: object, termination: str, error: str | None
) -> None:
    policies = [Acting("bad", act), Acting("good", done)]
    bad, good = asyncio.run(play([task], policies, settings=Settings(seconds=0.3)))
    assert (bad.termination, bad.error) == (termination, error)
    assert (bad.reward is None) == (termination == "policy_error")
    assert good.termination == "answer"
    assert all(box.closed for box in boxes)


def test_an_evaluator_that_fails_leaves_its_episodes_unscored(
    task: Task, tmp_path: Path, boxes: list[FakeSandbox]
) -> None:
    lost = replace(task, id="lost", folder=tmp_path / "lost")
    bad, good = asyncio.run(play([lost, task], [Acting("p", run_then_answer("id\n"))]))
    assert bad.termination == "grader_error"
    assert "FileNotFoundError" in (bad.error or "")
    assert bad.reward is None
    assert good.termination == "answer"


def test_a_reward_outside_its_range_stops_the_run(
    task: Task, boxes: list[FakeSandbox], tmp_path: Path
) -> None:
    weights = replace(load_weights("paper"), format=float("nan"))
    out = tmp_path / "rollouts.jsonl"
    with pytest.raises(ValueError, match=r"\[0, 1\]"):
        asyncio.run(play([task], [Acting("idle", done)], weights=weights, out=out))
    assert out.read_bytes() == b""


def test_two_runs_do_not_write_to_one_file(
    task: Task, boxes: list[FakeSandbox], tmp_path: Path
) -> None:
    out = tmp_path / "rollouts.jsonl"
    with RolloutWriter(out), pytest.raises(BlockingIOError):
        asyncio.run(play([task], [Acting("idle", done)], out=out))
    assert boxes == []


def test_a_stop_closes_every_sandbox_and_keeps_what_is_written(
    task: Task, boxes: list[FakeSandbox], tmp_path: Path
) -> None:
    out = tmp_path / "rollouts.jsonl"

    async def run() -> None:
        policies = [Acting("good", done), Acting("hangs", hangs)]
        running = asyncio.create_task(play(variants(task, 3), policies, concurrency=3, out=out))
        while sum(1 for _ in read_rollouts(out)) < 3:
            await asyncio.sleep(0.01)
        running.cancel()
        await running

    out.touch()
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(run())
    assert len(list(read_rollouts(out))) == 3
    assert all(box.closed for box in boxes)
    RolloutWriter(out).close()


def test_episodes_are_drawn_as_they_are_needed(task: Task, boxes: list[FakeSandbox]) -> None:
    drawn = 0
    taken: list[int] = []

    def episodes() -> object:
        nonlocal drawn
        for variant in variants(task, 6):
            drawn += 1
            assert drawn - len(taken) <= 2
            yield Episode(variant, Acting("idle", done))

    asyncio.run(
        play_episodes(
            episodes(),  # type: ignore[arg-type]
            lambda number, rollout: taken.append(number),
            settings=Settings(),
            weights=load_weights("paper"),
            concurrency=2,
        )
    )
    assert sorted(taken) == list(range(6))


@pytest.mark.parametrize(
    ("backend", "unsafe", "message"),
    [("chroot", False, "no back end"), ("subprocess", False, "does not isolate")],
)
def test_no_sandbox_is_told_before_anything_is_played(
    task: Task, tmp_path: Path, backend: str, unsafe: bool, message: str
) -> None:
    out = tmp_path / "rollouts.jsonl"
    with pytest.raises(SandboxError, match=message):
        asyncio.run(play([task], [Acting("idle", done)], backend=backend, unsafe=unsafe, out=out))
    assert not out.exists()


def test_a_missing_library_is_told_before_anything_is_played(task: Task, tmp_path: Path) -> None:
    out = tmp_path / "rollouts.jsonl"
    settings = Settings(libraries=("no_such_library",))
    with pytest.raises(SandboxError, match="no_such_library"):
        asyncio.run(play([task], [Acting("idle", done)], settings=settings, out=out))
    assert not out.exists()


def test_an_unsafe_sandbox_is_recorded(task: Task) -> None:
    policy = Acting("p", run_then_answer("print(6 * 7)"))
    (rollout,) = asyncio.run(play([task], [policy], backend="subprocess", unsafe=True))
    assert (rollout.backend, rollout.isolated) == ("subprocess", False)
    assert any("42" in message.content for message in rollout.messages)


def test_the_files_of_an_episode_stay_from_turn_to_turn(task: Task) -> None:
    codes = [
        "open('note.txt', 'w').write('left here')",
        "print(open('note.txt').read()); import shutil; "
        "shutil.copy('data/sample_submission.csv', 'submission.csv')",
    ]

    def act(messages: Sequence[Message]) -> Turn:
        played = sum(message.role == "tool" for message in messages)
        if played == len(codes):
            return done(messages)
        return Turn("<think>so</think>", (ToolCall("c", "python", {"code": codes[played]}),))

    (rollout,) = asyncio.run(play([task], [Acting("p", act)]))
    assert "left here" in rollout.messages[5].content
    assert rollout.reward is not None
    assert rollout.reward.total == 0.4


SCRIPT = """
    import asyncio, sys
    from pathlib import Path
    from sandmle.play.conversation import ToolCall, Turn
    from sandmle.play.play import play
    from sandmle.play.task import Task
    from tests.play.test_play import Acting, done, variants

    folder, out = Path(sys.argv[1]), Path(sys.argv[2])
    public = folder / "prepared/public"
    task = Task("t", folder, public, "t", "tabular", "binary", "roc_auc", False, None, {})
    loop = Turn("", (ToolCall("c", "python", {"code": "while True: pass"}),))
    answers = iter([done] * 2)

    def act(messages):
        return next(answers, lambda messages: loop)(messages)

    def tell(rollout):
        print("one", flush=True)

    asyncio.run(play(variants(task, 5), [Acting("p", act)], out=out, progress=tell))
"""


def test_ctrl_c_ends_a_run_cleanly(task: Task, tmp_path: Path) -> None:
    out = tmp_path / "rollouts.jsonl"
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(SCRIPT), task.folder, out],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parent.parent.parent,
    )
    try:
        assert process.stdout is not None
        assert [process.stdout.readline() for _ in range(2)] == ["one\n"] * 2
        wait_until(lambda: len(descendants(process.pid)) >= 2)
        family = descendants(process.pid)
        os.kill(process.pid, signal.SIGINT)
        _, stderr = process.communicate(timeout=20)
    finally:
        process.kill()  # what does not end here would play on for minutes
    assert process.returncode != 0
    assert stderr.rstrip().endswith("KeyboardInterrupt")
    assert "never retrieved" not in stderr
    assert len(list(read_rollouts(out))) == 2
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in family))


def descendants(pid: int) -> list[int]:
    """The processes below a process."""
    parents = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parents[int(entry.name)] = int((entry / "stat").read_text().rsplit(")")[-1].split()[1])
    found = [pid]
    for parent in found:
        found += [child for child in parents if parents[child] == parent]
    return found[1:]


def wait_until(holds: Callable[[], bool]) -> None:
    for _ in range(1500):
        if holds():
            return
        time.sleep(0.02)
    raise AssertionError("it did not happen within half a minute")
