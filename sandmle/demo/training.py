"""The demo's last part: a model that is made on the spot learns on the demo's tasks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.text import Text

from sandmle.cli.terminal import progress
from sandmle.curves.page import write_training_page
from sandmle.curves.runs import TRAINING_PAGE
from sandmle.curves.terminal import training_plot
from sandmle.resources import resource
from sandmle.train.configuration import Training, load_training
from sandmle.train.dataset import Tasks, choose_tasks
from sandmle.train.files import CONFIG_FILE, SUMMARY_FILE
from sandmle.train.needs import missing
from sandmle.train.run import train_on
from sandmle.train.target import name_of

#: The shipped training file.
FILE = "tiny"


@dataclass(frozen=True)
class Trained:
    """A training that is done: its folder, what it was of, and whether it was done before."""

    run: Path
    tasks: Tasks
    already: bool

    @property
    def page(self) -> Path:
        """The page about it."""
        return self.run / TRAINING_PAGE

    @property
    def medals(self) -> tuple[str, str]:
        """Shares of the held-out tasks' episodes that won a medal, before and after."""
        summary = json.loads((self.run / SUMMARY_FILE).read_text(encoding="utf-8"))
        before, after = (summary[name]["any_medal"] for name in ("before", "after"))
        return _share(before), _share(after)


def shipped_training() -> Training:
    """The training that the demo shows."""
    return load_training(resource("training") / f"{FILE}.yaml")


def train_demo(training: Training, corpus: Path) -> Trained:
    """Trains on tasks of the corpus, in a folder that is named by what is trained on what.

    What was done there is not done again, and what was interrupted goes on. Raises
    ModuleNotFoundError where the extra is missing, FileNotFoundError and ValueError where a task
    is, SandboxError where no sandbox works here.
    """
    lacking = missing(training)
    if lacking:
        raise ModuleNotFoundError(lacking)
    tasks = choose_tasks(corpus, training.data, seed=training.seed)
    run = corpus / "runs" / f"{FILE}-{name_of(training, tasks)}"
    trained = Trained(run, tasks, already=(run / SUMMARY_FILE).is_file())
    if not trained.already:
        with _steps(training.optimisation.steps) as show:
            resume = (run / CONFIG_FILE).is_file()
            train_on(training, tasks, corpus=corpus, out=run, resume=resume, progress=show)
    write_training_page([run], trained.page)
    return trained


@contextmanager
def _steps(count: int) -> Iterator[Callable[[Mapping[str, Any]], None]]:
    """A progress bar over the steps, which tells the last one's reward."""
    with progress() as bars:
        bar = bars.add_task("training", total=count)

        def show(line: Mapping[str, Any]) -> None:
            if line["split"] == "train":
                told = "" if line["reward"] is None else f", reward {line['reward']:.2f}"
                bars.update(bar, completed=line["step"], description=f"training{told}")

        yield show


def show_training(trained: Trained, *, width: int) -> Text:
    """The plot of a training, and how often its held-out tasks won a medal before and after."""
    before, after = trained.medals
    return Text.assemble(
        training_plot(trained.run, width=width),
        "\n\nheld-out tasks that win a medal: ",
        (f"{before} before, {after} after", "bold"),
    )


def _share(share: float | None) -> str:
    return "?" if share is None else f"{share:.0%}"
