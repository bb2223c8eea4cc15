"""The command line answers at once, because nothing heavy is loaded for it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from sandmle import __version__

EXAMPLE = Path(__file__).parents[1] / "spec" / "example.yaml"
HEAVY = {"numpy", "pandas", "scipy", "sklearn", "PIL", "snakemake", "jinja2", "asyncio"}


def run(*arguments: str, python: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *python, "-m", "sandmle", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("arguments", [("--help",), ("check", str(EXAMPLE)), ("--version",)])
def test_nothing_heavy_is_loaded(arguments: tuple[str, ...]) -> None:
    done = run(*arguments, python=("-X", "importtime"))
    assert done.returncode == 0, done.stderr
    loaded = {line.split("|")[-1].strip().split(".")[0] for line in done.stderr.splitlines()}
    assert "typer" in loaded
    assert not loaded & HEAVY


def test_the_version_is_the_package_s() -> None:
    assert run("--version").stdout == f"sandmle {__version__}\n"


def test_help_lists_the_commands_in_the_order_of_their_use() -> None:
    listed = [
        line.split()[1] for line in run("--help").stdout.splitlines() if line.startswith("│ ")
    ]
    expected = [
        *("init", "check", "schema", "profile", "draft"),
        *("compile", "calibrate", "build", "show"),
        *("score", "play", "report", "demo", "doctor", "bench"),
    ]
    assert [word for word in listed if word in expected] == expected
