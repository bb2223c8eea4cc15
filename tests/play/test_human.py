"""A person plays through a pseudo-terminal."""

from __future__ import annotations

import asyncio
import os
import pty
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sandmle.play import play as module
from sandmle.play.play import play
from sandmle.play.policies import load_policy
from sandmle.play.rollout import Rollout, read_rollouts
from sandmle.play.settings import Settings
from sandmle.play.task import Task
from sandmle.play.terminal import harmless
from sandmle.sandbox import Sandbox
from tests.play.conftest import FakeSandbox, result

END_OF_INPUT = "\x04"

Type = Callable[[str], int]


@pytest.fixture
def keyboard(monkeypatch: pytest.MonkeyPatch) -> Iterator[Type]:
    """Types on the terminal that is standard input."""
    master, slave = pty.openpty()
    with os.fdopen(slave) as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        yield lambda text: os.write(master, text.encode())
    os.close(master)


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch, perfect: bytes) -> list[str]:
    """The code that ran, in a sandbox where all code wins gold and prints an escape."""
    codes: list[str] = []

    def run_code(code: str) -> object:
        codes.append(code)
        return result(perfect, stdout="it ran \x1b[31m")

    async def open_fake(public: Path, **choices: object) -> Sandbox:
        return FakeSandbox(run_code)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "open_sandbox", open_fake)
    return codes


def played(task: Task, settings: Settings | None = None, *, policy: str = "human") -> Rollout:
    settings = settings or Settings(repeats=None)
    human = load_policy(policy, settings=settings)
    (rollout,) = asyncio.run(play([task], [human], settings=settings))
    return rollout


def test_a_person_sees_the_task_runs_code_and_answers(
    task: Task, keyboard: Type, ran: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    keyboard("think I know it all\ncode\nfor x in y:\n    win()\n.\nscore\nanswer that is it\n")
    rollout = played(task, policy="human:ada")
    assert ran == ["for x in y:\n    win()\n"]
    assert rollout.policy == "human:ada"
    assert rollout.termination == "answer"
    assert rollout.submission is not None
    assert rollout.submission.medal == "gold"
    turns = [said for said in rollout.messages if said.role == "assistant"]
    assert [said.content for said in turns] == [
        "<think>I know it all</think>",
        "",
        "<answer>that is it</answer>",
    ]
    told = capsys.readouterr().out
    for said in rollout.messages:
        if said.role != "assistant":
            assert " ".join(harmless(said.content).split()) in " ".join(told.split())
    assert "--- turn 1 of 20 ---" in told
    assert str(task.public) in told
    assert "medal: gold" in told
    assert "it ran" in told
    assert "\x1b" not in told


def test_the_end_of_input_ends_a_script_and_then_the_episode(
    task: Task, keyboard: Type, ran: list[str]
) -> None:
    keyboard(f"code\nx = 1\n{END_OF_INPUT}{END_OF_INPUT}")
    rollout = played(task)
    assert ran == ["x = 1\n"]
    assert rollout.termination == "answer"
    assert rollout.reward is not None


def test_lines_are_edited_by_the_terminal(task: Task, keyboard: Type, ran: list[str]) -> None:
    keyboard("code\nx = 2\x7f1\n.\nanswer\n")
    played(task)
    assert ran == ["x = 1\n"]


def test_an_editor_opens_with_the_last_script(
    task: Task,
    keyboard: Type,
    ran: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    script = tmp_path / "editor.py"
    script.write_text("import sys\nwith open(sys.argv[1], 'a') as file:\n    file.write('y\\n')\n")
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", f"{sys.executable} {script}")
    keyboard("code\nx\n.\nedit\nedit\nanswer\n")
    played(task)
    assert ran == ["x\n", "x\ny\n", "x\ny\ny\n"]


@pytest.mark.parametrize(
    ("editor", "message"),
    [("", "set EDITOR"), ("false", "exit code 1"), ("no-such-editor", "no-such-editor")],
)
def test_no_editor_is_told(
    task: Task,
    keyboard: Type,
    ran: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    editor: str,
    message: str,
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", editor)
    keyboard("edit\nanswer\n")
    assert played(task).termination == "answer"
    assert message in capsys.readouterr().out
    assert ran == []


def test_a_file_of_one_s_own_runs(
    task: Task,
    keyboard: Type,
    ran: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "mine.py"
    path.write_text("z = 3\n")
    keyboard(f"run {path}\nrun {path}.gone\nanswer\n")
    played(task)
    assert ran == ["z = 3\n"]
    assert "No such file" in capsys.readouterr().out


def test_what_is_no_command_costs_no_turn(
    task: Task, keyboard: Type, ran: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    keyboard("import pandas\n\nhelp\ncode\n.\nanswer\n")
    rollout = played(task)
    assert len(rollout.steps) == 1
    told = capsys.readouterr().out
    assert "There is no command 'import'" in told
    assert "No code, nothing run." in told


def test_time_runs_out_without_a_key(task: Task, keyboard: Type, ran: list[str]) -> None:
    started = time.monotonic()
    rollout = played(task, Settings(seconds=0.3))
    assert rollout.termination == "time_limit"
    assert time.monotonic() - started < 10


def test_input_may_come_from_a_file_and_end_early(
    task: Task, ran: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "typed.txt"
    path.write_text("code\nx\n.\nscore")
    with path.open() as file:
        monkeypatch.setattr(sys, "stdin", file)
        rollout = played(task)
    assert ran == ["x\n"]
    assert rollout.termination == "answer"
    assert len(rollout.steps) == 3


SCRIPT = """
    import asyncio, sys
    from pathlib import Path
    from sandmle.play import play as module
    from sandmle.play.policies import load_policy
    from sandmle.play.settings import Settings
    from sandmle.play.task import Task
    from tests.play.conftest import FakeSandbox, result

    async def open_fake(public, **choices):
        return FakeSandbox(lambda code: result())

    module.open_sandbox = open_fake
    folder, out = Path(sys.argv[1]), Path(sys.argv[2])
    public = folder / "prepared/public"
    task = Task("t", folder, public, "t", "tabular", "binary", "roc_auc", False, None, {})
    asyncio.run(module.play([task], [load_policy("human", settings=Settings())], out=out))
"""


def test_ctrl_c_stops_at_once(task: Task, tmp_path: Path) -> None:
    master, slave = pty.openpty()
    out = tmp_path / "rollouts.jsonl"
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(SCRIPT), task.folder, out],
        stdin=slave,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("--- turn 1 "):
                break
        os.kill(process.pid, signal.SIGINT)
        _, told = process.communicate(timeout=20)
    finally:
        process.kill()
        os.close(slave)
        os.close(master)
    assert told.rstrip().endswith("KeyboardInterrupt")
    assert "never retrieved" not in told
    assert list(read_rollouts(out)) == []
