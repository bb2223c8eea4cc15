"""Every policy plays in the real sandbox: one row for each."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from sandmle.play.play import play
from sandmle.play.policies import load_policy, policy_names
from sandmle.play.rollout import Rollout, Termination, read_rollouts
from sandmle.play.settings import Settings
from sandmle.play.task import Task
from sandmle.sandbox import Limits

#: Enough for the solvers on a busy machine.
SOLVING = Settings()
#: Little enough for a loop to end soon, and memory to be full soon.
STRICT = Settings(turns=8, step=Limits(wall_seconds=3, memory_bytes=256 * 2**20))

# policy, settings, how its episode ends, the rewards that it may earn
ROWS: list[tuple[str, Settings, Termination, tuple[float, float]]] = [
    ("dummy", SOLVING, "answer", (0.4, 0.4)),
    ("naive", SOLVING, "answer", (0.7, 1.0)),
    ("honest", SOLVING, "answer", (0.7, 1.0)),
    ("naive:0.5", SOLVING, "answer", (0.4, 1.0)),
    ("honest:0.25", SOLVING, "answer", (0.4, 1.0)),
    ("broken", STRICT, "repetition", (0.0, 0.0)),  # the id of the task makes it babble
    ("broken:crashes", STRICT, "answer", (0.1, 0.1)),
    ("broken:loops", STRICT, "answer", (0.1, 0.1)),
    ("broken:hoards", STRICT, "answer", (0.1, 0.1)),
    ("broken:submits_badly", STRICT, "answer", (0.1, 0.1)),
    ("broken:forges", STRICT, "answer", (0.1, 0.1)),
    ("broken:pries", Settings(), "answer", (0.1, 0.1)),
    ("broken:garbles", STRICT, "answer", (0.02, 0.02)),
    ("broken:babbles", STRICT, "repetition", (0.0, 0.0)),
]


#: Policies that something else plays through; each has a test file of its own.
PLAYED_BY_OTHERS = {"human", "replay", "openai"}


def test_every_policy_has_a_row() -> None:
    rows = {row[0].partition(":")[0] for row in ROWS}
    assert rows | PLAYED_BY_OTHERS == set(policy_names())


@pytest.mark.parametrize(("name", "settings", "termination", "rewards"), ROWS)
def test_it_plays(
    task: Task,
    tmp_path: Path,
    name: str,
    settings: Settings,
    termination: Termination,
    rewards: tuple[float, float],
) -> None:
    out = tmp_path / "rollouts.jsonl"
    (rollout,) = asyncio.run(play([task], [load_policy(name)], settings=settings, out=out))
    assert list(read_rollouts(out)) == [rollout]
    assert rollout.policy == name
    assert rollout.termination == termination
    assert rollout.error is None
    assert rollout.isolated
    assert rollout.reward is not None
    assert rewards[0] <= rollout.reward.total <= rewards[1]
    check_way(name, rollout)


def check_way(name: str, rollout: Rollout) -> None:
    """That a policy did what its row is there for."""
    calls = [call for step in rollout.steps for call in step.calls]
    if name == "broken:crashes":
        assert [call.exit_code for call in calls[:3]] == [139, 3, 1]
    if name == "broken:loops":
        assert calls[0].timed_out
    if name == "broken:hoards":
        assert calls[0].out_of_memory
    if name == "broken:submits_badly":
        assert [found.valid for found in rollout.submissions] == [False] * 3
    if name in ("broken:forges", "broken:garbles", "broken:babbles"):
        assert rollout.submission is None
    if name == "broken:pries":
        assert rollout.submission is not None
        assert "link" in (rollout.submission.reason or "")
        assert "answers: []" in rollout.messages[3].content


def test_broken_goes_wrong_in_every_way_over_a_corpus(task: Task) -> None:
    broken = load_policy("broken")
    replies = {
        str(asyncio.run(broken.respond((), replace(task, id=f"task-{number}"))))
        for number in range(60)
    }
    assert len(replies) == sum(row[0].startswith("broken:") for row in ROWS)


def test_digests_tell_policies_apart() -> None:
    digests = [load_policy(name).digest for name, *_ in ROWS]
    assert len(set(digests)) == len(digests)
    assert load_policy("honest").digest == load_policy("honest").digest


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("onest", "did you mean 'honest'?"),
        ("", "there are broken, dummy"),
        ("../honest", "no policy"),
        ("honest:hard", "at most 1, as in honest:0.25; not 'hard'"),
        ("naive:0", "takes the share of the training rows"),
        ("naive:1.5", "takes the share of the training rows"),
        ("dummy:0.5", "takes no argument"),
        ("broken:windows", "has the ways crashes"),
    ],
)
def test_an_unknown_policy_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match="policy") as caught:
        load_policy(text)
    assert message in str(caught.value)
