"""ruff as the judge of compiled scripts."""

from __future__ import annotations

import subprocess
import sysconfig
from pathlib import Path

RUFF = Path(sysconfig.get_path("scripts")) / "ruff"


def formatted(source: str) -> str:
    """Python source as `ruff format` writes it in 100 columns."""
    done = subprocess.run(
        [RUFF, "format", "--isolated", "--line-length", "100", "-"],
        input=source,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def faults(source: str) -> str:
    """What `ruff check` finds in a script: errors, unused and undefined names, unsorted imports."""
    done = subprocess.run(
        [RUFF, "check", "--isolated", "--line-length", "100", "--select", "E,F,W,I,B,N", "-"],
        input=source,
        capture_output=True,
        text=True,
        check=False,
    )
    return "" if done.returncode == 0 else done.stdout
