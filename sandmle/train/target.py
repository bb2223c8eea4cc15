"""What the Snakefile's target `train` has to know: when what is trained on what has changed."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sandmle import __version__
from sandmle.play.reward import load_weights
from sandmle.train.configuration import Training, load_training, training_file
from sandmle.train.dataset import Tasks, choose_tasks
from sandmle.train.folder import configuration
from sandmle.train.supervised import is_supervised
from sandmle.writing import write_whole

#: The file that a training depends on, in the folder of its results.
WANTED_FILE = "wanted.json"


def stamp(run: Path, given: str, *, corpus: Path) -> Path:
    """The stamp in a folder for results, written only where what is trained on what has changed.

    `given` is a training file or a shipped one's name. Comments in it, tasks that it does not
    choose and an index that was written anew change nothing. Raises SpecError for a broken file,
    FileNotFoundError and ValueError where the corpus does not hold what it asks for.
    """
    file = training_file(Path(given))
    if is_supervised(file):
        raise ValueError(f"{file}: learns from recorded rollouts, not on tasks: use sandmle train")
    training = load_training(file)
    tasks = choose_tasks(corpus, training.data, seed=training.seed)
    path = run / WANTED_FILE
    text = json.dumps(wanted(training, tasks), indent=1) + "\n"
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        run.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)
    return path


def wanted(training: Training, tasks: Tasks) -> dict[str, Any]:
    """All that decides on what comes of a training, but the code: settings, weights, tasks."""
    found = configuration(training, tasks)
    del found["version"]
    return {
        **found,
        "reward": asdict(load_weights(training.episode.reward)),
        "thresholds": {
            task.id: task.thresholds and asdict(task.thresholds)
            for task in (*tasks.train, *tasks.validation)
        },
    }


def name_of(training: Training, tasks: Tasks) -> str:
    """Twelve hexadecimal digits for a folder in which this, and nothing else, is trained."""
    content = {"version": __version__, **wanted(training, tasks)}
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:12]
