"""The whole line in a few minutes: a real data set, drafts, tasks, policies, rewards, training."""

from __future__ import annotations

import asyncio
import functools
import itertools
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.text import Text

from sandmle.build.judge import faults
from sandmle.build.run import build_corpus
from sandmle.build.verdict import Verdict
from sandmle.cli.new_corpus import corpus_files, write_corpus
from sandmle.cli.terminal import counting, progress
from sandmle.demo.training import Trained, shipped_training, show_training, train_demo
from sandmle.play.play import play
from sandmle.play.policies import load_policy
from sandmle.play.rollout import Rollout
from sandmle.play.settings import Settings
from sandmle.play.task import load_tasks
from sandmle.report.overview import Overview, plays_by_task, read_overview
from sandmle.report.page import write_page
from sandmle.report.played import policies_table, tasks_table
from sandmle.resources import resource
from sandmle.roles.draft_files import write_drafts
from sandmle.sandbox.limits import Limits
from sandmle.seeds.examples import write_example_competition
from sandmle.seeds.load import dump_seed
from sandmle.seeds.profile import profile_competition
from sandmle.spec.load import load_spec
from sandmle.train.configuration import Training
from sandmle.viewer.runs import find_runs
from sandmle.viewer.write import PAGE, write_view

#: The real data set: 569 rows about tumours, which scikit-learn ships.
REAL = "breast-cancer"
DRAFTS = 4
#: Shipped tasks that the scripted policies play, beside those that are trained on alone.
SHIPPED = 8
POLICIES = ("dummy", "naive", "honest", "broken")

#: Seconds of a run of code: less than usual, since one of the policies loops for ever.
STEP_SECONDS = 20.0


def run_demo(folder: Path, console: Console) -> None:
    """Makes a corpus in `folder`, builds it, plays and trains on it, and tells what came of it.

    What is there from an earlier run is kept and not built or trained again. Raises SandboxError,
    when all but the playing is done, where no sandbox works here.
    """
    training = shipped_training()
    shown = shipped_specs(SHIPPED, first=training.data.ids)
    tasks = resource("specs") / "tasks"
    specs = sorted({*shown, *(tasks / f"{name}.yaml" for name in training.data.ids)})
    write_corpus(folder, corpus_files(folder.resolve().name, specs))
    seed = folder / "specs" / "seeds" / f"{REAL}.yaml"
    with _step(console, f"Profiled {REAL}, a real data set, into its structural DNA: {seed}"):
        _profile(seed)
    with _step(
        console, f"Drafted {DRAFTS} specs from it, in new domains: {folder / 'specs/tasks'}"
    ):
        _draft(seed, folder)
    with _step(console, f"Built and validated them and {len(specs)} shipped specs"):
        verdicts = _build(folder)
    for verdict in verdicts:
        if not verdict.accepted:
            why = verdict.reasons[0].partition(" (")[0]
            _aside(console, f"rejected: {verdict.id}: {why}")
    out = folder / "runs" / "demo.jsonl"
    page = folder / "build" / "report.html"
    _report(folder, verdicts, (), page)
    unseen = {path.stem for path in specs} - {path.stem for path in shown}
    played = [item for item in verdicts if item.accepted and item.id not in unseen]
    with _step(console, f"Played {len(POLICIES)} scripted policies on {len(played)}, isolated"):
        rollouts = _play(folder, out, ids=[verdict.id for verdict in played])
    overviews = _report(folder, verdicts, rollouts, page)
    view = out.with_suffix("")
    write_view(find_runs([out]), view)
    trained = _train(training, folder, console)
    if trained is not None:
        write_page(overviews, page, name=folder.resolve().name, corpus=folder)
    console.print()
    ids = {verdict.id for verdict in played}
    accepted = [item for item in overviews if item.verdict.id in ids]
    console.print(tasks_table(accepted, rollouts, width=console.width))
    console.print(_KEY)
    console.print(policies_table(rollouts))
    console.print()
    if trained is not None:
        console.print(show_training(trained, width=min(console.width, 80)), soft_wrap=True)
    console.print(_next_steps(folder, page, view / PAGE, trained), soft_wrap=True)


def _train(training: Training, folder: Path, console: Console) -> Trained | None:
    """Trains, or says in a line why not."""
    start = time.perf_counter()
    try:
        trained = train_demo(training, folder)
    except (ModuleNotFoundError, FileNotFoundError, ValueError) as error:
        _aside(console, f"not trained: {error}")
        return None
    if trained.already:
        _aside(console, f"trained before on the same tasks, and not again: {trained.run}")
    else:
        held_out, learned = len(trained.tasks.validation), len(trained.tasks.train)
        told = f"Trained a model made on the spot on {learned} tasks; {held_out} are held out"
        _tell(console, start, told)
    return trained


_KEY = Text(
    "ladder: the best (d)ummy, (n)aive, (h)onest and (r)eference, worse to better, between the\n"
    "lines of median, bronze, silver and gold; then the medal and the reward of each policy\n",
    "bright_black",
)


def shipped_specs(count: int, *, first: Collection[str] = ()) -> list[Path]:
    """`count` shipped specs, modalities taking turns; of each those named in `first` come first."""
    by_modality: dict[str, list[Path]] = {}
    paths = (resource("specs") / "tasks").glob("*.yaml")
    for path in sorted(paths, key=lambda path: (path.stem not in first, path)):
        by_modality.setdefault(load_spec(path).dna.modality, []).append(path)
    turns = itertools.chain.from_iterable(itertools.zip_longest(*by_modality.values()))
    return [path for path in turns if path is not None][:count]


def _profile(seed: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="sandmle-") as competition:
        write_example_competition(REAL, Path(competition))
        dump_seed(profile_competition(Path(competition), name=REAL), seed)


def _draft(seed: Path, folder: Path) -> None:
    """Drafts from the seed, unless an earlier run has."""
    tasks = folder / "specs" / "tasks"
    drafted = [path for path in tasks.glob("*.yaml") if load_spec(path).seed == REAL]
    if not drafted:
        judge = functools.partial(faults, corpus=folder)
        write_drafts(seed, count=DRAFTS, random_seed=2, folder=tasks, corpus=folder, judge=judge)


def _build(folder: Path) -> list[Verdict]:
    with counting("building") as count:
        return build_corpus(
            None,
            corpus=folder,
            progress=count,
        )


def _play(folder: Path, out: Path, *, ids: Collection[str]) -> list[Rollout]:
    tasks, policies = load_tasks(folder, ids=ids), [load_policy(name) for name in POLICIES]
    out.unlink(missing_ok=True)
    with progress() as bars:
        bar = bars.add_task("playing", total=len(tasks) * len(policies))
        return asyncio.run(
            play(
                tasks,
                policies,
                settings=Settings(step=Limits(wall_seconds=STEP_SECONDS)),
                out=out,
                progress=lambda rollout: bars.advance(bar),
            )
        )


def _report(
    folder: Path, verdicts: Sequence[Verdict], rollouts: Sequence[Rollout], page: Path
) -> list[Overview]:
    plays = plays_by_task(rollouts)
    overviews = [
        read_overview(
            folder / "build" / "tasks" / verdict.id,
            corpus=folder,
            plays=plays.get(verdict.id, ()),
        )
        for verdict in verdicts
    ]
    write_page(overviews, page, name=folder.resolve().name, corpus=folder)
    return overviews


@contextmanager
def _step(console: Console, done: str) -> Iterator[None]:
    """Says what was done and how long it took, when it is done."""
    start = time.perf_counter()
    yield
    _tell(console, start, done)


def _tell(console: Console, start: float, done: str) -> None:
    seconds = f"{time.perf_counter() - start:6.1f} s  "
    console.print(Text.assemble((seconds, "bright_black"), done), soft_wrap=True)


def _aside(console: Console, text: str) -> None:
    """A line of less weight under a step."""
    console.print(Text(f"          {text}", "bright_black"), soft_wrap=True)


def _next_steps(folder: Path, page: Path, view: Path, trained: Trained | None) -> Text:
    command = "sandmle" if shutil.which("sandmle") else os.path.relpath(sys.argv[0])
    return Text.assemble(
        ("\nNext\n", "bold"),
        f"  look at the tasks          open {page}\n",
        f"  read what was played       open {view}\n",
        f"  look at the training       open {trained.page}\n" if trained else "",
        f"  look at one task           {command} show -C {folder} ID\n",
        f"  turn a dial                edit {folder}/specs/tasks/ID.yaml\n",
        f"                             {command} build -C {folder}\n",
        f"  evaluate a model           {command} eval -C {folder} -t all -p openai:MODEL\n",
        f"  start a corpus of yours    {command} init my-corpus",
    )
