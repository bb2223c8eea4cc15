"""play, report, demo: agents on tasks, and what came of it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sandmle.cli.corpus import CorpusOption, JsonOption, corpus_folder
from sandmle.cli.faults import stop
from sandmle.cli.terminal import output, print_json, progress

if TYPE_CHECKING:
    from sandmle.play.rollout import Rollout
    from sandmle.report.overview import Overview


def play(
    ids: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ID",
            help="Tasks, by default all accepted ones; mlebench:DIR for real competitions.",
        ),
    ] = None,
    policies: Annotated[
        list[str],
        typer.Option("--policy", "-p", help="Who plays, as NAME or NAME:ARGUMENT; repeatable."),
    ] = ["dummy", "naive", "honest"],  # noqa: B006 - typer reads it, nobody changes it
    reward: Annotated[
        str, typer.Option(help="paper, release, sparse, or a YAML file of weights.")
    ] = "paper",
    attempts: Annotated[int, typer.Option(min=1, help="Episodes of a policy on a task.")] = 1,
    score: Annotated[
        str, typer.Option(help="What the tool `score` tells: test, validity or none.")
    ] = "test",
    turns: Annotated[
        int | None,
        typer.Option(min=1, help="Turns of an episode at most.", show_default="20; human: 200"),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            min=1, help="Seconds of an episode at most.", show_default="1800; human: a day"
        ),
    ] = None,
    step_seconds: Annotated[float, typer.Option(help="Seconds of a run of code at most.")] = 120.0,
    step_mebibytes: Annotated[
        int, typer.Option(min=1, help="Memory of a run of code at most.")
    ] = 2048,
    workspace_mebibytes: Annotated[
        int, typer.Option(min=1, help="Size of the working folder at most.")
    ] = 256,
    concurrency: Annotated[int, typer.Option(min=1, help="Episodes at a time.")] = 2,
    backend: Annotated[
        str, typer.Option(help="The sandbox; auto takes the strongest that works here.")
    ] = "auto",
    libraries: Annotated[
        str,
        typer.Option(help="What the sandbox has imported already, such as scikit-learn,torch."),
    ] = "scikit-learn,boosting",
    unsafe: Annotated[
        bool, typer.Option("--unsafe", help="Allow a sandbox that does not isolate.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Rollouts; by default runs/TIME.jsonl."),
    ] = None,
    corpus: CorpusOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let policies play tasks in the sandbox; writes rollouts with rewards."""
    import asyncio

    from sandmle.evaluation.selection import ALL, select_tasks
    from sandmle.play.play import play as play_tasks
    from sandmle.play.policies import load_policy
    from sandmle.play.reward import load_weights
    from sandmle.play.settings import Settings
    from sandmle.report.played import policies_table
    from sandmle.sandbox.limits import MEBIBYTE, limits_for

    by_hand = any(name.partition(":")[0] == "human" for name in policies)
    root = corpus_folder(corpus)
    out = out or root / "runs" / f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}.jsonl"
    try:
        settings = Settings(
            score=score,  # type: ignore[arg-type]  # checked there, with a message
            turns=turns or (200 if by_hand else 20),
            seconds=seconds or (86_400.0 if by_hand else 1800.0),
            repeats=None if by_hand else 4,
            step=limits_for(
                wall_seconds=step_seconds,
                memory_bytes=step_mebibytes * MEBIBYTE,
                workspace_bytes=workspace_mebibytes * MEBIBYTE,
            ),
            libraries=tuple(name.strip() for name in libraries.split(",") if name.strip()),
        )
        players = [load_policy(name, settings=settings) for name in policies]
        tasks = select_tasks(ids or [ALL], corpus=root)
    except ValueError as error:
        stop(str(error))
    with progress(hidden=by_hand) as bars:
        bar = bars.add_task("playing", total=len(tasks) * len(players) * attempts)
        rollouts = asyncio.run(
            play_tasks(
                tasks,
                players,
                settings=settings,
                weights=load_weights(reward),
                attempts=attempts,
                concurrency=1 if by_hand else concurrency,
                backend=backend,
                unsafe=unsafe,
                out=out,
                progress=lambda rollout: bars.advance(bar),
            )
        )
    if as_json:
        print_json([_summary(rollout) for rollout in rollouts])
    else:
        output().print(policies_table(rollouts))
    typer.echo(f"{len(rollouts)} rollouts: {out}", err=True)


def _summary(rollout: Rollout) -> dict[str, Any]:
    """An episode's result without its messages and steps, which the file of rollouts holds."""
    from sandmle.report.overview import outcome

    submission = rollout.submission
    return {
        "task": rollout.task,
        "policy": rollout.policy,
        "attempt": rollout.attempt,
        "outcome": outcome(rollout),
        "score": submission and submission.score,
        "reward": rollout.reward and rollout.reward.total,
        "termination": rollout.termination,
        "seconds": rollout.seconds,
    }


def report(
    page: Annotated[
        Path | None, typer.Option("--output", "-o", help="By default build/report.html.")
    ] = None,
    rollouts: Annotated[
        Path | None,
        typer.Option(
            exists=True, dir_okay=False, help="Rollouts to show; by default the last of runs/."
        ),
    ] = None,
    corpus: CorpusOption = None,
) -> None:
    """Write one self-contained HTML page on which to look at all built tasks."""
    from sandmle.report.page import write_page

    root = corpus_folder(corpus)
    played = rollouts or max((root / "runs").glob("*.jsonl"), default=None)
    overviews = read_overviews(root, played)
    if not overviews:
        stop(f"{root}: no task is built yet; run `sandmle build` first")
    path = page or root / "build" / "report.html"
    write_page(overviews, path, name=root.name, corpus=root)
    with_rollouts = f", with the rollouts of {played}" if played else ""
    typer.echo(f"{path}: {len(overviews)} tasks{with_rollouts}")


def read_overviews(corpus: Path, rollouts: Path | None) -> list[Overview]:
    """All built tasks of a corpus in the order of their ids, with a bar where it takes long."""
    from sandmle.play.rollout import read_rollouts
    from sandmle.report.overview import plays_by_task, read_overview

    plays = plays_by_task(read_rollouts(rollouts)) if rollouts else {}
    folders = sorted(path.parent for path in (corpus / "build" / "tasks").glob("*/verdict.json"))
    with progress() as bars:
        try:
            return [
                read_overview(folder, corpus=corpus, plays=plays.get(folder.name, ()))
                for folder in bars.track(folders, description="reading tasks")
            ]
        except ValueError as error:  # a broken verdict
            stop(str(error))


def demo(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Where to make the demo's corpus.")
    ] = Path("sandmle-demo"),
) -> None:
    """See the whole line at work: a real data set, drafts, tasks, policies, rewards, a page."""
    from sandmle.demo.run import run_demo

    run_demo(folder, output())
