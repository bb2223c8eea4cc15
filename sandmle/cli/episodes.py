"""Options of commands that evaluate policies: their names are the settings', None is not given."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sandmle.cli.models import MODELS

#: The options' panels in the help.
EPISODES = "Episodes"
MACHINE = "Machine"

PolicyOption = Annotated[
    list[str] | None,
    typer.Option(
        "--policy",
        "-p",
        help="Who plays: openai:MODEL, or a scripted policy such as honest; repeatable.",
        show_default=False,
    ),
]
TasksOption = Annotated[
    list[str] | None,
    typer.Option(
        "--tasks",
        "-t",
        help="validation, train, all, the id of a task, or mlebench:DIR; repeatable.",
        show_default="validation",
    ),
]
AttemptsOption = Annotated[
    int | None,
    typer.Option(
        "--attempts", "-k", min=1, help="Episodes of a policy on a task.", show_default="1"
    ),
]
LimitOption = Annotated[
    int | None,
    typer.Option(min=1, help="So many tasks at most, modalities taking turns.", show_default="all"),
]
ConfigOption = Annotated[
    Path | None,
    typer.Option(
        "--config",
        "-c",
        exists=True,
        dir_okay=False,
        help="Settings as YAML, by the names of these options.",
        show_default=False,
    ),
]
RewardOption = Annotated[
    str | None,
    typer.Option(
        help="paper, release, sparse, or a YAML file of weights.",
        rich_help_panel=EPISODES,
        show_default="paper",
    ),
]
ScoreOption = Annotated[
    str | None,
    typer.Option(
        help="What the tool `score` tells: test, validity or none.",
        rich_help_panel=EPISODES,
        show_default="validity",
    ),
]
TurnsOption = Annotated[
    int | None,
    typer.Option(min=1, help="Turns at most.", rich_help_panel=EPISODES, show_default="30"),
]
SecondsOption = Annotated[
    float | None,
    typer.Option(help="Seconds at most.", rich_help_panel=EPISODES, show_default="1800"),
]
TokensOption = Annotated[
    int | None,
    typer.Option(
        min=1, help="Tokens of answers at most.", rich_help_panel=EPISODES, show_default="no limit"
    ),
]
ContextTokensOption = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Tokens that a model is shown at most; the oldest outputs are left out first.",
        rich_help_panel=EPISODES,
        show_default="no limit",
    ),
]
OutputCharactersOption = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Characters that are shown of what code prints, and of its errors.",
        rich_help_panel=EPISODES,
        show_default="4000",
    ),
]
ToolsOption = Annotated[
    str | None,
    typer.Option(
        help="How models call tools: native, or text.",
        rich_help_panel=EPISODES,
        show_default="native",
    ),
]
RepeatsOption = Annotated[
    int | None,
    typer.Option(
        min=2,
        help="The same turns so many times in a row end an episode.",
        rich_help_panel=EPISODES,
        show_default="4",
    ),
]
StepSecondsOption = Annotated[
    float | None,
    typer.Option(
        help="Seconds of a run of code at most.", rich_help_panel=EPISODES, show_default="120"
    ),
]
StepMebibytesOption = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Memory of a run of code, in MiB.",
        rich_help_panel=EPISODES,
        show_default="2048",
    ),
]
WorkspaceMebibytesOption = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Size of the working folder, in MiB.",
        rich_help_panel=EPISODES,
        show_default="256",
    ),
]
LibrariesOption = Annotated[
    str | None,
    typer.Option(
        help="What the sandbox has imported already, such as scikit-learn,torch.",
        rich_help_panel=EPISODES,
        show_default="scikit-learn,boosting",
    ),
]
ConcurrencyOption = Annotated[
    int | None,
    typer.Option(min=1, help="Episodes at a time.", rich_help_panel=MACHINE, show_default="64"),
]
CoresOption = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Runs of code at a time.",
        rich_help_panel=MACHINE,
        show_default="one a processor",
    ),
]
BackendOption = Annotated[
    str | None,
    typer.Option(
        help="The sandbox; auto takes the strongest that works here.",
        rich_help_panel=MACHINE,
        show_default="auto",
    ),
]
UnsafeOption = Annotated[
    bool,
    typer.Option(
        "--unsafe", help="Allow a sandbox that does not isolate.", rich_help_panel=MACHINE
    ),
]
RetryUnscoredOption = Annotated[
    bool,
    typer.Option(
        "--retry-unscored",
        help="Play again what could not be scored, as after failures of an endpoint.",
        rich_help_panel=MACHINE,
    ),
]
TemperatureOption = Annotated[
    float | None,
    typer.Option(
        min=0, help="Sampling temperature.", rich_help_panel=MODELS, show_default="the endpoint's"
    ),
]
TopPOption = Annotated[
    float | None,
    typer.Option(
        min=0,
        max=1,
        help="Nucleus sampling.",
        rich_help_panel=MODELS,
        show_default="the endpoint's",
    ),
]
MaxTokensOption = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Tokens of a reply at most, with what the model thinks.",
        rich_help_panel=MODELS,
        show_default="8192",
    ),
]
RandomSeedOption = Annotated[
    int | None,
    typer.Option(
        "--random-seed",
        "-S",
        min=0,
        help="Each episode's seed is drawn from it.",
        rich_help_panel=MODELS,
        show_default="0",
    ),
]
ExtraOption = Annotated[
    str | None,
    typer.Option(
        metavar="JSON",
        help="Further fields of every request, as the endpoint has them.",
        rich_help_panel=MODELS,
        show_default=False,
    ),
]
StreamOption = Annotated[
    bool,
    typer.Option("--stream", help="Ask for replies in a stream.", rich_help_panel=MODELS),
]
TimeoutOption = Annotated[
    float | None,
    typer.Option(
        min=0.1, help="Seconds of a call at most.", rich_help_panel=MODELS, show_default="600"
    ),
]
RetriesOption = Annotated[
    int | None,
    typer.Option(
        min=0,
        help="How often a call that fails is tried again.",
        rich_help_panel=MODELS,
        show_default="6",
    ),
]
