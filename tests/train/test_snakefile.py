"""The Snakefile's target `train`: what trains anew, and what does not.

What trains is a stand-in but for the last test: which jobs run follows from the Snakefile alone.
"""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sandmle.build.verdict import Verdict
from sandmle.resources import resource
from sandmle.train.configuration import Training
from sandmle.train.dataset import Tasks
from tests.evaluation.conftest import TASKS, verdict, write_index, write_task
from tests.train import standing_in
from tests.train.extra import needs_train
from tests.train.test_target import TRAINING

LAUNCH = f"launch={sys.executable} {standing_in.__file__}"


def snakemake(corpus: Path, *arguments: str) -> tuple[int, str]:
    command = [sys.executable, "-P", "-m", "snakemake", "-s", str(resource("Snakefile"))]
    command += ["--profile", str(resource("profiles") / "default"), "--cores", "2", "train"]
    done = subprocess.run(
        [*command, *arguments],
        cwd=corpus,
        env={**os.environ, "PYTHONPATH": str(Path(standing_in.__file__).parents[2])},
        capture_output=True,
        text=True,
        timeout=300,
    )
    return done.returncode, done.stdout + done.stderr


def trained(corpus: Path, *settings: str, fails: str = "") -> list[str]:
    """Trains; the folders in which that was done, and whether it was gone on there."""
    log = corpus / "calls.log"
    log.unlink(missing_ok=True)
    code, told = snakemake(corpus, "--config", "training=mine.yaml", "run=out", LAUNCH, *settings)
    assert (code != 0) == bool(fails), told
    assert fails in told
    return log.read_text().splitlines() if log.exists() else []


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus of tasks that look built, and a training file."""
    (tmp_path / "specs").mkdir()
    write(tmp_path, [verdict(*task) for task in TASKS])
    (tmp_path / "mine.yaml").write_text(TRAINING)
    return tmp_path


def write(corpus: Path, verdicts: list[Verdict]) -> None:
    for found in verdicts:
        write_task(corpus, found)
    write_index(corpus, verdicts)


def test_a_training_is_one_job_which_asks_for_what_it_needs(corpus: Path) -> None:
    settings = ("training=mine.yaml", "gpus=8", "mem_mb=64000", "runtime=2d")
    code, told = snakemake(corpus, "-n", "--quiet", "host", "--config", *settings)
    assert code == 0, told
    assert "mem_mb=64000" in told
    assert "runtime=2880" in told
    assert "gpu=8" in told
    assert "runs/mine/best" in told


def test_a_corpus_that_is_not_built_is_told(corpus: Path) -> None:
    (corpus / "build" / "index.jsonl").unlink()
    code, told = snakemake(corpus, "-n", "--config", "training=mine.yaml")
    assert code != 0
    assert "not built" in told


@pytest.mark.slow
def test_what_trains_anew_and_what_does_not(corpus: Path) -> None:
    (first,) = trained(corpus)
    assert trained(corpus) == []
    for file in (*corpus.glob("build/**/*.*"), corpus / "mine.yaml"):
        file.touch()
    (corpus / "mine.yaml").write_text(f"# A comment.\n{TRAINING}")
    verdicts = [verdict(*task) for task in TASKS]
    verdicts[1] = dataclasses.replace(verdicts[1], spec="a sound that is not trained on")
    write(corpus, verdicts)
    assert trained(corpus, "playing=elsewhere", "threads=1") == []

    (corpus / "mine.yaml").write_text(f"{TRAINING}seed: 1\n")
    (second,) = trained(corpus)
    verdicts[0] = dataclasses.replace(verdicts[0], spec="an edited one")
    write(corpus, verdicts)
    (third,) = trained(corpus)
    assert len({first, second, third}) == 3
    assert not any(line.endswith("True") for line in (first, second, third))

    write(corpus, [verdict(*task) for task in TASKS])
    assert trained(corpus) == [], "what was trained before is handed on again"
    assert json.loads((corpus / "out" / "summary.json").read_text())["best"] == "checkpoint-1"
    assert (corpus / "out" / "training.html").is_file()


@pytest.mark.slow
def test_a_training_that_was_ended_goes_on_and_another_begins(corpus: Path) -> None:
    (corpus / "broken").touch()
    (begun,) = trained(corpus, fails="it ended in the middle")
    assert not (corpus / "out" / "config.json").exists()
    (corpus / "mine.yaml").write_text(f"{TRAINING}seed: 1\n")
    (other,) = trained(corpus, fails="it ended in the middle")
    (corpus / "broken").unlink()
    (corpus / "mine.yaml").write_text(TRAINING)
    assert begun.endswith("False")
    assert other.endswith("False")
    assert trained(corpus) == [begun.replace("False", "True")]


@pytest.mark.slow
@needs_train
def test_a_real_training_leaves_policies_that_load(
    tasks: Tasks, small: Callable[..., Training], tmp_path: Path
) -> None:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    (tmp_path / "specs").mkdir()
    (tmp_path / "build" / "tasks").mkdir(parents=True)
    verdicts = []
    for task in tasks.train:
        (tmp_path / "build" / "tasks" / task.id).symlink_to(task.folder)
        split = "validation" if task in tasks.validation else "train"
        found = dataclasses.replace(
            verdict(task.id, task.modality, split), task=task.task, thresholds=task.thresholds
        )
        verdicts.append(found)
    write(tmp_path, verdicts)
    small(steps=2, every=1)
    arguments = ("--config", "training=small.yaml", "run=out")
    code, told = snakemake(tmp_path, *arguments)
    assert code == 0, told
    best = tmp_path / "out" / "best"
    assert AutoModelForCausalLM.from_pretrained(best).num_parameters() > 10_000
    assert len(AutoTokenizer.from_pretrained(best)) > 10
    assert (tmp_path / "out" / "training.html").is_file()
    code, told = snakemake(tmp_path, *arguments)
    assert code == 0
    assert "Nothing to be done" in told
