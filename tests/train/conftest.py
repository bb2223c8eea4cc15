"""Four built tasks of different modalities, each won by another pipeline."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sandmle.compiler.compile import compile_spec, write_compiled
from sandmle.play.task import Task
from sandmle.resources import resource
from sandmle.spec.load import load_spec
from sandmle.spec.model import Thresholds
from sandmle.train.configuration import Training, load_training
from sandmle.train.dataset import Tasks
from tests.train.remembering import Memory, remembering

#: What a build found for each; medals of the others are as good.
THRESHOLDS = {
    "bridge-fatigue": Thresholds(median=0.2997, bronze=0.5341, silver=0.7217, gold=0.8624),
    "club-form": Thresholds(median=0.3118, bronze=0.2285, silver=0.162, gold=0.112),
    "education-track-2": Thresholds(median=0.48, bronze=0.6657, silver=0.8143, gold=0.9258),
    "environment-first-measure": Thresholds(
        median=0.6698, bronze=0.5132, silver=0.3878, gold=0.2938
    ),
}

#: tiny.yaml, smaller.
SMALL = """\
seed: {seed}
model: {{path: tiny, precision: float32}}
data: {{order: {order}}}
episode: {{reward: {reward}, turns: {turns}, libraries: [scikit-learn]}}
generation: {{engine: transformers, prompt_tokens: 512, completion_tokens: 512, turn_tokens: 1}}
optimisation:
  steps: {steps}
  tasks: {tasks}
  rollouts: {rollouts}
  microbatch: {microbatch}
  learning_rate: 2.0e-3
  adam_epsilon: 1.0e-4
evaluation: {{every: {every}}}
checkpoints: {{every: {every}}}
"""
DEFAULTS: dict[str, object] = {
    "seed": 0,
    "order": "shuffled",
    "reward": "paper",
    "turns": 2,
    "steps": 4,
    "tasks": 4,
    "rollouts": 4,
    "microbatch": 16,
    "every": 2,
}


@pytest.fixture(scope="session")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> Tasks:
    """The tasks, to learn from; the first one stands for validation, too."""
    root = tmp_path_factory.mktemp("corpus")
    found = tuple(_built(name, root / "tasks" / name) for name in sorted(THRESHOLDS))
    return Tasks(train=found, validation=found[:1])


def _built(name: str, folder: Path) -> Task:
    spec = load_spec(resource("specs") / "tasks" / f"{name}.yaml")
    compiled = compile_spec(spec, thresholds=THRESHOLDS[name])
    write_compiled(compiled, folder)
    command = [sys.executable, "-I", folder / "generate.py", "--out", folder / "prepared"]
    subprocess.run(command, check=True)
    public = folder / "prepared" / "public"
    (public / "description.md").write_text(compiled.description)
    return Task(
        id=name,
        folder=folder,
        public=public,
        description=compiled.description,
        modality=spec.dna.modality,
        task=spec.dna.task,
        metric="",
        is_lower_better=THRESHOLDS[name].gold < THRESHOLDS[name].median,
        thresholds=THRESHOLDS[name],
        digests={"spec": spec.digest},
    )


@pytest.fixture(scope="session")
def memory() -> Memory:
    """What the real sandbox said, for all tests."""
    return {}


@pytest.fixture
def remembered(monkeypatch: pytest.MonkeyPatch, memory: Memory) -> None:
    """Lets every script run once on each task in the real sandbox, and not again."""
    monkeypatch.setattr("sandmle.play.play.open_sandbox", remembering(memory))


@pytest.fixture
def small(tmp_path: Path) -> Callable[..., Training]:
    """Makes trainings of a few steps."""

    def make(**changes: object) -> Training:
        path = tmp_path / "small.yaml"
        path.write_text(SMALL.format(**(DEFAULTS | changes)))
        return load_training(path)

    return make
