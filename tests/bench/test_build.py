"""Builds are measured in processor time, of all processes and on corpora that are made for it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sandmle.bench import build
from sandmle.bench.build import BuildBench, bench_build, cpu_seconds, write_variants
from sandmle.cli import app
from sandmle.spec.load import load_spec

#: Works for about a third of a second, in a child of a child.
WORK = """
import subprocess, sys, time
if len(sys.argv) > 1:
    subprocess.run([sys.executable, "-c", sys.argv[1], *sys.argv[2:]])
else:
    while time.process_time() < 0.3: pass
"""


def test_the_time_of_grandchildren_counts() -> None:
    grandchild = [sys.executable, "-c", WORK, WORK]
    assert cpu_seconds(grandchild) > 0.3


def test_a_command_that_fails_is_no_measurement() -> None:
    assert cpu_seconds([sys.executable, "-c", "raise SystemExit(1)"]) > 0, "rejected tasks are fine"
    with pytest.raises(RuntimeError, match="failed"):
        cpu_seconds([sys.executable, "-c", "raise SystemExit(2)"])


def test_variants_are_right_and_differ(tmp_path: Path) -> None:
    corpus = write_variants(tmp_path / "corpus", 60)
    specs = [load_spec(path) for path in (corpus / "specs/tasks").iterdir()]
    assert len(specs) == 60
    assert len({(spec.id.rsplit("-", 1)[0], spec.random_seed) for spec in specs}) == 60
    assert {spec.thresholds for spec in specs} == {None}


def test_the_command_prints_one_object_or_two_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = {
        "cores": 2,
        "processor": "one",
        "load": [1.5, 1.0, 1.0],
        "python": "3",
        "notes": [],
    }
    found = BuildBench(200, 400.0, 500.0, 3.0, machine)
    monkeypatch.setattr("sandmle.bench.build.bench_build", lambda **options: found)
    printed = CliRunner().invoke(app, ["bench", "build", "--json"]).stdout
    assert json.loads(printed) == {
        "tasks": 200,
        "pool_cpu_s": 400.0,
        "build_cpu_s": 500.0,
        "noop_1000_cpu_s": 3.0,
        "machine": machine,
    }
    lines = CliRunner().invoke(app, ["bench", "build"]).stdout.splitlines()
    assert lines[0].endswith("sandmle build 500.0 CPU s, 1.25 times as much")
    assert lines[1].endswith("nothing to do: 3.0 CPU s")


@pytest.mark.slow
def test_everything_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "UNCHANGED", 3)
    told: list[tuple[int, int]] = []
    found = bench_build(
        tasks=2, rounds=1, cores=2, progress=lambda done, total: told.append((done, total))
    )
    assert found.tasks == 2
    assert 0 < found.noop_1000_cpu_s < found.build_cpu_s
    assert found.pool_cpu_s > 0
    assert told == [(done, 6) for done in range(6)]
