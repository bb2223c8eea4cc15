"""A corpus whose tasks look built, and sandboxes that only pretend to run code."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from sandmle.build.index import index_line
from sandmle.build.verdict import Rung, Verdict, dump_verdict
from sandmle.grading import Grade
from sandmle.play import play as playing
from sandmle.play.task import Task
from sandmle.sandbox import Sandbox
from sandmle.spec.model import Thresholds
from tests.play.conftest import FakeSandbox, result

#: Id, modality and split of the tasks.
TASKS = (
    ("apples", "tabular", "train"),
    ("birds", "audio", "validation"),
    ("cars", "image", "train"),
    ("dogs", "image", "validation"),
    ("eggs", "tabular", "validation"),
)


def verdict(name: str, modality: str, split: str, **changes: object) -> Verdict:
    """The verdict of a task whose naive rung goes a third of the way to the reference."""
    ladder = tuple(
        Rung(rung, rung, score)
        for rung, score in (("dummy", 0.5), ("naive", 0.6), ("honest", 0.7), ("reference", 0.8))
    )
    plain = Verdict(
        id=name,
        accepted=True,
        reasons=(),
        version="1",
        engine="e",
        spec=name * 3,
        modality=modality,
        task="binary",
        metric="roc_auc",
        split=split,
        thresholds=Thresholds(0.6, 0.7, 0.8, 0.9),
        ladder=ladder,
        hashes={"public": "1" * 64, "private": "2" * 64},
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


def write_task(corpus: Path, found: Verdict) -> None:
    """Writes what of a built task the evaluation reads."""
    public = corpus / "build" / "tasks" / found.id / "prepared" / "public"
    public.mkdir(parents=True, exist_ok=True)
    (public / "description.md").write_text(f"# {found.id}\n")
    (corpus / "build" / "tasks" / found.id / "verdict.json").write_text(dump_verdict(found))


def write_index(corpus: Path, verdicts: Sequence[Verdict]) -> None:
    """Writes the index of a corpus."""
    (corpus / "build" / "index.jsonl").write_text("".join(map(index_line, verdicts)))


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus of TASKS."""
    folder = tmp_path / "corpus"
    (folder / "specs").mkdir(parents=True)
    verdicts = [verdict(*task) for task in TASKS]
    for found in verdicts:
        write_task(folder, found)
    write_index(folder, verdicts)
    return folder


@pytest.fixture
def boxes(monkeypatch: pytest.MonkeyPatch) -> list[FakeSandbox]:
    """Every sandbox that was opened. What they are told to run is what they leave, and its grade:
    a medal's name, `median`, `valid` or anything else, which is not valid.
    """
    opened: list[FakeSandbox] = []

    async def open_fake(public: Path, **choices: object) -> Sandbox:
        opened.append(FakeSandbox(lambda code: result(code.encode())))
        return opened[-1]

    monkeypatch.setattr(playing, "open_sandbox", open_fake)
    monkeypatch.setattr(playing, "choose_backend", lambda *choices: "fake")
    monkeypatch.setattr("sandmle.evaluation.evaluate.choose_backend", lambda *choices: "fake")
    monkeypatch.setattr(playing, "_graders", lambda: contextlib.nullcontext(grade))
    return opened


def grade(task: Task, submission: bytes) -> Grade:
    """The grade that a submission names."""
    name = submission.decode()
    medal = name if name in ("bronze", "silver", "gold") else None
    valid = medal is not None or name in ("median", "valid")
    reason = None if valid else "no"
    above = medal is not None or name == "median"
    return Grade(valid, 0.5 if valid else None, medal, above, reason, task.thresholds, False)


def summary_of(folder: Path) -> dict[str, object]:
    """The summary that lies in a run's folder."""
    data: dict[str, object] = json.loads((folder / "summary.json").read_text())
    return data


Play = Callable[..., object]
