"""Runs that are played, stopped, continued and refused, in sandboxes that only pretend."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from sandmle.errors import BudgetSpent, EndpointError, RolloutError
from sandmle.evaluation.config import Config, make_config
from sandmle.evaluation.evaluate import Ended, Means, Stopped, evaluate
from sandmle.evaluation.run import ConflictError, begin, default_folder, read_config, read_run
from sandmle.evaluation.selection import select_tasks
from sandmle.play.conversation import Message, ToolCall, Turn
from sandmle.play.policies import Policy
from sandmle.play.reward import load_weights
from sandmle.play.rollout import RolloutWriter, read_rollouts
from sandmle.play.settings import Settings
from sandmle.play.task import Task
from tests.evaluation.conftest import summary_of, verdict, write_task
from tests.play.conftest import FakeSandbox

pytestmark = pytest.mark.usefixtures("boxes")


@dataclass
class Submitting:
    """Submits what `outcome` says of an episode's number, then answers; `before` may intervene."""

    name: str = "one"
    digest: str = "d" * 64
    outcome: Callable[[Task, int], str] = lambda task, attempt: "valid"
    before: Callable[[Task, int], None] = lambda task, attempt: None
    played: Counter[tuple[str, int]] = field(default_factory=Counter)

    def sampling(self, task: Task, attempt: int) -> None:
        pass

    async def respond(self, messages: Sequence[Message], task: Task, attempt: int = 0) -> Turn:
        if any(message.role == "tool" for message in messages):
            return Turn("<think>so</think>", answer="done")
        self.before(task, attempt)
        self.played[task.id, attempt] += 1
        await asyncio.sleep(0)
        code = {"code": self.outcome(task, attempt)}
        return Turn("<think>so</think>", (ToolCall("c", "python", code),))


def config_of(corpus: Path, policies: Mapping[str, Policy], **changes: object) -> Config:
    plain = make_config(
        policies,
        select_tasks(["all"], corpus=corpus),
        selections=["all"],
        limit=None,
        attempts=2,
        weights=load_weights("paper"),
        reward="paper",
        settings=Settings(score="validity", turns=5),
        options={},
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


def play(
    folder: Path,
    corpus: Path,
    *policies: Policy,
    means: Means = Means(concurrency=3),  # noqa: B008 - frozen
    **changes: object,
) -> Ended:
    by_name = {policy.name: policy for policy in policies}
    return evaluate(
        folder,
        config_of(corpus, by_name, **changes),
        by_name,
        select_tasks(["all"], corpus=corpus),
        weights=load_weights("paper"),
        means=means,
    )


def keys(folder: Path) -> Counter[tuple[str, str, int]]:
    rollouts = read_rollouts(folder / "rollouts.jsonl")
    return Counter((one.policy, one.task, one.attempt) for one in rollouts)


def test_a_run_is_a_folder(corpus: Path, tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "run"
    ended = play(folder, corpus, Submitting(outcome=lambda task, attempt: "silver"))
    assert ended.fault is None
    assert sorted(path.name for path in folder.iterdir()) == [
        "config.json",
        "rollouts.jsonl",
        "summary.json",
    ]
    assert set(keys(folder).values()) == {1}
    assert len(keys(folder)) == 10
    summary = summary_of(folder)
    assert (summary["complete"], summary["expected_rollouts"]) == (True, 10)
    assert (summary["silver"], summary["any_medal"]) == (1.0, 1.0)
    assert summary["by"]["difficulty"].keys() == {"hard"}  # type: ignore[index]
    assert read_run(folder).config == read_config(folder)
    assert read_run(folder).summary() == ended.run.summary()


def test_every_task_s_first_attempt_comes_before_any_second(corpus: Path, tmp_path: Path) -> None:
    play(tmp_path / "run", corpus, Submitting(), Submitting("two"))
    order = [one.attempt for one in read_rollouts(tmp_path / "run" / "rollouts.jsonl")]
    assert set(order[:8]) == {0}
    assert set(order[-8:]) == {1}


def stop_after(count: int, error: BaseException | signal.Signals) -> Callable[[Task, int], None]:
    """What happens when so many episodes have begun: an error, or a signal to this process."""
    begun = 0

    def before(task: Task, attempt: int) -> None:
        nonlocal begun
        begun += 1
        if begun == count:
            if isinstance(error, BaseException):
                raise error
            os.kill(os.getpid(), error)

    return before


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (EndpointError("http://x: no such model"), EndpointError),
        (BudgetSpent("nothing is left"), BudgetSpent),
        (signal.SIGINT, Stopped),
        (signal.SIGTERM, Stopped),
    ],
)
def test_what_stops_a_run_keeps_what_was_played_and_the_rest_is_played_later(
    corpus: Path, tmp_path: Path, error: BaseException | signal.Signals, fault: type[Exception]
) -> None:
    folder = tmp_path / "run"
    stopped = Submitting(before=stop_after(6, error))
    ended = play(folder, corpus, stopped)
    assert isinstance(ended.fault, fault)
    before = keys(folder)
    assert 3 <= len(before) < 10
    assert set(before.values()) == {1}
    assert summary_of(folder)["complete"] is False
    assert summary_of(folder)["rollouts"] == len(before)
    again = Submitting()
    assert play(folder, corpus, again).fault is None
    assert len(keys(folder)) == 10
    assert set(keys(folder).values()) == {1}
    assert not {(task, attempt) for _, task, attempt in before} & set(again.played)
    assert summary_of(folder)["complete"] is True


def test_a_finished_run_plays_nothing_and_sums_up_again(corpus: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    play(folder, corpus, Submitting())
    (folder / "summary.json").unlink()
    content = (folder / "rollouts.jsonl").read_bytes()
    again = Submitting()
    assert play(folder, corpus, again).run.rollouts == 10
    assert not again.played
    assert (folder / "rollouts.jsonl").read_bytes() == content
    assert summary_of(folder)["rollouts"] == 10


def test_a_torn_line_is_played_again(corpus: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    play(folder, corpus, Submitting())
    rollouts = folder / "rollouts.jsonl"
    rollouts.write_bytes(rollouts.read_bytes()[:-200])
    assert read_run(folder).rollouts == 9
    again = Submitting()
    play(folder, corpus, again)
    assert sum(again.played.values()) == 1
    assert set(keys(folder).values()) == {1}


def test_another_run_is_not_continued_and_is_told_what_differs(
    corpus: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    play(folder, corpus, Submitting())
    write_task(corpus, replace(verdict("cars", "image", "train"), spec="edited"))
    settings = Settings(score="test", turns=5)
    other = Submitting(digest="e" * 64)
    with pytest.raises(ConflictError) as caught:
        play(folder, corpus, other, attempts=3, settings=settings)
    assert str(caught.value).splitlines()[1:] == [
        "  attempts: 2, now 3",
        '  settings.score: "validity", now "test"',
        "  policy one: it has changed since",
        "  tasks: 1 were built anew and are others now: cars",
    ]
    assert not other.played


def test_a_folder_of_something_else_is_left_alone(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ConflictError, match="something else"):
        play(tmp_path, corpus, Submitting())
    assert not (tmp_path / "config.json").exists()


def test_two_processes_do_not_play_one_run(corpus: Path, tmp_path: Path) -> None:
    begin(tmp_path / "run", config_of(corpus, {"one": Submitting()}))
    with (
        RolloutWriter(tmp_path / "run" / "rollouts.jsonl"),
        pytest.raises(BlockingIOError, match="another run is writing"),
    ):
        play(tmp_path / "run", corpus, Submitting())


def test_a_shard_plays_its_part(corpus: Path, tmp_path: Path) -> None:
    for number in (1, 2):
        play(tmp_path / str(number), corpus, Submitting(), shard=f"{number}/2")
    played = [{task for _, task, _ in keys(tmp_path / name)} for name in ("1", "2")]
    assert played == [{"apples", "cars", "eggs"}, {"birds", "dogs"}]
    assert summary_of(tmp_path / "2")["expected_rollouts"] == 4


def test_the_sums_are_told_before_and_after_each_rollout(corpus: Path, tmp_path: Path) -> None:
    policies = {"one": Submitting(outcome=lambda task, attempt: "gold")}
    counts = []
    evaluate(
        tmp_path / "run",
        config_of(corpus, policies),
        policies,
        select_tasks(["all"], corpus=corpus),
        weights=load_weights("paper"),
        told=lambda tallies: counts.append((tallies.rollouts, tallies.told())),
    )
    assert [count for count, _ in counts] == list(range(11))
    assert counts[0][1] == "nothing scored yet"
    assert counts[-1][1] == "reward 1.00, valid 100%, medal 100%"


def test_a_default_folder_is_named_by_what_is_played(corpus: Path) -> None:
    policies = {"openai:org/model": Submitting("openai:org/model")}
    config = config_of(corpus, policies)
    folder = default_folder(corpus, config)
    assert folder.parent == corpus / "runs"
    assert folder.name.startswith("openai-org-model-all-")
    assert default_folder(corpus, replace(config, version="9")) == folder
    assert default_folder(corpus, replace(config, attempts=9)) != folder


def test_what_is_no_run_is_told(tmp_path: Path) -> None:
    with pytest.raises(RolloutError, match=r"there is no config\.json"):
        read_run(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps({"format": 99}))
    with pytest.raises(RolloutError, match="expected 1, got 99"):
        read_run(tmp_path)


def test_a_lone_file_of_rollouts_is_a_run_too(corpus: Path, tmp_path: Path) -> None:
    play(tmp_path / "run", corpus, Submitting())
    run = read_run(tmp_path / "run" / "rollouts.jsonl")
    assert (run.config, run.expected, run.rollouts) == (None, None, 10)
    assert run.summary().by["difficulty"].keys() == {"unknown"}


def test_sandboxes_are_closed(corpus: Path, tmp_path: Path, boxes: list[FakeSandbox]) -> None:
    play(tmp_path / "run", corpus, Submitting(before=stop_after(4, EndpointError("gone"))))
    assert boxes
    assert all(box.closed for box in boxes)


def test_what_was_unscored_is_played_again_where_that_is_asked_for(
    corpus: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "run"

    def fail(task: Task, attempt: int) -> None:
        if task.id == "cars":
            raise ConnectionError("the line is down")

    ended = play(folder, corpus, Submitting(before=fail))
    assert ended.fault is None
    assert ended.run.summary().errors == {"ConnectionError: the line is down": 2}
    again = Submitting()
    play(folder, corpus, again)
    assert not again.played  # they have ended, too
    play(folder, corpus, again, means=Means(retry_unscored=True))
    assert set(again.played) == {("cars", 0), ("cars", 1)}
    assert set(keys(folder).values()) == {1}
    assert summary_of(folder)["unscored"] == 0
