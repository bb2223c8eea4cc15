"""What a training depends on, and what it does not."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from sandmle.errors import SpecError
from sandmle.spec.model import Thresholds
from sandmle.train.configuration import load_training
from sandmle.train.dataset import choose_tasks
from sandmle.train.target import name_of, stamp
from tests.evaluation.conftest import TASKS, verdict, write_index, write_task

TRAINING = """\
model: {path: tiny, precision: float32}
data: {modalities: [tabular, image]}
generation: {engine: transformers}
"""
WEIGHTS = """\
format: 0.1
executes: 0.2
milestones: cumulative
median: 0.1
bronze: 0.1
silver: 0.1
gold: 0.1
"""


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus of tasks that look built; there is a sound among them that is not trained on."""
    verdicts = [verdict(*task) for task in TASKS]
    for found in verdicts:
        write_task(tmp_path, found)
    write_index(tmp_path, verdicts)
    (tmp_path / "mine.yaml").write_text(TRAINING)
    return tmp_path


def stamped(corpus: Path) -> tuple[int, str]:
    """When the stamp was written, and what it holds."""
    path = stamp(corpus / "run", str(corpus / "mine.yaml"), corpus=corpus)
    return path.stat().st_mtime_ns, path.read_text()


def test_it_holds_the_settings_and_the_tasks_of_both_splits(corpus: Path) -> None:
    _, text = stamped(corpus)
    found = json.loads(text)
    assert found["tasks"]["train"].keys() == {"apples", "cars"}
    assert found["tasks"]["validation"].keys() == {"dogs", "eggs"}
    assert found["tasks"]["train"]["cars"] == {
        "spec": "cars" * 3,
        "public": "1" * 64,
        "private": "2" * 64,
    }
    assert found["training"]["optimisation"]["steps"] == 80
    assert found["reward"]["milestones"]["gold"] == 0.1


def test_what_does_not_matter_leaves_it_alone(corpus: Path) -> None:
    before = stamped(corpus)
    (corpus / "mine.yaml").write_text(f"# A comment.\n{TRAINING}seed: 0\n")
    assert stamped(corpus) == before, "a comment, and what is the default anyway"
    verdicts = [verdict(*task) for task in TASKS]
    verdicts[1] = replace(verdicts[1], spec="another")
    write_task(corpus, verdicts[1])
    write_index(corpus, [*verdicts[1:], verdicts[0]])
    assert stamped(corpus) == before, "a task that is not trained on, and the index's order"
    (corpus / "build" / "report.html").write_text("")
    (corpus / "build" / "tasks" / "cars" / "examination.json").write_text("{}")
    assert stamped(corpus) == before, "what was added"


@pytest.mark.parametrize(
    "change",
    [
        {"spec": "another"},
        {"hashes": {"public": "3" * 64, "private": "2" * 64}},
        {"thresholds": Thresholds(0.6, 0.7, 0.8, 0.95)},
        {"split": "validation"},
        {"accepted": False, "reasons": ("bad",)},
    ],
)
def test_a_task_that_changed_changes_it(corpus: Path, change: dict[str, object]) -> None:
    _, before = stamped(corpus)
    write_task(corpus, replace(verdict(*TASKS[2]), **change))  # type: ignore[arg-type]
    assert stamped(corpus)[1] != before


def test_a_setting_that_changed_changes_it_and_the_weights_of_the_reward(corpus: Path) -> None:
    weights = corpus / "weights.yaml"
    weights.write_text(WEIGHTS)
    (corpus / "mine.yaml").write_text(f"{TRAINING}episode: {{reward: {weights}}}\n")
    _, first = stamped(corpus)
    weights.write_text(WEIGHTS.replace("gold: 0.1", "gold: 0.2"))
    _, second = stamped(corpus)
    (corpus / "mine.yaml").write_text(f"{TRAINING}episode: {{reward: {weights}, turns: 3}}\n")
    _, third = stamped(corpus)
    assert len({first, second, third}) == 3


def test_folders_to_train_in_are_told_apart_as_stamps_are(corpus: Path) -> None:
    training = load_training(corpus / "mine.yaml")
    tasks = choose_tasks(corpus, training.data, seed=0)
    name = name_of(training, tasks)
    assert name == name_of(load_training(corpus / "mine.yaml"), tasks)
    assert name != name_of(replace(training, seed=1), tasks)
    fewer = replace(tasks, train=tasks.train[1:])
    assert name != name_of(training, fewer)


def test_a_broken_file_and_a_corpus_without_tasks_write_nothing(corpus: Path) -> None:
    (corpus / "mine.yaml").write_text("model: {path: tiny}\nsteps: 3\n")
    with pytest.raises(SpecError, match=r"mine\.yaml:2:1"):
        stamped(corpus)
    (corpus / "mine.yaml").write_text("method: sft\n")
    with pytest.raises(ValueError, match="learns from recorded rollouts"):
        stamped(corpus)
    (corpus / "mine.yaml").write_text(TRAINING)
    (corpus / "build" / "index.jsonl").unlink()
    with pytest.raises(FileNotFoundError, match="not built"):
        stamped(corpus)
    assert not (corpus / "run").exists()
