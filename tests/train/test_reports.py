"""TensorBoard and W&B show what metrics.jsonl holds, where they are installed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import pytest

from sandmle.train import needs
from sandmle.train.configuration import Training
from sandmle.train.dataset import Tasks
from sandmle.train.metrics import read_metrics
from tests.train.extra import needs_train

remembering = pytest.mark.usefixtures("remembered")


def has(package: str) -> pytest.MarkDecorator:
    is_missing = find_spec(package) is None
    return pytest.mark.skipif(is_missing, reason=f"needs {package}: pip install {package}")


@needs_train
@remembering
@has("tensorboard")
def test_tensorboard_shows_all_numbers_of_training_and_validation(
    tasks: Tasks, small: Callable[..., Training], tmp_path: Path
) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    from sandmle.train.run import train_on

    training = replace(small(steps=2, every=1), report=("tensorboard",))
    train_on(training, tasks, corpus=tmp_path, out=tmp_path / "run")
    (events,) = (tmp_path / "run").rglob("events.out.tfevents.*")
    shown = EventAccumulator(str(events)).Reload()
    for split, place, names in (
        ("train", "train", ("reward", "any_medal", "dead_groups", "valid", "format")),
        ("validation", "eval", ("reward", "any_medal", "valid", "format")),
    ):
        lines = read_metrics(tmp_path / "run" / "metrics.jsonl")
        for name in names:
            expected = {line["step"]: line[name] for line in lines if line["split"] == split}
            found = {event.step: event.value for event in shown.Scalars(f"{place}/{name}")}
            assert found == pytest.approx(expected), name
    scalars = shown.Tags()["scalars"]
    assert "train/seconds/generate" in scalars
    assert any(name.startswith("train/reward_by_task/") for name in scalars)


@needs_train
@remembering
@has("wandb")
def test_wandb_shows_them_too(
    tasks: Tasks,
    small: Callable[..., Training],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Offline: nothing leaves this machine."""
    import wandb

    from sandmle.train.run import train_on

    monkeypatch.setenv("WANDB_MODE", "offline")
    monkeypatch.setenv("WANDB_DIR", str(tmp_path))
    logged: dict[str, float] = {}
    log = wandb.Run.log

    def listen(run: wandb.Run, data: dict[str, float], **more: object) -> None:
        logged.update(data)
        log(run, data, **more)

    monkeypatch.setattr(wandb.Run, "log", listen)
    training = replace(small(steps=2, every=1), report=("wandb",))
    train_on(training, tasks, corpus=tmp_path, out=tmp_path / "run")
    wandb.finish()
    lines = {line["split"]: line for line in read_metrics(tmp_path / "run" / "metrics.jsonl")}
    for split, place in (("train", "train"), ("validation", "eval")):
        for name in ("reward", "any_medal"):
            assert logged[f"{place}/{name}"] == pytest.approx(lines[split][name])
    assert list(tmp_path.rglob("*.wandb"))


@needs_train
@pytest.mark.parametrize("origin", [None, "folder"])
def test_one_that_is_missing_is_named_before_anything_loads(
    origin: str | None, small: Callable[..., Training], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder `wandb`, as runs leave one, is no package."""
    left = None if origin is None else SimpleNamespace(origin=None)
    there = SimpleNamespace(origin="there")
    monkeypatch.setattr(needs, "find_spec", lambda name: left if name == "wandb" else there)
    lacking = needs.missing(replace(small(), report=("wandb",)))
    assert lacking == "report: wandb is not installed: pip install wandb"
