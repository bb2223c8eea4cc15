"""The demo's training: what it tells, and when it trains. What trains is a stand-in."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from sandmle.demo import training as demo
from sandmle.demo.training import Trained, show_training, train_demo
from sandmle.train.configuration import Data, Model, Training
from sandmle.train.dataset import Tasks
from tests.evaluation.conftest import TASKS, verdict, write_index, write_task

TRAINING = Training(Model(path="tiny", precision="float32"), data=Data(modalities=("tabular",)))


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus of tasks that look built."""
    verdicts = [verdict(*task) for task in TASKS]
    for found in verdicts:
        write_task(tmp_path, found)
    write_index(tmp_path, verdicts)
    return tmp_path


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each training was a resumed one."""
    found: list[bool] = []

    def train_on(
        training: Training,
        tasks: Tasks,
        *,
        corpus: Path,
        out: Path,
        resume: bool,
        progress: Callable[[Mapping[str, Any]], None],
    ) -> None:
        found.append(resume)
        out.mkdir(parents=True, exist_ok=True)
        (out / "config.json").write_text("{}")
        line: dict[str, Any] = {"step": 1, "split": "train", "reward": None, "seconds": {}}
        progress(line)
        if len(found) == 1:
            raise KeyboardInterrupt
        lines = [line | {"reward": reward} for reward in (0.1, 0.4)]
        lines += [
            line | {"split": "validation", "step": step, "reward": 0.3, "any_medal": medal}
            for step, medal in ((0, 1 / 6), (30, 7 / 12))
        ]
        (out / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        summary = {"before": {"any_medal": 1 / 6}, "after": {"any_medal": 7 / 12}, "best": None}
        (out / "summary.json").write_text(json.dumps(summary))

    monkeypatch.setattr(demo, "train_on", train_on)
    monkeypatch.setattr(demo, "missing", lambda training: None)
    return found


def test_an_interrupted_training_goes_on_and_a_whole_one_stays(
    corpus: Path, calls: list[bool]
) -> None:
    with pytest.raises(KeyboardInterrupt):
        train_demo(TRAINING, corpus)
    trained = train_demo(TRAINING, corpus)
    assert not trained.already
    assert trained.page.is_file()
    assert train_demo(TRAINING, corpus).already
    assert calls == [False, True]


def test_it_tells_medals_before_and_after(corpus: Path, calls: list[bool]) -> None:
    calls.append(False)
    trained: Trained = train_demo(TRAINING, corpus)
    told = show_training(trained, width=80).plain
    assert told.endswith("held-out tasks that win a medal: 17% before, 58% after")
    assert "●" in told


def test_what_is_missing_is_told(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "missing", lambda training: "pip install it")
    with pytest.raises(ModuleNotFoundError, match="pip install it"):
        train_demo(TRAINING, corpus)
