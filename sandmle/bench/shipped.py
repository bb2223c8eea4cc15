"""Shipped tasks, built for a measurement."""

from __future__ import annotations

from pathlib import Path

from sandmle.build.build import build_task
from sandmle.play.task import Task, task_of
from sandmle.resources import resource


def build_shipped(name: str, folder: Path) -> Task:
    """A shipped task, built in a folder of its name in `folder`."""
    corpus = resource("specs").parent
    spec = corpus / "specs" / "tasks" / f"{name}.yaml"
    return task_of(folder / name, build_task(spec, folder / name, corpus=corpus))
