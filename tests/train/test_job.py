"""A training's job goes on where it was left, and hands on what users want."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from sandmle.build.lock import hold_lock
from sandmle.train.job import hand_on, train_here
from tests.train import standing_in

LAUNCH = f"{sys.executable} {standing_in.__file__}"


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to train in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path / "played"


def train(folder: Path) -> int:
    return train_here(Path("mine.yaml"), folder, corpus=Path(), launch=LAUNCH)


def test_it_begins_goes_on_and_is_done_once(played: Path) -> None:
    Path("broken").touch()
    assert train(played) == 1
    Path("broken").unlink()
    assert train(played) == 0
    assert train(played) == 0
    assert Path("calls.log").read_text().splitlines() == ["played False", "played True"]


def test_only_one_trains_in_a_folder(played: Path) -> None:
    with hold_lock(played), pytest.raises(BlockingIOError, match="another process trains here"):
        train(played)
    assert not Path("calls.log").exists()


def test_policies_are_handed_on_without_what_only_their_trainer_needs(played: Path) -> None:
    assert train(played) == 0
    run = played.parent / "run"
    (run / "best").mkdir(parents=True)
    (run / "best" / "old.safetensors").touch()
    hand_on(played, run)
    assert sorted(str(path.relative_to(run)) for path in run.rglob("*") if path.is_file()) == [
        "best/model.safetensors",
        "config.json",
        "last/model.safetensors",
        "metrics.jsonl",
        "summary.json",
        "train/step-00001/rollouts.jsonl",
        "validation/step-00001/rollouts.jsonl",
    ]
    assert (run / "best" / "model.safetensors").read_text() == "model.safetensors 1"
    assert (run / "last" / "model.safetensors").read_text() == "model.safetensors 2"
    kept = played / "checkpoint-2" / "model.safetensors"
    assert (run / "last" / "model.safetensors").samefile(kept), "large files are linked"
