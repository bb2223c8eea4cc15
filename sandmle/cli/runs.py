"""The runs that are named on a command line."""

from __future__ import annotations

from pathlib import Path

from sandmle.cli.faults import stop


def rollouts_file(run: Path) -> Path:
    """The rollouts of a run: those of its folder, or the file itself.

    Ends the command where there are none.
    """
    from sandmle.evaluation.files import ROLLOUTS_FILE

    path = run / ROLLOUTS_FILE if run.is_dir() else run
    if not path.is_file():
        stop(f"{run}: no run: expected a folder with {ROLLOUTS_FILE}, or such a file")
    return path
