"""Options of commands that evaluate policies: their names are the settings', None is not given."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

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
