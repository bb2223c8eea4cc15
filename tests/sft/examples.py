"""Rollouts that won a medal, made by hand, and a corpus that holds their tasks."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from sandmle.build.index import INDEX_FILE, index_line
from sandmle.build.verdict import VERDICT_FILE, Verdict, dump_verdict
from sandmle.play.conversation import Message, ToolCall
from sandmle.play.reward import load_weights, reward
from sandmle.play.rollout import Rollout, rollout_line
from sandmle.spec.model import Thresholds
from tests.play.examples import rollout, submission

SPEC = "1" * 64


def won(
    *codes: str,
    task: str = "example",
    medal: str | None = "silver",
    score: float = 0.85,
    answer: str = "<think>done</think><answer>done</answer>",
    **changes: object,
) -> Rollout:
    """A rollout that ran these codes, one a turn, and was graded and paid as an episode is."""
    messages = [Message("system", "rules"), Message("user", f"the task {task}")]
    for number, code in enumerate(codes or ("print('é')",)):
        call = ToolCall(f"call_{number}", "python", {"code": code})
        messages += [
            Message("assistant", "<think>so</think>", (call,)),
            Message("tool", "exit code 0", tool_call_id=call.id),
        ]
    look = ToolCall("look", "score", {})
    messages += [
        Message("assistant", "<think>and now?</think>", (look,)),
        Message("tool", "silver", tool_call_id="look"),
        Message("assistant", answer),
    ]
    weights = load_weights("paper")
    graded = replace(
        submission(above_median=True, medal=medal),
        score=score,
    )
    played = rollout(
        graded,
        task=task,
        messages=tuple(messages),
        digests={"spec": SPEC, "weights": weights.digest},
    )
    played = replace(played, **changes)  # type: ignore[arg-type]
    return played if "reward" in changes else replace(played, reward=reward(played, weights))


def write(path: Path, rollouts: Iterable[Rollout]) -> Path:
    """A file of rollouts."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(map(rollout_line, rollouts)))
    return path


def corpus(folder: Path, **splits: str) -> Path:
    """A corpus with built tasks of these ids and splits."""
    (folder / "specs").mkdir(parents=True)
    lines = []
    for name, split in splits.items():
        verdict = Verdict(
            id=name,
            accepted=True,
            reasons=(),
            version="0",
            engine="0",
            spec=SPEC,
            modality="tabular",
            task="binary",
            metric="roc_auc",
            split=split,
            thresholds=Thresholds(0.6, 0.7, 0.8, 0.9),
        )
        public = folder / "build" / "tasks" / name / "prepared" / "public"
        public.mkdir(parents=True)
        (public / "description.md").write_text("what to do")
        (public.parent.parent / VERDICT_FILE).write_text(dump_verdict(verdict))
        lines.append(index_line(verdict))
    (folder / "build" / INDEX_FILE).write_text("".join(lines))
    return folder


def read_lines(path: Path) -> list[dict[str, object]]:
    """The rows of JSON Lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
