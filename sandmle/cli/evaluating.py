"""eval, summary, compare: runs of policies over many tasks, and what they come to."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sandmle.cli import episodes
from sandmle.cli.corpus import CorpusOption, JsonOption, corpus_folder
from sandmle.cli.faults import FINDINGS, stop
from sandmle.cli.models import BaseUrlOption, BudgetOption, PerMinuteOption, PriceOption
from sandmle.cli.terminal import output, print_json, progress

if TYPE_CHECKING:
    from sandmle.evaluation.choices import Given
    from sandmle.evaluation.evaluate import Ended, Means
    from sandmle.evaluation.preparation import Prepared
    from sandmle.evaluation.run import Run
    from sandmle.evaluation.tally import Tallies

#: Parameters of `eval` that are no settings of a run.
_NO_SETTINGS = ("config", "resume", "out", "shard", "corpus", "as_json")

#: Settings that a flag turns on.
_SWITCHES = ("unsafe", "stream", "retry_unscored")

#: Seconds between two looks at how a run goes, on a terminal and elsewhere.
_LOOK_SECONDS, _LINE_SECONDS = 0.5, 60.0

#: Exit code of what Ctrl-C ends, as shells have it.
_INTERRUPTED = 130

_RUN = typer.Argument(metavar="RUN", exists=True, help="A run's folder, or a file of rollouts.")


def eval_(
    context: typer.Context,
    policy: episodes.PolicyOption = None,
    tasks: episodes.TasksOption = None,
    attempts: episodes.AttemptsOption = None,
    limit: episodes.LimitOption = None,
    config: episodes.ConfigOption = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "--output",
            "-o",
            file_okay=False,
            metavar="RUN",
            help="The run's folder; by default one in runs/ that is named by what is played.",
            show_default=False,
        ),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            exists=True,
            file_okay=False,
            metavar="RUN",
            help="Play on in this folder, by its own settings.",
            show_default=False,
        ),
    ] = None,
    shard: Annotated[
        str | None,
        typer.Option(metavar="I/N", help="Play the Ith of N parts of the tasks."),
    ] = None,
    reward: episodes.RewardOption = None,
    score: episodes.ScoreOption = None,
    turns: episodes.TurnsOption = None,
    seconds: episodes.SecondsOption = None,
    tokens: episodes.TokensOption = None,
    context_tokens: episodes.ContextTokensOption = None,
    output_characters: episodes.OutputCharactersOption = None,
    tools: episodes.ToolsOption = None,
    repeats: episodes.RepeatsOption = None,
    step_seconds: episodes.StepSecondsOption = None,
    step_mebibytes: episodes.StepMebibytesOption = None,
    workspace_mebibytes: episodes.WorkspaceMebibytesOption = None,
    libraries: episodes.LibrariesOption = None,
    base_url: BaseUrlOption = None,
    temperature: episodes.TemperatureOption = None,
    top_p: episodes.TopPOption = None,
    max_tokens: episodes.MaxTokensOption = None,
    random_seed: episodes.RandomSeedOption = None,
    extra: episodes.ExtraOption = None,
    stream: episodes.StreamOption = False,
    timeout: episodes.TimeoutOption = None,
    retries: episodes.RetriesOption = None,
    per_minute: PerMinuteOption = None,
    budget: BudgetOption = None,
    price: PriceOption = None,
    concurrency: episodes.ConcurrencyOption = None,
    cores: episodes.CoresOption = None,
    backend: episodes.BackendOption = None,
    unsafe: episodes.UnsafeOption = False,
    retry_unscored: episodes.RetryUnscoredOption = False,
    corpus: CorpusOption = None,
    as_json: JsonOption = False,
) -> None:
    """Evaluate policies on many tasks, and sum up how they did.

    What was stopped, however, goes on by the same command: no finished episode is played again.
    """
    from sandmle.evaluation.choices import choose
    from sandmle.evaluation.evaluate import Stopped
    from sandmle.evaluation.preparation import prepare
    from sandmle.evaluation.run import ConflictError, default_folder

    if resume is not None and out is not None:
        raise typer.BadParameter("give one of --out and --resume")
    root = corpus_folder(corpus)
    try:
        choices = choose(list(_given(context.params, config=config, resume=resume)))
        prepared = prepare(choices, corpus=root, shard=shard)
    except ValueError as error:
        stop(str(error))
    folder = out or resume or default_folder(root, prepared.config)
    try:
        ended = _play(folder, prepared, choices.means)
    except ConflictError as error:
        stop(str(error))
    _show(ended.run, as_json=as_json)
    if ended.fault is not None:
        kept = f"{ended.run.rollouts} of {ended.run.expected} rollouts are kept in {folder}"
        code = _INTERRUPTED if isinstance(ended.fault, Stopped) else FINDINGS
        stop(f"{ended.fault}; {kept}: the same command plays on", code=code)
    typer.echo(f"{ended.run.rollouts} rollouts: {folder}", err=True)
    if not any(tally.scored for tally in ended.run.tallies):
        stop("nothing could be scored", code=FINDINGS)


def _given(
    parameters: Mapping[str, Any], *, config: Path | None, resume: Path | None
) -> Iterator[Given]:
    """Where settings are chosen: the command line, a file, an earlier run."""
    from sandmle.evaluation.choices import Given, choices_of, read_choices
    from sandmle.evaluation.run import read_config

    given = {name: value for name, value in parameters.items() if name not in _NO_SETTINGS}
    given["prices"] = given.pop("price")
    for name in _SWITCHES:
        given[name] = given[name] or None
    if given["libraries"]:
        given["libraries"] = [name.strip() for name in given["libraries"].split(",")]
    if given["extra"]:
        given["extra"] = _json_object("extra", given["extra"])
    yield Given("on the command line", given)
    if config is not None:
        yield read_choices(config)
    if resume is not None:
        yield Given(f"in {resume}", choices_of(read_config(resume)))


def _json_object(name: str, text: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except ValueError as error:
        raise typer.BadParameter(f"--{name}: not JSON: {error}") from None
    if not isinstance(data, dict):
        raise typer.BadParameter(f"--{name}: expected a JSON object, got {text}")
    return data


def _play(folder: Path, prepared: Prepared, means: Means) -> Ended:
    """Plays a run, showing how it goes."""
    from sandmle.evaluation.evaluate import evaluate

    with _watched(prepared.config.rollouts) as told:
        return evaluate(
            folder,
            prepared.config,
            prepared.policies,
            prepared.tasks,
            weights=prepared.weights,
            means=means,
            told=told,
        )


@contextmanager
def _watched(expected: int) -> Iterator[Callable[[Tallies], None]]:
    """Shows how a run goes: a bar with its rates, or a line now and then without a terminal."""
    with progress() as bars:
        bar = bars.add_task("playing", total=expected)
        pause = _LINE_SECONDS if bars.disable else _LOOK_SECONDS
        looked = time.monotonic()

        def told(tallies: Tallies) -> None:
            nonlocal looked
            bars.update(bar, completed=tallies.rollouts)
            if time.monotonic() - looked >= pause:
                looked = time.monotonic()
                bars.update(bar, description=tallies.told())
                if bars.disable:
                    typer.echo(f"{tallies.rollouts} of {expected}: {tallies.told()}", err=True)

        yield told


def summary(
    run: Annotated[Path, _RUN],
    as_json: JsonOption = False,
) -> None:
    """Sum up a run as far as it has come, while it is played, too."""
    from sandmle.evaluation.run import read_run

    found = read_run(run)
    _show(found, as_json=as_json)
    if found.expected is not None and found.rollouts < found.expected:
        typer.echo(f"{found.rollouts} of {found.expected} rollouts so far", err=True)


def _show(run: Run, *, as_json: bool) -> None:
    """Prints the summary of a run."""
    from sandmle.evaluation.run import run_data
    from sandmle.evaluation.tables import notes, summary_table

    found = run.summary()
    if as_json:
        print_json(run_data(run, found))
    elif run.rollouts:
        output().print(summary_table(found))
        for line in notes(found):
            output().print(line, highlight=False)


def compare(
    first: Annotated[Path, _RUN],
    second: Annotated[Path, _RUN],
    first_policy: Annotated[
        str | None,
        typer.Option(help="Whose rollouts of the first run, where several policies played."),
    ] = None,
    second_policy: Annotated[
        str | None, typer.Option(help="Whose rollouts of the second run.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Compare two runs task by task: what differs, by how much, and whether chance could do it."""
    from sandmle.evaluation import compare as comparing
    from sandmle.evaluation.run import read_run
    from sandmle.evaluation.tables import comparison_notes, comparison_table

    try:
        found = comparing.compare(
            read_run(first), read_run(second), policies=(first_policy, second_policy)
        )
    except ValueError as error:
        stop(str(error))
    if as_json:
        print_json(comparing.compared_data(found))
    else:
        output().print(comparison_table(found))
        for line in comparison_notes(found):
            output().print(line, highlight=False)
    if found.whole is None:
        stop("no task has scored rollouts in both runs", code=FINDINGS)
