"""replay: recorded rollouts, played again, to see whether anything has drifted."""

from __future__ import annotations

import dataclasses
import functools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sandmle.cli.corpus import CorpusOption, JsonOption, corpus_folder
from sandmle.cli.faults import FINDINGS, stop
from sandmle.cli.runs import rollouts_file
from sandmle.cli.terminal import print_json, progress

if TYPE_CHECKING:
    from sandmle.play.drift import Drift
    from sandmle.play.reward import Weights
    from sandmle.play.rollout import Rollout
    from sandmle.play.task import Task

_SAME, _DRIFTED = "the same", "drifted"


def replay(
    run: Annotated[
        Path, typer.Argument(metavar="RUN", help="A run's folder, or a file of rollouts.")
    ],
    task: Annotated[
        list[str] | None,
        typer.Option("--task", help="Rollouts of this task alone; repeatable.", show_default="all"),
    ] = None,
    policy: Annotated[
        list[str] | None,
        typer.Option(
            "--policy", "-p", help="Rollouts of this policy alone; repeatable.", show_default="all"
        ),
    ] = None,
    reward: Annotated[
        Path | None,
        typer.Option(
            exists=True,
            dir_okay=False,
            help="The YAML file of weights that the run was rewarded by, where that is no preset.",
            show_default=False,
        ),
    ] = None,
    concurrency: Annotated[int, typer.Option(min=1, help="Episodes at a time.")] = 2,
    backend: Annotated[
        str, typer.Option(help="The sandbox; auto takes the strongest that works here.")
    ] = "auto",
    unsafe: Annotated[
        bool, typer.Option("--unsafe", help="Allow a sandbox that does not isolate.")
    ] = False,
    corpus: CorpusOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play recorded turns again; say what came out otherwise, and exit with 1 where anything did.

    Timings, addresses in memory and temporary paths may differ. Code that draws random numbers
    without a seed drifts.
    """
    import asyncio

    from sandmle.play.replaying import replay as play_again

    path = rollouts_file(run)
    tasks = _tasks(run, corpus)
    counts: Counter[str] = Counter()
    drifted: list[dict[str, Any]] = []
    with progress() as bars:
        bar = bars.add_task("replaying", total=None)

        def take(recorded: Rollout, found: list[Drift]) -> None:
            bars.advance(bar)
            counts[_DRIFTED if found else _SAME] += 1
            if found and as_json:
                drifted.append(_data(recorded, found))
            elif found:
                _tell(recorded, found)

        asyncio.run(
            play_again(
                _replayable(path, tasks, counts, only=task or (), policies=policy or ()),
                tasks,
                take,
                weights_of=_weights(reward),
                concurrency=concurrency,
                backend=backend,
                unsafe=unsafe,
            )
        )
    if not counts[_SAME] + counts[_DRIFTED]:
        stop(f"{path}: no rollout here can be played again: {_counted(counts) or 'there is none'}")
    if as_json:
        print_json({"counts": dict(counts), "drifted": drifted})
    else:
        typer.echo(f"rollouts: {_counted(counts)}")
    if counts[_DRIFTED]:
        raise typer.Exit(FINDINGS)


def _tasks(run: Path, corpus: Path | None) -> dict[str, Task]:
    """The tasks of a run by id: those that its config selects, else all of the corpus."""
    from sandmle.evaluation.files import CONFIG_FILE
    from sandmle.evaluation.run import read_config
    from sandmle.evaluation.selection import ALL, select_tasks

    selections = read_config(run).tasks if (run / CONFIG_FILE).is_file() else (ALL,)
    try:
        return {task.id: task for task in select_tasks(selections, corpus=corpus_folder(corpus))}
    except ValueError as error:
        stop(str(error))


def _replayable(
    path: Path,
    tasks: Mapping[str, Task],
    counts: Counter[str],
    *,
    only: Sequence[str],
    policies: Sequence[str],
) -> Iterator[Rollout]:
    """The rollouts that are meant and can be played again; the others are counted by reason."""
    from sandmle.play.replaying import why_not
    from sandmle.play.rollout import read_rollouts

    for rollout in read_rollouts(path):
        if (only and rollout.task not in only) or (policies and rollout.policy not in policies):
            continue
        reason = why_not(rollout, tasks)
        if reason is None:
            yield rollout
        else:
            counts[f"not played: {reason}"] += 1


def _weights(given: Path | None) -> Callable[[Rollout], Weights]:
    """Gives the weights of a rollout: those of the file that was given, else by their name."""
    from sandmle.play.reward import load_weights

    load = functools.cache(load_weights)

    def weights_of(rollout: Rollout) -> Weights:
        name = rollout.reward.weights if rollout.reward is not None else "paper"
        return load(given or name)

    return weights_of


def _data(recorded: Rollout, found: Sequence[Drift]) -> dict[str, Any]:
    who = {"task": recorded.task, "policy": recorded.policy, "attempt": recorded.attempt}
    return {**who, "drifts": [dataclasses.asdict(drift) for drift in found]}


def _tell(recorded: Rollout, found: Sequence[Drift]) -> None:
    from sandmle.play.terminal import harmless

    typer.echo(f"{recorded.task}, {recorded.policy}, attempt {recorded.attempt}:")
    for drift in found:
        typer.echo(harmless(f"  {drift}"))


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {what}" for what, count in counts.items())
