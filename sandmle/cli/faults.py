"""The faults of a user as lines and exit codes, never a traceback.

Exit 1 means findings: a spec has problems, a task was rejected, a submission cannot be graded, a
budget is spent. Exit 2 means that a command could not start: usage, unreadable input, no sandbox on
this machine, no language model that answers.
"""

from __future__ import annotations

from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

from sandmle.errors import (
    BudgetSpent,
    BuildError,
    CompileError,
    EndpointError,
    InvalidSubmission,
    RolloutError,
    SandboxError,
    SpecError,
    VocabularyError,
)

FINDINGS = 1
USAGE = 2


class Commands(TyperGroup):
    """The group of commands, listed in the order in which they are used."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(self.commands)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # `sandmle check | head`: typer ends quietly
            raise
        except (SpecError, CompileError, InvalidSubmission, BudgetSpent) as error:
            stop(str(error), code=FINDINGS)
        except (
            VocabularyError,
            BuildError,
            RolloutError,
            SandboxError,
            EndpointError,
            OSError,
        ) as error:
            stop(str(error), code=USAGE)


def stop(message: str, *, code: int = USAGE) -> NoReturn:
    """Ends the command with `message` on stderr and the exit code."""
    typer.echo(message, err=True)
    raise typer.Exit(code)
